import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CURVES,
  createECDHOperations,
  createECDSAOperations,
  EngineError,
  type ExplicitCurve,
  explicitOperations,
  generateKeyPair,
  validateExplicitCurve,
} from '../../engines/index.ts';
import { combStride } from '../../engines/multipliers/jacobian-tables.ts';
import { HASHES } from './hashes.ts';
import { fromHex, hex, toBigInt } from './helpers.ts';
import { privateKeyDer, publicKeyDer } from './key-objects.ts';
import { Reference } from './reference.ts';

/** SEC 2 version 1 and X9.62: an order longer than the prime; two whose combs need one block per digit. */
const PARAMETERS = {
  secp160r1: {
    p: 'ffffffffffffffffffffffffffffffff7fffffff',
    a: 'ffffffffffffffffffffffffffffffff7ffffffc',
    b: '1c97befc54bd7a8b65acf89f81d4d4adc565fa45',
    gx: '4a96b5688ef573284664698968c38bb913cbfc82',
    gy: '23a628553168947d59dcc912042351377ac5fb32',
    n: '0100000000000000000001f4c8f927aed3ca752257',
  },
  secp128r1: {
    p: 'fffffffdffffffffffffffffffffffff',
    a: 'fffffffdfffffffffffffffffffffffc',
    b: 'e87579c11079f43dd824993c2cee5ed3',
    gx: '161ff7528b899b2d0c28607ca52c5b86',
    gy: 'cf5ac8395bafeb13c02da292dded7a83',
    n: 'fffffffe0000000075a30d1b9038a115',
  },
  prime239v1: {
    p: '7fffffffffffffffffffffff7fffffffffff8000000000007fffffffffff',
    a: '7fffffffffffffffffffffff7fffffffffff8000000000007ffffffffffc',
    b: '6b016c3bdcf18941d0d654921475ca71a9db2fb27d1d37796185c2942c0a',
    gx: '0ffa963cdca8816ccc33b8642bedf905c3d358573d3f27fbbd3b3cb9aaaf',
    gy: '7debe8e4e90a5dae6e4054ca530ba04654b36818ce226b39fccb7b02f1ae',
    n: '7fffffffffffffffffffffff7fffff9e5e9a9f5d9071fbd1522688909d0b',
  },
};
const OIDS = { secp160r1: '1.3.132.0.8', secp128r1: '1.3.132.0.28', prime239v1: '1.2.840.10045.3.1.4' };

type Name = keyof typeof PARAMETERS;
type Parameters = Record<keyof ExplicitCurve, bigint>;

const valuesOf = (parameters: Record<keyof ExplicitCurve, string>): Parameters =>
  Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, BigInt(`0x${text}`)])) as Parameters;
const explicit = (values: Parameters): ExplicitCurve =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const text = value.toString(16);
      return [key, fromHex(text.padStart(text.length + (text.length % 2), '0'))];
    }),
  ) as Record<keyof ExplicitCurve, Uint8Array>;
const random = (bytes: Uint8Array): void => {
  bytes.set(randomBytes(bytes.length));
};

describe.each(Object.keys(PARAMETERS) as Name[])('%s by explicit parameters', (name) => {
  const operations = explicitOperations(explicit(valuesOf(PARAMETERS[name])));
  const { curve } = operations;
  const reference = new Reference(curve, name);
  const { n, width, coordinate } = reference;
  const out = new Uint8Array(2 * coordinate);

  it('is checked once and then the same object', () => {
    expect(explicitOperations(explicit(valuesOf(PARAMETERS[name])))).toBe(operations);
    expect(curve.name).toMatch(/^explicit-\d+-[0-9a-f]+$/);
  });

  it('has the widths of its prime and of its order, which may differ', () => {
    expect([operations.byteLength, operations.scalars.byteLength]).toEqual([
      PARAMETERS[name].p.length / 2,
      PARAMETERS[name].n.length / 2,
    ]);
    expect(combStride(curve)).toBe(name === 'secp160r1' ? 2 : 1);
  });

  it('multiplies as OpenSSL does, at edge and random scalars', () => {
    const highest = 2n ** BigInt(8 * width) - 1n;
    const edges = [0n, 1n, 2n, 31n, 32n, n - 2n, n - 1n, n, highest];
    const scalar = fc.oneof(fc.bigInt({ min: 0n, max: highest }), fc.constantFrom(...edges));
    const check = (k: bigint, q: bigint): void => {
      operations.multiplyBase(out, reference.scalar(k));
      expect(hex(out)).toBe(reference.multiple(k));
      const point = reference.point(q);
      operations.multiply(out, point, reference.scalar(k));
      expect(hex(out)).toBe(reference.multiple(k * q));
      for (const Q of [point, operations.precompute(point)]) {
        const finite = operations.multiplyDoubleVartime(out, reference.scalar(q), reference.scalar(k), Q);
        expect([finite, hex(out)]).toEqual([(q + (k % n) * q) % n === 0n ? 0 : 1, reference.multiple(q + k * q)]);
      }
    };
    for (const k of edges) check(k, 0xabcdefn);
    fc.assert(fc.property(scalar, fc.bigInt({ min: 1n, max: n - 1n }), check), { numRuns: 40 });
  });

  it('agrees and signs as node:crypto does', () => {
    const ecdsa = createECDSAOperations(operations, HASHES);
    const ecdh = createECDHOperations(operations);
    const row = { ...curve, oid: OIDS[name] };
    let peer = reference.point(1n);
    for (let round = 0; round < 30; round++) {
      const d = new Uint8Array(width);
      const point = new Uint8Array(2 * coordinate);
      generateKeyPair(operations, d, point, random);
      const secret = new Uint8Array(coordinate);
      ecdh.agree(secret, d, peer);
      expect(hex(secret)).toBe(reference.agree(d, peer));
      peer = point;
      const message = randomBytes(round);
      const digest = new Uint8Array(createHash('sha256').update(message).digest());
      const signature = new Uint8Array(ecdsa.signatureLength);
      ecdsa.signDigest(signature, digest, d, { mode: 'hedged', random });
      const publicKey = createPublicKey({ key: publicKeyDer(row, point), format: 'der', type: 'spki' });
      expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
      const privateKey = createPrivateKey({ key: privateKeyDer(row, d, point), format: 'der', type: 'sec1' });
      const theirs = new Uint8Array(sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' }));
      expect(ecdsa.verifyDigestVartime(theirs, digest, point)).toBe(1);
    }
  });

  it('matches no r that is not below the prime', () => {
    const Q = reference.point(7n);
    const x = toBigInt(Q.subarray(0, coordinate));
    const [zero, one] = [reference.scalar(0n), reference.scalar(1n)];
    expect(operations.matchesVartime(zero, one, Q, reference.scalar(x))).toBe(x < n ? 1 : 0);
    // The same residue, where the width of the order has room for it.
    const above = x + reference.p;
    if (above < 2n ** BigInt(8 * width)) {
      expect(operations.matchesVartime(zero, one, Q, reference.scalar(above))).toBe(0);
    }
  });
});

describe('every named curve', () => {
  it.each(Object.values(CURVES))(
    '$name passes the checks of explicit parameters',
    ({ p, a, b, gx, gy, n, kindOfA }) => {
      const row = validateExplicitCurve(explicit(valuesOf({ p, a, b, gx, gy, n })));
      expect(row).toMatchObject({ p, a, b, gx, gy, n, kindOfA });
    },
  );
});

/** Fermat's test to the base 2. */
function seemsPrime(value: bigint): boolean {
  let [result, square] = [1n, 2n];
  for (let rest = value - 1n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % value;
    square = (square * square) % value;
  }
  return result === 1n;
}

/** The next odd number above that is, or is not, a prime. */
function next(value: bigint, prime: boolean): bigint {
  let candidate = value + 2n;
  while (seemsPrime(candidate) !== prime) candidate += 2n;
  return candidate;
}

describe('explicit parameters that are refused', () => {
  const good = valuesOf(PARAMETERS.secp128r1);
  const withCoefficient = (values: Parameters): Parameters => {
    const { p, a, gx, gy } = values;
    return { ...values, b: (((gy ** 2n - gx ** 3n - a * gx) % p) + p) % p };
  };
  const composite = next(good.p, false);
  /** Miyaji, Nakabayashi and Takano: p = 12l² − 1 and n = 12l² − 6l + 1 have embedding degree 3. */
  const weak = (): Parameters => {
    for (let l = 2n ** 40n; ; l++) {
      const [p, n] = [12n * l * l - 1n, 12n * l * l - 6n * l + 1n];
      if (seemsPrime(p) && seemsPrime(n)) return withCoefficient({ p, a: 1n, b: 0n, gx: 2n, gy: 3n, n });
    }
  };
  const cases: readonly (readonly [string, Parameters, RegExp])[] = [
    ['a composite modulus', withCoefficient({ ...good, p: composite }), /modulus of the field is not a prime/],
    ['a composite order', { ...good, n: next(good.n, false) }, /order is not a prime/],
    ['the wrong prime as order', { ...good, n: next(good.n, true) }, /not that of the base point/],
    ['an order with a cofactor', { ...good, n: (good.n >> 2n) | 1n }, /cofactor is not 1/],
    ['an anomalous curve', { ...good, n: good.p }, /anomalous/],
    ['a small embedding degree', weak(), /embedding degree is 3/],
    ['a singular curve', { ...good, a: 0n, b: 0n, gx: 1n, gy: 1n }, /singular/],
    ['a base point off the curve', { ...good, gy: good.gy + 1n }, /base point is not on the curve/],
    ['a coefficient not below the prime', { ...good, a: good.a + good.p }, /coefficient is not below/],
    ['a coordinate not below the prime', { ...good, gx: good.gx + good.p }, /coordinate .* not below/],
    ['a prime of 641 bits', { ...good, p: 2n ** 640n + 1n }, /641 bits/],
    ['an order of 63 bits', { ...good, n: 2n ** 62n + 1n }, /63 bits/],
    ['a modulus of zero', { ...good, p: 0n }, /0 bits/],
  ];

  it.each(cases)('%s', (_, values, message) => {
    expect(() => validateExplicitCurve(explicit(values))).toThrow(message);
    expect(() => explicitOperations(explicit(values))).toThrow(EngineError);
  });

  it('what is not bytes, or far too long', () => {
    for (const p of ['ff', undefined, 7, new Uint8Array(5000)]) {
      expect(() => validateExplicitCurve({ ...explicit(good), p } as never)).toThrow(/p must be a Uint8Array/);
    }
  });
});

// Values out of RFCs: 6979 (deterministic ECDSA), 7748 (XDH), 8032 (EdDSA), 9180 (DHKEM).

import { createHash, createHmac } from 'node:crypto';
import {
  EdDSAParameterSpec,
  JwkKeySpec,
  type PrivateKey,
  type PublicKey,
  RawKeySpec,
  type SignOptions,
  type VerifyOptions,
} from '../../../index.ts';
import { bytesOf, concat, type Entry, hex, must, mustEqual, type VectorCase } from '../case.ts';
import { integer, nonceOf } from '../nonces.ts';
import { familyOf, type Subject } from '../subject.ts';
import { ecdsaName } from './signatures.ts';

function parse<T>(data: Buffer): T {
  return (JSON.parse(data.toString('utf8')) as { readonly vectors: T }).vectors;
}

function privateKey(subject: Subject, curve: string, raw: string): PrivateKey {
  return subject.importPrivate(familyOf(curve), new RawKeySpec(bytesOf(raw), { curve }));
}

function publicKey(subject: Subject, curve: string, raw: string): PublicKey {
  return subject.importPublic(familyOf(curve), new RawKeySpec(bytesOf(raw), { curve }));
}

/** Compares the public half of a private key, as its JWK shows it, with the listed public key. */
function checkPair(subject: Subject, curve: string, own: string, expected: string) {
  const { x, y } = subject.exportKey(privateKey(subject, curve, own), JwkKeySpec).jwk;
  const [first, second] = [x, y].map((text) => Buffer.from(text ?? '', 'base64url').toString('hex'));
  mustEqual(y === undefined ? (first ?? '') : `04${first}${second}`, expected, 'the public key');
}

interface Rfc6979 {
  readonly curve: string;
  readonly secgName: string;
  readonly n: string;
  readonly d: string;
  readonly qx: string;
  readonly qy: string;
  readonly cases: readonly Readonly<Record<'hash' | 'message' | 'k' | 'r' | 's', string>>[];
}

export function* rfc6979(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  for (const { secgName: curve, cases, ...key } of parse<readonly Rfc6979[]>(data)) {
    for (const { hash, message, k, r, s } of cases) {
      const id = `${curve} ${hash} ${message}`;
      const algorithm = ecdsaName(hash, 'p1363');
      const skip = subject.lacks('Signature', algorithm, curve);
      if (skip !== undefined) {
        yield { id, skip };
        continue;
      }
      yield {
        id,
        run() {
          const own = privateKey(subject, curve, key.d);
          const text = new TextEncoder().encode(message);
          const listed = bytesOf(r + s);
          const verifier = subject.verifier(algorithm);
          must(verifier.verify(publicKey(subject, curve, `04${key.qx}${key.qy}`), text, listed), 'it does not verify');
          // A provider without deterministic nonces says so; then the listed signature is verified, which was done above.
          const options: SignOptions = { nonce: 'deterministic' };
          if (!subject.canSign(algorithm, options)) return 'passed';
          const signature = subject.sign(algorithm, own, text, options);
          const digest = createHash(hash.replace('-', '').toLowerCase()).update(text).digest();
          const n = integer(bytesOf(key.n));
          mustEqual(nonceOf(signature, digest, integer(bytesOf(key.d)), n), integer(bytesOf(k)), 'the nonce');
          mustEqual(signature, listed, 'the signature');
          return 'passed';
        },
      };
    }
  }
}

interface Rfc8032 {
  readonly name: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly message: string;
  readonly context: string;
  readonly signature: string;
}

export function* rfc8032(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  for (const [variant, vectors] of Object.entries(parse<Readonly<Record<string, readonly Rfc8032[]>>>(data))) {
    const curve = variant.replace(/ctx|ph/, '');
    for (const vector of vectors) {
      const id = `${variant} ${vector.name}`;
      const prehash = variant.endsWith('ph');
      const hasContext = vector.context !== '';
      const parameters =
        prehash || hasContext
          ? new EdDSAParameterSpec({ prehash, ...(hasContext ? { context: bytesOf(vector.context) } : {}) })
          : undefined;
      const options: SignOptions & VerifyOptions = parameters === undefined ? {} : { parameters };
      let skip = subject.lacks('Signature', curve, curve);
      if (skip === undefined && !subject.canSign(curve, options)) {
        skip = `${subject.provider} has no ${prehash ? 'prehashed' : 'contextual'} ${curve} on this runtime`;
      }
      if (skip !== undefined) yield { id, skip };
      else
        yield {
          id,
          run() {
            const [message, listed] = [bytesOf(vector.message), bytesOf(vector.signature)];
            const own = privateKey(subject, curve, vector.secretKey);
            mustEqual(subject.sign(curve, own, message, options), listed, 'the signature');
            const peer = publicKey(subject, curve, vector.publicKey);
            must(subject.verifier(curve).verify(peer, message, listed, options), 'it does not verify');
            return 'passed';
          },
        };
    }
  }
}

interface Rfc7748 {
  readonly functionVectors: readonly Readonly<Record<'scalar' | 'u' | 'output', string>>[];
  readonly iterated: {
    readonly start: string;
    readonly results: readonly { readonly iterations: number; readonly k: string }[];
  };
  readonly diffieHellman: Readonly<
    Record<'alicePrivate' | 'alicePublic' | 'bobPrivate' | 'bobPublic' | 'shared', string>
  >;
}

const MOST_ITERATIONS = 1000;

export function* rfc7748(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  for (const [curve, vectors] of Object.entries(parse<Readonly<Record<string, Rfc7748>>>(data))) {
    const skip = subject.lacks('KeyAgreement', curve, curve);
    const multiply = (scalar: string, u: string) =>
      subject.agree(curve, privateKey(subject, curve, scalar), publicKey(subject, curve, u));
    const check = (id: string, action: () => void): VectorCase => {
      if (skip !== undefined) return { id, skip };
      const run = () => {
        action();
        return 'passed' as const;
      };
      return { id, run };
    };
    for (const [index, { scalar, u, output }] of vectors.functionVectors.entries()) {
      yield check(`${curve} function ${index}`, () => mustEqual(multiply(scalar, u), output, 'the secret'));
    }
    for (const { iterations, k } of vectors.iterated.results) {
      const id = `${curve} ${iterations} iterations`;
      if (skip === undefined && iterations > MOST_ITERATIONS) {
        yield { id, skip: `takes many minutes; 1 and ${MOST_ITERATIONS} iterations are run` };
        continue;
      }
      yield check(id, () => {
        let [scalar, u] = [vectors.iterated.start, vectors.iterated.start];
        for (let i = 0; i < iterations; i++) [scalar, u] = [hex(multiply(scalar, u)), scalar];
        mustEqual(scalar, k, 'the result');
      });
    }
    const dh = vectors.diffieHellman;
    yield check(`${curve} Diffie-Hellman`, () => {
      mustEqual(multiply(dh.alicePrivate, dh.bobPublic), dh.shared, "Alice's secret");
      mustEqual(multiply(dh.bobPrivate, dh.alicePublic), dh.shared, "Bob's secret");
    });
  }
}

interface Rfc9180
  extends Readonly<Record<'kem' | 'skEm' | 'pkEm' | 'skRm' | 'pkRm' | 'enc' | 'shared_secret', string>> {
  readonly mode: number;
  readonly kem_id: number;
  readonly skSm?: string;
  readonly pkSm?: string;
}

const KEM_CURVES: Readonly<Record<number, readonly [curve: string, hash: string, size: number]>> = {
  16: ['secp256r1', 'sha256', 32],
  18: ['secp521r1', 'sha512', 64],
  32: ['X25519', 'sha256', 32],
  33: ['X448', 'sha512', 64],
};

/** ExtractAndExpand of RFC 9180, section 4.1. */
function extractAndExpand(kemId: number, hash: string, size: number, dh: Uint8Array, context: Uint8Array): Uint8Array {
  const ascii = (text: string) => new TextEncoder().encode(text);
  const suite = concat(ascii('KEM'), Uint8Array.of(kemId >> 8, kemId & 255));
  const mac = (key: Uint8Array, ...parts: Uint8Array[]) =>
    createHmac(hash, key)
      .update(concat(...parts))
      .digest();
  const prk = mac(new Uint8Array(), ascii('HPKE-v1'), suite, ascii('eae_prk'), dh);
  const info = concat(Uint8Array.of(0, size), ascii('HPKE-v1'), suite, ascii('shared_secret'), context);
  return Uint8Array.from(mac(prk, info, Uint8Array.of(1)).subarray(0, size));
}

export function* rfc9180(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  for (const [index, vector] of parse<readonly Rfc9180[]>(data).entries()) {
    const [curve, hash, size] = KEM_CURVES[vector.kem_id] ?? ['unknown', '', 0];
    const id = `${index} ${vector.kem} mode ${vector.mode}`;
    const algorithm = familyOf(curve) === 'EC' ? 'ECDH' : curve;
    const skip = subject.lacks('KeyAgreement', algorithm, curve);
    if (skip !== undefined) {
      yield { id, skip };
      continue;
    }
    yield {
      id,
      run() {
        const agree = (own: string, peer: string) =>
          subject.agree(algorithm, privateKey(subject, curve, own), publicKey(subject, curve, peer));
        const sender = vector.skSm !== undefined && vector.pkSm !== undefined ? [vector.skSm, vector.pkSm] : undefined;
        const context = bytesOf(vector.enc + vector.pkRm + (sender?.[1] ?? ''));
        checkPair(subject, curve, vector.skEm, vector.pkEm);
        checkPair(subject, curve, vector.skRm, vector.pkRm);
        const sent = [agree(vector.skEm, vector.pkRm)];
        const received = [agree(vector.skRm, vector.enc)];
        if (sender !== undefined) {
          sent.push(agree(sender[0] as string, vector.pkRm));
          received.push(agree(vector.skRm, sender[1] as string));
        }
        for (const parts of [sent, received]) {
          const secret = extractAndExpand(vector.kem_id, hash, size, concat(...parts), context);
          mustEqual(secret, vector.shared_secret, 'the shared secret');
        }
        return 'passed';
      },
    };
  }
}

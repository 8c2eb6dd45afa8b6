// Any message, hash, form and nonce mode on every curve of every provider; and whatever is changed in signatures, keys
// and points is refused.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CompressedRawKeySpec,
  ECGenParameterSpec,
  InvalidKeyError,
  InvalidKeySpecError,
  KeyFactory,
  type KeyPair,
  KeyPairGenerator,
  type KeySpec,
  NamedParameterSpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Security,
  Signature,
  type SignOptions,
  X509EncodedKeySpec,
} from '../../index.ts';
import { SERVED } from './engine-variants.ts';

const RUNS = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 100 : 6;

interface Scheme {
  readonly curve: string;
  readonly family: 'EC' | 'EdDSA';
  readonly provider: string;
}

/** Every curve of our engines and every Edwards curve, on every provider that signs with it. */
const SCHEMES: readonly Scheme[] = [
  ...SERVED.map((curve) => ({ curve, family: 'EC' as const, service: 'Signature.SHA256withECDSA' })),
  ...['Ed25519', 'Ed448'].map((curve) => ({ curve, family: 'EdDSA' as const, service: `Signature.${curve}` })),
].flatMap(({ service, ...scheme }) =>
  Security.getProviders(service).map(({ name }) => ({ ...scheme, provider: name })),
);

const HASHES = ['SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA512/256', 'SHA3-224', 'SHA3-256', 'SHA3-512'];
const hash = fc.constantFrom(...HASHES);
const form = fc.constantFrom('', 'inP1363Format');
const message = fc.uint8Array({ maxLength: 200 });
const nonce = fc.constantFrom<NonNullable<SignOptions['nonce']>>('hedged', 'deterministic', 'random');

/** A change of bytes by name, so that a failure shows what was done. */
type Mutation =
  | { readonly what: 'flip'; readonly at: number; readonly bit: number }
  | { readonly what: 'cut'; readonly at: number }
  | { readonly what: 'append'; readonly byte: number }
  | { readonly what: 'swap halves' };

const at = fc.nat(10_000);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('flip' as const), at, bit: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cut' as const), at }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('append' as const), byte: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.constant({ what: 'swap halves' as const }) },
);

function mutate(bytes: Uint8Array, change: Mutation): Uint8Array {
  switch (change.what) {
    case 'flip': {
      const out = Uint8Array.from(bytes);
      const index = change.at % out.length;
      out[index] = (out[index] as number) ^ (1 << change.bit);
      return out;
    }
    case 'cut':
      return bytes.slice(0, change.at % bytes.length);
    case 'append':
      return Uint8Array.of(...bytes, change.byte);
    case 'swap halves': {
      const half = bytes.length >> 1;
      return Uint8Array.of(...bytes.subarray(half), ...bytes.subarray(0, half));
    }
  }
}

/** True if the version of a PKCS#8 encoding is all that differs. */
function isOtherVersion(pkcs8: Uint8Array, changed: Uint8Array): boolean {
  const at = (pkcs8[1] as number) < 0x80 ? 4 : 5;
  return changed.length === pkcs8.length && changed.every((byte, i) => (i === at ? byte <= 1 : byte === pkcs8[i]));
}

function encodedOf(key: KeyPair['publicKey'] | KeyPair['privateKey']): Uint8Array {
  if (key.encoded === undefined) throw new Error('the key has no encoding');
  return key.encoded;
}

/** The key, or undefined if it was refused in the way it must be. */
function imported<K>(make: () => K): K | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof InvalidKeySpecError || error instanceof InvalidKeyError) return undefined;
    throw error;
  }
}

describe.each(SCHEMES)('$provider on $curve', ({ curve, family, provider }) => {
  const isEc = family === 'EC';
  const pair = KeyPairGenerator.getInstance(isEc ? 'EC' : curve, provider)
    .initialize(isEc ? new ECGenParameterSpec(curve) : new NamedParameterSpec(curve))
    .generateKeyPair();
  const factory = KeyFactory.getInstance(isEc ? 'EC' : curve, provider);
  const ours = provider === 'Provium';

  const algorithm = (name: string, suffix: string): string => (isEc ? `${name}withECDSA${suffix}` : curve);
  const optionsFor = (mode: SignOptions['nonce']): SignOptions => (isEc && ours ? { nonce: mode } : {});

  it('verifies what it signs, and nothing else, for any message, hash, form and nonce mode', () => {
    fc.assert(
      fc.property(message, message, hash, form, nonce, (data, other, name, suffix, mode) => {
        const scheme = algorithm(name, suffix);
        const signature = Signature.sign(scheme, pair.privateKey, data, { ...optionsFor(mode), provider });
        expect(Signature.verify(scheme, pair.publicKey, data, signature, { provider })).toBe(true);
        const same = Buffer.from(data).equals(other);
        expect(Signature.verify(scheme, pair.publicKey, other, signature, { provider })).toBe(same);
      }),
      { numRuns: RUNS },
    );
  });

  it('refuses every changed signature with false', () => {
    fc.assert(
      fc.property(
        message,
        hash,
        form,
        fc.array(mutation, { minLength: 4, maxLength: 4 }),
        (data, name, suffix, all) => {
          const scheme = algorithm(name, suffix);
          const signature = Signature.sign(scheme, pair.privateKey, data, { provider });
          for (const change of all) {
            const changed = mutate(signature, change);
            if (Buffer.from(changed).equals(signature)) continue;
            expect(Signature.verify(scheme, pair.publicKey, data, changed, { provider })).toBe(false);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('refuses every changed public key, or takes it for another key whose signatures these are not', () => {
    const data = Uint8Array.of(1, 2, 3);
    const scheme = algorithm('SHA256', '');
    const signature = Signature.sign(scheme, pair.privateKey, data, { provider });
    const raw = factory.getKeySpec(pair.publicKey, RawKeySpec).bytes;
    const compressed = isEc ? factory.getKeySpec(pair.publicKey, CompressedRawKeySpec).bytes : raw;
    const forms: readonly (readonly [Uint8Array, (bytes: Uint8Array) => KeySpec])[] = [
      [encodedOf(pair.publicKey), (bytes) => new X509EncodedKeySpec(bytes)],
      [raw, (bytes) => new RawKeySpec(bytes, { curve })],
      [compressed, (bytes) => new RawKeySpec(bytes, { curve })],
    ];
    fc.assert(
      fc.property(fc.nat(2), mutation, (which, change) => {
        const [bytes, specOf] = forms[which] as (typeof forms)[number];
        const changed = mutate(bytes, change);
        if (Buffer.from(changed).equals(bytes)) return;
        const key = imported(() => factory.generatePublic(specOf(changed)));
        if (key === undefined) return;
        // Uncompressed points and their SPKI leave no room: a changed one is off the curve.
        expect(isEc && which < 2).toBe(false);
        expect(key.equals(pair.publicKey)).toBe(false);
        expect(Signature.verify(scheme, key, data, signature, { provider })).toBe(false);
      }),
      { numRuns: 6 * RUNS },
    );
  });

  it('refuses every changed private key, or takes it for another key', () => {
    const raw = factory.getKeySpec(pair.privateKey, RawKeySpec).bytes;
    const forms: readonly (readonly [Uint8Array, (bytes: Uint8Array) => KeySpec])[] = [
      [encodedOf(pair.privateKey), (bytes) => new PKCS8EncodedKeySpec(bytes)],
      [raw, (bytes) => new RawKeySpec(bytes, { curve })],
    ];
    fc.assert(
      fc.property(fc.nat(1), mutation, (which, change) => {
        const [bytes, specOf] = forms[which] as (typeof forms)[number];
        const changed = mutate(bytes, change);
        if (Buffer.from(changed).equals(bytes)) return;
        const key = imported(() => factory.generatePrivate(specOf(changed)));
        if (key === undefined) return;
        if (which === 0 && isOtherVersion(bytes, changed)) {
          // Version 2 of RFC 5958 where version 1 was written: the same key.
          expect(key.equals(pair.privateKey)).toBe(true);
          return;
        }
        // The public key inside PKCS#8 belongs to the scalar that was there before.
        expect(isEc && which === 0).toBe(false);
        expect(key.equals(pair.privateKey)).toBe(false);
      }),
      { numRuns: 6 * RUNS },
    );
  });
});

describe('what was tried', () => {
  it('covers every curve served by our engines, on both built-in providers', () => {
    for (const curve of SERVED) {
      const providers = SCHEMES.filter((scheme) => scheme.curve === curve).map(({ provider }) => provider);
      expect(providers).toEqual(expect.arrayContaining(['Provium', 'OpenSSL']));
    }
  });
});

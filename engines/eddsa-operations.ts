// Ed25519 and Ed448 (RFC 8032, sections 5.1 and 5.2): pure, with context, and prehashed, over injected hash functions.

import { bytesEqual } from '../fields/ct.ts';
import type { EdwardsCurveName, EdwardsCurveRow } from './edwards-curves.ts';
import { edwardsEngine } from './edwards-engine.ts';
import { EngineError } from './errors.ts';
import type { PreparedPoint } from './multipliers/edwards-multipliers.ts';
import { fillRandom, type HashFunctions, type RandomSource } from './sources.ts';

/**
 * What a verification demands.
 * - `rfc8032`: canonical A and R, S below L, the equation without cofactor; R is compared as bytes. Small order allowed.
 * - `strict`: as `rfc8032`, and neither A nor R of small order.
 * - `cofactored`: canonical A and R, S below L, the equation times the cofactor.
 * - `zip215`: as `cofactored`, but non-canonical A and R are taken. Ed25519 only.
 */
export type EdDSACriteria = 'rfc8032' | 'strict' | 'cofactored' | 'zip215';

export interface EdDSAOptions {
  /** True: Ed25519ph or Ed448ph of the message. `given`: so, and the message is the 64-byte prehash already. */
  readonly prehash?: boolean | 'given';
  /** At most 255 bytes. For Ed25519 without prehash, any context (also an empty one) selects Ed25519ctx. */
  readonly context?: Uint8Array | undefined;
}
export interface EdDSAVerifyOptions extends EdDSAOptions {
  readonly criteria?: EdDSACriteria;
}

/** One message in one or more pieces. */
export type EdDSAMessage = Uint8Array | readonly Uint8Array[];

/** A decoded public key; what verification needs besides is made at first use and kept. */
export interface EdDSAPublicKey {
  readonly curve: EdwardsCurveName;
  /** As it was given: the bytes that are hashed. Not to be changed. */
  readonly bytes: Uint8Array;
  /** True for a key in the one encoding that RFC 8032 allows; others serve under `zip215` only. */
  readonly canonical: boolean;
  /** True if its order divides the cofactor. */
  readonly smallOrder: boolean;
}

export interface EdDSAOperations {
  readonly curve: EdwardsCurveRow;
  /** Bytes of a seed and of a public key. */
  readonly keyLength: number;
  readonly signatureLength: number;
  /** The public key of a seed; fresh bytes. Constant time. */
  derivePublicKey(seed: Uint8Array): Uint8Array;
  /** A fresh pair. Throws EngineError if the source gives zeros. */
  generateKeyPair(seed: Uint8Array, random: RandomSource): Uint8Array;
  /**
   * The signature; fresh bytes. `publicKey` must be the seed's own: a signature under a foreign one gives the private
   * scalar away. Constant time in the seed.
   */
  sign(seed: Uint8Array, publicKey: Uint8Array, message: EdDSAMessage, options?: EdDSAOptions): Uint8Array;
  /** The key of an encoding, or undefined if there is none; `lax` as in ZIP 215, Ed25519 only. */
  decodePublicKey(bytes: Uint8Array, lax?: boolean): EdDSAPublicKey | undefined;
  /** 1 if the signature is right under the criteria, `rfc8032` by default. Variable time: public inputs only. */
  verifyVartime(
    publicKey: EdDSAPublicKey | Uint8Array,
    message: EdDSAMessage,
    signature: Uint8Array,
    options?: EdDSAVerifyOptions,
  ): number;
}

const PREHASH_BYTES = 64;
/** A comb costs about this many verifications; a key that never comes back must not pay for one. */
const USES_BEFORE_COMB = 6;
/** Bytes of combs that one set of operations holds at most. */
const COMB_BUDGET = 4 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** The decoded form; only `decodePublicKey` makes it. */
class DecodedKey implements EdDSAPublicKey {
  readonly curve: EdwardsCurveName;
  readonly bytes: Uint8Array;
  readonly canonical: boolean;
  readonly smallOrder: boolean;
  /** −A. */
  readonly negated: PreparedPoint;
  uses = 0;

  constructor(
    curve: EdwardsCurveName,
    bytes: Uint8Array,
    flags: { readonly canonical: boolean; readonly smallOrder: boolean },
    negated: PreparedPoint,
  ) {
    this.curve = curve;
    this.bytes = bytes;
    this.canonical = flags.canonical;
    this.smallOrder = flags.smallOrder;
    this.negated = negated;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** The hash of joined parts, `length` bytes long. What was joined is wiped. */
function hashOf(hashes: HashFunctions, name: string, parts: readonly Uint8Array[], length: number): Uint8Array {
  const message = joined(parts);
  try {
    if (name === 'SHA-512') return hashes.digest(name, message);
    if (hashes.extendable === undefined) throw new EngineError('Ed448 needs hash functions with `extendable`');
    return hashes.extendable(name, message, length);
  } finally {
    message.fill(0);
  }
}

/** RFC 8032, 5.1.5 step 2 and 5.2.5 step 2. */
function clamp(curve: EdwardsCurveRow, scalar: Uint8Array): void {
  if (curve.name === 'Ed25519') {
    scalar[0] = scalar[0]! & 248;
    scalar[31] = (scalar[31]! & 127) | 64;
  } else {
    scalar[0] = scalar[0]! & 252;
    scalar[55] = scalar[55]! | 128;
    scalar[56] = 0;
  }
}

export function createEdDSAOperations(name: EdwardsCurveName, hashes: HashFunctions): EdDSAOperations {
  const { curve, arithmetic, scalars, multipliers } = edwardsEngine(name);
  const width = curve.byteLength;
  const label = Uint8Array.from(curve.label, (character) => character.charCodeAt(0));
  const point = arithmetic.createPoint();
  const other = arithmetic.createPoint();
  const cached = arithmetic.createCached();
  const pointBytes = new Uint8Array(width);
  const scalar = new Uint8Array(width);
  let combs = new WeakMap<DecodedKey, Int32Array>();
  let combBytes = 0;
  const hash = (...parts: readonly Uint8Array[]): Uint8Array => hashOf(hashes, curve.hash, parts, 2 * width);

  const checkLength = (bytes: Uint8Array, what: string): void => {
    if (bytes.length !== width) throw new EngineError(`${what} of ${name} has ${width} bytes, got ${bytes.length}`);
  };
  const wipe = (...secrets: readonly Uint8Array[]): void => {
    for (const secret of secrets) secret.fill(0);
    for (const element of [point.x, point.y, point.z, point.t]) element.fill(0);
    arithmetic.wipe();
  };
  /** dom2 or dom4; empty for Ed25519 itself. */
  const domain = ({ prehash = false, context }: EdDSAOptions): Uint8Array => {
    if (context !== undefined && context.length > 255) {
      throw new EngineError(`a context has at most 255 bytes, got ${context.length}`);
    }
    if (!curve.alwaysLabelled && prehash === false && context === undefined) return NOTHING;
    const text = context ?? NOTHING;
    return joined([label, Uint8Array.of(prehash === false ? 0 : 1, text.length), text]);
  };
  /** What is hashed as the message. */
  const parts = (message: EdDSAMessage, { prehash = false }: EdDSAOptions): readonly Uint8Array[] => {
    const pieces = message instanceof Uint8Array ? [message] : message;
    if (prehash === true) return [hashOf(hashes, curve.hash, pieces, PREHASH_BYTES)];
    if (prehash === 'given' && pieces.reduce((sum, { length }) => sum + length, 0) !== PREHASH_BYTES) {
      throw new EngineError(`the prehash of ${name} has ${PREHASH_BYTES} bytes`);
    }
    return pieces;
  };
  /** h = H(seed); the clamped scalar modulo L in `out`. The second half of h is the prefix. */
  const expand = (out: Uint8Array, seed: Uint8Array): Uint8Array => {
    checkLength(seed, 'a seed');
    const h = hash(seed);
    const half = h.subarray(0, width);
    clamp(curve, half);
    scalars.reduce(out, half);
    return h;
  };
  /** p = 2^cofactorBits·p; tells if that is the identity. */
  const vanishesTimesCofactor = (p: typeof point): boolean => {
    for (let i = 0; i < arithmetic.cofactorBits; i++) arithmetic.double(p, false);
    return arithmetic.isIdentity(p) === 1;
  };

  /** The comb of −A once the key has proved worth it, within the budget. */
  const combOf = (key: DecodedKey): Int32Array | undefined => {
    const known = combs.get(key);
    if (known !== undefined || ++key.uses <= USES_BEFORE_COMB) return known;
    const comb = multipliers.combVartime(key.negated.point);
    combBytes += comb.byteLength;
    if (combBytes > COMB_BUDGET) {
      // All at once: keys in steady use get their combs back within a few verifications.
      combs = new WeakMap();
      combBytes = comb.byteLength;
    }
    combs.set(key, comb);
    return comb;
  };

  const operations: EdDSAOperations = {
    curve,
    keyLength: width,
    signatureLength: 2 * width,
    derivePublicKey(seed) {
      const s = new Uint8Array(width);
      const h = expand(s, seed);
      const out = new Uint8Array(width);
      multipliers.multiplyBase(point, s);
      arithmetic.encode(out, point);
      wipe(s, h);
      return out;
    },
    generateKeyPair(seed, random) {
      checkLength(seed, 'a seed');
      fillRandom(seed, random);
      return operations.derivePublicKey(seed);
    },
    sign(seed, publicKey, message, options = {}) {
      checkLength(publicKey, 'a public key');
      const dom = domain(options);
      const text = parts(message, options);
      const s = new Uint8Array(width);
      const r = new Uint8Array(width);
      const k = new Uint8Array(width);
      const out = new Uint8Array(2 * width);
      const R = out.subarray(0, width);
      const h = expand(s, seed);
      try {
        const nonce = hash(dom, h.subarray(width), ...text);
        scalars.reduce(r, nonce);
        nonce.fill(0);
        multipliers.multiplyBase(point, r);
        arithmetic.encode(R, point);
        scalars.reduce(k, hash(dom, R, publicKey, ...text));
        scalars.multiplyAdd(out.subarray(width), k, s, r);
        return out;
      } finally {
        wipe(s, r, h);
      }
    },
    decodePublicKey(bytes, lax = false) {
      if (lax && name !== 'Ed25519') throw new EngineError('zip215 keys are those of Ed25519');
      if (bytes.length !== width || arithmetic.decodeVartime(point, bytes, lax) === 0) return undefined;
      const own = Uint8Array.from(bytes);
      arithmetic.encode(pointBytes, point);
      const canonical = bytesEqual(pointBytes, own) === 1;
      arithmetic.copy(other, point);
      const smallOrder = vanishesTimesCofactor(other);
      arithmetic.negate(point);
      return new DecodedKey(name, own, { canonical, smallOrder }, multipliers.prepareVartime(point));
    },
    verifyVartime(publicKey, message, signature, options = {}) {
      const { criteria = 'rfc8032' } = options;
      const lax = criteria === 'zip215';
      if (lax && name !== 'Ed25519') throw new EngineError('the criteria zip215 are those of Ed25519');
      const key = publicKey instanceof Uint8Array ? operations.decodePublicKey(publicKey, lax) : publicKey;
      if (key === undefined) return 0;
      if (!(key instanceof DecodedKey) || key.curve !== name) throw new EngineError(`this is no public key of ${name}`);
      if (signature.length !== 2 * width) return 0;
      const R = signature.subarray(0, width);
      const S = signature.subarray(width);
      if (!scalars.isReducedVartime(S)) return 0;
      if (!key.canonical && !lax) return 0;
      if (criteria === 'strict' && key.smallOrder) return 0;
      const dom = domain(options);
      scalars.reduce(scalar, hash(dom, R, key.bytes, ...parts(message, options)));
      const comb = combOf(key);
      // S·B − k·A
      if (comb === undefined) multipliers.multiplyDoubleVartime(point, S, scalar, key.negated);
      else multipliers.multiplyDoubleCombVartime(point, S, scalar, comb);
      switch (criteria) {
        case 'rfc8032':
        case 'strict':
          arithmetic.encode(pointBytes, point);
          if (bytesEqual(pointBytes, R) === 0) return 0;
          return criteria === 'strict' && vanishesTimesCofactor(point) ? 0 : 1;
        case 'cofactored':
        case 'zip215':
          if (arithmetic.decodeVartime(other, R, lax) === 0) return 0;
          arithmetic.negate(other);
          arithmetic.toCached(cached, other);
          arithmetic.double(point, true); // 2(S·B − k·A) − 2R: doubling gives the T that the addition needs
          arithmetic.add(point, cached, true);
          arithmetic.add(point, cached, false);
          for (let i = 1; i < arithmetic.cofactorBits; i++) arithmetic.double(point, false);
          return arithmetic.isIdentity(point);
      }
    },
  };
  return operations;
}

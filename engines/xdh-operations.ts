// X25519 and X448 (RFC 7748, section 5) on little-endian bytes.

import { bytesAreZero } from '../fields/ct.ts';
import { MONTGOMERY_CURVES, type MontgomeryCurveName, type MontgomeryCurveRow } from './edwards-curves.ts';
import { edwardsEngine } from './edwards-engine.ts';
import { EngineError } from './errors.ts';
import { type LadderMultiplier, type PointMultiplication, resolvePoint } from './multipliers/multiplier.ts';
import { X448_LADDER } from './multipliers/x448-ladder.ts';
import { X25519_LADDER } from './multipliers/x25519-ladder.ts';
import { reverse } from './points/edwards.ts';
import { fillRandom, type RandomSource } from './sources.ts';

export interface XDHOperations {
  readonly curve: MontgomeryCurveRow;
  /** Bytes of a private key, of a public key and of a secret. */
  readonly keyLength: number;
  /**
   * out = X25519 or X448 of the private key and the peer's u-coordinate. The private key is any byte string of the
   * length, clamped here; u is masked and reduced as RFC 7748 says. 0 if the result is all zero, which the caller must
   * refuse (RFC 7748, 6.1). Constant time.
   */
  agree(out: Uint8Array, privateKey: Uint8Array, peer: Uint8Array): number;
  /** The public key of a private key, by the base table of the Edwards curve. Constant time. */
  derivePublicKey(out: Uint8Array, privateKey: Uint8Array): void;
  /** A fresh pair; the private key is as random as it came, not clamped. Throws EngineError if the source gives zeros. */
  generateKeyPair(privateKey: Uint8Array, publicKey: Uint8Array, random: RandomSource): void;
}

const LADDERS: Readonly<Record<MontgomeryCurveName, LadderMultiplier>> = {
  X25519: X25519_LADDER,
  X448: X448_LADDER,
};

/** RFC 7748, section 5: decodeScalar25519 and decodeScalar448. */
function clamp(curve: MontgomeryCurveRow, k: Uint8Array): void {
  const last = k.length - 1;
  if (curve.name === 'X25519') {
    k[0] = k[0]! & 248;
    k[last] = (k[last]! & 127) | 64;
  } else {
    k[0] = k[0]! & 252;
    k[last] = k[last]! | 128;
  }
}

function checkLength(curve: MontgomeryCurveRow, bytes: Uint8Array, what: string): void {
  if (bytes.length !== curve.byteLength) {
    throw new EngineError(`${what} of ${curve.name} has ${curve.byteLength} bytes, got ${bytes.length}`);
  }
}

export function createXDHOperations(name: MontgomeryCurveName): XDHOperations {
  const curve = MONTGOMERY_CURVES[name];
  const { byteLength } = curve;
  const ladder: PointMultiplication = resolvePoint(LADDERS[name]);
  const operations: XDHOperations = {
    curve,
    keyLength: byteLength,
    agree(out, privateKey, peer) {
      checkLength(curve, out, 'a secret');
      checkLength(curve, privateKey, 'a private key');
      checkLength(curve, peer, 'a public key');
      const k = new Uint8Array(privateKey);
      clamp(curve, k);
      const scalar = new Uint8Array(byteLength);
      reverse(scalar, k, byteLength);
      const u = new Uint8Array(byteLength);
      reverse(u, peer, byteLength);
      if (name === 'X25519') u[0] = u[0]! & 127;
      const result = new Uint8Array(byteLength);
      ladder.multiply(result, u, scalar);
      reverse(out, result, byteLength);
      for (const secret of [k, scalar, result]) secret.fill(0);
      return bytesAreZero(out) ^ 1;
    },
    derivePublicKey(out, privateKey) {
      checkLength(curve, out, 'a public key');
      checkLength(curve, privateKey, 'a private key');
      const { arithmetic, scalars, multipliers } = edwardsEngine(curve.edwards);
      const k = new Uint8Array(privateKey);
      clamp(curve, k);
      const reduced = new Uint8Array(arithmetic.byteLength);
      scalars.reduce(reduced, k);
      const point = arithmetic.createPoint();
      // The map to the Montgomery curve takes the base point to the base point, and a clamped scalar is no multiple of L.
      multipliers.multiplyBase(point, reduced);
      arithmetic.montgomeryU(out, point);
      for (const secret of [k, reduced, point.x, point.y, point.z, point.t]) secret.fill(0);
      arithmetic.wipe();
    },
    generateKeyPair(privateKey, publicKey, random) {
      checkLength(curve, privateKey, 'a private key');
      fillRandom(privateKey, random);
      operations.derivePublicKey(publicKey, privateKey);
    },
  };
  return operations;
}

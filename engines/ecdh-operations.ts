// ECDH primitive (SP 800-56A, section 5.7.1.2) and key generation (FIPS 186-5, A.2.1) over the operations of one curve.

import type { ECOperations } from './ec-operations.ts';
import { EngineError } from './errors.ts';
import { fillRandom, type RandomSource, surplusLength } from './sources.ts';

export interface ECDHOperations {
  readonly operations: ECOperations;
  /** Bytes of a shared secret: one coordinate. */
  readonly secretLength: number;
  /**
   * out = x of d·Q. Q has been validated; as the cofactor is 1, no further multiplication is needed. 0 if the result is
   * infinity, which no valid pair gives. Constant time.
   */
  agree(out: Uint8Array, privateKey: Uint8Array, point: Uint8Array): number;
}

export function createECDHOperations(operations: ECOperations): ECDHOperations {
  const { byteLength, curve, scalars } = operations;
  return {
    operations,
    secretLength: byteLength,
    agree(out, privateKey, point) {
      if (out.length !== byteLength) throw new EngineError(`a secret on ${curve.name} has ${byteLength} bytes`);
      if (privateKey.length !== scalars.byteLength || scalars.isValid(privateKey) === 0) {
        throw new EngineError(
          `a private key on ${curve.name} is a number in [1, n − 1] of ${scalars.byteLength} bytes`,
        );
      }
      const shared = new Uint8Array(2 * byteLength);
      const finite = operations.multiply(shared, point, privateKey);
      out.set(shared.subarray(0, byteLength));
      shared.fill(0);
      return finite;
    },
  };
}

/**
 * A key pair: `privateKey` uniform in [1, n − 1] from 64 surplus random bits, `publicKey` as x then y. Throws
 * EngineError if the source fills with zeros.
 */
export function generateKeyPair(
  operations: ECOperations,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  random: RandomSource,
): void {
  const wide = new Uint8Array(surplusLength(operations.curve.orderBits));
  fillRandom(wide, random);
  operations.scalars.reduceNonZero(privateKey, wide);
  wide.fill(0);
  operations.multiplyBase(publicKey, privateKey);
}

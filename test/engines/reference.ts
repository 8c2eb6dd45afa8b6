// Points by OpenSSL (node:crypto's createECDH), and integers as bytes.

import { createECDH } from 'node:crypto';
import type { CurveRow } from '../../engines/ec-operations.ts';
import { hex, toBytes } from './helpers.ts';

export class Reference {
  readonly n: bigint;
  readonly p: bigint;
  /** Bytes of a scalar and of a coordinate. */
  readonly width: number;
  readonly coordinate: number;
  readonly #ecdh: ReturnType<typeof createECDH>;

  constructor(curve: CurveRow, name = curve.name === 'secp256r1' ? 'prime256v1' : curve.name) {
    this.n = BigInt(`0x${curve.n}`);
    this.p = BigInt(`0x${curve.p}`);
    this.width = curve.n.length / 2;
    this.coordinate = curve.p.length / 2;
    this.#ecdh = createECDH(name);
  }

  scalar(k: bigint): Uint8Array {
    return toBytes(k, this.width);
  }

  /** k·G as x then y in hexadecimal; zeros for infinity. */
  multiple(k: bigint): string {
    const reduced = ((k % this.n) + this.n) % this.n;
    if (reduced === 0n) return '00'.repeat(2 * this.coordinate);
    this.#ecdh.setPrivateKey(this.scalar(reduced));
    return this.#ecdh.getPublicKey('hex').slice(2);
  }

  point(k: bigint): Uint8Array {
    return Uint8Array.from(Buffer.from(this.multiple(k), 'hex'));
  }

  /** x of d·Q in hexadecimal. */
  agree(d: Uint8Array, point: Uint8Array): string {
    this.#ecdh.setPrivateKey(d);
    return hex(this.#ecdh.computeSecret(Buffer.concat([Uint8Array.of(4), point])));
  }
}

// EC keys of this provider: validated once, when they are made; the scalar never leaves except by export.

import type { ECOperations } from '../../engines/ec-operations.ts';
import { decodePrivateDer, encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { encodeCompressedPoint, encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { decodeSpki, encodeSpki } from '../../spi/encoding/spki.ts';
import { type Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import { sameCurve } from './explicit-curves.ts';

let operationsOfPublic: (key: EcPublicKey) => ECOperations;
let operationsOfPrivate: (key: EcPrivateKey) => ECOperations;
let readPoint: (key: EcPublicKey) => Uint8Array;
let readScalar: (key: EcPrivateKey) => Uint8Array;

/** 1 if the bytes are equal, in time that depends on their lengths only. */
function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

export class EcPublicKey extends PublicKey {
  override readonly algorithm = 'EC';
  /** Undefined on a curve by its parameters: those go into no encoding. */
  override readonly format: 'X.509' | undefined;
  override readonly curve: string | undefined;
  override readonly size: number;
  readonly #operations: ECOperations;
  readonly #point: Uint8Array;

  static {
    readPoint = (key) => key.#point;
    operationsOfPublic = (key) => key.#operations;
  }

  /** For this provider only: `point` (x then y) has been validated on the curve, and becomes the key's own. */
  constructor(operations: ECOperations, point: Uint8Array) {
    super();
    this.curve = nameOf(operations);
    this.format = this.curve === undefined ? undefined : 'X.509';
    this.size = operations.curve.fieldBits;
    this.#operations = operations;
    this.#point = point;
  }

  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    if (this.curve === undefined) return undefined;
    return encodeSpki({ algorithm: 'EC', curve: this.curve, point: encodeUncompressedPoint(this.#point) });
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    if (other === this) return true;
    if (other.kind !== 'public' || other.algorithm !== 'EC') return false;
    other.assertUsable();
    if (other instanceof EcPublicKey) return onSameCurve(other, this) && equalBytes(other.#point, this.#point);
    const { encoded } = other;
    return other.format === this.format && encoded !== undefined && this.#isEncodedBy(encoded);
  }

  #isEncodedBy(encoded: Uint8Array): boolean {
    try {
      const { algorithm, curve, ...rest } = decodeSpki(encoded);
      return algorithm === 'EC' && curve === this.curve && 'point' in rest && this.#isPoint(rest.point);
    } catch {
      return false;
    }
  }

  #isPoint(octets: Uint8Array): boolean {
    const encode = octets[0] === 0x04 ? encodeUncompressedPoint : encodeCompressedPoint;
    return equalBytes(octets, encode(this.#point));
  }

  protected override wipe(): void {
    this.#point.fill(0);
  }
}

export class EcPrivateKey extends PrivateKey {
  override readonly algorithm = 'EC';
  /** Undefined on a curve by its parameters: those go into no encoding. */
  override readonly format: 'PKCS#8' | undefined;
  override readonly curve: string | undefined;
  override readonly size: number;
  readonly #operations: ECOperations;
  readonly #scalar: Uint8Array;
  #point: Uint8Array | undefined;

  static {
    readScalar = (key) => key.#scalar;
    operationsOfPrivate = (key) => key.#operations;
  }

  /**
   * For this provider only: `scalar` is in [1, n − 1] at the width of the order, `point` is its public point (x then y)
   * where it is known already. Both become the key's own.
   */
  constructor(operations: ECOperations, scalar: Uint8Array, point?: Uint8Array) {
    super();
    this.curve = nameOf(operations);
    this.format = this.curve === undefined ? undefined : 'PKCS#8';
    this.size = operations.curve.fieldBits;
    this.#operations = operations;
    this.#scalar = scalar;
    this.#point = point;
  }

  /** The public key that belongs to this key; computed when it is first asked for. */
  publicKey(): EcPublicKey {
    return new EcPublicKey(this.#operations, this.#publicPoint().slice());
  }

  #publicPoint(): Uint8Array {
    this.assertUsable();
    if (this.#point === undefined) {
      const point = new Uint8Array(2 * this.#operations.byteLength);
      this.#operations.multiplyBase(point, this.#scalar);
      this.#point = point;
    }
    return this.#point;
  }

  /** PKCS#8 with the public key inside. Wipe it after use. */
  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    if (this.curve === undefined) return undefined;
    const publicPoint = encodeUncompressedPoint(this.#publicPoint());
    return encodePkcs8({ algorithm: 'EC', curve: this.curve, scalar: this.#scalar, publicPoint });
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    if (other === this) return true;
    if (other.kind !== 'private' || other.algorithm !== 'EC') return false;
    other.assertUsable();
    if (other instanceof EcPrivateKey) return onSameCurve(other, this) && equalBytes(other.#scalar, this.#scalar);
    const { encoded } = other;
    if (other.format !== this.format || encoded === undefined) return false;
    const equal = this.#isEncodedBy(encoded);
    encoded.fill(0);
    return equal;
  }

  #isEncodedBy(encoded: Uint8Array): boolean {
    try {
      const key = decodePrivateDer(encoded);
      if (key.algorithm !== 'EC') return false;
      const equal = key.curve === this.curve && equalBytes(key.scalar, this.#scalar);
      key.scalar.fill(0);
      return equal;
    } catch {
      return false;
    }
  }

  protected override wipe(): void {
    this.#scalar.fill(0);
    this.#point?.fill(0);
  }
}

/** Undefined for a curve by its parameters. */
function nameOf({ curve }: ECOperations): string | undefined {
  return curve.oid === '' ? undefined : curve.name;
}

/** The operations that the key was made with. */
export function operationsOf(key: EcPublicKey | EcPrivateKey): ECOperations {
  return key instanceof EcPublicKey ? operationsOfPublic(key) : operationsOfPrivate(key);
}

/** By the parameters, where there is no name. */
export function onSameCurve(a: EcPublicKey | EcPrivateKey, b: EcPublicKey | EcPrivateKey): boolean {
  return sameCurve(operationsOf(a).curve, operationsOf(b).curve);
}

/** The affine point, x then y: the key's own memory, not to be kept or changed. Throws KeyDestroyedError. */
export function pointOf(key: EcPublicKey): Uint8Array {
  key.assertUsable();
  return readPoint(key);
}

/** The scalar at the width of the order: the key's own memory, not to be kept or changed. Throws KeyDestroyedError. */
export function scalarOf(key: EcPrivateKey): Uint8Array {
  key.assertUsable();
  return readScalar(key);
}

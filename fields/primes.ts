// The primes and group orders, one row each. Everything else (Montgomery constants, carries, bounds, code) is derived
// from the row by fields/generator: to add a prime, add its row and run `npm run generate`.

/** How elements are held: as their value, or as value·R modulo the prime (R = 2^(width·count)). */
export type Representation = 'polynomial' | 'montgomery';

export interface LimbLayout {
  /** Bits per limb. */
  readonly width: number;
  readonly count: number;
  readonly representation: Representation;
}

/** 2^power + Σ coefficient·2^exponent, which the generator multiplies by with shifts; anything else is `generic`. */
export type PrimeForm =
  | {
      readonly kind: 'solinas';
      readonly power: number;
      readonly terms: readonly (readonly [coefficient: number, exponent: number])[];
    }
  | { readonly kind: 'generic'; readonly power: number };

/** Code that can be generated: exact doubles in TypeScript, and WebAssembly of three kinds. */
export type Backend = 'ts' | 'simd' | 'fma' | 'i64';

export interface PrimeRow {
  /** File name in fields/generated, and first part of the element brand. */
  readonly name: string;
  readonly title: string;
  /** Hexadecimal, without prefix. */
  readonly modulus: string;
  readonly form: PrimeForm;
  readonly backends: { readonly ts: LimbLayout } & { readonly [B in Exclude<Backend, 'ts'>]?: LimbLayout };
}

const montgomery = (width: number, count: number): LimbLayout => ({ width, count, representation: 'montgomery' });
const polynomial = (width: number, count: number): LimbLayout => ({ width, count, representation: 'polynomial' });

export const PRIMES: readonly PrimeRow[] = [
  {
    name: 'p256',
    title: 'the field of P-256 (SP 800-186, 3.2.1.3)',
    modulus: 'ffffffff00000001000000000000000000000000ffffffffffffffffffffffff',
    form: {
      kind: 'solinas',
      power: 256,
      terms: [
        [-1, 224],
        [1, 192],
        [1, 96],
        [-1, 0],
      ],
    },
    backends: { ts: montgomery(24, 11), simd: montgomery(29, 9), fma: montgomery(48, 6), i64: polynomial(26, 10) },
  },
  {
    name: 'p256-order',
    title: 'the order of P-256 (SP 800-186, 3.2.1.3)',
    modulus: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
    form: { kind: 'generic', power: 256 },
    backends: { ts: montgomery(24, 11), i64: montgomery(29, 9) },
  },
  {
    name: 'p384',
    title: 'the field of P-384 (SP 800-186, 3.2.1.4)',
    modulus: 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff',
    form: {
      kind: 'solinas',
      power: 384,
      terms: [
        [-1, 128],
        [-1, 96],
        [1, 32],
        [-1, 0],
      ],
    },
    backends: { ts: montgomery(23, 17), simd: montgomery(28, 14), fma: montgomery(49, 8), i64: polynomial(28, 14) },
  },
  {
    name: 'p384-order',
    title: 'the order of P-384 (SP 800-186, 3.2.1.4)',
    modulus: 'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
    form: { kind: 'generic', power: 384 },
    backends: { ts: montgomery(23, 17), i64: montgomery(28, 14) },
  },
  {
    name: 'p521',
    title: 'the field of P-521 (SP 800-186, 3.2.1.5)',
    modulus:
      '1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    form: { kind: 'solinas', power: 521, terms: [[-1, 0]] },
    backends: { ts: montgomery(24, 22), simd: montgomery(28, 19), fma: montgomery(48, 11), i64: polynomial(28, 19) },
  },
  {
    name: 'p521-order',
    title: 'the order of P-521 (SP 800-186, 3.2.1.5)',
    modulus:
      '1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
    form: { kind: 'generic', power: 521 },
    backends: { ts: montgomery(24, 22), i64: montgomery(28, 19) },
  },
  {
    name: 'curve25519',
    title: 'the field of Curve25519 (RFC 7748, 4.1)',
    modulus: '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed',
    form: { kind: 'solinas', power: 255, terms: [[-19, 0]] },
    backends: { ts: polynomial(24, 11), simd: montgomery(29, 9), fma: polynomial(43, 6), i64: polynomial(26, 10) },
  },
  {
    name: 'curve25519-order',
    title: 'the order of the base point of Curve25519 (RFC 7748, 4.1)',
    modulus: '1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed',
    form: { kind: 'generic', power: 252 },
    backends: { ts: montgomery(24, 11), i64: montgomery(29, 9) },
  },
  {
    name: 'curve448',
    title: 'the field of Curve448 (RFC 7748, 4.2)',
    modulus:
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    form: {
      kind: 'solinas',
      power: 448,
      terms: [
        [-1, 224],
        [-1, 0],
      ],
    },
    backends: { ts: montgomery(24, 19), simd: montgomery(29, 16), fma: montgomery(50, 9), i64: polynomial(28, 16) },
  },
  {
    name: 'curve448-order',
    title: 'the order of the base point of Curve448 (RFC 7748, 4.2)',
    modulus:
      '3fffffffffffffffffffffffffffffffffffffffffffffffffffffff7cca23e9c44edb49aed63690216cc2728dc58f552378c292ab5844f3',
    form: { kind: 'generic', power: 446 },
    backends: { ts: montgomery(24, 19), i64: montgomery(29, 16) },
  },
  {
    name: 'secp256k1',
    title: 'the field of secp256k1 (SEC 2, 2.4.1)',
    modulus: 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f',
    form: {
      kind: 'solinas',
      power: 256,
      terms: [
        [-1, 32],
        [-977, 0],
      ],
    },
    backends: { ts: polynomial(24, 11), simd: montgomery(29, 9), fma: montgomery(48, 6), i64: montgomery(29, 9) },
  },
  {
    name: 'secp256k1-order',
    title: 'the order of secp256k1 (SEC 2, 2.4.1)',
    modulus: 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
    form: { kind: 'generic', power: 256 },
    backends: { ts: montgomery(24, 11), i64: montgomery(29, 9) },
  },
];

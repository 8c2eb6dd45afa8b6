// A generated WebAssembly field at run time: an instance with memory of its own, and its functions on addresses.

declare const DOMAIN: unique symbol;

/** The address of an element in the memory of the field `D`; a plain number, or one of another domain, is none. */
export type WasmElement<D extends string> = number & { readonly [DOMAIN]: D };

/** What a generated module says about itself. */
export interface WasmFieldSource {
  /** Names field and backend; addresses of one domain mean nothing in another. */
  readonly domain: string;
  /** The domain of plain residues of the same prime: what toBytes gives and fromBytes takes. */
  readonly residueField: string;
  readonly representation: 'polynomial' | 'montgomery';
  readonly backend: 'fma' | 'simd' | 'i64';
  /** Capabilities without which the module does not compile or, for wasm-fma, gives wrong results. */
  readonly requires: readonly string[];
  /** Independent elements per operand. */
  readonly lanes: 1 | 2;
  readonly limbCount: number;
  readonly limbWidth: number;
  readonly byteLength: number;
  /** Big-endian hexadecimal. */
  readonly modulus: string;
  /** A product of lazy sums of x and y elements is exact for x·y up to this; a square of a sum for up to squareTerms. */
  readonly productTerms: number;
  readonly squareTerms: number;
  readonly carryTerms: number;
  /** First address that the module leaves to its user. */
  readonly heapBase: number;
  /** The module in base64. */
  readonly wasm: string;
}

/**
 * The operations on addresses of elements (16-byte aligned for two lanes). Destination first, aliasing allowed; byte
 * strings are big-endian, one address per lane.
 */
export interface WasmFieldFunctions<D extends string = string> {
  copy(out: WasmElement<D>, a: WasmElement<D>): void;
  zero(out: WasmElement<D>): void;
  one(out: WasmElement<D>): void;
  add(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>): void;
  sub(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>): void;
  neg(out: WasmElement<D>, a: WasmElement<D>): void;
  mul(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>): void;
  square(out: WasmElement<D>, a: WasmElement<D>): void;
  mulSmall(out: WasmElement<D>, a: WasmElement<D>, factor: number): void;
  addLazy(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>): void;
  subLazy(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>): void;
  carry(out: WasmElement<D>, a: WasmElement<D>): void;
  select(out: WasmElement<D>, a: WasmElement<D>, b: WasmElement<D>, bits: number): void;
  swap(a: WasmElement<D>, b: WasmElement<D>, bits: number): void;
  isZero(a: WasmElement<D>): number;
  equals(a: WasmElement<D>, b: WasmElement<D>): number;
  fromBytes(out: WasmElement<D>, bytes0: number, bytes1?: number): void;
  toBytes(a: WasmElement<D>, bytes0: number, bytes1?: number): void;
  /** In the 64-bit backend only. */
  invert?(out: WasmElement<D>, a: WasmElement<D>): void;
}

export interface WasmField<S extends WasmFieldSource = WasmFieldSource> {
  readonly source: S;
  readonly functions: WasmFieldFunctions<S['domain']>;
  readonly memory: WebAssembly.Memory;
  /** Bytes of one element with all its lanes. */
  readonly elementBytes: number;
  /** The address of element number `index` of the memory that the module leaves to its user. */
  element(index: number): WasmElement<S['domain']>;
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Compiles synchronously and instantiates; throws WebAssembly's own errors where the module is not accepted. */
export function instantiateField<S extends WasmFieldSource>(source: S): WasmField<S> {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(decodeBase64(source.wasm)));
  const elementBytes = 8 * source.lanes * source.limbCount;
  return {
    source,
    functions: exports as unknown as WasmFieldFunctions<S['domain']>,
    memory: exports['memory'] as WebAssembly.Memory,
    elementBytes,
    element: (index) => (source.heapBase + elementBytes * index) as WasmElement<S['domain']>,
  };
}

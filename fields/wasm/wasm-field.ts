// A generated WebAssembly field at run time: an instance with memory of its own, and its functions on addresses.

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
export interface WasmFieldFunctions {
  copy(out: number, a: number): void;
  zero(out: number): void;
  one(out: number): void;
  add(out: number, a: number, b: number): void;
  sub(out: number, a: number, b: number): void;
  neg(out: number, a: number): void;
  mul(out: number, a: number, b: number): void;
  square(out: number, a: number): void;
  mulSmall(out: number, a: number, factor: number): void;
  addLazy(out: number, a: number, b: number): void;
  subLazy(out: number, a: number, b: number): void;
  carry(out: number, a: number): void;
  select(out: number, a: number, b: number, bits: number): void;
  swap(a: number, b: number, bits: number): void;
  isZero(a: number): number;
  equals(a: number, b: number): number;
  fromBytes(out: number, bytes0: number, bytes1?: number): void;
  toBytes(a: number, bytes0: number, bytes1?: number): void;
  /** In the 64-bit backend only. */
  invert?(out: number, a: number): void;
}

export interface WasmField<S extends WasmFieldSource = WasmFieldSource> {
  readonly source: S;
  readonly functions: WasmFieldFunctions;
  readonly memory: WebAssembly.Memory;
  /** Bytes of one element with all its lanes. */
  readonly elementBytes: number;
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
  return {
    source,
    functions: exports as unknown as WasmFieldFunctions,
    memory: exports['memory'] as WebAssembly.Memory,
    elementBytes: 8 * source.lanes * source.limbCount,
  };
}

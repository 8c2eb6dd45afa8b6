// A WebAssembly encoder: sections, functions, and expressions as byte arrays. What is written is what runs, in the
// order in which it was written. WebAssembly core specification 2.0, section 5; relaxed SIMD opcodes of version 3.0.

export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';
export type Code = readonly number[];

const VALUE_TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };

/** Unsigned LEB128. */
export function unsignedLeb(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128. */
export function signedLeb(value: bigint): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/** Eight bytes, little-endian. */
export const bytes64 = (value: bigint): Code =>
  Array.from({ length: 8 }, (_, i) => Number((BigInt.asUintN(64, value) >> BigInt(8 * i)) & 0xffn));

const text = (value: string): Code => {
  const bytes = [...new TextEncoder().encode(value)];
  return [...unsignedLeb(bytes.length), ...bytes];
};

const scalar =
  (opcode: number) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), opcode];
const vector =
  (opcode: number) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), 0xfd, ...unsignedLeb(opcode)];
const memory =
  (opcode: number, align: number) =>
  (address: Code, offset = 0): Code => [...address, opcode, align, ...unsignedLeb(offset)];
const memoryStore =
  (opcode: number, align: number) =>
  (address: Code, value: Code, offset = 0): Code => [...address, ...value, opcode, align, ...unsignedLeb(offset)];

export const get = (local: number): Code => [0x20, ...unsignedLeb(local)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signedLeb(BigInt(value))],
  add: scalar(0x6a),
  sub: scalar(0x6b),
  and: scalar(0x71),
  or: scalar(0x72),
  shl: scalar(0x74),
  shrU: scalar(0x76),
  ltU: scalar(0x49),
  wrap: scalar(0xa7),
  load: memory(0x28, 2),
} as const;

export const i64 = {
  const: (value: bigint): Code => [0x42, ...signedLeb(BigInt.asIntN(64, value))],
  add: scalar(0x7c),
  sub: scalar(0x7d),
  mul: scalar(0x7e),
  and: scalar(0x83),
  or: scalar(0x84),
  xor: scalar(0x85),
  shl: scalar(0x86),
  shrS: scalar(0x87),
  shrU: scalar(0x88),
  extendU: scalar(0xad),
  load: memory(0x29, 3),
  load8U: memory(0x31, 0),
  store: memoryStore(0x37, 3),
  store8: memoryStore(0x3c, 0),
} as const;

export const v128 = {
  load: (address: Code, offset = 0): Code => [...address, 0xfd, 0, 4, ...unsignedLeb(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0xfd, 11, 4, ...unsignedLeb(offset)],
  and: vector(78),
  or: vector(80),
  xor: vector(81),
  /** (first & mask) | (second & ~mask) */
  bitselect: vector(82),
  /** Eight-byte lanes of the pair (a, b), lanes 0 and 1 of a, 2 and 3 of b. */
  shuffle64: (a: Code, b: Code, lanes: readonly [number, number]): Code => [
    ...a,
    ...b,
    0xfd,
    13,
    ...lanes.flatMap((lane) => Array.from({ length: 8 }, (_, i) => 8 * lane + i)),
  ],
  shuffle32: (a: Code, b: Code, lanes: readonly number[]): Code => [
    ...a,
    ...b,
    0xfd,
    13,
    ...lanes.flatMap((lane) => Array.from({ length: 4 }, (_, i) => 4 * lane + i)),
  ],
} as const;

export const i64x2 = {
  splat: vector(18),
  extractLane: (a: Code, lane: number): Code => [...a, 0xfd, 29, lane],
  replaceLane: (a: Code, value: Code, lane: number): Code => [...a, ...value, 0xfd, 30, lane],
  shl: (a: Code, shift: number): Code => [...a, ...i32.const(shift), 0xfd, ...unsignedLeb(203)],
  shrS: (a: Code, shift: number): Code => [...a, ...i32.const(shift), 0xfd, ...unsignedLeb(204)],
  shrU: (a: Code, shift: number): Code => [...a, ...i32.const(shift), 0xfd, ...unsignedLeb(205)],
  add: vector(206),
  sub: vector(209),
  mul: vector(213),
  extendLowI32: vector(199),
  extmulLowI32: vector(220),
} as const;

export const i32x4 = { splat: vector(17), add: vector(174), sub: vector(177) } as const;

export const f64x2 = {
  add: vector(240),
  sub: vector(241),
  mul: vector(242),
  splat: vector(20),
  /** a·b + c, rounded once where fused: the kernels are right on fused hardware only. */
  relaxedMadd: vector(263),
} as const;

export const f64 = { convertI32U: scalar(0xb8) } as const;

/** A function body under construction. */
export class WasmFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly index: number;
  readonly locals: ValueType[] = [];
  readonly code: number[] = [];

  readonly exported: boolean;

  constructor(
    name: string,
    parameters: readonly ValueType[],
    results: readonly ValueType[],
    index: number,
    exported: boolean,
  ) {
    this.exported = exported;
    this.name = name;
    this.parameters = parameters;
    this.results = results;
    this.index = index;
  }

  local(type: ValueType): number {
    return this.parameters.length + this.locals.push(type) - 1;
  }

  emit(code: Code): void {
    for (const byte of code) this.code.push(byte);
  }

  set(local: number, value: Code): void {
    this.emit(value);
    this.emit([0x21, ...unsignedLeb(local)]);
  }

  call(callee: WasmFunction, ...operands: readonly Code[]): void {
    for (const operand of operands) this.emit(operand);
    this.emit([0x10, ...unsignedLeb(callee.index)]);
  }

  /** A loop that repeats while `condition` (an i32, computed after the body) is not 0. */
  loopWhile(body: () => void, condition: () => Code): void {
    this.emit([0x03, 0x40]);
    body();
    this.emit(condition());
    this.emit([0x0d, 0, 0x0b]);
  }
}

/** A module with one exported memory. */
export class WasmModule {
  readonly #functions: WasmFunction[] = [];
  readonly #data: { readonly address: number; readonly bytes: Code }[] = [];
  readonly #pages: number;

  constructor(pages: number) {
    this.#pages = pages;
  }

  function(
    name: string,
    parameters: readonly ValueType[],
    results: readonly ValueType[] = [],
    exported = true,
  ): WasmFunction {
    const created = new WasmFunction(name, parameters, results, this.#functions.length, exported);
    this.#functions.push(created);
    return created;
  }

  data(address: number, bytes: Code): void {
    this.#data.push({ address, bytes });
  }

  encode(): Uint8Array {
    const out: number[] = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    const push = (bytes: Code): void => {
      for (const byte of bytes) out.push(byte);
    };
    const section = (id: number, items: readonly Code[]): void => {
      const count = unsignedLeb(items.length);
      push([id]);
      push(unsignedLeb(items.reduce((sum, item) => sum + item.length, count.length)));
      push(count);
      for (const item of items) push(item);
    };
    const types: string[] = [];
    const typeCodes: Code[] = [];
    const typeIndex = this.#functions.map(({ parameters, results }) => {
      const key = `${parameters.join()}→${results.join()}`;
      if (!types.includes(key)) {
        types.push(key);
        const list = (values: readonly ValueType[]): Code => [
          ...unsignedLeb(values.length),
          ...values.map((value) => VALUE_TYPES[value]),
        ];
        typeCodes.push([0x60, ...list(parameters), ...list(results)]);
      }
      return types.indexOf(key);
    });
    section(1, typeCodes);
    section(3, typeIndex.map(unsignedLeb));
    section(5, [[0, ...unsignedLeb(this.#pages)]]);
    section(7, [
      ...this.#functions
        .filter(({ exported }) => exported)
        .map(({ name, index }) => [...text(name), 0, ...unsignedLeb(index)]),
      [...text('memory'), 2, 0],
    ]);
    section(
      10,
      this.#functions.map(({ locals, code }) => {
        const groups: { type: ValueType; count: number }[] = [];
        for (const type of locals) {
          const last = groups.at(-1);
          if (last?.type === type) last.count++;
          else groups.push({ type, count: 1 });
        }
        const head = [
          ...unsignedLeb(groups.length),
          ...groups.flatMap(({ type, count }) => [...unsignedLeb(count), VALUE_TYPES[type]]),
        ];
        const size = unsignedLeb(head.length + code.length + 1);
        return [...size, ...head, ...code, 0x0b];
      }),
    );
    if (this.#data.length > 0) {
      section(
        11,
        this.#data.map(({ address, bytes }) => [
          0,
          ...i32.const(address),
          0x0b,
          ...unsignedLeb(bytes.length),
          ...bytes,
        ]),
      );
    }
    return Uint8Array.from(out);
  }
}

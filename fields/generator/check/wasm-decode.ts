// Bytes of a WebAssembly module → functions and instructions. Only what our modules hold is known: any other section,
// type or opcode is refused, so that the checkers never pass over what they do not understand.

export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

const VALUE_TYPES: Readonly<Record<number, ValueType>> = { 127: 'i32', 126: 'i64', 124: 'f64', 123: 'v128' };

type Immediate = 'none' | 'block' | 'index' | 'memory' | 'i32' | 'i64' | 'lane' | 'lanes';

const SCALAR: Readonly<Record<number, readonly [string, Immediate]>> = {
  1: ['nop', 'none'],
  2: ['block', 'block'],
  3: ['loop', 'block'],
  4: ['if', 'block'],
  11: ['end', 'none'],
  13: ['br_if', 'index'],
  16: ['call', 'index'],
  26: ['drop', 'none'],
  27: ['select', 'none'],
  32: ['local.get', 'index'],
  33: ['local.set', 'index'],
  34: ['local.tee', 'index'],
  40: ['i32.load', 'memory'],
  41: ['i64.load', 'memory'],
  49: ['i64.load8_u', 'memory'],
  55: ['i64.store', 'memory'],
  60: ['i64.store8', 'memory'],
  65: ['i32.const', 'i32'],
  66: ['i64.const', 'i64'],
  73: ['i32.lt_u', 'none'],
  106: ['i32.add', 'none'],
  107: ['i32.sub', 'none'],
  113: ['i32.and', 'none'],
  114: ['i32.or', 'none'],
  116: ['i32.shl', 'none'],
  118: ['i32.shr_u', 'none'],
  124: ['i64.add', 'none'],
  125: ['i64.sub', 'none'],
  126: ['i64.mul', 'none'],
  128: ['i64.div_u', 'none'],
  130: ['i64.rem_u', 'none'],
  131: ['i64.and', 'none'],
  132: ['i64.or', 'none'],
  133: ['i64.xor', 'none'],
  134: ['i64.shl', 'none'],
  135: ['i64.shr_s', 'none'],
  136: ['i64.shr_u', 'none'],
  167: ['i32.wrap_i64', 'none'],
  173: ['i64.extend_i32_u', 'none'],
  184: ['f64.convert_i32_u', 'none'],
};

const VECTOR: Readonly<Record<number, readonly [string, Immediate]>> = {
  0: ['v128.load', 'memory'],
  11: ['v128.store', 'memory'],
  13: ['i8x16.shuffle', 'lanes'],
  17: ['i32x4.splat', 'none'],
  18: ['i64x2.splat', 'none'],
  20: ['f64x2.splat', 'none'],
  29: ['i64x2.extract_lane', 'lane'],
  30: ['i64x2.replace_lane', 'lane'],
  78: ['v128.and', 'none'],
  80: ['v128.or', 'none'],
  81: ['v128.xor', 'none'],
  82: ['v128.bitselect', 'none'],
  174: ['i32x4.add', 'none'],
  177: ['i32x4.sub', 'none'],
  199: ['i64x2.extend_low_i32x4_s', 'none'],
  203: ['i64x2.shl', 'none'],
  204: ['i64x2.shr_s', 'none'],
  205: ['i64x2.shr_u', 'none'],
  206: ['i64x2.add', 'none'],
  209: ['i64x2.sub', 'none'],
  213: ['i64x2.mul', 'none'],
  220: ['i64x2.extmul_low_i32x4_s', 'none'],
  239: ['f64x2.sqrt', 'none'],
  240: ['f64x2.add', 'none'],
  241: ['f64x2.sub', 'none'],
  242: ['f64x2.mul', 'none'],
  243: ['f64x2.div', 'none'],
  263: ['f64x2.relaxed_madd', 'none'],
};

export interface Op {
  readonly name: string;
  /** Index, lane, constant or memory offset; 0 where there is none. */
  readonly value: bigint;
  readonly lanes: readonly number[];
  /** Where the instruction stands in the body, in bytes from its first instruction. */
  readonly start: number;
  readonly end: number;
}

export interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface DecodedFunction extends FunctionType {
  readonly index: number;
  readonly locals: readonly ValueType[];
  readonly code: readonly Op[];
  /** Vector of locals as encoded, and the bytes of the instructions. */
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

export interface Decoded {
  readonly functions: readonly DecodedFunction[];
  readonly exports: ReadonlyMap<string, number>;
  readonly pages: number;
  readonly data: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** Every section but the code, as it stands, by id. */
  readonly sections: ReadonlyMap<number, Uint8Array>;
}

class Reader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Refusal('the module ends too early');
    return byte;
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new Refusal('the module ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 28) throw new Refusal('an index beyond 32 bits');
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  signed(bits: number): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (shift > 63n) throw new Refusal('a constant beyond 64 bits');
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(bits, BigInt.asIntN(Number(shift) + 7, value));
    }
  }

  type(): ValueType {
    const byte = this.byte();
    const type = VALUE_TYPES[byte];
    if (type === undefined) throw new Refusal(`unknown value type 0x${byte.toString(16)}`);
    return type;
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.unsigned() }, item);
  }

  get done(): boolean {
    return this.at === this.bytes.length;
  }
}

function decodeOp(reader: Reader): Op {
  const start = reader.at;
  const first = reader.byte();
  const opcode = first === 0xfd ? reader.unsigned() : first;
  const known = (first === 0xfd ? VECTOR : SCALAR)[opcode];
  if (known === undefined) throw new Refusal(`unknown ${first === 0xfd ? 'vector ' : ''}opcode ${opcode}`);
  const [name, immediate] = known;
  let value = 0n;
  let lanes: number[] = [];
  switch (immediate) {
    case 'none':
      break;
    case 'block':
      if (reader.byte() !== 0x40) throw new Refusal('a block with a result');
      break;
    case 'index':
      value = BigInt(reader.unsigned());
      break;
    case 'memory':
      if (reader.unsigned() > 4) throw new Refusal('an alignment beyond 16 bytes');
      value = BigInt(reader.unsigned());
      break;
    case 'i32':
      value = reader.signed(32);
      break;
    case 'i64':
      value = reader.signed(64);
      break;
    case 'lane':
      value = BigInt(reader.byte());
      break;
    case 'lanes':
      lanes = [...reader.take(16)];
  }
  return { name, value, lanes, start, end: reader.at };
}

function decodeBody(body: Uint8Array): Op[] {
  const reader = new Reader(body);
  const code: Op[] = [];
  while (!reader.done) code.push(decodeOp(reader));
  return code;
}

function decodeFunction(bytes: Uint8Array, type: FunctionType, index: number): DecodedFunction {
  const reader = new Reader(bytes);
  const locals = reader.list(() => ({ count: reader.unsigned(), type: reader.type() }));
  const head = bytes.subarray(0, reader.at);
  const body = bytes.subarray(reader.at);
  return {
    ...type,
    index,
    locals: locals.flatMap(({ count, type: of }) => Array.from({ length: count }, () => of)),
    code: decodeBody(body),
    head,
    body,
  };
}

export function decode(bytes: Uint8Array): Decoded {
  const reader = new Reader(bytes);
  const magic = [...reader.take(8)].join();
  if (magic !== '0,97,115,109,1,0,0,0') throw new Refusal('not a WebAssembly module of version 1');
  const sections = new Map<number, Uint8Array>();
  let last = 0;
  while (!reader.done) {
    const id = reader.byte();
    if (![1, 3, 5, 7, 10, 11].includes(id) || id <= last) throw new Refusal(`unknown section ${id}`);
    last = id;
    sections.set(id, reader.take(reader.unsigned()));
  }
  const read = <T>(id: number, item: (section: Reader) => T): T[] => {
    const section = new Reader(sections.get(id) ?? new Uint8Array(1));
    const items = section.list(() => item(section));
    if (!section.done) throw new Refusal(`section ${id} holds more than its items`);
    return items;
  };
  const types = read(1, (section): FunctionType => {
    if (section.byte() !== 0x60) throw new Refusal('a type that is no function');
    return { parameters: section.list(() => section.type()), results: section.list(() => section.type()) };
  });
  const typeOf = read(3, (section) => section.unsigned());
  const [pages] = read(5, (section) => {
    if (section.byte() !== 0) throw new Refusal('a memory with a limit or shared');
    return section.unsigned();
  });
  const exports = new Map<string, number>();
  read(7, (section) => {
    const name = new TextDecoder().decode(section.take(section.unsigned()));
    const kind = section.byte();
    const index = section.unsigned();
    if (kind === 0) exports.set(name, index);
    else if (kind !== 2) throw new Refusal(`an export of kind ${kind}`);
  });
  const functions = read(10, (section) => section.take(section.unsigned())).map((body, index) => {
    const type = types[typeOf[index] ?? -1];
    if (type === undefined) throw new Refusal(`function ${index} has no type`);
    return decodeFunction(body, type, index);
  });
  if (functions.length !== typeOf.length) throw new Refusal('a function without a body');
  const data = read(11, (section) => {
    if (section.byte() !== 0 || section.byte() !== 0x41) throw new Refusal('data at a place that is no constant');
    const address = Number(section.signed(32));
    if (section.byte() !== 0x0b) throw new Refusal('data at a place that is no constant');
    return { address, bytes: section.take(section.unsigned()) };
  });
  return { functions, exports, pages: pages ?? 0, data, sections };
}

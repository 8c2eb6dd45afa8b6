// Every backend of every field behind one way to run a program on limbs, for comparison with the interpreter.

import type { Contract } from '../../fields/generator/contract.ts';
import { contracts } from '../../fields/generator/contract.ts';
import type { Derived } from '../../fields/generator/derive.ts';
import type { FieldBounds } from '../../fields/generator/field-bounds.ts';
import type { WasmBackend } from '../../fields/generator/integers.ts';
import type { Program } from '../../fields/generator/ir.ts';
import { doubleField } from '../../fields/generator/ts-module.ts';
import { f64x2, i32, v128, WasmModule } from '../../fields/generator/wasm/encoder.ts';
import { type WasmField as GeneratorField, wasmField } from '../../fields/generator/wasm-field.ts';
import { encodeField } from '../../fields/generator/wasm-module.ts';
import type { PrimeRow } from '../../fields/primes.ts';
import { PRIMES } from '../../fields/primes.ts';
import { CASES } from './support.ts';

/** What a program read and gave: limbs per operand, bytes, and the value of a predicate. */
export interface Run {
  readonly operands: Readonly<Record<string, readonly bigint[]>>;
  readonly bytes: readonly bigint[];
  readonly result: bigint | undefined;
}

export interface RunInputs {
  readonly operands: Readonly<Record<string, readonly bigint[]>>;
  readonly scalars: Readonly<Record<string, bigint>>;
  readonly bytes: readonly bigint[];
}

export interface BackendCase {
  readonly title: string;
  readonly row: PrimeRow;
  readonly d: Derived;
  readonly bounds: FieldBounds;
  readonly contracts: readonly Contract[];
  /** Runs the generated code of a program; `inputs` has one entry per lane. */
  run(program: Program, inputs: readonly RunInputs[]): Run[];
  readonly lanes: number;
}

/** The shipped TypeScript functions. */
function doubleCase(row: PrimeRow): BackendCase {
  const { derived, programs, bounds } = doubleField(row);
  const functions = CASES.find((known) => known.row === row)!.field as unknown as Record<
    string,
    (...args: unknown[]) => number | undefined
  >;
  return {
    title: `${row.name} ts`,
    row,
    d: derived,
    bounds,
    contracts: contracts(programs, bounds),
    lanes: 1,
    run(program, inputs) {
      const { operands, scalars, bytes } = inputs[0]!;
      const elements = program.operands.map(({ name }) =>
        Float64Array.from({ length: derived.count }, (_, i) => Number(operands[name]?.[i] ?? 0n)),
      );
      const string = Uint8Array.from({ length: derived.byteLength + 3 }, (_, i) => Number(bytes[i - 3] ?? 0n));
      const args: unknown[] = [...elements, ...program.scalars.map(({ name }) => Number(scalars[name]))];
      if (program.bytes?.role === 'in') args.push(string, 3);
      if (program.bytes?.role === 'out') args.unshift(string, 3);
      const result = functions[program.name]!(...args);
      return [
        {
          operands: Object.fromEntries(
            program.operands.map(({ name }, i) => [name, [...elements[i]!].map((limb) => BigInt(limb))]),
          ),
          bytes: [...string.subarray(3)].map(BigInt),
          result: result === undefined ? undefined : BigInt(result),
        },
      ];
    },
  };
}

/** A WebAssembly module, run on memory. */
export function wasmCase(title: string, field: GeneratorField): BackendCase {
  return {
    ...wasmRunner(field.programs.d, field.backend, encodeField(field)),
    title,
    row: field.programs.d.row,
    d: field.programs.d,
    bounds: field.bounds,
    contracts: contracts(field.programs, field.bounds),
  };
}

/** Runs the functions of an encoded module. */
export function wasmRunner(
  d: Derived,
  backend: WasmBackend,
  { bytes: binary, heapBase }: ReturnType<typeof encodeField>,
): Pick<BackendCase, 'lanes' | 'run'> {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary as Uint8Array<ArrayBuffer>));
  const functions = exports as unknown as Record<string, (...args: number[]) => number | undefined>;
  const view = new DataView((exports['memory'] as WebAssembly.Memory).buffer);
  const lanes = backend === 'i64' ? 1 : 2;
  const size = 8 * lanes * d.count;
  const read = (address: number, lane: number): bigint[] =>
    Array.from({ length: d.count }, (_, i) => {
      const at = address + 8 * lanes * i;
      if (backend === 'fma') return BigInt(view.getFloat64(at + 8 * lane, true));
      if (backend === 'simd') return BigInt(view.getInt32(at + 4 * lane, true));
      return view.getBigInt64(at, true);
    });
  const write = (address: number, lane: number, limbs: readonly bigint[]): void => {
    limbs.forEach((limb, i) => {
      const at = address + 8 * lanes * i;
      if (backend === 'fma') view.setFloat64(at + 8 * lane, Number(limb), true);
      else if (backend === 'simd') {
        view.setInt32(at + 4 * lane, Number(limb), true);
        view.setInt32(at + 4 * lane + 8, Number(limb), true);
      } else view.setBigInt64(at, limb, true);
    });
  };
  return {
    lanes,
    run(program, inputs) {
      const addresses = program.operands.map((_, i) => heapBase + size * i);
      const strings = inputs.map((_, lane) => heapBase + size * 4 + 256 * lane);
      inputs.forEach(({ operands, bytes }, lane) => {
        program.operands.forEach(({ name }, i) => {
          write(addresses[i]!, lane, operands[name] ?? Array.from({ length: d.count }, () => 0n));
        });
        bytes.forEach((byte, i) => {
          view.setUint8(strings[lane]! + i, Number(byte));
        });
      });
      const scalars = program.scalars.map(({ name }) =>
        name === 'bit'
          ? inputs.reduce((bits, input, lane) => bits | (Number(input.scalars['bit']) << lane), 0)
          : Number(inputs[0]!.scalars[name]),
      );
      const result = functions[program.name]!(
        ...addresses,
        ...scalars,
        ...(program.bytes === undefined ? [] : strings),
      );
      return inputs.map((_, lane) => ({
        operands: Object.fromEntries(program.operands.map(({ name }, i) => [name, read(addresses[i]!, lane)])),
        bytes: Array.from({ length: d.byteLength }, (_unused, i) => BigInt(view.getUint8(strings[lane]! + i))),
        result: result === undefined ? undefined : BigInt((result >> lane) & 1),
      }));
    },
  };
}

/** Whether this engine accepts relaxed SIMD and fuses the multiply-add: (1 + 2^−30)² − (1 + 2^−29) is 0 otherwise. */
export const RELAXED_SIMD = fuses();

function fuses(): boolean {
  const module = new WasmModule(1);
  const probe = module.function('probe', []);
  const factor = v128.load(i32.const(0), 64);
  const sum = v128.load(i32.const(0), 80);
  probe.emit(v128.store(i32.const(0), f64x2.relaxedMadd(factor, factor, sum), 96));
  const binary = module.encode() as Uint8Array<ArrayBuffer>;
  if (!WebAssembly.validate(binary)) return false;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary));
  const memory = new Float64Array((exports['memory'] as WebAssembly.Memory).buffer);
  memory.fill(1 + 2 ** -30, 8, 10);
  memory.fill(-(1 + 2 ** -29), 10, 12);
  (exports['probe'] as () => void)();
  return memory[12] === 2 ** -60;
}

export const BACKENDS: readonly BackendCase[] = PRIMES.flatMap((row) => [
  doubleCase(row),
  ...(['fma', 'simd', 'i64'] as const)
    .filter((backend) => row.backends[backend] !== undefined && (backend !== 'fma' || RELAXED_SIMD))
    .map((backend) => wasmCase(`${row.name} ${backend}`, wasmField(row, backend))),
]);

// ns per product, square and conditional assignment for every prime and backend, beside BigInt and @noble/curves, and
// the ratios of the JDK's limb choices. All contenders in one process, in slices whose order rotates; medians.
// Two-lane backends count two products per call; the call from JavaScript is part of the time.

import { cpus } from 'node:os';
import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type WasmField, wasmField } from '../../fields/generator/wasm-field.ts';
import { encodeField } from '../../fields/generator/wasm-module.ts';
import { type LimbLayout, PRIMES, type PrimeRow } from '../../fields/primes.ts';
import { CASES } from '../fields/support.ts';

/** Short slices: most of them fall between two interruptions by other processes. */
const ROUNDS = 61;
const SLICE_NS = 5e5;

const OPERATIONS = ['mul', 'square', 'select'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Runs n dependent operations. */
type Loop = (n: number) => void;

interface Contender {
  readonly group: string;
  readonly candidate: string;
  readonly lanes: number;
  readonly loops: Readonly<Partial<Record<Operation, Loop>>>;
}

interface Figures {
  readonly contender: Contender;
  readonly operation: Operation;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

interface Row {
  readonly group: string;
  readonly name: string;
  readonly candidate: string;
  readonly unit: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly peer?: string;
  readonly ratio?: number;
}

let loops = 0;

/** A loop with source and call sites of its own, so that no contender spoils the type feedback of another. */
function loop(body: string, bindings: Readonly<Record<string, unknown>>): Loop {
  const source = `return function loop${loops++}(n) { ${body} };`;
  return new Function(...Object.keys(bindings), source)(...Object.values(bindings)) as Loop;
}

const CALLS: Readonly<Record<Operation, string>> = {
  mul: 'for (let i = 0; i < n; i++) mul(x, x, y);',
  square: 'for (let i = 0; i < n; i++) square(x, x);',
  select: 'for (let i = 0; i < n; i++) select(x, x, y, i & 1);',
};

function doubles(row: PrimeRow): Contender {
  const { field } = CASES.find((known) => known.row === row)!;
  const element = (seed: number) => {
    const out = field.create();
    field.fromBytes(
      out,
      Uint8Array.from({ length: field.byteLength }, (_, i) => (seed * (i + 1)) & 255),
      0,
    );
    return out;
  };
  const [x, y] = [element(119), element(77)];
  const { mul, square, select } = field;
  const loops = Object.fromEntries(
    OPERATIONS.map((operation) => [operation, loop(CALLS[operation], { mul, square, select, x, y })]),
  );
  return { group: row.name, candidate: 'ts', lanes: 1, loops };
}

function wasm(group: string, candidate: string, field: WasmField): Contender {
  const { bytes, heapBase } = encodeField(field);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>));
  const { mul, square, select, fromBytes, memory } = exports as unknown as Record<string, (...x: number[]) => void> & {
    memory: WebAssembly.Memory;
  };
  const [x, y, string] = [heapBase, heapBase + 512, heapBase + 1024];
  new Uint8Array(memory.buffer).fill(119, string, string + 66);
  fromBytes!(x, string, string);
  fromBytes!(y, string + 1, string + 1);
  const lanes = field.backend === 'i64' ? 1 : 2;
  const loops = Object.fromEntries(
    OPERATIONS.map((operation) => [operation, loop(CALLS[operation], { mul, square, select, x, y })]),
  );
  return { group, candidate, lanes, loops };
}

function bigint(row: PrimeRow): Contender {
  const p = BigInt(`0x${row.modulus}`);
  const bindings = { p, y: p / 3n, start: p / 5n };
  return {
    group: row.name,
    candidate: 'bigint',
    lanes: 1,
    loops: {
      mul: loop('let x = start; for (let i = 0; i < n; i++) x = (x * y) % p;', bindings),
      square: loop('let x = start; for (let i = 0; i < n; i++) x = (x * x) % p;', bindings),
    },
  };
}

const NOBLE: Readonly<Record<string, { readonly Fp: unknown; readonly Fn: unknown }>> = {
  p256: p256.Point,
  p384: p384.Point,
  p521: p521.Point,
  curve25519: ed25519.Point,
  curve448: ed448.Point,
  secp256k1: secp256k1.Point,
};

function noble(row: PrimeRow): Contender {
  const point = NOBLE[row.name.replace('-order', '')]!;
  const F = row.name.endsWith('-order') ? point.Fn : point.Fp;
  const p = BigInt(`0x${row.modulus}`);
  const bindings = { F, y: p / 3n, start: p / 5n };
  return {
    group: row.name,
    candidate: 'noble',
    lanes: 1,
    loops: {
      mul: loop('let x = start; for (let i = 0; i < n; i++) x = F.mul(x, y);', bindings),
      square: loop('let x = start; for (let i = 0; i < n; i++) x = F.sqr(x);', bindings),
    },
  };
}

/** The JDK's layouts in the i64 backend, one limb fewer, and Montgomery beside polynomial. */
const LAYOUTS: readonly (readonly [prime: string, width: number, count: number, kind: LimbLayout['representation']])[] =
  [
    ['p256', 26, 10, 'polynomial'],
    ['p256', 29, 9, 'polynomial'],
    ['p256', 29, 9, 'montgomery'],
    ['p384', 28, 14, 'polynomial'],
    ['p384', 30, 13, 'polynomial'],
    ['p521', 28, 19, 'polynomial'],
    ['p521', 29, 18, 'polynomial'],
    ['curve25519', 26, 10, 'polynomial'],
    ['curve25519', 29, 9, 'polynomial'],
    ['curve448', 28, 16, 'polynomial'],
    ['curve448', 30, 15, 'polynomial'],
  ];
const layoutName = (width: number, count: number, kind: string): string => `i64 ${count}×${width} ${kind}`;

function contenders(): Contender[] {
  const list: Contender[] = [];
  for (const row of PRIMES) {
    list.push(bigint(row), noble(row), doubles(row));
    for (const backend of ['i64', 'simd', 'fma'] as const) {
      if (row.backends[backend] === undefined) continue;
      try {
        list.push(wasm(row.name, backend, wasmField(row, backend)));
      } catch (cause) {
        if (!(cause instanceof WebAssembly.CompileError)) throw cause;
      }
    }
  }
  for (const [name, width, count, representation] of LAYOUTS) {
    const row = PRIMES.find((prime) => prime.name === name)!;
    const field = wasmField(row, 'i64', { width, count, representation });
    list.push(wasm(name, layoutName(width, count, representation), field));
  }
  return list;
}

function measure(list: readonly Contender[]): Figures[] {
  const runs = list.flatMap((contender) =>
    OPERATIONS.filter((operation) => contender.loops[operation] !== undefined).map((operation) => {
      const run = contender.loops[operation]!;
      const time = (n: number): number => {
        const start = process.hrtime.bigint();
        run(n);
        return Number(process.hrtime.bigint() - start);
      };
      let n = 2000;
      for (let warm = 0; warm < 12; warm++) time(n);
      while (time(n) < SLICE_NS && n < 1e7) n *= 2;
      return { contender, operation, n, time, samples: [] as number[] };
    }),
  );
  for (let round = 0; round < ROUNDS; round++) {
    runs.forEach((_, i) => {
      const run = runs[(i + round * 7) % runs.length]!;
      run.samples.push(run.time(run.n) / run.n / run.contender.lanes);
    });
  }
  return runs.map(({ contender, operation, samples }) => {
    samples.sort((a, b) => a - b);
    const at = (share: number): number => samples[Math.floor((samples.length - 1) * share)]!;
    return { contender, operation, median: at(0.5), low: at(0), high: at(1) };
  });
}

export function run(json: boolean): void {
  const figures = measure(contenders());
  const find = (group: string, candidate: string, operation: Operation): Figures | undefined =>
    figures.find(
      (f) => f.contender.group === group && f.contender.candidate === candidate && f.operation === operation,
    );
  const rows: Row[] = figures.map((f) => {
    const { group, candidate } = f.contender;
    const peer = f.operation === 'select' || candidate === 'bigint' ? undefined : find(group, 'bigint', f.operation);
    const row = {
      group,
      name: f.operation,
      candidate,
      unit: 'ns',
      median: f.median,
      low: f.low,
      high: f.high,
    };
    return peer === undefined ? row : { ...row, peer: 'bigint', ratio: f.median / peer.median };
  });
  const ratio = (group: string, candidate: string, peer: string): void => {
    for (const operation of ['mul', 'square'] as const) {
      const [ours, other] = [find(group, candidate, operation), find(group, peer, operation)];
      if (ours === undefined || other === undefined) continue;
      const { median, low, high } = ours;
      const name = `${operation}, against ${peer}`;
      rows.push({ group, name, candidate, unit: 'ns', median, low, high, peer, ratio: median / other.median });
    }
  };
  for (const { name } of PRIMES) {
    ratio(name, 'simd', 'i64');
    ratio(name, 'fma', 'simd');
  }
  for (const prime of ['p256', 'p384', 'p521', 'curve25519', 'curve448']) {
    const [jdk, fewer, montgomery] = LAYOUTS.filter(([name]) => name === prime).map(([, width, count, kind]) =>
      layoutName(width, count, kind),
    );
    ratio(prime, fewer!, jdk!);
    if (montgomery !== undefined) ratio(prime, montgomery, fewer!);
  }
  if (json) {
    const machine = { node: process.version, v8: process.versions.v8, arch: process.arch, cpu: cpus()[0]?.model ?? '' };
    process.stdout.write(`${JSON.stringify({ schema: 1, machine, rows })}\n`);
    return;
  }
  for (const { group, name, candidate, median, low, high, peer, ratio: value } of rows) {
    const against = value === undefined ? '' : `  ${value.toFixed(3)} of ${peer}`;
    const figure = `${median.toFixed(1).padStart(8)} ns  (${low.toFixed(1)} to ${high.toFixed(1)})`;
    process.stdout.write(`${group.padEnd(17)} ${name.padEnd(10)} ${candidate.padEnd(24)} ${figure}${against}\n`);
  }
}

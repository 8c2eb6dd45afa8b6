// Chains of operations and formulas with lazy sums, in every backend, with the range of every element checked.

import { describe, expect, it } from 'vitest';
import { type FormulaPlan, planFormula } from '../../fields/generator/formula.ts';
import { limbValue } from '../../fields/generator/interpret.ts';
import { BACKENDS, type BackendCase } from './backends.ts';
import { DOUBLING, exact, RESULTS } from './doubling.ts';
import { bytesOf, inverseMod, mod, randomSource } from './support.ts';

type Limbs = readonly bigint[];
/** One element per lane. */
type Lanes = readonly Limbs[];

class Machine {
  readonly backend: BackendCase;
  readonly p: bigint;
  readonly #perR: bigint;

  constructor(backend: BackendCase) {
    const { modulus, entry, radix } = backend.d;
    this.backend = backend;
    this.p = modulus;
    this.#perR = entry === 1n ? 1n : inverseMod(radix, modulus);
  }

  call(name: string, a: Lanes, b?: Lanes, factor = 0n): Lanes {
    const { program } = this.backend.contracts.find((contract) => contract.program.name === name)!;
    const lanes = a.map((limbs, i) => ({
      operands: b === undefined ? { a: limbs } : { a: limbs, b: b[i]! },
      scalars: { factor, bit: 1n },
      bytes: [],
    }));
    return this.backend.run(program, lanes).map(({ operands }) => operands['out']!);
  }

  read(values: readonly bigint[]): Lanes {
    const { program } = this.backend.contracts.find((contract) => contract.program.name === 'fromBytes')!;
    const lanes = values.map((value) => ({
      operands: {},
      scalars: {},
      bytes: [...bytesOf(value, this.backend.d.byteLength)].map(BigInt),
    }));
    return this.backend.run(program, lanes).map(({ operands }) => operands['out']!);
  }

  values(element: Lanes): bigint[] {
    return element.map((limbs) => mod(limbValue(limbs, this.backend.d.width) * this.#perR, this.p));
  }

  /** The first limb that leaves the contract, or −1. */
  outOfRange(element: Lanes): number {
    const { limbs: bounds } = this.backend.bounds.tight;
    for (const limbs of element) {
      const bad = bounds.findIndex(({ low, high }, i) => limbs[i]! < low || limbs[i]! > high);
      if (bad >= 0) return bad;
    }
    return -1;
  }
}

const STEPS = 200;
const OPERATIONS = ['square', 'add', 'sub', 'mul', '×2', '×3', '×4'] as const;

/** Where and by what a chain is corrupted. */
interface Fault {
  readonly step: number;
  readonly limb: number;
}

/** Runs a chain; gives the step at which an element left its range, or undefined, and what came out. */
function chain(machine: Machine, seed: number, fault?: Fault) {
  const { p, backend } = machine;
  const random = randomSource(seed);
  let [x, y] = [3n, 7n].map((start) => Array.from({ length: backend.lanes }, (_, lane) => p - start - BigInt(lane)));
  let [a, b] = [machine.read(x!), machine.read(y!)];
  for (let step = 0; step < STEPS; step++) {
    const operation = OPERATIONS[step < 7 ? step : Number(random(16)) % OPERATIONS.length]!;
    const factor = operation.startsWith('×') ? BigInt(operation.slice(1)) : 0n;
    let out: Lanes;
    if (factor > 0n) out = machine.call('mulSmall', a, undefined, factor);
    else if (operation === 'square') out = machine.call('square', a);
    else out = machine.call(operation, a, b);
    const next = x!.map((u, lane) => {
      const v = y![lane]!;
      const results = { square: u * u, add: u + v, sub: u - v, mul: u * v, '×2': 2n * u, '×3': 3n * u, '×4': 4n * u };
      return mod(results[operation], p);
    });
    if (fault?.step === step) {
      const last = out.length - 1;
      const { high, low } = backend.bounds.tight.limbs[fault.limb]!;
      // By the width of the range: out of it from wherever the limb stands.
      out = out.map((limbs, lane) =>
        limbs.map((l, i) => (lane === last && i === fault.limb ? l + high - low + 1n : l)),
      );
    }
    const bad = machine.outOfRange(out);
    if (bad >= 0) return { step, limb: bad };
    [a, b, x, y] = [b, out, y, next];
  }
  return { got: [machine.values(a), machine.values(b)], wanted: [x, y] };
}

describe.each(BACKENDS)('chains of square, add, sub, mul, ×2, ×3 and ×4 over $title', (backend) => {
  const machine = new Machine(backend);

  it('keep every element in its range and agree with BigInt', () => {
    for (const seed of [1, 2]) {
      const { got, wanted, step } = chain(machine, seed) as { got?: unknown; wanted?: unknown; step?: number };
      expect(step).toBe(undefined);
      expect(got).toEqual(wanted);
    }
  });

  it('fail the range check at the very limb and step that is corrupted', () => {
    for (let limb = 0; limb < backend.d.count; limb++) {
      const fault = { step: (5 * limb + 3) % 40, limb };
      expect(chain(machine, 1, fault)).toEqual(fault);
    }
  });
});

/** Runs a plan on the lazy operations, and counts the terms of every element and product. */
function run(machine: Machine, plan: FormulaPlan, inputs: Readonly<Record<string, Lanes>>) {
  const elements: Record<string, Lanes> = { ...inputs };
  const terms: Record<string, number> = Object.fromEntries(Object.keys(inputs).map((name) => [name, 1]));
  const most = { terms: 1, product: 1, square: 1, carry: 1 };
  for (const { op, out, a, ...rest } of plan.steps) {
    const b = 'b' in rest ? rest.b : undefined;
    const count = terms[a]!;
    if (op === 'add' || op === 'sub') {
      elements[out] = machine.call(`${op}Lazy`, elements[a]!, elements[b!]!);
      terms[out] = count + terms[b!]!;
      most.terms = Math.max(most.terms, terms[out]!);
      continue;
    }
    if (op === 'mul') most.product = Math.max(most.product, count * terms[b!]!);
    else most[op] = Math.max(most[op], count);
    elements[out] = machine.call(op, elements[a]!, b === undefined ? undefined : elements[b]!);
    terms[out] = 1;
    expect(machine.outOfRange(elements[out]!), `${op} ${out}`).toBe(-1);
  }
  return { elements, most };
}

describe.each(BACKENDS)('a doubling with lazy sums over $title', (backend) => {
  const { bounds, contracts } = backend;
  const machine = new Machine(backend);
  const carried = contracts.find(({ program }) => program.name === 'carry')!.inputs;
  const carryTerms = Number(carried.limbs[0]!.high / bounds.tight.limbs[0]!.high);
  const plan = planFormula(bounds, carryTerms, ['x', 'y', 'z'], DOUBLING, RESULTS);

  it('has never more additions pending than the static plan assumed, and is right', () => {
    const random = randomSource(backend.d.count);
    for (let i = 0; i < 10; i++) {
      const draw = () => Array.from({ length: backend.lanes }, () => random(700) % machine.p);
      const values = { x: draw(), y: draw(), z: draw() };
      const inputs = Object.fromEntries(Object.entries(values).map(([name, lanes]) => [name, machine.read(lanes)]));
      const { elements, most } = run(machine, plan, inputs);
      for (let lane = 0; lane < backend.lanes; lane++) {
        const { x, y, z } = values;
        const wanted = exact(machine.p, { x: x[lane]!, y: y[lane]!, z: z[lane]! });
        for (const name of RESULTS) expect(machine.values(elements[name]!)[lane], name).toBe(wanted[name]);
      }
      expect(most.terms).toBeLessThanOrEqual(plan.mostTerms);
      expect(most.product).toBeLessThanOrEqual(bounds.productTerms);
      expect(most.square).toBeLessThanOrEqual(bounds.squareTerms);
      expect(most.carry).toBeLessThanOrEqual(carryTerms);
    }
  });
});

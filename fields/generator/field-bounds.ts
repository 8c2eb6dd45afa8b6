// The bounds that formulas over a field are checked with: the same proofs that its code was generated under.

import { analyse, BoundsError, ElementBound } from './bounds.ts';
import type { Program } from './ir.ts';

/** Programs of a field that a formula may call, and the contract that their results keep. */
export interface BoundedField {
  readonly width: number;
  readonly tight: ElementBound;
  readonly mul: Program;
  readonly square: Program;
}

/** Carries bounds through a formula; every step throws BoundsError where the field's code would not be exact. */
export class FieldBounds {
  readonly #field: BoundedField;
  readonly #cache = new Map<string, ElementBound>();

  constructor(field: BoundedField) {
    this.#field = field;
  }

  /** Bound of a carried element: a product, an element read from bytes. */
  get tight(): ElementBound {
    return this.#field.tight;
  }

  mul(a: ElementBound, b: ElementBound): ElementBound {
    return this.#run(this.#field.mul, { a, b });
  }

  square(a: ElementBound): ElementBound {
    return this.#run(this.#field.square, { a });
  }

  /**
   * The largest n such that a product of sums of x and y elements of the contract is exact for all x·y ≤ n: how many
   * lazy additions may precede a product is read off it (3 terms times 4 terms needs n ≥ 12).
   */
  get productTerms(): number {
    return this.#largest((n) => {
      for (let x = 1; x * x <= n; x++) {
        const y = Math.floor(n / x);
        this.#keepsContract(this.mul(this.tight.times(x), this.tight.times(y)));
        this.#keepsContract(this.mul(this.tight.times(y), this.tight.times(x)));
      }
    });
  }

  /** The largest number of terms of a sum that may be squared. */
  get squareTerms(): number {
    return this.#largest((n) => {
      this.#keepsContract(this.square(this.tight.times(n)));
    });
  }

  #keepsContract(out: ElementBound): void {
    if (!this.tight.contains(out)) throw new BoundsError('the result leaves the contract of the field');
  }

  #largest(attempt: (n: number) => void): number {
    for (let n = 1; n <= 1024; n++) {
      try {
        attempt(n);
      } catch (cause) {
        if (cause instanceof BoundsError) return n - 1;
        throw cause;
      }
    }
    return 1024;
  }

  #run(program: Program, inputs: Record<string, ElementBound>): ElementBound {
    const key = `${program.name} ${Object.values(inputs)
      .map((bound) => bound.limbs.map((limb) => `${limb.low},${limb.high}`).join(';'))
      .join('|')}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const out = analyse(program, this.#field.width, inputs).operands['out'];
    if (out === undefined) throw new Error(`${program.name} stores nothing`);
    if (!this.tight.contains(out))
      throw new BoundsError(`${program.name}: the result leaves the contract of the field`);
    this.#cache.set(key, out);
    return out;
  }
}

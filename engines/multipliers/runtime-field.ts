// The run-time Montgomery field in the shape that the Jacobian kernel asks for.

import type { Element } from '../../fields/field.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';

/** Its sums are always carried, so lazy ones are the same and may have any number of terms. */
export class RuntimeField extends RuntimeMontgomeryField<string> {
  readonly productTerms = 64;
  readonly squareTerms = 8;

  addLazy(out: Element<string>, a: Element<string>, b: Element<string>): void {
    this.add(out, a, b);
  }

  subLazy(out: Element<string>, a: Element<string>, b: Element<string>): void {
    this.sub(out, a, b);
  }
}

// The full self-test of everything that may run here, as data.

import type { CurveRow } from '../ec-operations.ts';
import type { MultiplierRole } from '../multipliers/multiplier.ts';
import { oracleField } from '../portable-curves.ts';
import { obstacle, oracleFor, type SelectionInput, testRole } from './selection.ts';
import { testField, testScalars } from './self-test.ts';

export interface SelfTestResult {
  readonly curve: string;
  readonly id: string;
  readonly role: MultiplierRole | 'field';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped; empty if it passed. */
  readonly reason: string;
}

/** Loads and tests every candidate of a curve in every role it may serve; what may not run is listed as skipped. */
export function selfTest(curve: CurveRow, input: SelectionInput): readonly SelfTestResult[] {
  const results: SelfTestResult[] = [];
  const offers = input.candidates.filter(({ candidate }) => candidate.for.includes(curve.name));
  const fields = offers.flatMap(({ candidate }) => (candidate.kind === 'field' ? [candidate.load(curve)] : []));
  for (const offer of offers) {
    const { candidate } = offer;
    const run = (role: MultiplierRole | 'field', test: () => void): void => {
      const refusal = obstacle(offer, input, role !== 'double');
      const record = (outcome: SelfTestResult['outcome'], reason: string): void => {
        results.push({ curve: curve.name, id: candidate.id, role, outcome, reason });
      };
      if (refusal !== undefined) {
        record('skipped', refusal);
        return;
      }
      try {
        test();
        record('passed', '');
      } catch (error) {
        record('failed', error instanceof Error ? error.message : 'it threw something odd');
      }
    };
    switch (candidate.kind) {
      case 'field':
        run('field', () => testField(candidate.load(curve), curve));
        break;
      case 'multiplier': {
        const suitable = fields.filter(({ domain }) => candidate.field === undefined || candidate.field === domain);
        run(candidate.role, () => {
          for (const field of suitable) {
            // Complete formulas on the oracle's own field are the oracle.
            const depth =
              candidate.field === undefined && field.domain === oracleField(curve).domain ? 'known' : 'full';
            testRole(candidate.role, candidate.load(curve, field), curve, depth);
          }
        });
        break;
      }
      case 'curve':
        for (const role of ['base', 'point', 'double'] as const) {
          run(role, () => {
            const operations = candidate.load(curve);
            testScalars(operations, oracleFor(curve), 'full');
            testRole(role, { kind: 'kernel', id: candidate.id, operations }, curve, 'full');
          });
        }
        break;
    }
  }
  return results;
}

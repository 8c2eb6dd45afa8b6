// The operator's say in the choice of candidates (the `engines` part of a configuration).

import type { MultiplierRole } from '../multipliers/multiplier.ts';
import type { Candidate } from './candidate.ts';

export interface EnginePolicy {
  /** Candidates to try first, in this order: ids, tiers (`wasm-simd`, …) or kinds of multiplier. */
  readonly prefer?: readonly string[];
  /** Candidates that must not serve: ids, or capabilities that they must not need. */
  readonly deny?: readonly string[];
  /** Per curve and role: an id, `kernel`, or the last part of an id (`comb`, `window`, `ladder`). `field` likewise. */
  readonly curves?: Readonly<Record<string, Readonly<Partial<Record<MultiplierRole | 'field', string>>>>>;
  /** Ids of foreign candidates that may see secrets. */
  readonly trusted?: readonly string[];
}

/** Whether a word of a policy means this candidate. */
export function means(word: string, candidate: Candidate): boolean {
  return (
    word === candidate.id ||
    word === candidate.id.slice(candidate.id.lastIndexOf('/') + 1) ||
    word === candidate.requires.at(-1) ||
    (word === 'kernel' && candidate.kind === 'curve') ||
    (word === 'portable' && candidate.requires.length === 0)
  );
}

export function isDenied(policy: EnginePolicy, candidate: Candidate): boolean {
  return (policy.deny ?? []).some(
    (word) => word === candidate.id || (candidate.requires as readonly string[]).includes(word),
  );
}

/** Best first: the curve's own word, then the preferences in order, then rank; ties by the order of registration. */
export function order<T extends { readonly candidate: Candidate }>(
  offers: readonly T[],
  policy: EnginePolicy,
  word: string | undefined,
): T[] {
  const prefer = [...(word === undefined ? [] : [word]), ...(policy.prefer ?? [])];
  const place = ({ candidate }: T): number => {
    const at = prefer.findIndex((entry) => means(entry, candidate));
    return at < 0 ? prefer.length : at;
  };
  return [...offers].sort((a, b) => place(a) - place(b) || b.candidate.rank - a.candidate.rank);
}

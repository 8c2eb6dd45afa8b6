// What the operator forbids: `disabledAlgorithms`, entries of the form `Name [constraint {& constraint}]` with the
// constraints `keySize op N`, `curve NAME`, `denyAfter DATE`, `usage sign|verify|agree|generate|import`.
// Anything that is not understood is a ConfigurationError, so that nothing fails open.

import { AlgorithmDisabledError, ConfigurationError } from './errors.ts';
import { nameKey, resolveAlgorithm, resolveCurve } from './names.ts';
import type { ServiceType } from './service.ts';

export type Usage = 'sign' | 'verify' | 'agree' | 'generate' | 'import';
const USAGES: readonly string[] = ['sign', 'verify', 'agree', 'generate', 'import'] satisfies Usage[];

type Comparison = '<' | '<=' | '==' | '!=' | '>=' | '>';
type Constraint =
  | { readonly kind: 'keySize'; readonly operator: Comparison; readonly bits: number }
  | { readonly kind: 'curve'; readonly curve: string }
  | { readonly kind: 'denyAfter'; readonly time: number }
  | { readonly kind: 'usage'; readonly usage: Usage };

interface Rule {
  readonly text: string;
  readonly name: string;
  readonly constraints: readonly Constraint[];
  /** True if the key has to be known to decide. */
  readonly needsKey: boolean;
  readonly needsUsage: boolean;
}

/** What is known of a key; both may be missing for keys of a foreign kind. */
export interface KeyFacts {
  readonly algorithm?: string | undefined;
  readonly curve?: string | undefined;
  readonly size?: number | undefined;
}

function parseConstraint(text: string, path: string): Constraint {
  const fail = (expected: string): never => {
    throw new ConfigurationError(`${path}: "${text}" is not a constraint; ${expected}.`);
  };
  const [word = '', ...rest] = text.split(/\s+/);
  switch (word) {
    case 'keySize': {
      const match = /^(<=|>=|==|!=|<|>)\s*(\d+)$/.exec(rest.join(' '));
      if (match === null) return fail('write keySize followed by <, <=, ==, !=, >= or > and a number of bits');
      return { kind: 'keySize', operator: match[1] as Comparison, bits: Number(match[2]) };
    }
    case 'curve': {
      const curve = resolveCurve(rest.join(' '));
      if (curve === undefined) return fail('the curve is unknown');
      return { kind: 'curve', curve: curve.name };
    }
    case 'denyAfter': {
      const date = rest.join(' ');
      const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
      if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
        return fail('write denyAfter YYYY-MM-DD');
      return { kind: 'denyAfter', time };
    }
    case 'usage': {
      const usage = rest.join(' ');
      if (!USAGES.includes(usage)) return fail(`usage is one of ${USAGES.join(', ')}`);
      return { kind: 'usage', usage: usage as Usage };
    }
    default:
      return fail('known are keySize, curve, denyAfter and usage');
  }
}

function parseRule(text: string, path: string): Rule {
  const trimmed = text.trim();
  const space = trimmed.search(/\s/);
  const name = space < 0 ? trimmed : trimmed.slice(0, space);
  if (name === '') throw new ConfigurationError(`${path}: an entry begins with the name of an algorithm.`);
  const rest = space < 0 ? '' : trimmed.slice(space).trim();
  const constraints = rest === '' ? [] : rest.split('&').map((part) => parseConstraint(part.trim(), path));
  return {
    text: trimmed,
    name: nameKey(name),
    constraints,
    needsKey: constraints.some((constraint) => constraint.kind === 'keySize' || constraint.kind === 'curve'),
    needsUsage: constraints.some((constraint) => constraint.kind === 'usage'),
  };
}

const ECDSA = /^(.+)withecdsa(inp1363format)?$/;
const EC_FAMILY = new Set(['ecdsa', 'ecdh', 'ec', 'ellipticcurve']);

/** All names under which an algorithm can be disabled: itself, its parts, its family, its curve. */
function partsOf(type: ServiceType, algorithm: string): Set<string> {
  const standard = resolveAlgorithm(type, algorithm);
  const names = new Set([
    nameKey(algorithm),
    ...(standard === undefined ? [] : [standard.name, ...standard.aliases].map(nameKey)),
  ]);
  for (const name of [...names]) {
    const composite = ECDSA.exec(name);
    if (composite === null) continue;
    names.add('ecdsa');
    const hash = composite[1]!;
    names.add(hash);
    const digest = resolveAlgorithm('MessageDigest', hash);
    for (const other of digest === undefined ? [] : [digest.name, ...digest.aliases]) names.add(nameKey(other));
  }
  if ([...names].some((name) => EC_FAMILY.has(name))) names.add('ec');
  if (['ed25519', 'ed448'].some((name) => names.has(name))) names.add('eddsa');
  if (['x25519', 'x448'].some((name) => names.has(name))) names.add('xdh');
  for (const name of [...names]) names.add(`${nameKey(type)}.${name}`);
  return names;
}

function compare(size: number, operator: Comparison, bits: number): boolean {
  switch (operator) {
    case '<':
      return size < bits;
    case '<=':
      return size <= bits;
    case '==':
      return size === bits;
    case '!=':
      return size !== bits;
    case '>=':
      return size >= bits;
    case '>':
      return size > bits;
  }
}

function applies(constraint: Constraint, key: KeyFacts | undefined, usage: Usage | undefined): boolean {
  switch (constraint.kind) {
    case 'keySize':
      // A key of unknown size cannot show that it is allowed.
      return key !== undefined && (key.size === undefined || compare(key.size, constraint.operator, constraint.bits));
    case 'curve':
      return (
        key !== undefined &&
        (key.curve === undefined || (resolveCurve(key.curve)?.name ?? key.curve) === constraint.curve)
      );
    case 'denyAfter':
      return Date.now() >= constraint.time;
    case 'usage':
      return usage === constraint.usage;
  }
}

/** The rules of one context; immutable. */
export class Policy {
  readonly rules: readonly string[];
  readonly #rules: readonly Rule[];
  readonly #parts = new Map<string, Set<string>>();

  /** Throws ConfigurationError; `path` stands in its message. */
  constructor(entries: readonly string[] = [], path = 'disabledAlgorithms') {
    this.#rules = entries.map((entry, i) => {
      if (typeof entry !== 'string') throw new ConfigurationError(`${path}[${i}]: must be a string.`);
      return parseRule(entry, `${path}[${i}]`);
    });
    this.rules = this.#rules.map((rule) => rule.text);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  #match(type: ServiceType, algorithm: string, key: KeyFacts | undefined, usage: Usage | undefined): Rule | undefined {
    const id = `${type}/${algorithm}`;
    let parts = this.#parts.get(id);
    if (parts === undefined) {
      parts = partsOf(type, algorithm);
      if (this.#parts.size > 256) this.#parts.clear();
      this.#parts.set(id, parts);
    }
    const curve = key?.curve === undefined ? undefined : nameKey(resolveCurve(key.curve)?.name ?? key.curve);
    return this.#rules.find((rule) => {
      const named =
        parts.has(rule.name) ||
        (curve !== undefined && (rule.name === curve || resolveCurve(rule.name)?.name.toLowerCase() === curve));
      return named && rule.constraints.every((constraint) => applies(constraint, key, usage));
    });
  }

  /** Why the name alone is forbidden; undefined if it is not. */
  deniesName(type: ServiceType, algorithm: string): string | undefined {
    if (this.isEmpty) return undefined;
    return this.#match(type, algorithm, undefined, undefined)?.text;
  }

  /** Decides at getInstance. Throws AlgorithmDisabledError. */
  checkName(type: ServiceType, algorithm: string): void {
    const rule = this.deniesName(type, algorithm);
    if (rule !== undefined) throw disabled(type, algorithm, rule);
  }

  /** Decides at init, import, generation and translation. Throws AlgorithmDisabledError. */
  checkKey(type: ServiceType, algorithm: string, key: KeyFacts, usage: Usage): void {
    if (this.isEmpty) return;
    const rule = this.#match(type, algorithm, key, usage);
    if (rule !== undefined) throw disabled(type, algorithm, rule.text);
  }
}

function disabled(type: ServiceType, algorithm: string, rule: string): AlgorithmDisabledError {
  return new AlgorithmDisabledError(
    `${type} ${algorithm} is disabled here by the rule "${rule}" of disabledAlgorithms. Use another algorithm or key, or have the operator change the policy.`,
  );
}

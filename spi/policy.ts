// What the operator forbids (`disabledAlgorithms`): parsed once, asked at every door.
//
//   entry      = name { constraint "&" … }
//   constraint = "keySize" op N | "curve" NAME | "denyAfter" YYYY-MM-DD | "usage" ("sign" | "verify" | "agree" | "generate" | "import")
//
// An entry denies where its name fits and all its constraints hold. What is not known of a key counts against it.

import { AlgorithmDisabledError, ConfigurationError } from './errors.ts';
import { foldName, nameKey, resolveAlgorithm, resolveCurve, resolveCurveName } from './names.ts';
import { SERVICE_TYPES, type ServiceType } from './service.ts';

export type PolicyUse = 'sign' | 'verify' | 'agree' | 'generate' | 'import';
const USES: readonly string[] = ['sign', 'verify', 'agree', 'generate', 'import'] satisfies PolicyUse[];

/** What a policy needs to know of a key. */
export interface PolicySubject {
  readonly algorithm: string;
  readonly curve: string | undefined;
  readonly size: number | undefined;
}

interface Constraints {
  readonly keySize: readonly ((size: number) => boolean)[];
  readonly curves: readonly string[];
  /** Milliseconds since 1970 from which the entry counts. */
  readonly from: number | undefined;
  readonly uses: readonly string[];
}
interface Entry extends Constraints {
  readonly text: string;
  readonly type: ServiceType | undefined;
  readonly part: string;
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
};
const DAY = 86_400_000;

/** A hash or an algorithm under one spelling: `SHA-256` is `sha256`. */
function partKey(name: string): string {
  return nameKey(name).replace(/^sha-(?=\d)/, 'sha');
}

/** Every name that an entry may use to mean this algorithm. */
function partsOf(name: string): Set<string> {
  const parts = new Set<string>([partKey(name)]);
  const composite = /^(.+)with(ecdsa)(inp1363format)?$/.exec(foldName(name));
  if (composite !== null) {
    const hash = composite[1] as string;
    for (const part of [hash, `${hash}withecdsa`, 'ecdsa']) parts.add(partKey(part));
  }
  if (parts.has('ecdsa') || parts.has('ecdh')) parts.add('ec');
  if (parts.has('ed25519') || parts.has('ed448')) parts.add('eddsa');
  if (parts.has('x25519') || parts.has('x448')) parts.add('xdh');
  return parts;
}

function standardName(type: ServiceType, name: string): string {
  return resolveAlgorithm(type, name)?.name ?? name;
}

function parseConstraint(text: string, entry: string): Constraints {
  const none: Constraints = { keySize: [], curves: [], from: undefined, uses: [] };
  const fail = (what: string): never => {
    throw new ConfigurationError(`disabledAlgorithms: "${entry}": ${what}.`);
  };
  const [word = '', ...rest] = text.split(/\s+/);
  const value = rest.join(' ');
  switch (word) {
    case 'keySize': {
      const [, operator = '', number = ''] = /^(<=|>=|==|!=|<|>)\s*(\d+)$/.exec(value) ?? [];
      const compare = COMPARISONS[operator] ?? fail(`keySize needs an operator and a number, got "${value}"`);
      return { ...none, keySize: [(size) => compare(size, Number(number))] };
    }
    case 'curve':
      return { ...none, curves: [foldName(resolveCurveName(value) ?? fail(`there is no curve "${value}"`))] };
    case 'denyAfter': {
      const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : new Date(Number.NaN);
      if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) {
        fail(`denyAfter needs a date YYYY-MM-DD, got "${value}"`);
      }
      return { ...none, from: date.getTime() + DAY };
    }
    case 'usage':
      if (!USES.includes(value)) fail(`usage is one of ${USES.join(', ')}, got "${value}"`);
      return { ...none, uses: [value] };
    default:
      return fail(`"${word}" is no constraint; there are keySize, curve, denyAfter and usage`);
  }
}

function parseEntry(text: unknown): Entry {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new ConfigurationError('disabledAlgorithms: every entry must be a string with content.');
  }
  const entry = text.trim().replace(/\s+/g, ' ');
  const [, full = '', rest = ''] = /^(\S+)(?: (.*))?$/.exec(entry) ?? [];
  if (!/^[A-Za-z0-9][\w./-]*$/.test(full)) {
    throw new ConfigurationError(`disabledAlgorithms: "${entry}": "${full}" is no name of an algorithm.`);
  }
  const type = SERVICE_TYPES.find((known) => foldName(full).startsWith(`${foldName(known)}.`));
  const name = type === undefined ? full : full.slice(type.length + 1);
  const constraints = rest === '' ? [] : rest.split('&').map((part) => parseConstraint(part.trim(), entry));
  const dates = constraints.flatMap(({ from }) => from ?? []);
  return {
    text: entry,
    type,
    part: partKey(nameOfEntry(type, name)),
    keySize: constraints.flatMap((constraint) => constraint.keySize),
    curves: constraints.flatMap((constraint) => constraint.curves),
    from: dates.length === 0 ? undefined : Math.max(...dates),
    uses: constraints.flatMap((constraint) => constraint.uses),
  };
}

/** The standard name behind an alias or OID, of an algorithm or a curve. */
function nameOfEntry(type: ServiceType | undefined, name: string): string {
  for (const candidate of type === undefined ? SERVICE_TYPES : [type]) {
    const row = resolveAlgorithm(candidate, name);
    if (row !== undefined) return row.name;
  }
  return resolveCurveName(name) ?? name;
}

/** Immutable. */
export class AlgorithmPolicy {
  readonly #entries: readonly Entry[];
  readonly #now: () => number;

  /** Throws ConfigurationError for an entry that is not understood, so that nothing fails open. */
  constructor(disabled: readonly string[] | string, now: () => number = Date.now) {
    const list = typeof disabled === 'string' ? disabled.split(',') : disabled;
    if (!Array.isArray(list)) throw new ConfigurationError('disabledAlgorithms must be a list of strings.');
    this.#entries = list.map(parseEntry);
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** At getInstance: the entry that forbids this algorithm whatever the key and the use; undefined if none does. */
  deniedName(type: ServiceType, names: readonly string[]): string | undefined {
    const parts = names.map((name) => partsOf(standardName(type, name)));
    return this.#entries.find(
      (entry) =>
        entry.keySize.length === 0 &&
        entry.curves.length === 0 &&
        entry.uses.length === 0 &&
        (entry.type === undefined || entry.type === type) &&
        this.#inForce(entry) &&
        parts.some((set) => set.has(entry.part)),
    )?.text;
  }

  /** At init, import, generation and translation. */
  deniedUse(use: PolicyUse, type: ServiceType, algorithm: string, subject: PolicySubject): string | undefined {
    const row = subject.curve === undefined ? undefined : resolveCurve(subject.curve);
    const curve = row === undefined ? subject.curve : row.name;
    const size = subject.size ?? row?.size;
    const parts = partsOf(standardName(type, algorithm));
    for (const part of partsOf(subject.algorithm)) parts.add(part);
    if (curve !== undefined) for (const part of partsOf(curve)) parts.add(part);
    return this.#entries.find(
      (entry) =>
        (entry.type === undefined || entry.type === type) &&
        parts.has(entry.part) &&
        this.#inForce(entry) &&
        entry.keySize.every((holds) => size === undefined || holds(size)) &&
        entry.curves.every((name) => curve === undefined || foldName(curve) === name) &&
        entry.uses.every((name) => name === use),
    )?.text;
  }

  /** Throws AlgorithmDisabledError. */
  assertUse(use: PolicyUse, type: ServiceType, algorithm: string, subject: PolicySubject): void {
    if (this.#entries.length === 0) return;
    const entry = this.deniedUse(use, type, algorithm, subject);
    if (entry === undefined) return;
    const what = subject.curve === undefined ? subject.algorithm : `${subject.algorithm} on ${subject.curve}`;
    throw new AlgorithmDisabledError(
      `The configuration forbids to ${use} with ${algorithm} and ${what} (disabledAlgorithms: "${entry}").`,
    );
  }

  #inForce(entry: Entry): boolean {
    return entry.from === undefined || this.#now() >= entry.from;
  }
}

export const NO_POLICY: AlgorithmPolicy = new AlgorithmPolicy([]);

// The one query language of selection, and the JCA's filter strings read into it.
//
//   query  = clause { "," clause }
//   clause = ["?"] name [("=" | "!=") value]  |  "-" name
//
// A clause must hold, or with "?" is only preferred; "-name" takes away a default. A name without a value means "yes".

import { InvalidParameterError } from './errors.ts';
import { foldName, resolveCurveName } from './names.ts';
import type { Provider } from './provider.ts';
import { type AnyService, type AttributeValue, SERVICE_TYPES, type ServiceType } from './service.ts';

export interface Clause {
  /** Folded. */
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
  readonly optional: boolean;
}
export interface Query {
  readonly clauses: readonly Clause[];
  /** Names of defaults that do not count. */
  readonly removed: readonly string[];
}

const CLAUSE = /^(\?)?([A-Za-z][\w.-]*)(?:\s*(!?=)\s*(.+))?$/;
const REMOVAL = /^-([A-Za-z][\w.-]*)$/;

/** Throws InvalidParameterError for a clause that is none. */
export function parseQuery(text: string): Query {
  if (typeof text !== 'string') throw new InvalidParameterError('A query must be a string.');
  const clauses: Clause[] = [];
  const removed: string[] = [];
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '' && text.trim() === '') continue;
    const removal = REMOVAL.exec(part);
    if (removal !== null) {
      removed.push(foldName(removal[1] as string));
      continue;
    }
    const match = CLAUSE.exec(part);
    if (match === null) throw new InvalidParameterError(`The query "${text}" has a clause that is none: "${part}".`);
    const [, optional, name = '', operator, value = 'yes'] = match;
    clauses.push({ name: foldName(name), value: value.trim(), negated: operator === '!=', optional: optional === '?' });
  }
  return { clauses, removed };
}

/** The explicit query with those defaults that it neither replaces nor removes. */
export function mergeQueries(explicit: Query | undefined, defaults: Query | undefined): Query | undefined {
  if (explicit === undefined || defaults === undefined) return explicit ?? defaults;
  const named = new Set([...explicit.removed, ...explicit.clauses.map((clause) => clause.name)]);
  const kept = defaults.clauses.filter((clause) => !named.has(clause.name));
  return { clauses: [...explicit.clauses, ...kept], removed: [] };
}

const YES = new Set(['yes', 'true', '1']);
const NO = new Set(['no', 'false', '0']);

function isValue(declared: AttributeValue | undefined, name: string, value: string): boolean {
  const folded = foldName(value);
  if (declared === undefined) return NO.has(folded);
  if (typeof declared === 'boolean') return declared ? YES.has(folded) : NO.has(folded);
  if (name === 'keysize') return /^\d+$/.test(value) && Number(value) <= Number(declared);
  if (typeof declared === 'number') return Number(value) === declared;
  const components = typeof declared === 'string' ? declared.split('|') : declared;
  const wanted = name === 'supportedcurves' ? (resolveCurveName(value) ?? value) : value;
  return components.some((item) => {
    const component = name === 'supportedcurves' ? (resolveCurveName(item) ?? item) : item;
    return foldName(component.trim()) === foldName(wanted);
  });
}

/** True if the clause holds for the service; `provider` and `implementation` are properties of every service. */
export function clauseHolds(clause: Clause, provider: Provider, service: AnyService): boolean {
  const name = clause.name === 'implementation' ? 'implementedin' : clause.name;
  let declared: AttributeValue | undefined;
  if (name === 'provider') declared = provider.name;
  else if (name === 'version') declared = provider.version;
  else {
    for (const [attribute, value] of Object.entries(service.attributes)) {
      if (foldName(attribute) === name) declared = value;
    }
    if (name === 'implementedin') declared ??= 'Software';
  }
  return isValue(declared, name, clause.value) !== clause.negated;
}

/** The mandatory clause that does not hold, as text; undefined if all do. */
export function missedClause(query: Query, provider: Provider, service: AnyService): string | undefined {
  const missed = query.clauses.find((clause) => !clause.optional && !clauseHolds(clause, provider, service));
  return missed === undefined ? undefined : `${missed.name}${missed.negated ? '!=' : '='}${missed.value}`;
}

/** How many optional clauses hold. */
export function optionalScore(query: Query, provider: Provider, service: AnyService): number {
  return query.clauses.filter((clause) => clause.optional && clauseHolds(clause, provider, service)).length;
}

export interface Filter {
  readonly type: ServiceType;
  readonly algorithm: string;
  readonly query: Query;
}

/** `Type.Algorithm` or `Type.Algorithm Attribute:Value`, as in the JCA. Throws InvalidParameterError. */
export function parseFilter(text: string): Filter {
  if (typeof text !== 'string') throw new InvalidParameterError('A filter must be a string.');
  const [service = '', ...rest] = text.trim().split(/\s+/);
  return filterOf(service, rest.join(' '), text);
}

/** The entries of a filter in the form of a map: `{ "Type.Algorithm Attribute": "Value" }`; all must match. */
export function parseFilterMap(map: Readonly<Record<string, string>>): Filter[] {
  return Object.entries(map).map(([key, value]) => {
    const [service = '', attribute = ''] = key.trim().split(/\s+/);
    if ((attribute === '') !== (value === '')) {
      throw new InvalidParameterError(`Invalid filter "${key}": it needs an attribute name and a value, or neither.`);
    }
    return filterOf(service, attribute === '' ? '' : `${attribute}:${value}`, key);
  });
}

function filterOf(service: string, condition: string, text: string): Filter {
  const dot = service.indexOf('.');
  if (dot < 1) throw new InvalidParameterError(`Invalid filter "${text}": it needs service and algorithm.`);
  const type = SERVICE_TYPES.find((known) => foldName(known) === foldName(service.slice(0, dot)));
  const algorithm = service.slice(dot + 1);
  if (algorithm === '') throw new InvalidParameterError(`Invalid filter "${text}": it needs an algorithm name.`);
  if (type === undefined) throw new InvalidParameterError(`Invalid filter "${text}": there is no such service type.`);
  if (condition === '') return { type, algorithm, query: { clauses: [], removed: [] } };
  const colon = condition.indexOf(':');
  const name = condition.slice(0, Math.max(colon, 0)).trim();
  const value = condition.slice(colon + 1).trim();
  if (name === '') throw new InvalidParameterError(`Invalid filter "${text}": it needs an attribute name.`);
  if (value === '') throw new InvalidParameterError(`Invalid filter "${text}": it needs an attribute value.`);
  if (value.includes('|'))
    throw new InvalidParameterError(`Invalid filter "${text}": composite values are unsupported.`);
  return {
    type,
    algorithm,
    query: { clauses: [{ name: foldName(name), value, negated: false, optional: false }], removed: [] },
  };
}

// One query language for services: clauses separated by commas or spaces.
//   provider=OpenSSL   implementation=hardware   keySize:256   fips        mandatory: filters
//   ?fips=yes                                                              optional: ranks before the provider order
//   -fips                                                                  removes the default clause of that name
// The filter strings of the JCA (`Signature.SHA256withECDSA KeySize:256`) are parsed into the same clauses.

import { InvalidParameterError } from './errors.ts';
import { nameKey, resolveCurve } from './names.ts';
import type { Provider } from './provider.ts';
import { type AnyService, SERVICE_TYPES, type ServiceType } from './service.ts';

export interface QueryClause {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
  readonly optional: boolean;
}
export interface Query {
  readonly clauses: readonly QueryClause[];
  /** Names whose default clauses are removed. */
  readonly removed: readonly string[];
}
export const EMPTY_QUERY: Query = { clauses: [], removed: [] };

const CLAUSE = /^(\?|-)?([A-Za-z][A-Za-z0-9_.-]*)(?:(!?=|:)(.+))?$/;

function parseClause(text: string, query: string): QueryClause | string {
  const match = CLAUSE.exec(text);
  const [, prefix, name, operator, value] = match ?? [];
  if (name === undefined || (prefix === '-' && operator !== undefined)) {
    throw new InvalidParameterError(
      `"${text}" in the query "${query}" is not a clause: write name=value, ?name=value, name or -name.`,
    );
  }
  if (prefix === '-') return nameKey(name);
  return { name: nameKey(name), value: value ?? 'yes', negated: operator === '!=', optional: prefix === '?' };
}

const parsed = new Map<string, Query>();

/** Parses a query; results are cached. Throws InvalidParameterError. */
export function parseQuery(text: string): Query {
  if (typeof text !== 'string') throw new InvalidParameterError(`A query must be a string, got ${typeof text}.`);
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const clauses: QueryClause[] = [];
  const removed: string[] = [];
  for (const part of text.split(/[,\s]+/)) {
    if (part === '') continue;
    const clause = parseClause(part, text);
    if (typeof clause === 'string') removed.push(clause);
    else clauses.push(clause);
  }
  const query = { clauses, removed };
  if (parsed.size >= 256) parsed.clear();
  parsed.set(text, query);
  return query;
}

/** A query on top of defaults: its clauses replace default ones of the same name, removals drop them. */
export function withDefaults(query: Query, defaults: Query): Query {
  const overridden = new Set([...query.removed, ...query.clauses.map((clause) => clause.name)]);
  return {
    clauses: [...defaults.clauses.filter((clause) => !overridden.has(clause.name)), ...query.clauses],
    removed: query.removed,
  };
}

/** A filter of the JCA: a service and at most one attribute. */
export interface ServiceFilter {
  readonly type: ServiceType;
  readonly algorithm: string;
  readonly query: Query;
}

/** Parses `Type.Algorithm`, `Type.Algorithm Attribute:Value`; undefined if the text is not of that form. */
export function parseServiceFilter(text: string): ServiceFilter | undefined {
  const [service = '', ...rest] = text.trim().split(/\s+/);
  const dot = service.indexOf('.');
  const type = SERVICE_TYPES.find((known) => nameKey(known) === nameKey(service.slice(0, Math.max(dot, 0))));
  if (type === undefined) return undefined;
  const algorithm = service.slice(dot + 1);
  if (algorithm === '') throw new InvalidParameterError(`Invalid filter "${text}": the algorithm name is missing.`);
  return { type, algorithm, query: parseQuery(rest.join(' ')) };
}

function attribute(service: AnyService, name: string): unknown {
  for (const [key, value] of Object.entries(service.attributes)) if (nameKey(key) === name) return value;
  return undefined;
}

function sameValue(name: string, declared: string, wanted: string): boolean {
  if (nameKey(declared) === nameKey(wanted)) return true;
  if (name !== 'supportedcurves') return false;
  const curve = resolveCurve(wanted);
  return curve !== undefined && curve === resolveCurve(declared);
}

/** True if the service has what the clause asks for. Attributes that are not declared count as `no`. */
function holds(clause: QueryClause, provider: Provider, service: AnyService): boolean {
  const { name, value } = clause;
  if (name === 'provider') return nameKey(provider.name) === nameKey(value);
  const declared = attribute(service, name === 'implementation' ? 'implementedin' : name);
  if (declared === undefined) return nameKey(value) === 'no';
  if (typeof declared === 'boolean') return declared === (nameKey(value) === 'yes' || nameKey(value) === 'true');
  if (typeof declared === 'number') return name === 'keysize' ? Number(value) <= declared : Number(value) === declared;
  const list = Array.isArray(declared) ? declared.map(String) : String(declared).split('|');
  return list.some((entry) => sameValue(name, entry, value));
}

/** Undefined if all mandatory clauses hold, else the first that does not. */
export function unmetClause(query: Query, provider: Provider, service: AnyService): QueryClause | undefined {
  return query.clauses.find((clause) => !clause.optional && holds(clause, provider, service) === clause.negated);
}

/** How many optional clauses hold. */
export function optionalScore(query: Query, provider: Provider, service: AnyService): number {
  return query.clauses.filter((clause) => clause.optional && holds(clause, provider, service) !== clause.negated)
    .length;
}

export function formatClause(clause: QueryClause): string {
  return `${clause.optional ? '?' : ''}${clause.name}${clause.negated ? '!=' : '='}${clause.value}`;
}

// The operator's configuration: one file or one object, checked completely before anything of it counts.
//
// This file and zod are a chunk of their own: only SecurityContext.fromConfig and configure load it.

import { z } from 'zod';
import { describeThrown, kindOf } from './checks.ts';
import type { ContextOptions, ProviderResolver } from './context-options.ts';
import { ConfigurationError, ProviumError } from './errors.ts';
import { foldName, resolveCurveName } from './names.ts';
import { AlgorithmPolicy } from './policy.ts';
import { parsePreferences } from './preferred.ts';
import { Provider } from './provider.ts';
import { parseQuery } from './query.ts';

const nameList = z.array(z.string().min(1));
const providerEntry = z.union([
  z.string().min(1),
  z.strictObject({ name: z.string().min(1), options: z.unknown().optional() }),
  z.strictObject({ module: z.string().min(1), options: z.unknown().optional() }),
]);
const word = z.string().min(1).optional();
const engineChoice = z.strictObject({ base: word, point: word, double: word, field: word });
const schema = z.strictObject({
  $schema: z.string().optional(),
  providers: z.array(providerEntry).optional(),
  preferred: z.record(z.string(), z.string().min(1)).optional(),
  defaultQuery: z.string().optional(),
  disabledAlgorithms: z.array(z.string()).optional(),
  engines: z
    .strictObject({
      prefer: nameList.optional(),
      deny: nameList.optional(),
      curves: z.record(z.string(), engineChoice).optional(),
      disable: nameList.optional(),
      trusted: nameList.optional(),
      modules: nameList.optional(),
    })
    .optional(),
  nonce: z.enum(['hedged', 'deterministic', 'random']).optional(),
  failover: z.enum(['unsupported', 'always']).optional(),
});
type Configuration = z.infer<typeof schema>;
type ProviderEntry = z.infer<typeof providerEntry>;

/** Where relative module names start from, as a file URL. */
type Base = string;

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function issueText(issue: z.core.$ZodIssue): string {
  const where = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (where === '' ? key : `${where}.${key}`)).join(', ');
    return `${names}: there is no such setting`;
  }
  return `${where === '' ? 'the configuration' : where}: ${issue.message}`;
}

function check(value: unknown, source: string): Configuration {
  z.config({ jitless: true });
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigurationError(`${source}: ${result.error.issues.map(issueText).join('; ')}.`);
}

/** Runs a parser of a part, so that its error names the part. */
function within<T>(path: string, source: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new ConfigurationError(`${source}: ${path}: ${describeThrown(cause)}.`, { cause });
  }
}

async function readConfiguration(file: string | URL): Promise<{ value: unknown; base: Base; source: string }> {
  const builtin = globalThis.process?.getBuiltinModule;
  if (builtin === undefined) {
    throw new ConfigurationError('A configuration file can be read in Node only; pass an object instead.');
  }
  const { readFile } = builtin('node:fs/promises');
  const { pathToFileURL } = builtin('node:url');
  const { resolve } = builtin('node:path');
  const url = file instanceof URL ? file : pathToFileURL(resolve(file));
  const source = url.protocol === 'file:' ? builtin('node:url').fileURLToPath(url) : url.href;
  let text: string;
  try {
    text = await readFile(url, 'utf8');
  } catch (cause) {
    throw new ConfigurationError(`The configuration ${source} cannot be read: ${describeThrown(cause)}.`, { cause });
  }
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')), base: url.href, source };
  } catch (cause) {
    throw new ConfigurationError(`${source} is not JSON: ${describeThrown(cause)}.`, { cause });
  }
}

/** The base of modules named in an object: the current folder. */
function currentFolder(): Base {
  const builtin = globalThis.process?.getBuiltinModule;
  if (builtin === undefined) return globalThis.location?.href ?? '';
  return `${builtin('node:url').pathToFileURL(globalThis.process.cwd()).href}/`;
}

function isRelative(specifier: string): boolean {
  return /^\.{0,2}[\\/]|^[a-z][a-z+.-]+:|^[A-Za-z]:[\\/]/.test(specifier);
}

/** The module's address: relative ones from the base, packages as if imported from there. */
function resolveModule(specifier: string, base: Base): string {
  const builtin = globalThis.process?.getBuiltinModule;
  if (builtin !== undefined && /^([A-Za-z]:)?[\\/]/.test(specifier)) {
    return builtin('node:url').pathToFileURL(specifier).href;
  }
  if (isRelative(specifier)) return new URL(specifier, base === '' ? undefined : base).href;
  if (builtin === undefined || !base.startsWith('file:')) return specifier;
  const { createRequire } = builtin('node:module');
  const { pathToFileURL } = builtin('node:url');
  return pathToFileURL(createRequire(new URL('provium.config.js', base)).resolve(specifier)).href;
}

async function importModule(specifier: string, base: Base, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ resolveModule(specifier, base));
  } catch (cause) {
    throw new ConfigurationError(`${path}: the module ${specifier} cannot be loaded: ${describeThrown(cause)}.`, {
      cause,
    });
  }
}

async function loadProvider(specifier: string, options: unknown, base: Base, path: string): Promise<Provider> {
  const module = await importModule(specifier, base, path);
  const exported = module['default'] ?? module['provider'];
  let provider: unknown;
  try {
    const made = typeof exported === 'function' ? await callOrConstruct(exported, options) : exported;
    provider = made;
  } catch (cause) {
    throw new ConfigurationError(`${path}: the module ${specifier} made no provider: ${describeThrown(cause)}.`, {
      cause,
    });
  }
  if (!(provider instanceof Provider)) {
    const got = kindOf(provider);
    throw new ConfigurationError(
      `${path}: the module ${specifier} exports no provider by default or as "provider", but ${got}.`,
    );
  }
  if (options !== undefined && typeof exported !== 'function') {
    throw new ConfigurationError(`${path}.options: the module ${specifier} exports a provider that takes no options.`);
  }
  return provider;
}

function callOrConstruct(exported: unknown, options: unknown): unknown {
  const isClass = typeof exported === 'function' && exported.prototype instanceof Provider;
  if (isClass) return new (exported as unknown as new (options: unknown) => Provider)(options);
  return (exported as (options: unknown) => unknown)(options);
}

async function providerOf(
  entry: ProviderEntry,
  path: string,
  base: Base,
  resolveBuiltIn: ProviderResolver,
): Promise<Provider> {
  const options = typeof entry === 'string' ? undefined : entry.options;
  if (typeof entry === 'object' && 'module' in entry)
    return loadProvider(entry.module, options, base, `${path}.module`);
  const name = typeof entry === 'string' ? entry : entry.name;
  let builtIn: Provider | undefined;
  try {
    builtIn = await resolveBuiltIn(name, options);
  } catch (cause) {
    throw new ConfigurationError(`${path}: the provider ${name} cannot be made: ${describeThrown(cause)}.`, { cause });
  }
  if (builtIn !== undefined) return builtIn;
  if (typeof entry === 'string') return loadProvider(name, undefined, base, path);
  throw new ConfigurationError(`${path}.name: there is no built-in provider ${name}.`);
}

async function candidatesOf(modules: readonly string[], base: Base): Promise<unknown[]> {
  const candidates: unknown[] = [];
  for (const [i, specifier] of modules.entries()) {
    const path = `engines.modules[${i}]`;
    const module = await importModule(specifier, base, path);
    const exported = module['candidates'] ?? module['default'];
    if (!Array.isArray(exported)) {
      throw new ConfigurationError(`${path}: the module ${specifier} exports no list of candidates.`);
    }
    candidates.push(...exported);
  }
  return candidates;
}

type EngineChoice = Readonly<Record<string, string>>;

/** Under the names that engines know the curves by, whatever alias the operator wrote. Throws ConfigurationError. */
function byCurve(
  given: Readonly<Record<string, z.infer<typeof engineChoice>>> | undefined,
): Readonly<Record<string, EngineChoice>> | undefined {
  if (given === undefined) return undefined;
  const named = new Map<string, EngineChoice>();
  for (const [name, choice] of Object.entries(given)) {
    const curve = resolveCurveName(name);
    if (curve === undefined) throw new ConfigurationError(`there is no curve ${name}`);
    if (named.has(curve)) throw new ConfigurationError(`the curve ${curve} comes twice`);
    named.set(
      curve,
      Object.fromEntries(Object.entries(choice).flatMap(([role, id]) => (id === undefined ? [] : [[role, id]]))),
    );
  }
  return Object.fromEntries(named);
}

/** A file or an object as the options of a context. Rejects with ConfigurationError. */
export async function loadConfiguration(
  given: string | URL | object,
  resolveBuiltIn: ProviderResolver,
): Promise<ContextOptions> {
  const fromFile = typeof given === 'string' || given instanceof URL;
  if (!fromFile && (typeof given !== 'object' || given === null)) {
    throw new ConfigurationError(`A configuration is a file or an object, got ${kindOf(given)}.`);
  }
  const { value, base, source } = fromFile
    ? await readConfiguration(given)
    : { value: given, base: currentFolder(), source: 'The configuration' };
  const checked = check(value, source);
  const { providers, preferred, defaultQuery, disabledAlgorithms, engines, nonce, failover } = checked;
  if (preferred !== undefined) within('preferred', source, () => parsePreferences(preferred));
  if (defaultQuery !== undefined) within('defaultQuery', source, () => parseQuery(defaultQuery));
  if (disabledAlgorithms !== undefined) {
    within('disabledAlgorithms', source, () => new AlgorithmPolicy(disabledAlgorithms));
  }
  const curves = within('engines.curves', source, () => byCurve(engines?.curves));
  try {
    const { modules = [], curves: _, ...others } = engines ?? {};
    const settings = curves === undefined ? others : { ...others, curves };
    const loaded: Provider[] = [];
    for (const [i, entry] of (providers ?? []).entries()) {
      const provider = await providerOf(entry, `providers[${i}]`, base, resolveBuiltIn);
      if (loaded.some(({ name }) => foldName(name) === foldName(provider.name))) {
        throw new ConfigurationError(`providers[${i}]: the provider ${provider.name} comes twice.`);
      }
      loaded.push(provider);
    }
    return {
      providers: providers === undefined ? undefined : loaded,
      candidates: await candidatesOf(modules, base),
      engines: settings,
      preferred,
      defaultQuery,
      disabledAlgorithms,
      nonce,
      failover,
    };
  } catch (error) {
    if (error instanceof ConfigurationError && !error.message.startsWith(source)) {
      throw new ConfigurationError(`${source}: ${error.message}`, { cause: error.cause ?? error });
    }
    throw error instanceof ProviumError
      ? error
      : new ConfigurationError(`${source}: ${describeThrown(error)}.`, { cause: error });
  }
}

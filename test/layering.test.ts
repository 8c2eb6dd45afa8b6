// Who may import whom. The table is the architecture; the tests below enforce it over every source file.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';

interface Rule {
  /** Layers whose files may be imported. */
  readonly layers: readonly string[];
  /** Packages. */
  readonly packages: readonly string[];
  /** Node modules that may be imported at the top of a file. */
  readonly node: 'any' | readonly string[];
  /** Node modules that may be asked for by `process.getBuiltinModule`, which leaves browsers alone. */
  readonly builtin: readonly string[];
}

const PORTABLE: Pick<Rule, 'node' | 'builtin'> = { node: [], builtin: [] };
const LIBRARY = ['fields', 'engines', 'spi'];
const COMPOSITION = [...LIBRARY, 'providers/*', 'index.ts', 'auto.ts'];

/** Longest matching key wins. `providers/*` as a target means every provider. */
const RULES: Readonly<Record<string, Rule>> = {
  // Generators run at build time, write generated code and are in no bundle.
  'fields/generator': { layers: ['fields', 'fields/generator'], packages: [], node: 'any', builtin: [] },
  'fields/generator/check': {
    layers: ['fields', 'fields/generator', 'fields/generator/check'],
    packages: ['acorn'],
    node: 'any',
    builtin: [],
  },
  fields: { layers: ['fields'], packages: [], ...PORTABLE },
  'engines/kernels': { layers: ['engines', 'engines/kernels', 'fields'], packages: [], node: 'any', builtin: [] },
  engines: { layers: ['engines', 'fields'], packages: ['inversify'], ...PORTABLE },
  spi: {
    layers: ['spi'],
    packages: ['zod', 'asn1js'],
    node: [],
    builtin: ['node:fs', 'node:fs/promises', 'node:module', 'node:path', 'node:url', 'node:crypto'],
  },
  'providers/provium': {
    layers: ['providers/provium', ...LIBRARY],
    packages: ['inversify', 'reflect-metadata', '@noble/hashes'],
    node: [],
    builtin: ['node:crypto'],
  },
  'providers/openssl': { layers: ['providers/openssl', ...LIBRARY], packages: [], node: [], builtin: ['node:crypto'] },
  'providers/webcrypto': { layers: ['providers/webcrypto', ...LIBRARY], packages: [], ...PORTABLE },
  'index.ts': { layers: COMPOSITION, packages: [], ...PORTABLE },
  'auto.ts': { layers: COMPOSITION, packages: [], node: 'any', builtin: [] },
  testkit: { layers: ['testkit', ...COMPOSITION], packages: [], ...PORTABLE, builtin: ['node:util'] },
  cli: { layers: ['cli', 'testkit', ...COMPOSITION], packages: ['commander'], node: 'any', builtin: [] },
};

/** Doors of node:crypto to curve arithmetic and key objects, closed to `providers/provium`: its arithmetic is its own. */
const CURVE_DOORS = new Set([
  'createSign',
  'createVerify',
  'createECDH',
  'createDiffieHellman',
  'diffieHellman',
  'generateKeyPairSync',
  'createPrivateKey',
  'createPublicKey',
  'webcrypto',
  'subtle',
]);

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TOP = ['index.ts', 'auto.ts', 'fields', 'engines', 'spi', 'providers', 'cli', 'testkit'];

function sourcesUnder(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((item) => {
    if (item.isDirectory()) return sourcesUnder(`${path}/${item.name}`);
    return item.name.endsWith('.ts') ? [`${path}/${item.name}`] : [];
  });
}

function layerOf(file: string): string {
  const keys = Object.keys(RULES).filter((key) => file === key || file.startsWith(`${key}/`));
  const best = keys.sort((a, b) => b.length - a.length)[0];
  return best ?? `${dirname(file)} (no rule)`;
}

interface Source {
  readonly file: string;
  readonly layer: string;
  /** Specifiers as written, of every kind of import and re-export, types included. */
  readonly specifiers: readonly string[];
  /** Those that are loaded with the file. */
  readonly loaded: readonly string[];
  readonly builtins: readonly string[];
  /** Node modules imported for their types alone, which leaves nothing at run time. */
  readonly nodeTypes: readonly string[];
  readonly curveDoors: readonly string[];
  readonly decorators: number;
}

type Node = { readonly [member: string]: unknown };

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) yield value as Node;
    for (const member of Object.values(value)) yield* nodesOf(member);
  }
}

function stringOf(node: unknown): string | undefined {
  const value = (node as Node | null | undefined)?.['value'];
  return typeof value === 'string' ? value : undefined;
}

/** Reads one source; throws for an import whose target is not a literal, since nobody could check it. */
function parse(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const specifiers: string[] = [];
  const named: string[] = [];
  const loaded: string[] = [];
  const nodeTypes: string[] = [];
  const curveDoors: string[] = [];
  let decorators = 0;
  for (const node of nodesOf(program)) {
    const type = node['type'];
    if (type === 'Decorator') decorators++;
    if (type === 'Identifier' && CURVE_DOORS.has(String(node['name']))) curveDoors.push(String(node['name']));
    if (type === 'ImportDeclaration' || type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration') {
      const specifier = stringOf(node['source']);
      if (specifier === undefined) continue;
      const typesOnly = node['importKind'] === 'type' || node['exportKind'] === 'type';
      (typesOnly && specifier.startsWith('node:') ? nodeTypes : specifiers).push(specifier);
      if (!typesOnly) loaded.push(specifier);
    } else if (type === 'TSImportType') {
      const specifier = stringOf(node['source']) ?? '';
      (specifier.startsWith('node:') ? nodeTypes : specifiers).push(specifier);
    } else if (type === 'ImportExpression') {
      const specifier = stringOf(node['source']);
      // The modules of a configuration are chosen by the operator: spi and cli may import what they are told.
      if (specifier !== undefined) specifiers.push(specifier);
      else if (!['spi', 'cli'].includes(layerOf(file))) throw new Error(`${file}: an import of a computed name`);
    } else if (type === 'Literal' && /^node:[\w/]+$/.test(stringOf(node) ?? '')) {
      named.push(stringOf(node) as string);
    }
  }
  const builtins = named.filter((name) => !specifiers.includes(name) && !nodeTypes.includes(name));
  return { file, layer: layerOf(file), specifiers, loaded, nodeTypes, builtins, curveDoors, decorators };
}

const sources = TOP.flatMap(sourcesUnder).map((file) => parse(file, readFileSync(join(ROOT, file), 'utf8')));

function targetOf(source: Source, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(source.file), specifier));
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function violationsOf(source: Source): string[] {
  const rule = RULES[source.layer];
  if (rule === undefined) return [`${source.file} belongs to no layer of the table`];
  const allowed = new Set(rule.layers);
  const faults: string[] = [];
  for (const specifier of source.specifiers) {
    if (specifier.startsWith('.')) {
      const layer = layerOf(targetOf(source, specifier));
      const asProvider = layer.startsWith('providers/') && allowed.has('providers/*');
      if (layer !== source.layer && !allowed.has(layer) && !asProvider) faults.push(`${source.file} → ${layer}`);
    } else if (specifier.startsWith('node:')) {
      if (rule.node !== 'any' && !rule.node.includes(specifier)) faults.push(`${source.file} → ${specifier}`);
    } else if (!rule.packages.includes(packageOf(specifier))) {
      faults.push(`${source.file} → ${specifier}`);
    }
  }
  for (const name of [...source.builtins, ...source.nodeTypes]) {
    if (rule.node !== 'any' && !rule.builtin.includes(name)) faults.push(`${source.file} → ${name} on demand`);
  }
  return faults;
}

/** The first cycle found, as a readable path; undefined where there is none. */
function findCycle(): string | undefined {
  const graph = new Map(
    sources.map((source) => [
      source.file,
      source.loaded.filter((specifier) => specifier.startsWith('.')).map((specifier) => targetOf(source, specifier)),
    ]),
  );
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
    if (done.has(file)) return undefined;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('Layers', () => {
  test('every source file imports only what the table allows', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(violationsOf)).toEqual([]);
  });

  test('a planted import of each forbidden kind is found', () => {
    const planted = (file: string, text: string) => violationsOf(parse(file, text));
    expect(planted('fields/x.ts', "import '../spi/errors.ts';")).toEqual(['fields/x.ts → spi']);
    expect(planted('engines/x.ts', "import type { Key } from '../spi/keys.ts';")).toHaveLength(1);
    expect(planted('engines/x.ts', "export { x } from '../providers/provium/x.ts';")).toHaveLength(1);
    expect(planted('engines/x.ts', "import 'node:crypto';")).toEqual(['engines/x.ts → node:crypto']);
    expect(planted('engines/x.ts', "process.getBuiltinModule?.('node:crypto');")).toHaveLength(1);
    expect(planted('spi/x.ts', "await import('../engines/curves.ts');")).toHaveLength(1);
    expect(planted('spi/x.ts', "type X = import('@noble/hashes/sha2.js').X;")).toHaveLength(1);
    expect(planted('providers/openssl/x.ts', "import '../provium/index.ts';")).toHaveLength(1);
    expect(planted('index.ts', "import { z } from 'zod';")).toHaveLength(1);
    expect(planted('elsewhere/x.ts', '')).toHaveLength(1);
  });

  test('every relative import names an existing source file with its extension', () => {
    const files = new Set(sources.map((source) => source.file));
    const missing = sources.flatMap((source) =>
      source.specifiers
        .filter((specifier) => specifier.startsWith('.') && !files.has(targetOf(source, specifier)))
        .map((specifier) => `${source.file} → ${specifier}`),
    );
    expect(missing).toEqual([]);
  });

  test('no file loads itself by way of others', () => {
    expect(findCycle()).toBeUndefined();
  });

  test('no file imports the index of its own folder', () => {
    const faults = sources.filter((source) => source.specifiers.includes('./index.ts') && source.layer !== 'auto.ts');
    expect(faults.map((source) => source.file)).toEqual([]);
  });

  test('decorators stand in providers/provium only', () => {
    const decorated = sources.filter((source) => source.decorators > 0).map((source) => source.file);
    expect(decorated.filter((file) => !file.startsWith('providers/provium/'))).toEqual([]);
  });

  test('providers/provium opens no door of node:crypto or WebCrypto that leads to curve arithmetic', () => {
    const own = sources.filter((source) => source.layer === 'providers/provium');
    expect(own.flatMap((source) => source.curveDoors.map((name) => `${source.file} uses ${name}`))).toEqual([]);
    expect(parse('providers/provium/x.ts', 'export const f = (c: C) => c.createSign();').curveDoors).toHaveLength(1);
  });

  test('the table names only folders that exist', () => {
    const gone = Object.keys(RULES).filter((key) => !sources.some((source) => source.layer === key));
    expect(gone).toEqual([]);
  });
});

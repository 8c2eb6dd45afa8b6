import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createProviumProvider } from '../../providers/provium/provider.ts';
import { ENTRIES } from '../../scripts/entries.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('package.json', () => {
  test('exports exactly the entries of the build, each with its types', () => {
    const expected: Record<string, unknown> = { './package.json': './package.json' };
    for (const { name, source, subpath } of ENTRIES) {
      if (subpath === undefined) continue;
      expected[subpath] = {
        types: `./dist/types/${source.replace(/\.ts$/, '.d.ts')}`,
        default: `./dist/${name}.js`,
      };
    }
    expect(manifest.exports).toEqual(expected);
  });

  test('names every file that does something when it is loaded, so that bundlers keep it', () => {
    expect(manifest.sideEffects).toEqual([
      './dist/index.js',
      './dist/chunks/default-context.js',
      './dist/auto.js',
      './dist/cli.js',
    ]);
  });

  test('brings no package at run time: what is needed is inside the bundle', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies']) {
      expect(manifest[kind]).toBeUndefined();
    }
  });

  test('pins every development dependency to one version and has each in docs/dependencies.md', () => {
    const guide = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8').replaceAll(/ +/g, ' ');
    for (const [name, version] of Object.entries<string>(manifest.devDependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(guide, name).toContain(`| ${name} | ${version} |`);
    }
  });

  test('the provider Provium has the version of the package', () => {
    expect(createProviumProvider().version).toBe(manifest.version);
  });

  test('the lock file names no registry', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"\s*:/);
  });

  test('the tools run on Node 22 or later', () => {
    expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22);
  });
});

// What the package consists of: one row per published entry. package.json's `exports` and `bin` must say the same,
// which test/package/manifest.test.ts checks.

export interface Entry {
  /** Name of the file in dist, without `.js`. */
  readonly name: string;
  /** Source, from the root of the repository. */
  readonly source: string;
  /** How an application imports it; undefined for the command line program. */
  readonly subpath: string | undefined;
  /** True: only ever run by Node, so it may import node modules at the top. */
  readonly nodeOnly: boolean;
}

export const ENTRIES: readonly Entry[] = [
  { name: 'index', source: 'index.ts', subpath: '.', nodeOnly: false },
  { name: 'spi', source: 'spi/index.ts', subpath: './spi', nodeOnly: false },
  { name: 'engines', source: 'engines/index.ts', subpath: './engines', nodeOnly: false },
  { name: 'fields', source: 'fields/index.ts', subpath: './fields', nodeOnly: false },
  { name: 'providers/openssl', source: 'providers/openssl/index.ts', subpath: './providers/openssl', nodeOnly: false },
  {
    name: 'providers/webcrypto',
    source: 'providers/webcrypto/index.ts',
    subpath: './providers/webcrypto',
    nodeOnly: false,
  },
  { name: 'testkit', source: 'testkit/index.ts', subpath: './testkit', nodeOnly: false },
  { name: 'auto', source: 'auto.ts', subpath: './auto', nodeOnly: true },
  { name: 'cli', source: 'cli/main.ts', subpath: undefined, nodeOnly: true },
];

/** Everything a build depends on, from the root of the repository. */
export const BUILD_INPUTS: readonly string[] = [
  'index.ts',
  'auto.ts',
  'spi',
  'fields',
  'engines',
  'providers',
  'cli',
  'testkit',
  'scripts/build.ts',
  'scripts/entries.ts',
  'scripts/licences.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

// Where the vectors come from, and where they lie on this machine.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from './case.ts';

/** Public repositories with the revision that the list of files was made from. */
const PUBLIC_SOURCES = [
  { name: 'C2SP/wycheproof', revision: 'dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166' },
  { name: 'coruus/nist-testvectors', revision: '2841a2d486a155c8c79c1e6b2fe5a653e7276d96' },
  { name: 'pyca/cryptography', revision: '38.0.4' },
  // Its twelve cases have no version of their own.
  { name: 'novifinancial/ed25519-speccheck', revision: undefined },
] as const;

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = resolve(HERE, '../..');

/** Folder of the third-party files: PROVIUM_VECTORS, else beside the repository. Undefined if it is not there. */
export function vectorsFolder(): string | undefined {
  const given = process.env['PROVIUM_VECTORS'];
  const folder = given === undefined || given === '' ? join(ROOT, '../shared/vectors') : resolve(given);
  return existsSync(join(folder, 'manifest.json')) ? folder : undefined;
}

/** What to say, in one line, where the third-party files are absent. */
export function absenceLine(): string {
  const list = PUBLIC_SOURCES.map(({ name, revision }) =>
    revision === undefined ? name : `${name} at ${revision}`,
  ).join(', ');
  return `third-party vectors (set PROVIUM_VECTORS to a folder with ${list})`;
}

export interface Library {
  /** True if the third-party files are there. */
  readonly complete: boolean;
  readonly entries: readonly Entry[];
  read(entry: Entry): Buffer;
}

function readList(path: string): readonly Entry[] {
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Entry[];
}

/** The files of this repository (RFC values), and the third-party ones where they are there. */
export function openLibrary(folder = vectorsFolder()): Library {
  const own = readList(join(HERE, 'files.json'));
  const isOwn = new Set(own.map(({ file }) => file));
  const others = folder === undefined ? [] : readList(join(folder, 'manifest.json'));
  return {
    complete: folder !== undefined,
    entries: [...others.filter(({ file }) => !isOwn.has(file)), ...own],
    read: ({ file }) => readFileSync(join(isOwn.has(file) || folder === undefined ? HERE : folder, file)),
  };
}

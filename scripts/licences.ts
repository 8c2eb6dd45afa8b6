// The licences of the packages whose code a bundle contains, as one text.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** The folder of the package that a module belongs to; undefined for our own modules. */
function packageFolder(moduleId: string): string | undefined {
  const file = moduleId.replace(/^\0/, '').split('?')[0] as string;
  if (!file.includes(`${sep}node_modules${sep}`)) return undefined;
  for (let folder = dirname(file); folder.includes(`${sep}node_modules${sep}`); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))) return folder;
  }
  throw new Error(`No package found for the bundled module ${file}.`);
}

/** The packages behind the module identifiers of a bundle, sorted by name. Throws where a licence text is missing. */
export function bundledPackages(moduleIds: Iterable<string>): BundledPackage[] {
  const folders = new Set<string>();
  for (const id of moduleIds) {
    const folder = packageFolder(id);
    if (folder !== undefined) folders.add(folder);
  }
  const packages = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
    if (files.length === 0) throw new Error(`The bundled package ${manifest.name} has no licence file.`);
    const text = files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
    return { name: manifest.name, version: manifest.version, licence: manifest.license, text };
  });
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function licenceDocument(packages: readonly BundledPackage[]): string {
  const head = 'The files of this package contain code of the packages below, each under its own licence.\n';
  const line = '-'.repeat(100);
  return [head, ...packages.map((p) => `${line}\n${p.name} ${p.version} (${p.licence})\n\n${p.text}\n`)].join('\n');
}

// Runs what the documents show. A fenced block `js NAME` or `json NAME` is written to that file, a block `sh` is run by
// bash in the same folder, and a block `text` right after it is what it must print. Each document has a folder of its own, an
// empty project with the built package in it. The set-up commands of the checkout (`npm ci …`) are run by continuous integration.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const DOCUMENTS = ['README.md', 'docs/applications.md', 'docs/provider-authors.md', 'docs/operators.md'];

interface Block {
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
  readonly line: number;
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const start = /^```(\w+)(?: (\S+))?$/.exec(lines[at] as string);
    if (start === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`The block of line ${at + 1} has no end.`);
    const text = `${lines.slice(at + 1, end).join('\n')}\n`;
    blocks.push({ language: start[1] as string, name: start[2], text, line: at + 1 });
    at = end;
  }
  return blocks;
}

function newProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'provium-documents-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'provium'));
  symlinkSync(join(ROOT, 'dist', 'cli.js'), join(folder, 'node_modules', '.bin', 'provium'));
  return folder;
}

function runShell(script: string, folder: string): string {
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { HOME, TMPDIR } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { PATH: path, ...(HOME === undefined ? {} : { HOME }), ...(TMPDIR === undefined ? {} : { TMPDIR }) },
  });
  if (status !== 0) throw new Error(`${script}ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a document; gives each command block with what it printed and what the document says it prints. */
function runDocument(path: string, folder: string): { where: string; printed: string; promised: string }[] {
  const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8'));
  const results: { where: string; printed: string; promised: string }[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.name !== undefined) writeFileSync(join(folder, block.name), block.text);
    if (block.language !== 'sh' || block.text.startsWith('npm ci')) continue;
    const where = `${path}:${block.line}`;
    const next = blocks[index + 1];
    const printed = runShell(block.text, folder);
    results.push({ where, printed, promised: next?.language === 'text' ? next.text : printed });
  }
  return results;
}

describe('Documents', () => {
  const folders: string[] = [];
  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.ts'), '--if-needed']);
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  for (const path of DOCUMENTS) {
    test(`the programs and commands of ${path} run and print what it says`, () => {
      const folder = newProject();
      folders.push(folder);
      const results = runDocument(path, folder);
      expect(results.length).toBeGreaterThan(0);
      for (const { where, printed, promised } of results) expect(printed, where).toBe(promised);
    });
  }

  test('README.md gives exactly two set-up commands', () => {
    const commands = readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^npm ci && .*$/gm);
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  test('the third-party provider of README.md is shorter than 40 lines', () => {
    const provider = blocksOf(readFileSync(join(ROOT, 'README.md'), 'utf8')).find(
      (block) => block.name === 'vault.mjs',
    );
    expect(provider?.text.trimEnd().split('\n').length).toBeLessThan(40);
  });
});

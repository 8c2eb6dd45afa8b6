// What the shipped portable fields are made of: no BigInt and nothing allocated in an operation.

import { readdirSync, readFileSync } from 'node:fs';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { CASES } from './support.ts';

const FOLDER = new URL('../../fields/generated/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => CASES.some(({ row }) => name === `${row.name}.generated.ts`));

/** Expressions that make an object, a closure or a BigInt. */
const ALLOCATING = new Set([
  'NewExpression',
  'ArrayExpression',
  'ObjectExpression',
  'ArrowFunctionExpression',
  'FunctionExpression',
  'ClassExpression',
  'TemplateLiteral',
  'SpreadElement',
  'RestElement',
  'BigInt',
]);
/** What makes an element or, at its first call alone, working memory: of inversion, of powers. */
const MAKERS = ['create', 'createInverter', 'powPublic'];

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function visit(node: Node, seen: (kind: string) => void): void {
  const known = node as Node & { bigint?: string; name?: string };
  seen(known.bigint !== undefined || (node.type === 'Identifier' && known.name === 'BigInt') ? 'BigInt' : node.type);
  for (const child of Object.values(node).flat() as unknown[]) if (isNode(child)) visit(child, seen);
}

/** Function by function, what it allocates. */
function allocations(source: string): Map<string, string[]> {
  const { code } = transformSync(source, { loader: 'ts' });
  const found = new Map<string, string[]>();
  for (const statement of parse(code, { ecmaVersion: 2023, sourceType: 'module' }).body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'FunctionDeclaration') continue;
    const kinds: string[] = [];
    visit(declared, (kind) => {
      if (ALLOCATING.has(kind)) kinds.push(kind);
    });
    found.set(declared.id.name, kinds);
  }
  return found;
}

describe.each(FILES)('%s', (name) => {
  it('allocates nothing and knows no BigInt in any operation', () => {
    const found = allocations(readFileSync(new URL(name, FOLDER), 'utf8'));
    for (const operation of ['mul', 'square', 'select', 'swap', 'invert', 'fromBytes', 'toBytes', 'isZero']) {
      expect(found.has(operation), operation).toBe(true);
    }
    for (const [operation, kinds] of found) if (!MAKERS.includes(operation)) expect(kinds, operation).toEqual([]);
  });
});

it('every prime has its file', () => {
  expect(FILES.length).toBe(CASES.length);
});

it('an allocation and a BigInt are found where there are some', () => {
  const found = allocations('export function f(a: number) { const x = [a]; return BigInt(x.length) + 1n; }');
  expect(found.get('f')).toEqual(['ArrayExpression', 'BigInt', 'BigInt']);
});

// Random edits of the JavaScript of a generated module, by the positions of its syntax tree.

import { type AnyNode, functionsOf, parseSource } from './js-source.ts';
import type { Random } from './random.ts';
import type { Edit } from './wasm-mutate.ts';

export interface TextEdit {
  readonly text: string;
  readonly at: string;
}

function nodesOf(root: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null && 'type' in value) {
      found.push(value as AnyNode);
      Object.values(value).forEach(visit);
    }
  };
  visit(root);
  return found;
}

type Member = Extract<AnyNode, { type: 'MemberExpression' }>;

/** One edit of this kind in the function; undefined where it has no place for it. `secret`: an array it reads. */
export function mutateJs(
  source: string,
  name: string,
  edit: Edit,
  secret: string,
  random: Random,
): TextEdit | undefined {
  const { text, program } = parseSource(source);
  const fn = functionsOf(program).find((candidate) => candidate.name === name);
  if (fn === undefined) return undefined;
  const nodes = nodesOf(fn.body);
  const replace = (node: AnyNode | undefined, by: (original: string) => string): TextEdit | undefined => {
    if (node === undefined) return undefined;
    const original = text.slice(node.start, node.end);
    const changed = by(original);
    return { text: text.slice(0, node.start) + changed + text.slice(node.end), at: `${original} → ${changed}` };
  };
  const members = nodes.filter((node): node is Member => node.type === 'MemberExpression' && node.computed);
  const stored = new Set(nodes.flatMap((node) => (node.type === 'AssignmentExpression' ? [node.left] : [])));
  const targets = new Set<AnyNode>([
    ...stored,
    ...nodes.flatMap((node) => (node.type === 'VariableDeclarator' ? [node.id] : [])),
    ...members.flatMap(({ object, property }) => [object, property]),
  ]);
  const values = nodes.filter((node) => node.type === 'Identifier' && /^[tu]\d/.test(node.name) && !targets.has(node));
  switch (edit) {
    case 'dropped carry':
      return replace(
        random.pick(
          nodes.filter(
            (node) => node.type === 'ExpressionStatement' && /^\w+ [-+]=/.test(text.slice(node.start, node.end)),
          ),
        ),
        () => ';',
      );
    case 'extra add':
      return replace(random.pick(values), (value) => `(${value} + ${value})`);
    case 'swapped limb':
      if (random.below(2) === 0) {
        const literals = members.flatMap(({ property }) => (property.type === 'Literal' ? [property] : []));
        return replace(random.pick(literals), (index) => `${index === '0' ? 1 : Number(index) - 1}`);
      }
      return replace(random.pick(values), (value) => {
        const before = values.map((node) => text.slice(node.start, node.end)).filter((other) => other[0] === value[0]);
        return random.pick(before.slice(0, Math.max(1, before.indexOf(value)))) ?? value;
      });
    case 'secret index':
      return replace(
        random.pick(members.filter((node) => !stored.has(node)).map(({ property }) => property)),
        (index) => `${index} + (${secret}[0] & 1)`,
      );
    case 'secret branch':
      return replace(
        random.pick(fn.body.body.filter(({ type }) => type !== 'ReturnStatement')),
        (statement) => `${statement} if (${secret}[0] > 0) ;`,
      );
    case 'division':
      return replace(random.pick(values), (value) => `(${value} / 1)`);
    case 'changed constant':
      return replace(
        random.pick(
          nodes.filter((node) => node.type === 'Literal' && typeof node.value === 'number' && !targets.has(node)),
        ),
        (literal) => `${random.below(2) === 0 ? Number(literal) * 2 : Number(literal) + 1}`,
      );
    case 'changed shift': {
      const shifts = nodes.flatMap((node) =>
        node.type === 'BinaryExpression' && /<<|>>/.test(node.operator) ? [node.right] : [],
      );
      return replace(random.pick(shifts), (shift) => `${Number(shift) + (random.below(2) === 0 ? 1 : -1)}`);
    }
  }
}

// A TypeScript file of ours → its JavaScript and syntax tree. Positions in the tree are positions in the text, as
// types are replaced by blanks.

import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Expression, type Program, parse } from 'acorn';
import { Refusal } from './wasm-decode.ts';

export type { AnyNode, Expression, Program };

export interface JsFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Extract<AnyNode, { type: 'BlockStatement' }>;
}

export function parseSource(typescript: string): { text: string; program: Program } {
  const text = stripTypeScriptTypes(typescript);
  return { text, program: parse(text, { ecmaVersion: 2024, sourceType: 'module' }) };
}

function named(name: string, parameters: readonly AnyNode[], body: JsFunction['body']): JsFunction {
  return {
    name,
    parameters: parameters.map((parameter) => {
      if (parameter.type === 'Identifier') return parameter.name;
      if (parameter.type === 'AssignmentPattern' && parameter.left.type === 'Identifier') return parameter.left.name;
      throw new Refusal(`${name}: a parameter that is a ${parameter.type}`);
    }),
    body,
  };
}

/** Top-level functions and the methods of classes ('#name' for private ones). */
export function functionsOf(program: Program): JsFunction[] {
  const functions: JsFunction[] = [];
  for (const statement of program.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'FunctionDeclaration') functions.push(named(node.id.name, node.params, node.body));
    if (node?.type !== 'ClassDeclaration') continue;
    for (const member of node.body.body) {
      if (member.type !== 'MethodDefinition') continue;
      const { key } = member;
      const name = key.type === 'PrivateIdentifier' ? `#${key.name}` : key.type === 'Identifier' ? key.name : '?';
      functions.push(named(name, member.value.params, member.value.body));
    }
  }
  return functions;
}

/** Names that the module itself declares or imports. */
export function moduleNames(program: Program): Set<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') for (const { local } of statement.specifiers) names.add(local.name);
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type === 'FunctionDeclaration' || node?.type === 'ClassDeclaration') names.add(node.id.name);
    if (node?.type !== 'VariableDeclaration') continue;
    for (const { id } of node.declarations) if (id.type === 'Identifier') names.add(id.name);
  }
  return names;
}

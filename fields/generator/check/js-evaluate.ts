// Straight-line JavaScript as generated modules have it, evaluated over any algebra. A statement, index or operator that
// generated code does not have is refused.

import type { AnyNode, Expression, JsFunction } from './js-source.ts';
import { Refusal } from './wasm-decode.ts';

export interface JsAlgebra<V> {
  literal(value: number): V;
  binary(operator: string, a: V, b: V): V;
}

/** Runs straight-line functions over an algebra: intervals here, symbols where two texts are compared. */
export class Evaluation<V> {
  readonly #algebra: JsAlgebra<V>;
  readonly #values = new Map<string, V>();
  readonly arrays: Map<string, Map<number, V>>;
  result: V | undefined;

  constructor(algebra: JsAlgebra<V>, arrays: Map<string, Map<number, V>>, scalars: ReadonlyMap<string, V>) {
    this.#algebra = algebra;
    this.arrays = arrays;
    for (const [name, value] of scalars) this.#values.set(name, value);
  }

  run(body: JsFunction['body']): void {
    for (const statement of body.body) this.#statement(statement);
  }

  #statement(node: AnyNode): void {
    if (this.result !== undefined) throw new Refusal('a statement after the end');
    if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        if (id.type !== 'Identifier' || init == null) throw new Refusal('a declaration without a plain value');
        this.#values.set(id.name, this.#evaluate(init));
      }
    } else if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const { left, right, operator } = node.expression;
      const value = this.#evaluate(right);
      if (left.type === 'Identifier') {
        const old = this.#values.get(left.name);
        if (old === undefined) throw new Refusal(`${left.name} is not known`);
        this.#values.set(left.name, operator === '=' ? value : this.#algebra.binary(operator.slice(0, -1), old, value));
      } else if (left.type === 'MemberExpression' && operator === '=') {
        const [array, index] = this.#element(left);
        array.set(index, value);
      } else throw new Refusal(`an assignment by ${operator} to a ${left.type}`);
    } else if (node.type === 'ReturnStatement' && node.argument != null) this.result = this.#evaluate(node.argument);
    else throw new Refusal(`a ${node.type}`);
  }

  #element(node: AnyNode): [Map<number, V>, number] {
    if (node.type !== 'MemberExpression' || !node.computed || node.object.type !== 'Identifier') {
      throw new Refusal('an element of something that is no operand');
    }
    const array = this.arrays.get(node.object.name);
    if (array === undefined) throw new Refusal(`${node.object.name} is no operand`);
    const { property } = node;
    if (property.type === 'Literal' && typeof property.value === 'number') return [array, property.value];
    if (
      property.type === 'BinaryExpression' &&
      property.operator === '+' &&
      property.left.type === 'Identifier' &&
      property.left.name === 'offset' &&
      property.right.type === 'Literal' &&
      typeof property.right.value === 'number'
    ) {
      return [array, property.right.value];
    }
    throw new Refusal('an index that is no constant');
  }

  #evaluate(node: Expression | AnyNode): V {
    switch (node.type) {
      case 'Literal':
        if (typeof node.value !== 'number') throw new Refusal('a literal that is no number');
        return this.#algebra.literal(node.value);
      case 'Identifier': {
        const value = this.#values.get(node.name);
        if (value === undefined) throw new Refusal(`${node.name} is not known`);
        return value;
      }
      case 'MemberExpression': {
        const [array, index] = this.#element(node);
        const value = array.get(index);
        if (value === undefined) throw new Refusal(`element ${index} is read before it is there`);
        return value;
      }
      case 'UnaryExpression': {
        const value = this.#evaluate(node.argument);
        if (node.operator === '-') return this.#algebra.binary('-', this.#algebra.literal(0), value);
        if (node.operator === '~') return this.#algebra.binary('^', value, this.#algebra.literal(-1));
        throw new Refusal(`the operator ${node.operator}`);
      }
      case 'BinaryExpression':
        return this.#algebra.binary(node.operator, this.#evaluate(node.left), this.#evaluate(node.right));
      default:
        throw new Refusal(`a ${node.type}`);
    }
  }
}

// Secret and public in JavaScript with loops, calls and classes: flow-insensitive, to a fixed point. Elements of arrays
// are secret, and so are parameters unless named public; lengths, literals and module constants are public. No
// condition, index, loop bound or operator of variable time may meet a secret; a node not listed here is refused.

import type { AnyNode, JsFunction } from './js-source.ts';
import { Refusal } from './wasm-decode.ts';
import { SecretRefusal } from './wasm-taint.ts';

/** Operators that take the same time for all numbers; comparisons give booleans, which only control uses. */
const STEADY = new Set(['+', '-', '*', '&', '|', '^', '<<', '>>', '>>>']);
/** Methods and functions whose time depends on lengths alone. */
const STEADY_CALLS = new Set(['fill', 'set', 'imul', 'subarray']);

/** Functions of public arguments, with a public value. */
const PUBLIC_CALLS = new Set(['ceil', 'min', 'max']);

export interface TaintContract {
  /** Parameters, module variables and fields that hold public values. */
  readonly publicNames: ReadonlySet<string>;
  /** Arrays of public values. */
  readonly publicArrays: ReadonlySet<string>;
  /** Constants, arrays and functions of the file and its imports: public as such, unlike the elements of an array. */
  readonly moduleNames: ReadonlySet<string>;
  /** Functions that may be called with secrets; those of the file itself are checked too. */
  readonly callees: ReadonlySet<string>;
}

const nameOf = (node: AnyNode): string | undefined => {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'PrivateIdentifier') return `#${node.name}`;
  if (node.type === 'MemberExpression' && !node.computed) return nameOf(node.property);
  return undefined;
};

function propertyTarget(node: AnyNode): AnyNode {
  if (node.type !== 'Property') throw new Refusal(`a declaration of a ${node.type}`);
  return node.value;
}

class Walker {
  readonly #contract: TaintContract;
  readonly secret = new Set<string>();
  readonly #local = new Set<string>();
  changed = false;

  constructor(fn: JsFunction, contract: TaintContract) {
    this.#contract = contract;
    for (const name of fn.parameters) {
      this.#local.add(name);
      if (!contract.publicNames.has(name)) this.secret.add(name);
    }
  }

  statement(node: AnyNode): void {
    switch (node.type) {
      case 'BlockStatement':
        for (const inner of node.body) this.statement(inner);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          const secret = init != null && this.expression(init);
          for (const target of id.type === 'ObjectPattern' ? id.properties.map(propertyTarget) : [id]) {
            if (target.type !== 'Identifier') throw new Refusal(`a declaration of a ${target.type}`);
            this.#local.add(target.name);
            this.#assign(target, secret && !this.#contract.publicNames.has(target.name));
          }
        }
        break;
      case 'ExpressionStatement':
        this.expression(node.expression);
        break;
      case 'ReturnStatement':
        if (node.argument != null) this.expression(node.argument);
        break;
      case 'IfStatement':
        this.#mustBePublic(node.test, 'a condition');
        this.statement(node.consequent);
        if (node.alternate != null) this.statement(node.alternate);
        break;
      case 'ForStatement':
        if (node.init != null) {
          if (node.init.type === 'VariableDeclaration') this.statement(node.init);
          else this.expression(node.init);
        }
        if (node.test != null) this.#mustBePublic(node.test, 'the condition of a loop');
        if (node.update != null) this.expression(node.update);
        this.statement(node.body);
        break;
      case 'ForOfStatement': {
        this.#mustBeShared(node.right);
        if (node.left.type !== 'VariableDeclaration') throw new Refusal('a loop over what is declared elsewhere');
        const [declaration] = node.left.declarations;
        if (declaration?.id.type !== 'Identifier') throw new Refusal('a loop over a pattern');
        this.#local.add(declaration.id.name);
        this.#assign(declaration.id, !this.#contract.publicArrays.has(nameOf(node.right) ?? ''));
        this.statement(node.body);
        break;
      }
      case 'ThrowStatement':
        break;
      case 'EmptyStatement':
        break;
      default:
        throw new Refusal(`a ${node.type}`);
    }
  }

  #mustBeShared(node: AnyNode): void {
    if (nameOf(node) === undefined) throw new Refusal('a loop over an expression');
  }

  #mustBePublic(node: AnyNode, what: string): void {
    if (this.expression(node)) throw new SecretRefusal(`${what} depends on a secret`);
  }

  #assign(target: AnyNode, secret: boolean): void {
    if (target.type === 'MemberExpression' && target.computed) {
      this.#mustBePublic(target.property, 'an index');
      if (secret && this.#contract.publicArrays.has(nameOf(target.object) ?? '')) {
        throw new SecretRefusal(`a secret is stored in ${nameOf(target.object)}`);
      }
      return;
    }
    const name = nameOf(target);
    if (name === undefined) throw new Refusal(`an assignment to a ${target.type}`);
    if (!secret || this.secret.has(name)) return;
    if ((this.#contract.publicNames.has(name) || this.#contract.moduleNames.has(name)) && !this.#local.has(name)) {
      throw new SecretRefusal(`a secret is stored in ${name}`);
    }
    this.secret.add(name);
    this.changed = true;
  }

  /** Whether the value is secret. */
  expression(node: AnyNode): boolean {
    switch (node.type) {
      case 'Literal':
      case 'TemplateLiteral':
        return false;
      case 'ThisExpression':
        return false;
      case 'Identifier':
        if (this.secret.has(node.name)) return true;
        if (this.#local.has(node.name) || this.#contract.publicNames.has(node.name)) return false;
        if (this.#contract.moduleNames.has(node.name)) return false;
        throw new Refusal(`${node.name} is neither a local nor known as public`);
      case 'MemberExpression': {
        if (node.computed) {
          this.#mustBePublic(node.property, 'an index');
          return !this.#contract.publicArrays.has(nameOf(node.object) ?? '');
        }
        const name = nameOf(node.property) ?? '';
        return name !== 'length' && !this.#contract.publicNames.has(name) && !this.#contract.publicArrays.has(name);
      }
      case 'UnaryExpression':
        if (node.operator === '!') return this.expression(node.argument);
        if (!['-', '+', '~'].includes(node.operator)) throw new Refusal(`the operator ${node.operator}`);
        return this.expression(node.argument);
      case 'UpdateExpression':
        return this.expression(node.argument);
      case 'BinaryExpression': {
        const secret = [node.left, node.right].map((side) => this.expression(side)).includes(true);
        if (secret && !STEADY.has(node.operator)) throw new SecretRefusal(`${node.operator} meets a secret`);
        return secret;
      }
      case 'AssignmentExpression': {
        const { operator } = node;
        let secret = this.expression(node.right);
        if (operator === '??=') secret = false;
        else if (operator !== '=') {
          secret = this.expression(node.left) || secret;
          if (secret && !STEADY.has(operator.slice(0, -1))) throw new SecretRefusal(`${operator} meets a secret`);
        }
        this.#assign(node.left, secret);
        return secret;
      }
      case 'LogicalExpression':
        this.#mustBePublic(node.left, `the left side of ${node.operator}`);
        return this.expression(node.right);
      case 'ConditionalExpression': {
        this.#mustBePublic(node.test, 'a condition');
        return [node.consequent, node.alternate].map((side) => this.expression(side)).includes(true);
      }
      case 'CallExpression': {
        const name = nameOf(node.callee) ?? '';
        // Rounding a double down is one instruction; its value is as secret as its argument.
        if (name === 'floor' && node.arguments.length === 1) return this.expression(node.arguments[0]!);
        if (PUBLIC_CALLS.has(name)) {
          for (const argument of node.arguments) this.#mustBePublic(argument, `an argument of ${name}`);
          return false;
        }
        for (const argument of node.arguments) this.expression(argument);
        if (!STEADY_CALLS.has(name) && !this.#contract.callees.has(name)) {
          throw new Refusal(`a call of ${name === '' ? 'an expression' : name}`);
        }
        return true;
      }
      case 'ObjectExpression':
        for (const property of node.properties) {
          if (property.type !== 'Property' || property.computed) throw new Refusal('a property that is no plain one');
          this.#mustBePublic(property.value, 'a property');
        }
        return false;
      case 'NewExpression':
        for (const argument of node.arguments) this.#mustBePublic(argument, 'a size');
        return false;
      default:
        throw new Refusal(`a ${node.type}`);
    }
  }
}

/** Throws where the function's control, addresses or time depend on a secret. */
export function secretsOfFunction(fn: JsFunction, contract: TaintContract): void {
  const walker = new Walker(fn, contract);
  do {
    walker.changed = false;
    walker.statement(fn.body);
  } while (walker.changed);
}

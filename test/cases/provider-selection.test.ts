// The reported cases on the choice of providers (R32 to R35), with fake providers.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import { InvalidKeyError, ProviumError } from '../../spi/errors.ts';
import { KeyAgreement } from '../../spi/key-agreement.ts';
import { KeyFactory } from '../../spi/key-factory.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { defineProvider, type Provider } from '../../spi/provider.ts';
import type { AnyService, ServiceType } from '../../spi/service.ts';
import { Signature } from '../../spi/signature.ts';
import { bytes, FakePrivateKey, FakePublicKey, FakeSignature, labelOf, string } from '../spi/fakes.ts';

interface Command {
  readonly do: string;
  readonly as?: string;
  readonly on?: string;
  readonly type?: ServiceType;
  readonly algorithm?: string;
  readonly provider?: string;
  readonly providerObject?: string;
  readonly position?: number;
  readonly name?: string;
  readonly value?: string;
  readonly mode?: 'sign' | 'verify';
  readonly key?: string;
}
interface FakeDefinition {
  readonly name?: string;
  readonly services: readonly {
    readonly type: ServiceType;
    readonly name: string;
    readonly aliases?: readonly string[];
    readonly declares?: readonly string[] | null;
    readonly init?: Readonly<Record<string, string>>;
  }[];
}
interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: {
    readonly op: string;
    readonly providers: Readonly<Record<string, FakeDefinition>>;
    readonly items: readonly {
      readonly name: string;
      readonly order: readonly string[];
      readonly script: readonly Command[];
    }[];
  };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: readonly unknown[] }[] };
}

const file: unknown = JSON.parse(readFileSync(new URL('reported.json', import.meta.url), 'utf8'));
const all = (Array.isArray(file) ? file : (file as { cases: unknown[] }).cases) as readonly Case[];
const cases = all.filter(({ input }) => input.op === 'provider.script');

const KINDS: Readonly<Record<string, string>> = {
  ERR_INVALID_KEY: 'InvalidKey',
  ERR_NO_SUCH_ALGORITHM: 'NoSuchAlgorithm',
  ERR_NO_SUCH_PROVIDER: 'NoSuchProvider',
  ERR_ILLEGAL_STATE: 'IllegalState',
  ERR_PROVIDER: 'Provider',
};
const FACADES = { Signature, KeyFactory, KeyPairGenerator, KeyAgreement } as const;
type Facade = Signature | KeyFactory | KeyPairGenerator | KeyAgreement;

/** One run: providers, objects and the log of who was asked to initialise. */
class Script {
  readonly #log: string[] = [];
  readonly #providers = new Map<string, Provider>();
  readonly #objects = new Map<string, Facade>();
  readonly #context = new SecurityContext();

  constructor(definitions: Readonly<Record<string, FakeDefinition>>, order: readonly string[]) {
    for (const [key, definition] of Object.entries(definitions)) {
      const name = definition.name ?? key;
      const services = definition.services.map((service) => this.#service(name, service));
      this.#providers.set(key, defineProvider({ name, version: '1', services }));
    }
    for (const key of order) this.#context.addProvider(this.#provider(key));
  }

  #service(
    provider: string,
    { type, name, aliases = [], declares, init = {} }: FakeDefinition['services'][number],
  ): AnyService {
    const onInit = (key: FakePrivateKey | FakePublicKey): void => {
      this.#log.push(provider);
      const outcome = init[key.label] ?? 'InvalidKey';
      if (outcome === 'throws TypeError') throw new TypeError('broken');
      if (outcome !== 'ok') throw new InvalidKeyError('refused');
    };
    // The façades of the other types are only looked up, so that every instance may be that of a signature.
    return {
      type,
      algorithm: name,
      aliases,
      mode: 'sync',
      attributes: {},
      importsPrivateKeys: false,
      supportsKey: (key: FakePrivateKey) => !declares || declares.includes(labelOf(key)) || 'not declared',
      supportsOptions: () => true,
      newInstance: () => new FakeSignature(provider, (key) => onInit(key as FakePrivateKey)),
    } as unknown as AnyService;
  }

  #provider(key: string | undefined): Provider {
    const provider = this.#providers.get(key ?? '');
    if (provider === undefined) throw new Error(`no provider ${key} in the case`);
    return provider;
  }

  #signature(name: string | undefined): Signature {
    const object = this.#objects.get(name ?? '');
    if (!(object instanceof Signature)) throw new Error(`no signature ${name} in the case`);
    return object;
  }

  run(command: Command): unknown {
    try {
      return this.#do(command) ?? 'ok';
    } catch (error) {
      if (!(error instanceof ProviumError)) throw error;
      return { error: KINDS[error.code] ?? error.code };
    }
  }

  #do(command: Command): unknown {
    const { type = 'Signature', algorithm = '', on } = command;
    switch (command.do) {
      case 'get': {
        const facade = FACADES[type as keyof typeof FACADES];
        const provider =
          command.providerObject === undefined ? command.provider : this.#provider(command.providerObject);
        this.#objects.set(command.as ?? '', facade.getInstance(algorithm, { context: this.#context, provider }));
        return undefined;
      }
      case 'init': {
        const label = command.key ?? '';
        if (command.mode === 'sign') this.#signature(on).initSign(new FakePrivateKey(label));
        else this.#signature(on).initVerify(new FakePublicKey(label));
        return undefined;
      }
      case 'update':
        this.#signature(on).update(bytes('data'));
        return undefined;
      case 'use':
        return string(this.#signature(on).update(bytes('data')).sign()).split('/')[0];
      case 'provider':
        return this.#signature(on).provider?.name;
      case 'algorithm':
        return this.#objects.get(on ?? '')?.algorithm;
      case 'log':
        return [...this.#log];
      case 'order':
        return this.#context.getProviders().map(({ name }) => name);
      case 'add':
        return this.#context.addProvider(this.#provider(command.provider));
      case 'insert':
        return this.#context.insertProviderAt(this.#provider(command.provider), command.position ?? 0);
      case 'remove':
        this.#context.removeProvider(command.name ?? '');
        return undefined;
      case 'same':
        return this.#context.getProvider(command.name ?? '') === this.#provider(command.as);
      case 'prefer': {
        const [name = '', provider = ''] = (command.value ?? '').split(':');
        this.#context.setPreferred({ [name]: provider });
        return undefined;
      }
      default:
        throw new Error(`no command ${command.do}`);
    }
  }
}

describe('Reported cases on the choice of providers', () => {
  test('they are R32 to R35', () => {
    expect(cases.map(({ id }) => id)).toEqual(['R32', 'R33', 'R34', 'R35']);
  });

  for (const { id, title, input, expect: expected } of cases) {
    describe(`${id}: ${title}`, () => {
      for (const [i, item] of input.items.entries()) {
        test(item.name, () => {
          const script = new Script(input.providers, item.order);
          expect(expected.items[i]?.name).toBe(item.name);
          expect(item.script.map((command) => script.run(command))).toEqual(expected.items[i]?.value);
        });
      }
    });
  }
});

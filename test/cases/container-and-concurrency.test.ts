// R37: providers out of a container, and their start-up. R39: calls that overlap.

import { readFileSync } from 'node:fs';
import { Container, type ServiceIdentifier } from 'inversify';
import { describe, expect, it } from 'vitest';
import {
  AsyncSignature,
  defineProvider,
  KeyFactory,
  type PrivateKey,
  Provider,
  type PublicKey,
  RawKeySpec,
  SecurityContext,
  Signature,
  signatureService,
  startOnce,
} from '../../index.ts';
import { createContainer } from '../../providers/provium/container.ts';
import { SPI_FACTORY } from '../../providers/provium/tokens.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, fakeProvider, string } from '../spi/fakes.ts';

type Item = Readonly<Record<string, unknown>> & { readonly name: string };
interface Case {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: unknown }[] };
}
const cases = JSON.parse(readFileSync(new URL('./reported.json', import.meta.url), 'utf8')) as Case[];

function caseOf(id: string): Case {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return found;
}

type Runs = Readonly<Record<string, (item: Item) => unknown>>;

function runAll(id: string, runs: Runs): void {
  const { input, expect: wanted } = caseOf(id);
  const { items, ...shared } = input;
  describe(id, () => {
    it('has a run for every item', () => {
      expect(Object.keys(runs)).toEqual(items.map(({ name }) => name));
      expect(wanted.items.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
    });
    it.each(items.map((item, i) => [item.name, { ...shared, ...item }, wanted.items[i]?.value] as const))(
      '%s',
      async (name, item, value) => {
        expect(await runs[name]?.(item)).toEqual(value);
      },
    );
  });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const milliseconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count));
const key = new FakePrivateKey('k');
const PROVIDER: ServiceIdentifier<Provider> = Symbol.for('test.provider');
const names = (providers: readonly Provider[]) => providers.map(({ name }) => name);

function bound(order: readonly string[]): Container {
  const container = new Container();
  for (const name of order) {
    container
      .bind(PROVIDER)
      .toResolvedValue(() => fakeProvider(name))
      .inSingletonScope();
  }
  return container;
}

/** A provider that opens something before its first use, as that of a token does. */
function startingProvider(start: () => Promise<void>): { readonly provider: Provider } {
  const started = startOnce(start);
  const provider = defineProvider({
    name: 'A',
    version: '1',
    services: [
      signatureService({
        algorithm: ALGORITHM,
        mode: 'async',
        async newInstance() {
          await started();
          return {
            async initSign() {},
            async initVerify() {},
            update() {},
            sign: async () => bytes('signature'),
            verify: async () => true,
            reset() {},
          };
        },
      }),
    ],
  });
  return { provider };
}

const outcomes = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map(({ status }) => status);

runAll('R37', {
  // The order of the registry is that of the list it is given; the container keeps that of the bindings.
  'get-all-keeps-binding-order'(item) {
    const container = bound(item['bind'] as string[]);
    const lists = [1, 2, 3].map(() => container.getAll<Provider>(PROVIDER));
    const contexts = lists.map((providers) => new SecurityContext({ providers }));
    const first = contexts[0]?.getProviders() ?? [];
    return {
      names: names(first),
      sameInstancesEachTime: contexts.every((context) => context.getProviders().every((each, i) => each === first[i])),
    };
  },
  // The design takes the registry out of the container, so a removal is one of the registry; objects stay as they are.
  'unbind-one-of-three'(item) {
    const context = new SecurityContext({ providers: (item['bind'] as string[]).map((name) => fakeProvider(name)) });
    const before = context.getProviders();
    context.removeProvider('B');
    const after = context.getProviders();
    return {
      before: names(before),
      after: names(after),
      otherInstancesKept: after[0] === before[0] && after[1] === before[2],
    };
  },
  async 'async-factory-asked-16-times-at-once'() {
    let factoryCalls = 0;
    const provider = startOnce(async () => {
      factoryCalls++;
      await milliseconds(10);
      return fakeProvider('A');
    });
    const all = await Promise.all(Array.from({ length: 16 }, () => provider()));
    return { factoryCalls, distinctInstances: new Set(all).size };
  },
  async 'async-factory-that-fails-first'() {
    let factoryCalls = 0;
    const { provider } = startingProvider(async () => {
      factoryCalls++;
      await turn();
      if (factoryCalls === 1) throw new Error('the token is not there');
    });
    const sign = () => AsyncSignature.sign(ALGORITHM, key, bytes('m'), { provider });
    const firstFour = await outcomes([sign(), sign(), sign(), sign()]);
    const [fifth] = await outcomes([sign()]);
    return { firstFour, fifth, factoryCalls };
  },
  async 'async-dependency-behind-an-alias'() {
    const DEPENDENCY: ServiceIdentifier<string> = Symbol.for('test.dependency');
    const OWN: ServiceIdentifier<Provider> = Symbol.for('test.own');
    const container = new Container();
    container
      .bind(DEPENDENCY)
      .toDynamicValue(async () => 'A')
      .inSingletonScope();
    container
      .bind(OWN)
      .toResolvedValue((name: string) => fakeProvider(name), [DEPENDENCY])
      .inSingletonScope();
    container.bind(PROVIDER).toService(OWN);
    try {
      const providers = await container.getAllAsync<Provider>(PROVIDER);
      return { names: names(new SecurityContext({ providers }).getProviders()), error: null };
    } catch (error) {
      return { names: [], error };
    }
  },
  // Of the container of our own provider the factory is one; what it makes for an operation is not.
  'signature-objects-are-not-shared'() {
    const container = createContainer();
    const factories = [container.get(SPI_FACTORY), container.get(SPI_FACTORY)];
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    const objects = [1, 2].map(() => Signature.getInstance(ALGORITHM, { context }).initSign(key));
    objects[0]?.update(bytes('a'));
    objects[1]?.update(bytes('b'));
    return {
      sameProvider: factories[0] === factories[1] && objects[0]?.provider === objects[1]?.provider,
      sameService: objects[0] === objects[1] || string(objects[0]?.sign() as Uint8Array) !== 'A/k/a',
    };
  },
  // The registry is not made by the container, so a provider may hold the context that it is then added to.
  'registry-and-provider-need-each-other'() {
    const context = new SecurityContext();
    class NeedsRegistry extends Provider {
      readonly registry: SecurityContext;
      constructor(registry: SecurityContext) {
        super({ name: 'A', version: '1', services: [] });
        this.registry = registry;
      }
    }
    context.addProvider(new NeedsRegistry(context));
    const found = context.getProvider('A') as NeedsRegistry;
    const REGISTRY: ServiceIdentifier<object> = Symbol.for('test.registry');
    const container = new Container();
    container
      .bind(REGISTRY)
      .toResolvedValue((all: Provider[]) => all, [{ serviceIdentifier: PROVIDER, isMultiple: true }]);
    container
      .bind(PROVIDER)
      .toResolvedValue((registry: object) => new NeedsRegistry(registry as SecurityContext), [REGISTRY]);
    let message = '';
    let stackOverflow = false;
    try {
      container.get(REGISTRY);
    } catch (error) {
      stackOverflow = error instanceof RangeError;
      message = String(error);
    }
    const names = message.includes('test.registry') && message.includes('test.provider');
    return {
      outcome:
        found.registry === context && names ? 'resolved lazily or a circular-dependency error naming both' : message,
      stackOverflow,
    };
  },
});

/** A token with a pool of sessions: the pool belongs to the provider, whose calls wait for a free session. */
class Token {
  operationActiveErrors = 0;
  mostAtOncePerSession = 0;
  readonly #free: number[];
  readonly #waiting: ((session: number) => void)[] = [];
  readonly #running: number[];
  #failNext: boolean;

  constructor(sessions: number, failFirst = false) {
    this.#free = Array.from({ length: sessions }, (_, i) => i);
    this.#running = this.#free.map(() => 0);
    this.#failNext = failFirst;
  }

  async #session(): Promise<number> {
    return this.#free.shift() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  #release(session: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(session);
    else next(session);
  }

  async sign(data: Uint8Array): Promise<Uint8Array> {
    const session = await this.#session();
    const running = (this.#running[session] ?? 0) + 1;
    this.#running[session] = running;
    this.mostAtOncePerSession = Math.max(this.mostAtOncePerSession, running);
    try {
      if (running > 1) {
        this.operationActiveErrors++;
        throw new Error('OPERATION_ACTIVE');
      }
      const fails = this.#failNext;
      this.#failNext = false;
      for (let i = 0; i < 3; i++) {
        await turn();
        if (fails && i === 1) throw new Error('failed half way');
      }
      return bytes(`signed ${string(data)}`);
    } finally {
      this.#running[session] = running - 1;
      this.#release(session);
    }
  }

  provider(): Provider {
    return defineProvider({
      name: 'Token',
      version: '1',
      services: [signatureService({ algorithm: ALGORITHM, mode: 'async', sign: (_, data) => this.sign(data) })],
    });
  }
}

const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');
const unhex = (item: Item, field: string): Uint8Array => Uint8Array.from(Buffer.from(String(item[field]), 'hex'));

function ed25519(item: Item): PrivateKey {
  const spec = new RawKeySpec(unhex(item, 'privateKey'), { curve: 'Ed25519' });
  return KeyFactory.getInstance('Ed25519').generatePrivate(spec);
}

runAll('R39', {
  async 'data-overwritten-after-an-async-sign'(item) {
    const message = unhex(item, 'message');
    const signature = await AsyncSignature.getInstance('Ed25519').initSign(ed25519(item));
    const signing = signature.update(message).sign();
    message.set(unhex(item, 'overwriteWith'));
    const other = unhex(item, 'message');
    const once = AsyncSignature.sign('Ed25519', ed25519(item), other);
    other.set(unhex(item, 'overwriteWith'));
    expect(hex(await once)).toBe(hex(await signing));
    return { signature: hex(await signing) };
  },
  async 'signature-overwritten-after-an-async-verify'(item) {
    const spec = new RawKeySpec(unhex(item, 'ecPublicKey'), { curve: 'P-256' });
    const publicKey: PublicKey = KeyFactory.getInstance('EC').generatePublic(spec);
    const given = unhex(item, 'signature');
    const verifier = await AsyncSignature.getInstance('SHA256withECDSAinP1363Format').initVerify(publicKey);
    const verifying = verifier.update(unhex(item, 'message')).verify(given);
    given.fill(0);
    return { verified: await verifying };
  },
  'two-objects-fed-in-turns'(item) {
    const own = ed25519(item);
    const objects = new Map(['one', 'two'].map((name) => [name, Signature.getInstance('Ed25519').initSign(own)]));
    for (const [name, data] of item['feeds'] as [string, string][]) {
      objects.get(name)?.update(Uint8Array.from(Buffer.from(data, 'hex')));
    }
    return Object.fromEntries([...objects].map(([name, object]) => [name, hex(object.sign())]));
  },
  async 'one-operation-per-session'() {
    const token = new Token(2);
    const provider = token.provider();
    // Ten by one-shots, each its own object; ten on one object, which the framework queues.
    const one = AsyncSignature.getInstance(ALGORITHM, provider);
    void one.initSign(key);
    const calls = Array.from({ length: 20 }, (_, i) =>
      i < 10
        ? AsyncSignature.sign(ALGORITHM, key, bytes(String(i)), { provider })
        : one.update(bytes(String(i))).sign(),
    );
    const results = await Promise.allSettled(calls);
    const answers = results.map((result) => (result.status === 'fulfilled' ? string(result.value) : 'failed'));
    return {
      succeeded: results.filter(({ status }) => status === 'fulfilled').length,
      operationActiveErrors: token.operationActiveErrors,
      mostAtOncePerSession: token.mostAtOncePerSession,
      answersInCallOrder: answers.every((answer, i) => answer === `signed ${i}`),
    };
  },
  async 'failed-operation-frees-its-session'() {
    const provider = new Token(1, true).provider();
    const sign = () => AsyncSignature.sign(ALGORITHM, key, bytes('m'), { provider });
    return { outcomes: await outcomes([sign(), sign(), sign()]) };
  },
  async 'lookup-while-the-list-changes'() {
    const a = fakeProvider('A');
    const context = new SecurityContext({ providers: [a, fakeProvider('B')] });
    const seen = new Set<string | undefined>();
    let noSuchAlgorithm = 0;
    const changes = (async () => {
      for (let i = 0; i < 200; i++) {
        context.removeProvider('A');
        await turn();
        context.insertProviderAt(a, 1);
      }
    })();
    const lookUps = (async () => {
      for (let i = 0; i < 200; i++) {
        try {
          seen.add(Signature.getInstance(ALGORITHM, { context }).initSign(key).provider?.name);
        } catch {
          noSuchAlgorithm++;
        }
        await turn();
      }
    })();
    await Promise.all([changes, lookUps]);
    return {
      noSuchAlgorithm,
      providersSeen: [...seen].every((name) => name === 'A' || name === 'B') ? 'A or B only' : [...seen],
      finalOrder: names(context.getProviders()),
    };
  },
  async 'first-use-start-up-shared'() {
    let startUps = 0;
    const { provider } = startingProvider(async () => {
      startUps++;
      await milliseconds(10);
    });
    const use = () => AsyncSignature.getInstance(ALGORITHM, provider).initVerify(new FakePublicKey('k'));
    const first = await outcomes(Array.from({ length: 16 }, use));
    const all = [...first, ...(await outcomes([use()]))];
    return { startUps, succeeded: all.filter((status) => status === 'fulfilled').length };
  },
});

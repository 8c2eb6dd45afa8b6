// Providers that are wrong on purpose, each in one way; made of one that is right, whose work OpenSSL does.

import { defineProvider, type Key, type KeyPair, type KeySpec, type PrivateKey, type Provider } from '../../index.ts';
import { OpenSslProvider } from '../../providers/openssl/index.ts';
import type {
  AnyService,
  KeyFactorySpi,
  KeyPairGeneratorSpi,
  MessageDigestSpi,
  ServiceContext,
  ServiceDefinition,
  ServiceType,
  SignatureSpi,
  SignOptions,
} from '../../spi/service.ts';

type SyncSpis = {
  Signature: SignatureSpi;
  KeyPairGenerator: KeyPairGeneratorSpi;
  KeyFactory: KeyFactorySpi;
  MessageDigest: MessageDigestSpi;
};
type Changeable = keyof SyncSpis;

const ALGORITHMS: Readonly<Record<Changeable, string>> = {
  Signature: 'SHA256withECDSA',
  KeyPairGenerator: 'EC',
  KeyFactory: 'EC',
  MessageDigest: 'SHA-256',
};

/** Services that are right, with fewer curves so that the checks are quick. */
function rightService(type: ServiceType, algorithm: string): AnyService {
  const service = new OpenSslProvider().service(type, algorithm);
  if (service === undefined) throw new Error(`OpenSSL has no ${type} ${algorithm}.`);
  return {
    ...service,
    attributes: { ...service.attributes, SupportedCurves: ['secp256r1', 'secp384r1'] },
  } as AnyService;
}

function services(): AnyService[] {
  return Object.entries(ALGORITHMS).map(([type, algorithm]) => rightService(type as ServiceType, algorithm));
}

/** What is called, with the methods of `change` in place of the right ones. Declared as `unknown`: they break the types. */
function withMethods<T extends object>(right: T, change: Readonly<Record<string, unknown>>): T {
  return new Proxy(right, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(change, name)) return change[name];
      // A fast path of the right one would go round the fault.
      if (name === 'signOnce' || name === 'verifyOnce') return undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

type Change<T extends Changeable> = (right: SyncSpis[T], context: ServiceContext) => Readonly<Record<string, unknown>>;

function wrong<T extends Changeable>(
  type: T,
  change: Change<T>,
  fields: Readonly<Partial<ServiceDefinition<ServiceType, 'sync'>>> = {},
): Provider {
  const all = services().map((service): AnyService => {
    if (service.type !== type) return service;
    const newInstance = (context: ServiceContext) => {
      const right = service.newInstance(context) as SyncSpis[T];
      return withMethods(right, change(right, context));
    };
    return { ...service, newInstance, ...fields } as AnyService;
  });
  return defineProvider({ name: 'Wrong', version: '1.0.0', services: all });
}

function instead(type: Changeable, newInstance: () => unknown): Provider {
  const all = services().map((one) => (one.type === type ? ({ ...one, newInstance } as AnyService) : one));
  return defineProvider({ name: 'Wrong', version: '1.0.0', services: all });
}

function fail(what: string): never {
  throw new TypeError(what);
}

export interface WrongProvider {
  readonly what: string;
  readonly make: () => Provider;
  /** A row that must fail: service, check and a part of its detail. */
  readonly service: string;
  readonly check: string;
  readonly detail: RegExp;
}

const SIGNATURE = 'Signature.SHA256withECDSA';

/** The control: as the others, with nothing wrong. */
export function rightProvider(): Provider {
  return defineProvider({ name: 'Right', version: '1.0.0', services: services() });
}

export const WRONG_PROVIDERS: readonly WrongProvider[] = [
  {
    what: 'throws when it is made',
    make: () => fail('no licence'),
    service: 'Provider',
    check: 'construction',
    detail: /making the provider threw: no licence/,
  },
  {
    what: 'is no provider',
    make: () => ({ name: 'Wrong', services: [] }) as unknown as Provider,
    service: 'Provider',
    check: 'construction',
    detail: /no provider of this package, but an object/,
  },
  {
    what: 'throws in newInstance',
    make: () => instead('Signature', () => fail('no slot')),
    service: SIGNATURE,
    check: 'new instance',
    detail: /no slot/,
  },
  {
    what: 'claims an algorithm and lacks it',
    make: () => instead('Signature', () => ({})),
    service: SIGNATURE,
    check: 'new instance',
    detail: /has no initSign, initVerify, update, sign, verify, reset/,
  },
  {
    what: 'throws in initSign',
    make: () => wrong('Signature', () => ({ initSign: () => fail('no session') })),
    service: SIGNATURE,
    check: 'round trips',
    detail: /ProviderError.*no session/,
  },
  {
    what: 'throws in sign',
    make: () => wrong('Signature', () => ({ sign: () => fail('out of order') })),
    service: SIGNATURE,
    check: 'round trips',
    detail: /ProviderError.*failed in sign.*out of order/,
  },
  {
    what: 'throws what is no error',
    make: () =>
      wrong('Signature', () => ({
        sign: () => {
          throw null;
        },
      })),
    service: SIGNATURE,
    check: 'round trips',
    detail: /ProviderError.*it threw null/,
  },
  {
    what: 'gives junk for a signature',
    make: () => wrong('Signature', () => ({ sign: () => 'c2lnbmF0dXJl' })),
    service: SIGNATURE,
    check: 'result types',
    detail: /gave a string for a signature/,
  },
  {
    what: 'gives bytes that are no signature',
    make: () => wrong('Signature', () => ({ sign: () => new Uint8Array(70).fill(7) })),
    service: SIGNATURE,
    check: 'counterpart agrees',
    detail: /does not accept its signature/,
  },
  {
    what: 'gives a promise in a synchronous service',
    make: () => wrong('Signature', () => ({ sign: () => Promise.reject(new Error('late')) })),
    service: SIGNATURE,
    check: 'result types',
    detail: /gave an object of class Promise for a signature/,
  },
  {
    what: 'gives a truthy object for a verification',
    make: () => wrong('Signature', () => ({ verify: () => ({ valid: true }) })),
    service: SIGNATURE,
    check: 'known answers',
    detail: /for a verification, not true or false/,
  },
  {
    what: 'says that every signature is valid',
    make: () => wrong('Signature', () => ({ verify: () => true })),
    service: SIGNATURE,
    check: 'bad signatures',
    detail: /verify accepts an empty signature/,
  },
  {
    what: 'accepts mutated signatures',
    make: () =>
      wrong('Signature', (right) => {
        let last = new Uint8Array(0);
        return {
          initVerify: (key: never) => {
            last = new Uint8Array(0);
            right.initVerify(key, {});
          },
          verify: (signature: Uint8Array) => {
            const good = right.verify(signature);
            if (good) last = Uint8Array.from(signature);
            return (
              good || (signature.length > 60 && signature.length < 80 && signature[0] === 0x30 && last.length >= 0)
            );
          },
        };
      }),
    service: SIGNATURE,
    check: 'bad signatures',
    detail: /verify accepts a/,
  },
  {
    what: 'throws for a malformed signature',
    make: () =>
      wrong('Signature', (right) => ({
        verify: (signature: Uint8Array) => (signature.length < 8 ? fail('not DER') : right.verify(signature)),
      })),
    service: SIGNATURE,
    check: 'bad signatures',
    detail: /must give false for an empty signature, but threw ProviderError/,
  },
  {
    what: "keeps the caller's buffer",
    make: () =>
      wrong('Signature', (right) => {
        let kept: Uint8Array[] = [];
        const feed = () => {
          for (const part of kept) right.update(part);
          kept = [];
        };
        return {
          update: (data: Uint8Array) => kept.push(data),
          reset: () => {
            kept = [];
            right.reset();
          },
          sign: () => {
            feed();
            return right.sign();
          },
          verify: (signature: Uint8Array) => {
            feed();
            return right.verify(signature);
          },
        };
      }),
    service: SIGNATURE,
    check: 'buffers',
    detail: /keeps a reference/,
  },
  {
    what: "changes the caller's buffer",
    make: () =>
      wrong('Signature', (right) => ({
        update: (data: Uint8Array) => {
          right.update(data);
          data.reverse();
        },
      })),
    service: SIGNATURE,
    check: 'buffers',
    detail: /changes the bytes that it is given/,
  },
  {
    what: 'leaks state between objects',
    make: () => {
      const shared = rightService('Signature', 'SHA256withECDSA').newInstance({ nonce: 'hedged' } as ServiceContext);
      return instead('Signature', () => shared);
    },
    service: SIGNATURE,
    check: 'separate objects',
    detail: /disturb each other|not initialised/i,
  },
  {
    what: 'makes keys that hand out their own buffer',
    make: () =>
      wrong('KeyPairGenerator', (right) => ({
        generateKeyPair: () => {
          const pair = right.generateKeyPair();
          const { encoded } = pair.privateKey;
          Object.defineProperty(pair.privateKey, 'encoded', { get: () => encoded });
          return pair;
        },
      })),
    service: 'KeyPairGenerator.EC',
    check: 'keys keep their secrets',
    detail: /encoded of a private key is not a fresh copy/,
  },
  {
    what: 'ignores an option',
    make: () =>
      wrong('Signature', (right) => ({ initSign: (key: PrivateKey, _: SignOptions) => right.initSign(key, {}) }), {
        supportsOptions: ({ parameters }: { parameters?: unknown }) => parameters === undefined || 'no parameters',
      } as never),
    service: SIGNATURE,
    check: 'option: nonce deterministic',
    detail: /nonce: deterministic is ignored/,
  },
  {
    what: 'takes parameters that it cannot know',
    make: () =>
      wrong(
        'Signature',
        (right) => ({
          initSign: (key: PrivateKey) => right.initSign(key, {}),
          initVerify: (key: never) => right.initVerify(key, {}),
        }),
        { supportsOptions: () => true },
      ),
    service: SIGNATURE,
    check: 'option: unknown parameters',
    detail: /must throw InvalidAlgorithmParameterError, but was accepted/,
  },
  {
    what: 'answers about options with something odd',
    make: () => wrong('Signature', () => ({}), { supportsOptions: () => undefined as never }),
    service: SIGNATURE,
    check: 'answers about options',
    detail: /supportsOptions gave undefined/,
  },
  {
    what: 'throws in supportsKey',
    make: () => wrong('Signature', () => ({}), { supportsKey: () => fail('no idea') }),
    service: SIGNATURE,
    check: 'answers about keys',
    detail: /no idea/,
  },
  {
    what: 'throws the wrong class for a wrong key',
    make: () => wrong('Signature', () => ({ initSign: () => fail('what key is this') }), { supportsKey: () => true }),
    service: SIGNATURE,
    check: 'error classes',
    detail: /must throw InvalidKeyError, but threw ProviderError/,
  },
  {
    what: 'translates to another key',
    make: () =>
      wrong('KeyFactory', (right) => {
        const other = makeOther();
        return {
          translateKey: (key: Key) => right.translateKey(key.kind === 'private' ? other.privateKey : other.publicKey),
        };
      }),
    service: 'KeyFactory.EC',
    check: 'key translation',
    detail: /is translated to another key/,
  },
  {
    what: 'throws the wrong class for a malformed key',
    make: () =>
      wrong('KeyFactory', (right) => ({
        generatePublic: (spec: KeySpec) => {
          try {
            return right.generatePublic(spec);
          } catch {
            return fail('bad key');
          }
        },
      })),
    service: 'KeyFactory.EC',
    check: 'error classes',
    detail: /must throw InvalidKeySpecError, but threw ProviderError/,
  },
  {
    what: 'makes the same key pair again',
    make: () => {
      let kept: KeyPair | undefined;
      return wrong('KeyPairGenerator', (right) => ({
        generateKeyPair: () => {
          kept ??= right.generateKeyPair();
          return kept;
        },
      }));
    },
    service: 'KeyPairGenerator.EC',
    check: 'key pairs',
    detail: /two key pairs on secp256r1 are the same/,
  },
  {
    what: 'makes keys that show their secret',
    make: () =>
      wrong('KeyPairGenerator', (right) => ({
        generateKeyPair: () => {
          const pair = right.generateKeyPair();
          const shown = Buffer.from(pair.privateKey.encoded as Uint8Array).toString('hex');
          Object.defineProperty(pair.privateKey, 'toString', { value: () => `key ${shown}` });
          return pair;
        },
      })),
    service: 'KeyPairGenerator.EC',
    check: 'keys keep their secrets',
    detail: /shows its secret/,
  },
  {
    what: 'mixes the state of two digests',
    make: () => {
      const shared = rightService('MessageDigest', 'SHA-256').newInstance({} as ServiceContext);
      return instead('MessageDigest', () => shared);
    },
    service: 'MessageDigest.SHA-256',
    check: 'separate objects',
    detail: /state leaks between them/,
  },
];

function makeOther(): KeyPair {
  const generator = rightService('KeyPairGenerator', 'EC').newInstance({ customRandom: false } as ServiceContext);
  const made = generator as KeyPairGeneratorSpi;
  made.initialize(undefined, {});
  return made.generateKeyPair();
}

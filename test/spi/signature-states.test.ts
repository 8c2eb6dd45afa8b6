// Any order of calls on a Signature gives the documented result or error, against a plain model.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import {
  IllegalStateError,
  InvalidKeyError,
  InvalidParameterError,
  KeyDestroyedError,
  ProviderError,
} from '../../spi/errors.ts';
import { EdDSAParameterSpec } from '../../spi/key-specs.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, FakeSignature, fakeProvider, string } from './fakes.ts';

interface Model {
  use: 'sign' | 'verify' | undefined;
  label: string;
  fed: string;
  waiting: string | undefined;
}
type Step = (model: Model, signature: Signature) => void;

const label = fc.constantFrom('one', 'two');
const message = fc.string({ maxLength: 5 }).map((text) => text.replace(/[^a-z]/g, 'x'));
const made = (model: Model) => model.waiting ?? `A/${model.label}/${model.fed}`;
const isDone = (model: Model) => {
  model.fed = '';
  model.waiting = undefined;
};

const initSign = label.map(
  (name): Step =>
    (model, signature) => {
      expect(signature.initSign(new FakePrivateKey(name))).toBe(signature);
      Object.assign(model, { use: 'sign', label: name, fed: '', waiting: undefined });
    },
);
const initVerify = label.map(
  (name): Step =>
    (model, signature) => {
      expect(signature.initVerify(new FakePublicKey(name))).toBe(signature);
      Object.assign(model, { use: 'verify', label: name, fed: '', waiting: undefined });
    },
);
const failedInit = fc.constantFrom<Step>(
  (model, signature) => {
    expect(() => signature.initSign(new FakePrivateKey('refused'))).toThrow(InvalidKeyError);
    Object.assign(model, { use: undefined, fed: '', waiting: undefined });
  },
  (model, signature) => {
    expect(() => signature.initVerify(new FakePrivateKey('one') as never)).toThrow(InvalidKeyError);
    Object.assign(model, { use: undefined, fed: '', waiting: undefined });
  },
  (model, signature) => {
    const key = new FakePrivateKey('one');
    key.destroy();
    expect(() => signature.initSign(key)).toThrow(KeyDestroyedError);
    Object.assign(model, { use: undefined, fed: '', waiting: undefined });
  },
);
const update = message.map(
  (text): Step =>
    (model, signature) => {
      if (model.use === undefined || model.waiting !== undefined) {
        expect(() => signature.update(bytes(text))).toThrow(IllegalStateError);
        return;
      }
      const data = bytes(text);
      signature.update(data);
      data.fill(0);
      model.fed += text;
    },
);
const badUpdate = fc.constant<Step>((_, signature) => {
  expect(() => signature.update('text' as never)).toThrow(/Uint8Array.*TextEncoder/);
});
const sign = fc.constant<Step>((model, signature) => {
  if (model.use !== 'sign') {
    expect(() => signature.sign()).toThrow(IllegalStateError);
    return;
  }
  expect(string(signature.sign())).toBe(made(model));
  isDone(model);
});
const signInto = fc.integer({ min: 0, max: 30 }).map(
  (size): Step =>
    (model, signature) => {
      const target = new Uint8Array(size);
      if (model.use !== 'sign') {
        expect(() => signature.signInto(target)).toThrow(IllegalStateError);
        return;
      }
      const expected = made(model);
      if (size < expected.length) {
        expect(() => signature.signInto(target)).toThrow(InvalidParameterError);
        expect([...target].every((byte) => byte === 0)).toBe(true);
        model.waiting = expected;
        model.fed = '';
        return;
      }
      expect(signature.signInto(target)).toBe(expected.length);
      expect(string(target.subarray(0, expected.length))).toBe(expected);
      isDone(model);
    },
);
const verify = fc.boolean().map(
  (right): Step =>
    (model, signature) => {
      const given = bytes(right ? made(model) : 'wrong');
      if (model.use !== 'verify') {
        expect(() => signature.verify(given)).toThrow(IllegalStateError);
        return;
      }
      expect(signature.verify(given)).toBe(right);
      isDone(model);
    },
);
const setParameter = fc.constant<Step>((model, signature) => {
  const parameters = new EdDSAParameterSpec();
  const busy = model.fed !== '' || model.waiting !== undefined;
  if (busy && model.use !== undefined) expect(() => signature.setParameter(parameters)).toThrow(IllegalStateError);
});

describe('The states of a Signature', () => {
  test('any order of calls gives what the model gives', () => {
    const step = fc.oneof(
      initSign,
      initVerify,
      failedInit,
      update,
      update,
      badUpdate,
      sign,
      signInto,
      verify,
      setParameter,
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const refusing = fakeProvider('A', {
          init: (key) => {
            if ((key as FakePrivateKey).label === 'refused') throw new InvalidKeyError('refused');
          },
        });
        const signature = Signature.getInstance(ALGORITHM, { context: new SecurityContext({ providers: [refusing] }) });
        const model: Model = { use: undefined, label: '', fed: '', waiting: undefined };
        for (const each of steps) {
          each(model, signature);
          const state = {
            sign: 'initialized for signing',
            verify: 'initialized for verifying',
            none: 'not initialized',
          };
          expect(String(signature)).toBe(`Signature object: ${ALGORITHM}<${state[model.use ?? 'none']}>`);
          expect(signature.provider?.name).toBe(model.use === undefined ? undefined : 'A');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('whatever a provider throws or gives in sign is a ProviderError, and the object is as freshly initialised', () => {
    const outcomes: (() => unknown)[] = [
      () => {
        throw undefined;
      },
      () => {
        throw new RangeError('odd');
      },
      () => 'text',
      () => Promise.reject(new Error('later')),
      () => new Uint8Array(0),
      () => ({ length: 3 }),
      () => null,
    ];
    let outcome: (() => unknown) | undefined;
    const moody = () => {
      const real = new FakeSignature('A');
      const sign = real.sign.bind(real);
      return Object.assign(real, { sign: () => (outcome === undefined ? sign() : (outcome() as Uint8Array)) });
    };
    const context = new SecurityContext({ providers: [fakeProvider('A', { newInstance: moody })] });
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    for (const next of outcomes) {
      outcome = next;
      signature.update(bytes('lost'));
      expect(() => signature.sign()).toThrow(ProviderError);
      outcome = undefined;
      expect(string(signature.update(bytes('kept')).sign())).toBe('A/k/kept');
    }
  });

  test('verify is true for exactly true', () => {
    for (const answer of [1, 'true', {}, [], Promise.resolve(true), null, undefined]) {
      const wrong = () => Object.assign(new FakeSignature('A'), { verify: () => answer as never });
      const context = new SecurityContext({ providers: [fakeProvider('A', { newInstance: wrong })] });
      const signature = Signature.getInstance(ALGORITHM, { context }).initVerify(new FakePublicKey('k'));
      expect(() => signature.verify(bytes('s'))).toThrow(ProviderError);
    }
  });

  test('an instance that is none does not end the search', () => {
    for (const junk of [null, undefined, 1, {}, () => {}]) {
      const context = new SecurityContext({
        providers: [fakeProvider('J', { newInstance: () => junk as never }), fakeProvider('A')],
      });
      expect(Signature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k')).provider?.name).toBe('A');
    }
  });

  test('a key destroyed after the init is noticed at the next use', () => {
    const key = new FakePrivateKey('k');
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(key);
    key.destroy();
    expect(() => signature.update(bytes('m'))).toThrow(KeyDestroyedError);
    expect(() => signature.sign()).toThrow(KeyDestroyedError);
  });
});

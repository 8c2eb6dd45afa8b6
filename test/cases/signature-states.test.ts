// The reported case on the states of a Signature (R36), with the providers of the package.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KeyFactory, ProviumError, RawKeySpec, Signature } from '../../index.ts';

interface Command {
  readonly do: string;
  readonly mode?: 'sign' | 'verify';
  readonly key?: string;
  readonly data?: string;
  readonly size?: number;
  readonly signature?: string;
}
interface Case {
  readonly input: {
    readonly op: string;
    readonly keys: Readonly<Record<string, { curve: string; privateKey: string; publicKey: string }>>;
    readonly items: readonly {
      readonly name: string;
      readonly algorithm: string;
      readonly script: readonly Command[];
    }[];
  };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: readonly unknown[] }[] };
}

const file: unknown = JSON.parse(readFileSync(new URL('reported.json', import.meta.url), 'utf8'));
const all = (Array.isArray(file) ? file : (file as { cases: unknown[] }).cases) as readonly Case[];
const cases = all.filter(({ input }) => input.op === 'signature.script');
const bytes = (hex = '') => Uint8Array.from(Buffer.from(hex, 'hex'));

// A target that is too small is an argument out of range here, and a SignatureException in the JCA.
const KINDS: Readonly<Record<string, string>> = {
  ERR_ILLEGAL_STATE: 'IllegalState',
  ERR_INVALID_PARAMETER: 'Signature',
};

function run(signature: Signature, command: Command, keys: Case['input']['keys']): unknown {
  switch (command.do) {
    case 'init': {
      const row = keys[command.key ?? ''];
      if (row === undefined) throw new Error(`no key ${command.key} in the case`);
      const { curve, privateKey, publicKey } = row;
      const isEd = curve === 'Ed25519';
      const factory = KeyFactory.getInstance(isEd ? 'Ed25519' : 'EC');
      if (command.mode === 'verify')
        signature.initVerify(factory.generatePublic(new RawKeySpec(bytes(publicKey), { curve })));
      else {
        const key = factory.generatePrivate(new RawKeySpec(bytes(privateKey), { curve }));
        signature.initSign(key, isEd ? undefined : { nonce: 'deterministic' });
      }
      return 'ok';
    }
    case 'update':
      signature.update(bytes(command.data));
      return 'ok';
    case 'sign':
      return Buffer.from(signature.sign()).toString('hex');
    case 'signInto':
      return signature.signInto(new Uint8Array(command.size ?? 0));
    case 'verify':
      return signature.verify(bytes(command.signature));
    default:
      throw new Error(`no command ${command.do}`);
  }
}

describe('Reported cases on the states of a Signature', () => {
  test('there are some', () => {
    expect(cases.flatMap(({ input }) => input.items).length).toBeGreaterThan(10);
  });

  for (const { input, expect: expected } of cases) {
    for (const [i, item] of input.items.entries()) {
      test(item.name, () => {
        const signature = Signature.getInstance(item.algorithm);
        const results = item.script.map((command) => {
          try {
            return run(signature, command, input.keys);
          } catch (error) {
            if (!(error instanceof ProviumError)) throw error;
            return { error: KINDS[error.code] ?? error.code };
          }
        });
        expect(expected.items[i]?.name).toBe(item.name);
        expect(results).toEqual(expected.items[i]?.value);
      });
    }
  }
});

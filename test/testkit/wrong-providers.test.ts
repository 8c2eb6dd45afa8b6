// Providers that are wrong fail the test kit for the right reason, and take nothing down that another provider can serve.

import { describe, expect, it } from 'vitest';
import {
  builtInProvider,
  KeyFactory,
  KeyPairGenerator,
  MessageDigest,
  Provider,
  SecurityContext,
  Signature,
  X509EncodedKeySpec,
} from '../../index.ts';
import { checkProvider } from '../../testkit/index.ts';
import { rightProvider, WRONG_PROVIDERS } from './wrong-providers.ts';

const MESSAGE = new TextEncoder().encode('a message');

/** The context that an application would have: the wrong one first. */
function contextWith(make: () => Provider): SecurityContext {
  const context = new SecurityContext({ providers: [builtInProvider('Provium')] });
  try {
    context.insertProviderAt(make(), 1);
  } catch {
    // It cannot be made or is refused: the application goes on without it.
  }
  return context;
}

describe('The test kit', () => {
  it('passes the provider that the wrong ones are made of', { timeout: 120_000 }, async () => {
    const report = await checkProvider(rightProvider());
    expect(report.rows.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(report).toMatchObject({ provider: 'Right', version: '1.0.0', passed: true });
  });

  for (const { what, make, service, check, detail } of WRONG_PROVIDERS) {
    it(`fails a provider that ${what}, and says so`, { timeout: 120_000 }, async () => {
      const report = await checkProvider(make);
      expect(report.passed).toBe(false);
      const row = report.rows.find((one) => one.service === service && one.check === check);
      expect(row?.status).toBe('failed');
      expect(row?.detail).toMatch(detail);
    });
  }
});

describe('An application with a wrong provider before a right one', () => {
  const right = builtInProvider('Provium');
  const plain = new SecurityContext({ providers: [right] });
  const provium = { context: plain };
  for (const { what, make } of WRONG_PROVIDERS) {
    it(`goes on where the first provider ${what}`, () => {
      const context = contextWith(make);
      const pair = KeyPairGenerator.getInstance('EC', provium).generateKeyPair();
      const spki = new X509EncodedKeySpec(pair.publicKey.encoded as Uint8Array);
      expect(KeyFactory.getInstance('EC', { context }).generatePublic(spki).encoded).toEqual(spki.encoded);
      expect(MessageDigest.digest('SHA-384', MESSAGE, { context })).toHaveLength(48);
      let signature: Uint8Array | undefined;
      expect(() => {
        signature = Signature.sign('SHA256withECDSA', pair.privateKey, MESSAGE, { context });
      }).not.toThrow();
      expect(signature).toBeInstanceOf(Uint8Array);
      const valid = Signature.verify('SHA256withECDSA', pair.publicKey, MESSAGE, signature as Uint8Array, { context });
      expect(typeof valid).toBe('boolean');
      // The services that the wrong one does not claim are served by the other as if it were not there.
      const ed = KeyPairGenerator.getInstance('Ed25519', { context }).generateKeyPair();
      const edSignature = Signature.sign('Ed25519', ed.privateKey, MESSAGE, { context });
      expect(Signature.verify('Ed25519', ed.publicKey, MESSAGE, edSignature, { context })).toBe(true);
    });
  }

  it('gets a signature that is valid from the next provider where the first fails in any of its calls', () => {
    const failing = WRONG_PROVIDERS.filter(({ what }) => /^throws|junk|promise|lacks|truthy/.test(what));
    expect(failing.length).toBeGreaterThan(8);
    for (const { what, make } of failing) {
      const context = contextWith(make);
      const pair = KeyPairGenerator.getInstance('EC', provium).generateKeyPair();
      const signature = Signature.sign('SHA256withECDSA', pair.privateKey, MESSAGE, { context });
      const valid = Signature.verify('SHA256withECDSA', pair.publicKey, MESSAGE, signature, { context });
      expect(valid, what).toBe(true);
      expect(Signature.verify('SHA256withECDSA', pair.publicKey, MESSAGE, signature, provium), what).toBe(true);
    }
  });
});

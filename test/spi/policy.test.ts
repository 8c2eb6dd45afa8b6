import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import { AlgorithmDisabledError, ConfigurationError } from '../../spi/errors.ts';
import { AlgorithmPolicy } from '../../spi/policy.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, fakeProvider } from './fakes.ts';

const key = (curve: string, size?: number, algorithm = 'EC') => ({ algorithm, curve, size });

describe('disabledAlgorithms', () => {
  test('anything that is not understood is refused, so that nothing fails open', () => {
    for (const entry of [
      '',
      'SHA1 keysize < 224',
      'EC keySize 224',
      'EC keySize < x',
      'EC keySize =< 224',
      'EC curve secp999r1',
      'SHA1 denyAfter 2020-02-30',
      'SHA1 denyAfter soon',
      'SHA1 usage TLSServer',
      'SHA1 jdkCA',
      'SHA1 & usage sign',
      'SHA1 usage sign &',
      '=SHA1',
    ]) {
      expect(() => new AlgorithmPolicy([entry]), entry).toThrow(ConfigurationError);
    }
    expect(() => new AlgorithmPolicy({} as never)).toThrow(ConfigurationError);
  });

  test('names match by part, alias and OID, and EC covers ECDSA and ECDH', () => {
    const denied = (
      entry: string,
      algorithm: string,
      type: 'Signature' | 'KeyAgreement' | 'MessageDigest' = 'Signature',
    ) => new AlgorithmPolicy([entry]).deniedName(type, [algorithm]) !== undefined;
    expect(denied('SHA1', 'SHA1withECDSA')).toBe(true);
    expect(denied('SHA-1', '1.2.840.10045.4.1')).toBe(true);
    expect(denied('SHA1', 'SHA-1', 'MessageDigest')).toBe(true);
    expect(denied('SHA1', 'SHA256withECDSA')).toBe(false);
    expect(denied('SHA256withECDSA', 'SHA256withECDSAinP1363Format')).toBe(true);
    expect(denied('EC', 'SHA256withECDSA')).toBe(true);
    expect(denied('EC', 'ECDH', 'KeyAgreement')).toBe(true);
    expect(denied('ECDSA', 'ECDH', 'KeyAgreement')).toBe(false);
    expect(denied('EdDSA', 'Ed25519')).toBe(true);
    expect(denied('Signature.SHA1', 'SHA-1', 'MessageDigest')).toBe(false);
    expect(denied('1.3.101.112', 'ed25519')).toBe(true);
  });

  test('constraints of a key decide at its use, all of an entry together; what is not known counts against the key', () => {
    const denied = (entry: string, use: 'sign' | 'verify', curve: string, size?: number) =>
      new AlgorithmPolicy([entry]).deniedUse(use, 'Signature', ALGORITHM, key(curve, size)) !== undefined;
    expect(denied('EC keySize < 256', 'sign', 'secp224r1', 224)).toBe(true);
    expect(denied('EC keySize < 256', 'sign', 'secp224r1')).toBe(true);
    expect(denied('EC keySize < 256', 'sign', 'secp256r1')).toBe(false);
    expect(denied('EC keySize < 256', 'sign', 'unknown')).toBe(true);
    expect(denied('EC curve P-256', 'sign', 'secp256r1')).toBe(true);
    expect(denied('EC curve P-256 & usage verify', 'sign', 'secp256r1')).toBe(false);
    expect(denied('EC curve P-256 & usage verify', 'verify', 'secp256r1')).toBe(true);
    expect(denied('secp256k1', 'verify', 'secp256k1')).toBe(true);
    expect(new AlgorithmPolicy(['EC keySize < 512']).deniedName('Signature', [ALGORITHM])).toBeUndefined();
  });

  test('denyAfter counts from the end of the day', () => {
    const at = (time: string) =>
      new AlgorithmPolicy(['SHA1 denyAfter 2030-01-31'], () => Date.parse(time)).deniedName('Signature', [
        'SHA1withECDSA',
      ]);
    expect(at('2030-01-31T23:59:59Z')).toBeUndefined();
    expect(at('2030-02-01T00:00:00Z')).toBeDefined();
  });

  test('holds at getInstance, init and one-shots, by whatever name or provider', () => {
    const provider = fakeProvider('A', { aliases: ['harmless'] });
    const context = new SecurityContext({ providers: [provider], disabledAlgorithms: ['SHA256'] });
    for (const from of [{ context }, { context, provider }, { context, provider: 'A' }]) {
      for (const name of [ALGORITHM, '1.2.840.10045.4.3.2', 'harmless']) {
        expect(() => Signature.getInstance(name, from)).toThrow(AlgorithmDisabledError);
        expect(() => Signature.sign(name, new FakePrivateKey('k'), bytes('m'), from)).toThrow(AlgorithmDisabledError);
      }
    }
    const noSigning = new SecurityContext({ providers: [provider], disabledAlgorithms: ['ECDSA usage sign'] });
    const signature = Signature.getInstance('harmless', { context: noSigning });
    expect(() => signature.initVerify(new FakePublicKey('k'))).not.toThrow();
    const named = Signature.getInstance(ALGORITHM, { context: noSigning });
    expect(() => named.initSign(new FakePrivateKey('k'))).toThrow(AlgorithmDisabledError);
    expect(named.provider).toBeUndefined();
    expect(() => signature.initSign(new FakePrivateKey('k'))).toThrow(AlgorithmDisabledError);
  });
});

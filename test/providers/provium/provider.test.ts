import { describe, expect, it } from 'vitest';
import { IllegalStateError, InvalidAlgorithmParameterError } from '../../../spi/errors.ts';
import { ECGenParameterSpec, NamedParameterSpec, RawKeySpec } from '../../../spi/key-specs.ts';
import { ECDSA_HASHES } from '../../../spi/names.ts';
import { bytes, context, hex, provider, spi, text } from './support.ts';

describe('the provider Provium', () => {
  const provium = provider();
  const names = (type: string) => provium.services.filter((service) => service.type === type).map((s) => s.algorithm);

  it('serves what it says', () => {
    expect(String(provium)).toBe('Provium version 0.1.0');
    expect(names('Signature').sort()).toEqual(
      [
        ...ECDSA_HASHES.flatMap((hash) => [`${hash}withECDSA`, `${hash}withECDSAinP1363Format`]),
        ...['EdDSA', 'Ed25519', 'Ed448'],
      ].sort(),
    );
    expect(names('KeyAgreement')).toEqual(['ECDH', 'XDH', 'X25519', 'X448']);
    const families = ['EC', 'EdDSA', 'Ed25519', 'Ed448', 'XDH', 'X25519', 'X448'];
    expect(names('KeyPairGenerator')).toEqual(families);
    expect(names('KeyFactory')).toEqual(families);
    expect(names('AlgorithmParameters')).toEqual(['EC']);
    expect(names('MessageDigest')).toHaveLength(11);
  });

  it.each([
    ['Signature', '1.2.840.10045.4.3.2', 'SHA256withECDSA'],
    ['Signature', 'oid.1.2.840.10045.4.1', 'SHA1withECDSA'],
    ['Signature', '2.16.840.1.101.3.4.3.12', 'SHA3-512withECDSA'],
    ['Signature', 'sha512/256WITHecdsaINp1363fORMAT', 'SHA512/256withECDSAinP1363Format'],
    ['Signature', '1.3.101.113', 'Ed448'],
    ['KeyAgreement', 'OID.1.3.101.110', 'X25519'],
    ['KeyFactory', 'EllipticCurve', 'EC'],
    ['KeyPairGenerator', '1.2.840.10045.2.1', 'EC'],
  ] as const)('%s is found by %s', (type, name, algorithm) => {
    expect(provium.service(type, name)?.algorithm).toBe(algorithm);
  });

  it('gives every EC service, P1363 ones too, attributes that are true', () => {
    const services = provium.services.filter(({ algorithm }) => /^EC|ECDSA/.test(algorithm));
    expect(services).toHaveLength(2 * ECDSA_HASHES.length + 4);
    for (const service of services) {
      expect(service.attributes).toMatchObject({
        ImplementedIn: 'Software',
        SupportedCurves: [
          'secp256r1',
          'secp384r1',
          'secp521r1',
          'secp256k1',
          'secp224r1',
          'brainpoolP256r1',
          'brainpoolP384r1',
          'brainpoolP512r1',
        ],
        SupportedKeyClasses: ['EC'],
        KeySize: 521,
      });
      expect(service.mode).toBe('sync');
    }
  });

  it('says which keys its services take', () => {
    const key = spi('KeyFactory', 'EC').generatePrivate(new RawKeySpec(bytes('01'.repeat(32)), { curve: 'P-256' }));
    const service = provium.service('Signature', 'SHA256withECDSA');
    expect(service?.supportsKey(key)).toBe(true);
    expect(service?.supportsKey({ ...key, algorithm: 'XDH' } as never)).toMatch(/XDH/);
    expect(service?.supportsKey({ ...key, algorithm: 'EC', curve: 'secp192r1' } as never)).toMatch(/secp192r1/);
    expect(provium.service('MessageDigest', 'SHA-1')?.supportsKey(key)).toBeTypeOf('string');
    expect(service?.importsPrivateKeys).toBe(true);
  });

  it('says which options its services take', () => {
    const generator = provium.service('KeyPairGenerator', 'EC');
    expect(generator?.supportsOptions({ use: 'generate', size: 256 })).toBe(true);
    expect(generator?.supportsOptions({ use: 'generate', random: () => {} })).toBe(true);
    expect(generator?.supportsOptions({ use: 'generate', size: 1024 })).toMatch(/1024/);
    expect(generator?.supportsOptions({ use: 'generate', parameters: new ECGenParameterSpec('x') })).toMatch(/x/);
    const agreement = provium.service('KeyAgreement', 'ECDH');
    expect(agreement?.supportsOptions({ use: 'agree' })).toBe(true);
    expect(agreement?.supportsOptions({ use: 'agree', parameters: new ECGenParameterSpec('P-256') })).toBeTypeOf(
      'string',
    );
  });

  it('passes its self-test and explains its engines', () => {
    const results = provium.selfTest(context);
    expect(results.length).toBeGreaterThan(11);
    expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(results.some(({ name, status }) => name.startsWith('secp256r1') && status === 'passed')).toBe(true);
    expect(provium.explainEngine(context, 'P-256')).toMatchObject({ curve: 'secp256r1' });
    expect(results.filter(({ name }) => /^(Ed|X)\d/.test(name))).toHaveLength(8);
    expect(provium.explainEngine(context, 'X25519')).toMatchObject({ curve: 'X25519' });
    expect(provium.explainEngine(context, 'secp192r1')).toBeUndefined();
  });

  it('builds its engines once for each context, and drops them when it is detached', () => {
    const other = { ...context };
    const operations = provium.engines(context).ecOperations('secp256r1');
    expect(provium.engines(context).ecOperations('secp256r1')).toBe(operations);
    expect(provium.engines(other).ecOperations('secp256r1')).not.toBe(operations);
    const object = provium.service('MessageDigest', 'SHA-256')?.newInstance(other);
    provium.detach(other);
    expect(object).toHaveProperty('digestLength', 32);
    expect(provium.engines(context).ecOperations('secp256r1')).toBe(operations);
  });

  it('honours what a context takes away from the engines', () => {
    const bare = { ...context, engines: { disable: ['wasm', 'wasm-simd', 'wasm-fma'] } };
    expect(provium.engines(bare).capabilities.has('wasm')).toBe(false);
    const signer = spi('Signature', 'SHA256withECDSA', { context: bare });
    const pair = spi('KeyPairGenerator', 'EC', { context: bare }).generateKeyPair();
    signer.initSign(pair.privateKey, {});
    signer.update(text('m'));
    const signature = signer.sign();
    const verifier = spi('Signature', 'SHA256withECDSA');
    verifier.initVerify(pair.publicKey, {});
    verifier.update(text('m'));
    expect(verifier.verify(signature)).toBe(true);
  });
});

describe('AlgorithmParameters EC', () => {
  it('go from any name or encoding to name, OID and text', () => {
    for (const source of [new ECGenParameterSpec('nist p-256'), bytes('06082a8648ce3d030107')]) {
      const parameters = spi('AlgorithmParameters', 'EC');
      parameters.init(source);
      expect(hex(parameters.encoded())).toBe('06082a8648ce3d030107');
      expect(parameters.parameterSpec()).toEqual(new ECGenParameterSpec('secp256r1'));
      expect(parameters.toString()).toMatch(/^secp256r1 \[.*NIST P-256.*\] \(1\.2\.840\.10045\.3\.1\.7\)$/);
    }
  });

  it.each([
    ['an unknown curve', new ECGenParameterSpec('nonsense')],
    ['another kind of parameters', new NamedParameterSpec('X25519')],
    ['bytes after the end', bytes('06082a8648ce3d03010700')],
    ['an unknown OID', bytes('06052b8104001f')],
    ['no OID', bytes('0500')],
    ['parameters spelled out', bytes('3000')],
    ['nothing', bytes('')],
  ])('refuse %s', (_name, source) => {
    const parameters = spi('AlgorithmParameters', 'EC');
    expect(() => parameters.init(source)).toThrow(InvalidAlgorithmParameterError);
    expect(() => parameters.encoded()).toThrow(IllegalStateError);
  });
});

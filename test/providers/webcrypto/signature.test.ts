import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProviumProvider } from '../../../providers/provium/provider.ts';
import { WebCryptoProvider } from '../../../providers/webcrypto/index.ts';
import {
  AsyncKeyFactory,
  AsyncKeyPairGenerator,
  AsyncSignature,
  ECGenParameterSpec,
  ECPublicKeySpec,
  EdDSAParameterSpec,
  InvalidAlgorithmParameterError,
  KeyDestroyedError,
  NamedParameterSpec,
  SecurityContext,
} from '../../../spi/index.ts';
import { context, EC_CURVES, from, others, text, web } from './support.ts';

const HASHES = ['SHA1', 'SHA256', 'SHA384', 'SHA512'] as const;
const ALGORITHMS = HASHES.flatMap((hash) => [`${hash}withECDSA`, `${hash}withECDSAinP1363Format`] as const);

async function pairOn(name: string, provider = web) {
  const spec = name.startsWith('secp') ? new ECGenParameterSpec(name) : new NamedParameterSpec(name);
  const generator = AsyncKeyPairGenerator.getInstance(name.startsWith('secp') ? 'EC' : 'EdDSA', provider);
  return (await generator.initialize(spec)).generateKeyPair();
}

interface Rfc6979 {
  readonly vectors: readonly {
    readonly secgName: string;
    readonly qx: string;
    readonly qy: string;
    readonly cases: readonly {
      readonly hash: string;
      readonly message: string;
      readonly r: string;
      readonly s: string;
    }[];
  }[];
}

const VECTORS = new URL('../../vectors/rfc/rfc6979-ecdsa.json', import.meta.url);

function hex(value: string): Uint8Array {
  return Uint8Array.from(Buffer.from(value, 'hex'));
}

describe('ECDSA of WebCrypto', () => {
  it.each(EC_CURVES)('agrees with Provium and OpenSSL in both directions on %s', async (curve) => {
    const { publicKey, privateKey } = await pairOn(curve);
    for (const algorithm of ALGORITHMS) {
      const message = text(`${algorithm} on ${curve}`);
      const signature = await AsyncSignature.sign(algorithm, privateKey, message, web);
      for (const other of others) {
        expect(await AsyncSignature.verify(algorithm, publicKey, message, signature, other)).toBe(true);
        const theirs = await AsyncSignature.sign(algorithm, privateKey, message, other);
        expect(await AsyncSignature.verify(algorithm, publicKey, message, theirs, web)).toBe(true);
        expect(await AsyncSignature.verify(algorithm, publicKey, text('another'), theirs, web)).toBe(false);
      }
    }
  });

  it('signs with keys that other providers made', async () => {
    for (const other of others) {
      const { publicKey, privateKey } = await pairOn('secp384r1', other);
      const signature = await AsyncSignature.sign('SHA384withECDSA', privateKey, text('a'), web);
      expect(await AsyncSignature.verify('SHA384withECDSA', publicKey, text('a'), signature, other)).toBe(true);
    }
  });

  it('agrees with Provium on any message in any pieces', async () => {
    const { publicKey, privateKey } = await pairOn('secp256r1');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 4 }), async (parts) => {
        const signer = AsyncSignature.getInstance('SHA256withECDSA', web);
        await signer.initSign(privateKey);
        for (const part of parts) signer.update(part);
        const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
        const signature = await signer.sign();
        expect(await AsyncSignature.verify('SHA256withECDSA', publicKey, whole, signature, from('Provium'))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('answers false for every malformed signature', async () => {
    const { publicKey, privateKey } = await pairOn('secp256r1');
    const message = text('message');
    const der = await AsyncSignature.sign('SHA256withECDSA', privateKey, message, web);
    const raw = await AsyncSignature.sign('SHA256withECDSAinP1363Format', privateKey, message, web);
    const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
    const bad = {
      SHA256withECDSA: [
        new Uint8Array(0),
        der.subarray(1),
        der.subarray(0, -1),
        Uint8Array.of(...der, 0),
        Uint8Array.of(0x30, 0x81, ...der.subarray(1)),
        Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0),
        Uint8Array.of(0x30, 6, 2, 1, 0x81, 2, 1, 1),
        raw,
      ],
      SHA256withECDSAinP1363Format: [
        new Uint8Array(0),
        new Uint8Array(64),
        raw.subarray(1),
        Uint8Array.of(...raw, 0),
        Uint8Array.of(...order, ...raw.subarray(32)),
        Uint8Array.of(...raw.subarray(0, 32), ...order),
        der,
      ],
    };
    for (const [algorithm, signatures] of Object.entries(bad)) {
      for (const signature of signatures) {
        expect(await AsyncSignature.verify(algorithm, publicKey, message, signature, web)).toBe(false);
      }
    }
    expect(await AsyncSignature.verify('SHA256withECDSA', publicKey, message, der, web)).toBe(true);
  });

  it('writes and demands low s where asked', async () => {
    const { publicKey, privateKey } = await pairOn('secp256r1');
    const half = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n / 2n;
    let high = 0;
    for (let i = 0; i < 24; i++) {
      const message = Uint8Array.of(i);
      const low = { ...web, lowS: true };
      const algorithm = 'SHA256withECDSAinP1363Format';
      const signature = await AsyncSignature.sign(algorithm, privateKey, message, low);
      expect(BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) <= half).toBe(true);
      expect(await AsyncSignature.verify(algorithm, publicKey, message, signature, from('Provium'))).toBe(true);
      const any = await AsyncSignature.sign(algorithm, privateKey, message, web);
      const isLow = BigInt(`0x${Buffer.from(any.subarray(32)).toString('hex')}`) <= half;
      if (!isLow) high++;
      expect(await AsyncSignature.verify(algorithm, publicKey, message, any, low)).toBe(isLow);
    }
    expect(high).toBeGreaterThan(0);
  });

  it('verifies the signatures of RFC 6979', async () => {
    const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as Rfc6979;
    let verified = 0;
    for (const { secgName, qx, qy, cases } of vectors.filter((row) =>
      EC_CURVES.some((name) => name === row.secgName),
    )) {
      const spec = new ECPublicKeySpec({ x: hex(qx), y: hex(qy) }, new ECGenParameterSpec(secgName));
      const publicKey = await AsyncKeyFactory.getInstance('EC', web).generatePublic(spec);
      for (const { hash, message, r, s } of cases.filter((row) => row.hash !== 'SHA-224')) {
        const signature = Uint8Array.of(...hex(r), ...hex(s));
        const algorithm = `${hash.replace('-', '')}withECDSAinP1363Format`;
        expect(await AsyncSignature.verify(algorithm, publicKey, text(message), signature, web)).toBe(true);
        expect(await AsyncSignature.verify(algorithm, publicKey, text(`${message}.`), signature, web)).toBe(false);
        verified++;
      }
    }
    expect(verified).toBe(24);
  });

  it('says which options it cannot honour and leaves them to others', async () => {
    const { privateKey } = await pairOn('secp256r1');
    const refused = [{ nonce: 'deterministic' }, { nonce: 'random' }, { nonce: 'hedged' }, { random() {} }] as const;
    for (const options of refused) {
      const signing = AsyncSignature.sign('SHA256withECDSA', privateKey, text('a'), { ...web, ...options });
      await expect(signing).rejects.toThrow(InvalidAlgorithmParameterError);
    }
    const signer = AsyncSignature.getInstance('SHA256withECDSA', { context });
    await signer.initSign(privateKey, { nonce: 'deterministic' });
    expect(signer.provider?.name).toBe('Provium');
    await signer.initSign(privateKey);
    expect(signer.provider?.name).toBe('WebCrypto');
  });

  it('declines a context whose nonces or random source it cannot use', async () => {
    const { privateKey } = await pairOn('secp256r1');
    for (const options of [{ nonce: 'deterministic' }, { random: (b: Uint8Array) => void b.fill(7) }] as const) {
      const own = new SecurityContext({ providers: [new WebCryptoProvider(), createProviumProvider()], ...options });
      const signer = AsyncSignature.getInstance('SHA256withECDSA', { context: own });
      await signer.initSign(privateKey);
      expect(signer.provider?.name).toBe('Provium');
    }
  });

  it('skips a curve that the platform lacks, with that reason', async () => {
    const { privateKey } = await pairOn('secp256k1', from('Provium'));
    const signer = AsyncSignature.getInstance('SHA256withECDSA', { context });
    await signer.initSign(privateKey);
    expect(signer.provider?.name).toBe('Provium');
    const alone = AsyncSignature.getInstance('SHA256withECDSA', web);
    await expect(alone.initSign(privateKey)).rejects.toThrow(/WebCrypto has no EC keys on secp256k1/);
  });
});

describe('EdDSA of WebCrypto', () => {
  it.each(['Ed25519', 'Ed448'])('agrees with Provium and OpenSSL on %s', async (curve) => {
    const { publicKey, privateKey } = await pairOn(curve);
    for (const algorithm of [curve, 'EdDSA']) {
      const message = text('message');
      const signature = await AsyncSignature.sign(algorithm, privateKey, message, web);
      for (const other of others) {
        expect(await AsyncSignature.sign(algorithm, privateKey, message, other)).toEqual(signature);
      }
      expect(await AsyncSignature.verify(algorithm, publicKey, message, signature, web)).toBe(true);
      for (const bad of [signature.subarray(1), Uint8Array.of(...signature, 0), new Uint8Array(signature.length)]) {
        expect(await AsyncSignature.verify(algorithm, publicKey, message, bad, web)).toBe(false);
      }
    }
  });

  it('refuses prehashing, contexts and criteria, which Provium serves', async () => {
    const { publicKey, privateKey } = await pairOn('Ed25519');
    const parameters = [new EdDSAParameterSpec({ prehash: true }), new EdDSAParameterSpec({ context: text('c') })];
    for (const spec of parameters) {
      const signer = AsyncSignature.getInstance('Ed25519', { context });
      await signer.initSign(privateKey, { parameters: spec });
      expect(signer.provider?.name).toBe('Provium');
    }
    const verifier = AsyncSignature.getInstance('Ed25519', web);
    await expect(verifier.initVerify(publicKey, { criteria: 'zip215' })).rejects.toThrow(/by which criteria/);
  });
});

describe('signing objects of WebCrypto', () => {
  it('work side by side and in call order', async () => {
    const pairs = await Promise.all(EC_CURVES.map((curve) => pairOn(curve)));
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const { publicKey, privateKey } = pairs[i % pairs.length] as (typeof pairs)[number];
        const message = text(`message ${i}`);
        const signature = await AsyncSignature.sign('SHA256withECDSA', privateKey, message, web);
        return AsyncSignature.verify('SHA256withECDSA', publicKey, message, signature, web);
      }),
    );
    expect(results).toEqual(results.map(() => true));
    const { publicKey, privateKey } = pairs[0] as (typeof pairs)[number];
    const signer = AsyncSignature.getInstance('SHA256withECDSA', web);
    void signer.initSign(privateKey);
    const signatures = await Promise.all(['a', 'b', 'c'].map((part) => signer.update(text(part)).sign()));
    for (const [i, part] of ['a', 'b', 'c'].entries()) {
      const signature = signatures[i] as Uint8Array;
      expect(await AsyncSignature.verify('SHA256withECDSA', publicKey, text(part), signature, from('OpenSSL'))).toBe(
        true,
      );
    }
  });

  it('refuse a destroyed key and stay usable after an abort', async () => {
    const { publicKey, privateKey } = await pairOn('secp256r1');
    const signer = AsyncSignature.getInstance('SHA256withECDSA', web);
    await signer.initSign(privateKey);
    const controller = new AbortController();
    const given = signer.update(text('lost')).sign({ signal: controller.signal });
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    const signature = await signer.update(text('kept')).sign();
    expect(await AsyncSignature.verify('SHA256withECDSA', publicKey, text('kept'), signature, web)).toBe(true);
    privateKey.destroy();
    await expect(signer.sign()).rejects.toThrow(KeyDestroyedError);
    await expect(signer.initSign(privateKey)).rejects.toThrow(KeyDestroyedError);
  });
});

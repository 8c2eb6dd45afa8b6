import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodePrivateJwk, decodePublicJwk, encodePrivateJwk, encodePublicJwk } from '../../../spi/encoding/jwk.ts';
import type { PrivateKeyData, PublicKeyData } from '../../../spi/encoding/key-data.ts';
import { decodePemKey, encodePemPrivateKey, encodePemPublicKey } from '../../../spi/encoding/pem-keys.ts';
import { decodePkcs8, decodePrivateDer, encodePkcs8 } from '../../../spi/encoding/pkcs8.ts';
import { decodeSec1, encodeSec1 } from '../../../spi/encoding/sec1.ts';
import { decodeSpki, encodeSpki } from '../../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';
import type { JsonWebKey } from '../../../spi/key-specs.ts';
import { notTestedHere } from '../../helpers/not-tested.ts';
import { absenceLine, vectorsFolder } from '../../vectors/sources.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (data: Uint8Array | undefined) => (data === undefined ? undefined : Buffer.from(data).toString('hex'));
const folder = vectorsFolder();
if (folder === undefined) notTestedHere(absenceLine());
const file = (name: string) => readFileSync(join(folder ?? '', 'encodings', name));
/** The vectors of a file of keys made by tools; none where the third-party files are absent. */
function keysIn<T>(name: string): T[] {
  return folder === undefined ? [] : (JSON.parse(file(name).toString()) as { vectors: T[] }).vectors;
}
const publicOf = (key: PublicKeyData) => (key.algorithm === 'EC' ? key.point : key.publicKey);
const secretOf = (key: PrivateKeyData) => (key.algorithm === 'EC' ? key.scalar : key.privateKey);
const innerPublicOf = (key: PrivateKeyData) => (key.algorithm === 'EC' ? key.publicPoint : key.publicKey);

interface ToolKey {
  curve: string;
  label: string;
  private: string;
  publicUncompressed?: string;
  publicCompressed?: string;
  publicRaw?: string;
  pkcs8Der: string;
  pkcs8Pem: string;
  sec1Der?: string;
  sec1Pem?: string;
  spkiDer: string;
  spkiPem: string;
  jwkPrivate?: JsonWebKey;
  jwkPublic?: JsonWebKey;
}
const toolKeys = keysIn<ToolKey>('openssl-key-encodings.json');

describe.each(toolKeys)('a key of OpenSSL on $curve ($label)', (vector) => {
  const point = vector.publicUncompressed ?? vector.publicRaw;
  const isEc = vector.publicUncompressed !== undefined;

  it('is read from SPKI in DER and PEM and written back to the same bytes', () => {
    const key = decodeSpki(bytes(vector.spkiDer));
    expect(key.curve).toBe(vector.curve);
    expect(hex(publicOf(key))).toBe(point);
    expect(decodePemKey(vector.spkiPem)).toEqual({ kind: 'public', key });
    expect(hex(encodeSpki(key))).toBe(vector.spkiDer);
    expect(encodePemPublicKey(key)).toBe(vector.spkiPem);
  });

  it('is read from PKCS#8 in DER and PEM and written back to the same bytes', () => {
    const key = decodePkcs8(bytes(vector.pkcs8Der));
    expect(key.curve).toBe(vector.curve);
    expect(hex(secretOf(key))).toBe(vector.private);
    expect(hex(innerPublicOf(key))).toBe(isEc ? point : undefined);
    expect(decodePrivateDer(bytes(vector.pkcs8Der))).toEqual(key);
    expect(decodePemKey(vector.pkcs8Pem)).toEqual({ kind: 'private', key });
    expect(hex(encodePkcs8(key))).toBe(vector.pkcs8Der);
    expect(encodePemPrivateKey(key)).toBe(vector.pkcs8Pem);
  });
});

describe.each(toolKeys.filter(({ sec1Der }) => sec1Der !== undefined))(
  'SEC1 of OpenSSL on $curve ($label)',
  (vector) => {
    it('is read in DER and PEM and written back to the same bytes', () => {
      const key = decodeSec1(bytes(vector.sec1Der ?? ''));
      expect(key).toMatchObject({ curve: vector.curve });
      expect(hex(key.scalar)).toBe(vector.private);
      expect(decodePrivateDer(bytes(vector.sec1Der ?? ''))).toEqual(key);
      expect(decodePemKey(vector.sec1Pem ?? '')).toEqual({ kind: 'private', key });
      expect(hex(encodeSec1(key))).toBe(vector.sec1Der);
      expect(encodePemPrivateKey(key, 'sec1')).toBe(vector.sec1Pem);
    });
  },
);

describe.each(toolKeys.filter(({ jwkPublic }) => jwkPublic !== undefined))(
  'JWK of OpenSSL on $curve ($label)',
  (vector) => {
    it('is read and written back with the same members', () => {
      const open = decodePublicJwk(vector.jwkPublic ?? {});
      const secret = decodePrivateJwk(vector.jwkPrivate ?? {});
      expect(hex(publicOf(open))).toBe(vector.publicUncompressed ?? vector.publicRaw);
      expect(hex(secretOf(secret))).toBe(vector.private);
      expect(encodePublicJwk(open)).toEqual(vector.jwkPublic);
      expect(encodePrivateJwk(secret)).toEqual(vector.jwkPrivate);
    });
  },
);

interface RfcKey {
  name: string;
  format: 'spki-pem' | 'pkcs8-pem' | 'jwk';
  pem?: string;
  jwk?: JsonWebKey;
  curve: string;
  publicRaw?: string;
  private?: string;
}
const rfcKeys = keysIn<RfcKey>('rfc-key-examples.json');
const CANONICAL: Readonly<Record<string, string>> = {
  'P-256': 'secp256r1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

describe('the examples of the RFCs', () => {
  it.each(rfcKeys)('$name', (vector) => {
    const isPrivate = vector.private !== undefined;
    const key =
      vector.jwk === undefined
        ? decodePemKey(vector.pem ?? '').key
        : isPrivate
          ? decodePrivateJwk(vector.jwk)
          : decodePublicJwk(vector.jwk);
    expect(key.curve).toBe(CANONICAL[vector.curve] ?? vector.curve);
    if (isPrivate) expect(hex(secretOf(key as PrivateKeyData))).toBe(vector.private);
    else expect(hex(publicOf(key as PublicKeyData))).toBe(vector.publicRaw);
  });

  it.runIf(folder !== undefined)('of RFC 8410 with attributes and public key keeps the public key', () => {
    const v2 = rfcKeys.find(({ name }) => name.includes('OneAsymmetricKey'));
    const key = decodePemKey(v2?.pem ?? '').key as PrivateKeyData;
    expect(hex(innerPublicOf(key))).toBe(v2?.publicRaw);
    expect(decodePkcs8(encodePkcs8(key))).toEqual(key);
  });
});

describe.runIf(folder !== undefined)('key files of another tool', () => {
  it('in DER and PEM hold the same keys', () => {
    const secret = decodeSec1(file('ec_private_key.der'));
    const open = decodeSpki(file('ec_public_key.der'));
    expect(decodePemKey(file('ec_private_key.pem').toString()).key).toEqual(secret);
    expect(decodePemKey(file('ec_public_key.pem').toString()).key).toEqual(open);
    expect(secret.publicPoint).toEqual(publicOf(open));
    for (const name of ['ed25519', 'x25519']) {
      expect(decodePemKey(file(`${name}-pkcs8.pem`).toString()).key).toEqual(decodePkcs8(file(`${name}-pkcs8.der`)));
      expect(decodePemKey(file(`${name}-pub.pem`).toString()).key).toEqual(decodeSpki(file(`${name}-pub.der`)));
    }
  });
});

const KEY_TYPES: readonly (readonly [string, () => { publicKey: KeyObject; privateKey: KeyObject }])[] = [
  ...[
    'prime256v1',
    'secp384r1',
    'secp521r1',
    'secp256k1',
    'secp224r1',
    'brainpoolP256r1',
    'brainpoolP384r1',
    'brainpoolP512r1',
  ].map((curve) => [curve, () => generateKeyPairSync('ec', { namedCurve: curve })] as const),
  ['ed25519', () => generateKeyPairSync('ed25519')],
  ['ed448', () => generateKeyPairSync('ed448')],
  ['x25519', () => generateKeyPairSync('x25519')],
  ['x448', () => generateKeyPairSync('x448')],
];

describe.each(KEY_TYPES)('node:crypto and the codecs on %s', (_name, generate) => {
  it('read and write the same bytes for fresh keys', () => {
    for (let i = 0; i < 5; i++) {
      const pair = generate();
      const spki = Uint8Array.from(pair.publicKey.export({ format: 'der', type: 'spki' }));
      const pkcs8 = Uint8Array.from(pair.privateKey.export({ format: 'der', type: 'pkcs8' }));
      const open = decodeSpki(spki);
      const secret = decodePkcs8(pkcs8);
      expect(encodeSpki(open)).toEqual(spki);
      expect(encodePkcs8(secret)).toEqual(pkcs8);
      if (secret.algorithm === 'EC') {
        const sec1 = Uint8Array.from(pair.privateKey.export({ format: 'der', type: 'sec1' }));
        expect(encodeSec1(secret)).toEqual(sec1);
        expect(decodeSec1(sec1)).toEqual(secret);
        const bare = encodePkcs8({ ...secret, publicPoint: undefined });
        expect(createPrivateKey({ key: Buffer.from(bare), format: 'der', type: 'pkcs8' }).equals(pair.privateKey)).toBe(
          true,
        );
      }
      const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      expect(encodePemPrivateKey(secret)).toBe(pem);
      expect(createPublicKey(encodePemPublicKey(open)).equals(pair.publicKey)).toBe(true);
    }
  });
});

describe('SPKI and PKCS#8', () => {
  const spki =
    '3059301306072a8648ce3d020106082a8648ce3d030107034200046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';
  const scalar = '00'.repeat(31).concat('07');

  it.each([
    ['an unknown algorithm', '300d300506032a0304030400010203'],
    ['a curve that is not known', '3057301106072a8648ce3d020106062b810400ce0f0342'.concat(spki.slice(50))],
    ['no curve', '304f300906072a8648ce3d0201'.concat(spki.slice(46))],
    ['a null for a curve', '3051300b06072a8648ce3d02010500'.concat(spki.slice(46))],
    ['a key that is an octet string', '30583013'.concat(spki.slice(8, 46), '0441', spki.slice(52))],
    ['unused bits', spki.replace('034200', '034201').slice(0, -1).concat('4')],
    ['parameters on Ed25519', '302d300806032b6570020101032100'.concat('11'.repeat(32))],
    ['a short Ed25519 key', '3029300506032b6570032000'.concat('11'.repeat(31))],
    ['a third member', '305b3013'.concat(spki.slice(8), '0500')],
  ])('SPKI with %s is refused', (_name, encoded) => {
    expect(() => decodeSpki(bytes(encoded))).toThrow(InvalidKeySpecError);
  });

  it('SPKI of Ed25519 with a NULL for parameters is refused, as RFC 8410 says', () => {
    expect(() => decodeSpki(bytes(`302c300706032b65700500032100${'11'.repeat(32)}`))).toThrow(InvalidKeySpecError);
    expect(decodeSpki(bytes(`302a300506032b6570032100${'11'.repeat(32)}`)).curve).toBe('Ed25519');
  });

  it.each([
    ['version 2', '3041020102', ''],
    ['version −1', '30410201ff', ''],
  ])('PKCS#8 of %s is refused', (_name, start) => {
    const rest = `301306072a8648ce3d020106082a8648ce3d0301070427302502010104 20${scalar}`.replace(' ', '');
    expect(() => decodePkcs8(bytes(start + rest))).toThrow(InvalidKeySpecError);
    expect(hex(secretOf(decodePkcs8(bytes(`3041020100${rest}`))))).toBe(scalar);
  });

  it('PKCS#8 takes a public key beside the private one from version 2 on only', () => {
    const body = (version: string) =>
      `3051020${version}300506032b657004220420${'22'.repeat(32)}812100${'11'.repeat(32)}`;
    expect(hex(innerPublicOf(decodePkcs8(bytes(body('101')))))).toBe('11'.repeat(32));
    expect(() => decodePkcs8(bytes(body('100')))).toThrow(InvalidKeySpecError);
  });

  it('EC in version 2 may hold its point outside, but not another one than inside', () => {
    const g = spki.slice(52);
    const v2 = (inner: string, outer: string) => {
      const sec1 = `020101042000${scalar.slice(2)}${inner === '' ? '' : `a144034200${inner}`}`;
      const secret = encode('04', encode('30', sec1));
      return encode('30', `020101301306072a8648ce3d020106082a8648ce3d030107${secret}${encode('81', `00${outer}`)}`);
    };
    expect(hex(innerPublicOf(decodePkcs8(bytes(v2('', g)))))).toBe(g);
    expect(hex(innerPublicOf(decodePkcs8(bytes(v2(g, g)))))).toBe(g);
    expect(() => decodePkcs8(bytes(v2(g, `${g.slice(0, -2)}f6`)))).toThrow(InvalidKeySpecError);
  });

  it('a scalar is brought to the width of the order, but never cut', () => {
    const key = (octets: string) => bytes(encode('30', `020101${encode('04', octets)}a00a06082a8648ce3d030107`));
    expect(hex(decodeSec1(key('07')).scalar)).toBe(scalar);
    expect(hex(decodeSec1(key(`0000${scalar}`)).scalar)).toBe(scalar);
    expect(() => decodeSec1(key(`01${scalar}`))).toThrow(InvalidKeySpecError);
    expect(() => decodeSec1(key(''))).toThrow(InvalidKeySpecError);
  });

  it('SEC1 without a curve needs one from outside, and no other than its own', () => {
    const bare = bytes(encode('30', `0201010420${scalar}`));
    expect(() => decodeSec1(bare)).toThrow(InvalidKeySpecError);
    expect(decodeSec1(bare, 'secp256k1').curve).toBe('secp256k1');
    const named = bytes(encode('30', `0201010420${scalar}a00a06082a8648ce3d030107`));
    expect(decodeSec1(named, 'secp256r1').curve).toBe('secp256r1');
    expect(() => decodeSec1(named, 'secp256k1')).toThrow(InvalidKeySpecError);
  });

  it('decoded parts share no memory with the input', () => {
    for (const input of [bytes(spki), Buffer.from(spki, 'hex')]) {
      const key = decodeSpki(input);
      input.fill(0);
      expect(publicOf(key)[0]).toBe(4);
      expect(Buffer.isBuffer(publicOf(key))).toBe(false);
    }
  });
});

function encode(tag: string, content: string): string {
  const length = content.length / 2;
  return `${tag}${length < 128 ? '' : '81'}${length.toString(16).padStart(2, '0')}${content}`;
}

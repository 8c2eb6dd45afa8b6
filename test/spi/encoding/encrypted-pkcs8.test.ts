import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decryptPkcs8 } from '../../../spi/encoding/encrypted-pkcs8.ts';
import { decodePemKey } from '../../../spi/encoding/pem-keys.ts';
import { encodePkcs8 } from '../../../spi/encoding/pkcs8.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const passphrase = new TextEncoder().encode('secret');

// One key, written by openssl pkcs8 in the clear and with -scrypt.
const PLAIN = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguzJEgIKi4FqACFdf
Zn0eFVuoywgX3tNHIX/wqFU/chGhRANCAAQbOtlxq1d9Bn69Qhzx4pIBDXc9cu3h
JNCleHZVfMdkQBpcQLUCfvPHBvL8ILjK4a2Vn9VZq2zsBzutmSdLryWp
-----END PRIVATE KEY-----
`;
const SCRYPT = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHkME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAjWiuD1ljrphAICQAAC
AQgCAQEwHQYJYIZIAWUDBAEqBBDDam9iSWmI/irFbJn25ef2BIGQQaXpXhMCF/zp
nWeI6viPXu4zJcnMLERYPIVg/Lhhg4HGPo+8nOdRO1zXROrzIMXmbyyI/gAyjT/P
UAPY6MCz/cuhE5ROrcP73IQeY4PEp6Ozk+SfQEC1xuvxo4zG0aoOcHg7g9p/P1LF
XFmvmefpypkGowcphhuMuG49mdWruHohb2V16XDnL6ib5axglRUi
-----END ENCRYPTED PRIVATE KEY-----
`;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('encrypted PKCS#8', () => {
  it.each(['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc'])(
    'of node:crypto under %s opens with its passphrase only',
    (cipher) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const plain = Uint8Array.from(privateKey.export({ format: 'der', type: 'pkcs8' }));
      const encrypted = privateKey.export({ format: 'der', type: 'pkcs8', cipher, passphrase: 'secret' });
      expect(decryptPkcs8(encrypted, passphrase)).toEqual(plain);
      expect(() => decryptPkcs8(encrypted, passphrase.subarray(1))).toThrow(InvalidKeySpecError);
      const pem = privateKey.export({ format: 'pem', type: 'pkcs8', cipher, passphrase: 'secret' }).toString();
      expect(encodePkcs8(decodePemKey(pem, passphrase).key as never)).toEqual(plain);
      expect(() => decodePemKey(pem)).toThrow(/passphrase/);
    },
  );

  it('opens with none of a thousand wrong passphrases, though the padding of some comes out right', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const encrypted = privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'secret' });
    for (let i = 0; i < 1000; i++) {
      expect(() => decryptPkcs8(encrypted, Uint8Array.of(i >> 8, i & 255))).toThrow(/passphrase is wrong/);
    }
  });

  it('under scrypt holds the same key as in the clear', () => {
    expect(decodePemKey(SCRYPT, passphrase)).toEqual(decodePemKey(PLAIN));
  });

  it('refuses every cut and says nothing but the typed error', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const encrypted = privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' });
    for (let end = 0; end < encrypted.length; end++) {
      expect(() => decryptPkcs8(encrypted.subarray(0, end), passphrase)).toThrow(InvalidKeySpecError);
    }
  });

  it('refuses work factors that would stop the process', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const encrypted = privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' });
    const at = encrypted.indexOf(Buffer.from('02020800', 'hex'));
    expect(at).toBeGreaterThan(0);
    encrypted.set([0x02, 0x02, 0x00, 0x00], at);
    expect(() => decryptPkcs8(encrypted, passphrase)).toThrow(InvalidKeySpecError);
    const scrypt = Buffer.from(SCRYPT.split('\n').slice(1, -2).join(''), 'base64');
    const cost = scrypt.indexOf(Buffer.from('02024000', 'hex'));
    scrypt.set([0x02, 0x02, 0x40, 0x01], cost);
    expect(() => decryptPkcs8(scrypt, passphrase)).toThrow(/scrypt/);
  });

  it('says what is missing where there is no node:crypto', () => {
    vi.stubGlobal('process', { getBuiltinModule: () => undefined });
    expect(() => decodePemKey(SCRYPT, passphrase)).toThrow(/node:crypto/);
  });
});

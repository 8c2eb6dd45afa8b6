// Run in an empty project that has only the packed package: every subpath, one identity per class, a real signature.

import assert from 'node:assert/strict';
import * as provium from 'provium';
import * as engines from 'provium/engines';
import * as fields from 'provium/fields';
import * as openssl from 'provium/providers/openssl';
import * as spi from 'provium/spi';

const main = new Map(Object.entries(provium));
for (const [name, value] of Object.entries(spi)) {
  if (typeof value !== 'function' || !main.has(name)) continue;
  assert.equal(main.get(name), value, `${name} of provium and of provium/spi differ`);
  if (/Error$/.test(name)) assert.equal(value.name, name, `the class ${name} lost its name`);
}
assert.ok(Object.keys(engines).length > 0 && Object.keys(fields).length > 0 && Object.keys(openssl).length > 0);

const { KeyPairGenerator, Signature, KeyAgreement, ECGenParameterSpec } = provium;
const data = new TextEncoder().encode('packed');
for (const provider of [undefined, 'OpenSSL']) {
  const generator = KeyPairGenerator.getInstance('EC', provider);
  generator.initialize(new ECGenParameterSpec('secp256r1'));
  const { publicKey, privateKey } = generator.generateKeyPair();
  const signer = Signature.getInstance('SHA256withECDSA', provider);
  signer.initSign(privateKey);
  signer.update(data);
  const signature = signer.sign();
  assert.equal(signer.provider.name, provider ?? 'Provium');
  assert.equal(Signature.verify('SHA256withECDSA', publicKey, data, signature), true);
  signature[signature.length - 1] ^= 1;
  assert.equal(Signature.verify('SHA256withECDSA', publicKey, data, signature), false);
}
const [a, b] = [1, 2].map(() => KeyPairGenerator.getInstance('X25519').generateKeyPair());
const secret = (own, peer) => {
  const agreement = KeyAgreement.getInstance('X25519');
  agreement.init(own.privateKey);
  agreement.doPhase(peer.publicKey, true);
  return agreement.generateSecret();
};
assert.deepEqual(secret(a, b), secret(b, a));
assert.throws(
  () => Signature.getInstance('nonsense'),
  (error) => error instanceof spi.NoSuchAlgorithmError,
);

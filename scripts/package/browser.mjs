// What an application for browsers may contain; bundled by three bundlers, then run with web globals alone.

import { KeyPairGenerator, Signature } from 'provium';

const data = new TextEncoder().encode('bundled');
const { publicKey, privateKey } = KeyPairGenerator.getInstance('EC').generateKeyPair();
const signer = Signature.getInstance('SHA256withECDSA');
signer.initSign(privateKey);
signer.update(data);
const signature = signer.sign();
const accepted = Signature.verify('SHA256withECDSA', publicKey, data, signature);
signature[signature.length - 1] ^= 1;
const refused = !Signature.verify('SHA256withECDSA', publicKey, data, signature);
globalThis.report(accepted && refused ? signer.provider.name : 'a wrong answer');

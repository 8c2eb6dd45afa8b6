// An application: it names an algorithm and nothing else. Which provider and which engine serve is the operator's choice.

import { KeyPairGenerator, Security, Signature } from 'provium';

const { publicKey, privateKey } = KeyPairGenerator.getInstance('EC').initialize(256).generateKeyPair();
const data = new TextEncoder().encode('signed by whoever is configured');
const signer = Signature.getInstance('SHA256withECDSA').initSign(privateKey);
const signature = signer.update(data).sign();
const verifier = Signature.getInstance('SHA256withECDSA').initVerify(publicKey);
const explanation = Security.explain('Signature', 'SHA256withECDSA', privateKey);

console.log(
  JSON.stringify({
    provider: signer.provider.name,
    valid: verifier.update(data).verify(signature),
    chosen: explanation.chosen,
    engine: explanation.candidates[0].engine,
  }),
);

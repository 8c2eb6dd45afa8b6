// Type-checked against the packed declarations with all checks on and no other package installed.

import { ECGenParameterSpec, KeyPairGenerator, Signature } from 'provium';
import * as engines from 'provium/engines';
import * as fields from 'provium/fields';
import * as openssl from 'provium/providers/openssl';
import { type Key, ProviumError, type PublicKey } from 'provium/spi';
import 'provium/auto';

const generator = KeyPairGenerator.getInstance('EC');
generator.initialize(new ECGenParameterSpec('secp256r1'));
const { publicKey, privateKey } = generator.generateKeyPair();
const key: PublicKey & Key = publicKey;
const signature: Uint8Array = Signature.sign('SHA256withECDSA', privateKey, new Uint8Array(1));
const good: boolean = Signature.verify('SHA256withECDSA', key, new Uint8Array(1), signature);

export function codeOf(error: unknown): string | undefined {
  return error instanceof ProviumError ? error.code : undefined;
}
export const everything: readonly object[] = [engines, fields, openssl, { good }];

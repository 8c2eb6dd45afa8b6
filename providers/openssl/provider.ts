// node:crypto as an ordinary provider: everything that the OpenSSL of this Node version has, and nothing of ours.

import { Provider } from '../../spi/provider.ts';
import { hasNodeCrypto } from './node.ts';
import { openSslServices } from './services.ts';

/** True where the provider can work: in Node, not in a browser. */
export function isOpenSslAvailable(): boolean {
  return hasNodeCrypto();
}

/** The provider `OpenSSL`. Its version is that of OpenSSL. Throws ProviderError where there is no node:crypto. */
export class OpenSslProvider extends Provider {
  constructor() {
    const services = openSslServices();
    const { openssl, node } = process.versions;
    super({
      name: 'OpenSSL',
      version: openssl ?? 'unknown',
      info: `node:crypto of Node ${node}: ECDSA, EdDSA, ECDH, XDH, keys and hashes by OpenSSL ${openssl ?? ''}`.trim(),
      services,
    });
  }
}

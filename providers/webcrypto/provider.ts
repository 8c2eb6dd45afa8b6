// The platform's WebCrypto as an ordinary provider, in Node and in browsers, for the asynchronous façades.

import { Provider } from '../../spi/provider.ts';
import { webCryptoServices } from './services.ts';

/**
 * The provider `WebCrypto`. `globalThis.crypto.subtle` is looked at when it is used; without one every use fails.
 * The version is that of the Web Cryptography API.
 */
export class WebCryptoProvider extends Provider {
  constructor() {
    super({
      name: 'WebCrypto',
      version: '2',
      info: 'WebCrypto of the platform: ECDSA, EdDSA, ECDH, XDH and keys, also keys that cannot be exported',
      services: webCryptoServices(),
    });
  }
}

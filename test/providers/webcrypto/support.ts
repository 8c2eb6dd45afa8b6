// Contexts that the tests of the provider WebCrypto compare.

import { OpenSslProvider } from '../../../providers/openssl/index.ts';
import { createProviumProvider } from '../../../providers/provium/provider.ts';
import { WebCryptoProvider } from '../../../providers/webcrypto/index.ts';
import { SecurityContext } from '../../../spi/context.ts';

/** All three, WebCrypto first. */
export const context = new SecurityContext({
  providers: [new WebCryptoProvider(), createProviumProvider(), new OpenSslProvider()],
});

export function from(provider: 'WebCrypto' | 'Provium' | 'OpenSSL') {
  return { provider, context };
}
export const web = from('WebCrypto');
export const others = [from('Provium'), from('OpenSSL')] as const;

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export const EC_CURVES = ['secp256r1', 'secp384r1', 'secp521r1'] as const;

let ordered: SecurityContext | undefined;

/** The same with WebCrypto behind them, as a configuration may have it. */
export function orderedProviumFirst(): SecurityContext {
  ordered ??= new SecurityContext({ providers: [...context.getProviders()].reverse() });
  return ordered;
}

// The composition root and public face: everything of the framework, with the providers that come with the package.
// The only work at import is to say how the default context is filled, and by which names a configuration calls them.

import { isOpenSslAvailable, OpenSslProvider } from './providers/openssl/index.ts';
import { createProviumProvider } from './providers/provium/provider.ts';
import { isWebCryptoAvailable, WebCryptoProvider } from './providers/webcrypto/index.ts';
import { Security, setBuiltInProviders, setDefaultContextFactory } from './spi/context.ts';
import { ConfigurationError, InvalidParameterError, NoSuchProviderError } from './spi/errors.ts';
import { nameKey, resolveCurveName } from './spi/names.ts';
import type { Provider } from './spi/provider.ts';

export * from './spi/index.ts';

/** Names of the providers that come with the package, as a configuration calls them. */
export const BUILT_IN_PROVIDERS = ['Provium', 'OpenSSL', 'WebCrypto'] as const;
export type BuiltInProvider = (typeof BUILT_IN_PROVIDERS)[number];

/** One of our own providers, for a context that is put together by hand. Throws NoSuchProviderError where it cannot work. */
export function builtInProvider(name: BuiltInProvider): Provider {
  switch (name) {
    case 'Provium':
      return createProviumProvider();
    case 'OpenSSL':
      if (isOpenSslAvailable()) return new OpenSslProvider();
      throw new NoSuchProviderError('OpenSSL needs node:crypto, which this runtime does not have.');
    case 'WebCrypto':
      if (isWebCryptoAvailable()) return new WebCryptoProvider();
      throw new NoSuchProviderError('WebCrypto is not there: browsers offer it on secure pages only.');
    default:
      throw new NoSuchProviderError(
        `There is no built-in provider ${String(name)}; there is ${BUILT_IN_PROVIDERS.join(', ')}.`,
      );
  }
}

/** The providers of the default context in their order: in Node Provium, OpenSSL; in browsers Provium, WebCrypto. */
export function builtInProviders(): Provider[] {
  if (isOpenSslAvailable()) return [builtInProvider('Provium'), builtInProvider('OpenSSL')];
  return [builtInProvider('Provium'), ...(isWebCryptoAvailable() ? [builtInProvider('WebCrypto')] : [])];
}

/**
 * Makes the default context choose and test the engines of these curves, so that their first use waits for nothing.
 * Throws InvalidParameterError for a name that is not that of a curve.
 */
export async function preload(...curves: readonly string[]): Promise<void> {
  for (const name of curves) {
    const curve = resolveCurveName(name);
    if (curve === undefined) throw new InvalidParameterError(`There is no curve ${String(name)} to load.`);
    for (const provider of Security.getProviders()) provider.explainEngine(Security.services, curve);
  }
}

setDefaultContextFactory(() => ({ providers: builtInProviders() }));
setBuiltInProviders((name, options) => {
  const found = BUILT_IN_PROVIDERS.find((candidate) => nameKey(candidate) === nameKey(name));
  if (found === undefined) return undefined;
  if (options !== undefined) throw new ConfigurationError(`The built-in provider ${found} takes no options.`);
  return builtInProvider(found);
});

// provium/providers/webcrypto

export { isWebCryptoAvailable } from './platform.ts';
export { WebCryptoProvider } from './provider.ts';

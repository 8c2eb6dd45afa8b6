// provium/providers/openssl

export { isOpenSslAvailable, OpenSslProvider } from './provider.ts';

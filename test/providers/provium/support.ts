import { createProviumProvider, type ProviumProviderOptions } from '../../../providers/provium/provider.ts';
import type { Provider } from '../../../spi/provider.ts';
import type { ServiceContext, ServiceType, SpiOf } from '../../../spi/service.ts';

export const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
export const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');
export const text = (value: string) => new TextEncoder().encode(value);

export const context: ServiceContext = {
  random: (target) => globalThis.crypto.getRandomValues(target as Uint8Array<ArrayBuffer>),
  customRandom: false,
  nonce: 'hedged',
  engines: {},
  candidates: [],
};

const shared = createProviumProvider();

/** A fresh SPI object of the provider, as the framework would get it. */
export function spi<T extends ServiceType>(
  type: T,
  algorithm: string,
  options: { provider?: Provider; context?: ServiceContext } = {},
): SpiOf<T, 'sync'> {
  const service = (options.provider ?? shared).service(type, algorithm);
  if (service === undefined) throw new Error(`no service ${type} ${algorithm}`);
  return service.newInstance(options.context ?? context) as SpiOf<T, 'sync'>;
}

export function provider(options?: ProviumProviderOptions) {
  return createProviumProvider(options);
}

// What a SecurityContext is made of.

import type { Preferences } from './preferred.ts';
import type { Provider } from './provider.ts';
import type { Failover } from './selection.ts';
import type { EngineSettings, NonceMode, RandomSource } from './service.ts';

export interface ContextOptions {
  /** In order of preference. */
  readonly providers?: readonly Provider[] | undefined;
  /** Intrinsic candidates of third parties, handed to the providers as they are. */
  readonly candidates?: readonly unknown[] | undefined;
  /** The operator's say in the choice of engines, handed to the providers as it is. */
  readonly engines?: EngineSettings | undefined;
  /** Default nonce mode: `hedged`. */
  readonly nonce?: NonceMode | undefined;
  /** Default: the platform's. */
  readonly random?: RandomSource | undefined;
  /** Default: `unsupported`, so key generation fails closed at a failure at run time. */
  readonly failover?: Failover | undefined;
  readonly preferred?: Preferences | undefined;
  readonly defaultQuery?: string | undefined;
  readonly disabledAlgorithms?: readonly string[] | string | undefined;
}

/** What a configuration gives for the name of a provider that comes with the package; undefined if there is none. */
export type ProviderResolver = (name: string, options: unknown) => Provider | undefined | Promise<Provider | undefined>;

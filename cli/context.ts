// The context and the provider that a command works with: `--config` and `--provider`.

import { pathToFileURL } from 'node:url';
import { Provider, Security, SecurityContext } from '../index.ts';
import { UsageError } from './io.ts';

export interface CommonOptions {
  readonly json?: boolean;
  readonly provider?: string;
  readonly config?: string;
}

export interface Selected {
  readonly context: SecurityContext;
  /** Exactly this provider, where one was asked for. */
  readonly provider: Provider | undefined;
  /** What `getInstance` takes. */
  readonly from: { readonly context: SecurityContext; readonly provider?: Provider };
}

/** A module is meant by a path or by a file name; anything else is the name of a registered provider. */
function isModule(name: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(name);
}

/** The provider that a module exports by default or as `provider`; a function is called for it. */
async function loadProvider(path: string): Promise<Provider> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new UsageError(`cannot load the provider ${path}: ${cause instanceof Error ? cause.message : 'unknown'}`, {
      cause,
    });
  }
  const exported = module['default'] ?? module['provider'];
  const provider: unknown =
    typeof exported === 'function' && !(exported instanceof Provider) ? await exported() : exported;
  if (provider instanceof Provider) return provider;
  throw new UsageError(`${path} exports no provider, neither by default nor as "provider"`);
}

/** Throws UsageError, ConfigurationError, NoSuchProviderError. */
export async function select(options: CommonOptions): Promise<Selected> {
  const context = options.config === undefined ? Security : await SecurityContext.fromConfig(options.config);
  if (options.provider === undefined) return { context, provider: undefined, from: { context } };
  const provider = isModule(options.provider)
    ? await loadProvider(options.provider)
    : context.getProvider(options.provider);
  if (provider === undefined) {
    const names = context.getProviders().map(({ name }) => name);
    throw new UsageError(`there is no provider ${options.provider}; there is ${names.join(', ') || 'none'}`);
  }
  return { context, provider, from: { context, provider } };
}

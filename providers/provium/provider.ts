// The provider "Provium": its services on top of the engines, with one container for each context that uses it.

import type { Container } from 'inversify';
import type { EngineOptions, Engines } from '../../engines/container.ts';
import type { ForeignCandidate } from '../../engines/intrinsics/candidate.ts';
import { type Capabilities, detectCapabilities } from '../../engines/intrinsics/capabilities.ts';
import { Provider, type SelfTestResult } from '../../spi/provider.ts';
import type { ServiceContext } from '../../spi/service.ts';
import { createContainer } from './container.ts';
import { servedCurve } from './curves.ts';
import { HASHES, type Hashing, portableHashes } from './hashing.ts';
import { okpCurveName } from './okp-curves.ts';
import { proviumServices } from './services.ts';
import type { SpiFactory } from './spi-factory.ts';
import { ENGINES, HASHING, SPI_FACTORY } from './tokens.ts';

export interface ProviumProviderOptions {
  /** Overrides what the context says of engines: capabilities, candidates, policy; and listens to their events. */
  readonly engines?: Omit<EngineOptions, 'hashes'>;
  /** Hash functions for signatures and nonces; default: those of the platform. */
  readonly hashing?: Hashing;
}

const VERSION = '0.1.0';

/** What a context has of this provider, once it has used it. */
interface Attached {
  readonly container: Container;
  factory: SpiFactory | undefined;
}

/** The engine options that a context asks for. */
function engineOptions({ engines, candidates }: ServiceContext, capabilities: Capabilities | undefined): EngineOptions {
  const { prefer, deny, curves, trusted, disable } = engines;
  return {
    capabilities: capabilities ?? detectCapabilities(disable),
    // The engines check foreign candidates themselves.
    candidates: candidates as readonly ForeignCandidate[],
    policy: {
      ...(prefer === undefined ? {} : { prefer }),
      ...(deny === undefined ? {} : { deny }),
      ...(curves === undefined ? {} : { curves }),
      ...(trusted === undefined ? {} : { trusted }),
    },
  };
}

export class ProviumProvider extends Provider {
  readonly #options: ProviumProviderOptions;
  readonly #contexts = new WeakMap<ServiceContext, Attached>();

  constructor(options: ProviumProviderOptions = {}) {
    super({
      name: 'Provium',
      version: VERSION,
      info: 'ECDSA, EdDSA, ECDH and XDH with their keys in TypeScript and WebAssembly',
      services: proviumServices((context) => this.#factory(context)),
    });
    this.#options = options;
  }

  #attached(context: ServiceContext): Attached {
    let attached = this.#contexts.get(context);
    if (attached === undefined) {
      const { engines, hashing } = this.#options;
      const container = createContainer({
        engines: { ...engineOptions(context, engines?.capabilities), ...engines },
        ...(hashing === undefined ? {} : { hashing }),
      });
      attached = { container, factory: undefined };
      this.#contexts.set(context, attached);
    }
    return attached;
  }

  #factory(context: ServiceContext): SpiFactory {
    const attached = this.#attached(context);
    attached.factory ??= attached.container.get(SPI_FACTORY);
    return attached.factory;
  }

  /** The engines that serve a context. */
  engines(context: ServiceContext): Engines {
    return this.#attached(context).container.get(ENGINES);
  }

  /** Every candidate of every curve that may run here, and the hash functions against a second implementation. */
  override selfTest(context: ServiceContext): readonly SelfTestResult[] {
    const engines = this.engines(context)
      .selfTest()
      .map(({ curve, id, role, outcome, reason }) => ({
        name: `${curve} ${id} (${role})`,
        status: outcome === 'skipped' ? ('not run' as const) : outcome,
        detail: reason === '' ? undefined : reason,
      }));
    return [...engines, ...hashSelfTest(this.#attached(context).container.get(HASHING))];
  }

  /** The engine decision for a curve by any of its names; undefined for a curve that is not served. */
  override explainEngine(context: ServiceContext, curve: string): unknown {
    const name = servedCurve(curve) ?? okpCurveName(curve);
    return name === undefined ? undefined : this.engines(context).explain(name);
  }

  override detach(context: ServiceContext): void {
    this.#contexts.delete(context);
  }
}

function hashSelfTest(hashing: Hashing): readonly SelfTestResult[] {
  const message = new TextEncoder().encode('abc');
  const portable = portableHashes();
  return HASHES.map((hash) => {
    const expected = portable.digest(hash, message).join();
    const incremental = hashing.create(hash);
    incremental.update(message);
    const results = [hashing.digest(hash, message), hashing.digestSecret(hash, message), incremental.digest()];
    const passed = results.every((digest) => digest.join() === expected);
    return { name: `${hash.name} by ${hashing.source}`, status: passed ? 'passed' : 'failed' } as const;
  });
}

/** The built-in provider. */
export function createProviumProvider(options: ProviumProviderOptions = {}): ProviumProvider {
  return new ProviumProvider(options);
}

// The bindings of one context: hashing, engines, and the factory of SPI objects on top of them. All are singletons.

import { Container, ContainerModule } from 'inversify';
import { createEngines, type EngineOptions, type Engines } from '../../engines/container.ts';
import { Curves } from './curves.ts';
import { type Hashing, hashFunctions, platformHashing } from './hashing.ts';
import { OkpCurves } from './okp-curves.ts';
import { SpiFactory } from './spi-factory.ts';
import { EC_CURVES, ENGINES, HASHING, OKP_CURVES, SPI_FACTORY, VERIFICATION_POINTS } from './tokens.ts';
import { VerificationPoints } from './verification-points.ts';

export interface ProviumOptions {
  /** Capabilities, foreign candidates, policy and event listener of the engines; default: all that the machine can. */
  readonly engines?: Omit<EngineOptions, 'hashes'>;
  /** Default: that of the platform. */
  readonly hashing?: Hashing;
}

function proviumModule(options: ProviumOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(HASHING)
      .toResolvedValue(() => options.hashing ?? platformHashing())
      .inSingletonScope();
    bind(ENGINES)
      .toResolvedValue(
        (hashing: Hashing) => createEngines({ ...options.engines, hashes: hashFunctions(hashing) }),
        [HASHING],
      )
      .inSingletonScope();
    bind(EC_CURVES)
      .toResolvedValue(
        (engines: Engines, hashing: Hashing) => new Curves(engines, hashFunctions(hashing)),
        [ENGINES, HASHING],
      )
      .inSingletonScope();
    bind(OKP_CURVES)
      .toResolvedValue((engines: Engines) => new OkpCurves(engines), [ENGINES])
      .inSingletonScope();
    bind(VERIFICATION_POINTS)
      .toResolvedValue(() => new VerificationPoints())
      .inSingletonScope();
    bind(SPI_FACTORY).to(SpiFactory).inSingletonScope();
  });
}

/** A new container; nothing in it is built before it is asked for. */
export function createContainer(options: ProviumOptions = {}): Container {
  const container = new Container({ jitless: true });
  container.load(proviumModule(options));
  return container;
}

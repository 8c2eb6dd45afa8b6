// What the container of this provider resolves.

import type { ServiceIdentifier } from 'inversify';
import type { Engines } from '../../engines/container.ts';
import type { Curves } from './curves.ts';
import type { Hashing } from './hashing.ts';
import type { OkpCurves } from './okp-curves.ts';
import type { SpiFactory } from './spi-factory.ts';
import type { VerificationPoints } from './verification-points.ts';

export const HASHING: ServiceIdentifier<Hashing> = Symbol.for('provium.provider.hashing');
export const ENGINES: ServiceIdentifier<Engines> = Symbol.for('provium.provider.engines');
export const EC_CURVES: ServiceIdentifier<Curves> = Symbol.for('provium.provider.curves');
export const OKP_CURVES: ServiceIdentifier<OkpCurves> = Symbol.for('provium.provider.okp-curves');
export const VERIFICATION_POINTS: ServiceIdentifier<VerificationPoints> = Symbol.for('provium.provider.points');
export const SPI_FACTORY: ServiceIdentifier<SpiFactory> = Symbol.for('provium.provider.spi-factory');

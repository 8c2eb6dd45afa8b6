// Makes the SPI objects of one context from injected parts.

import { inject, injectable } from 'inversify';
import type { ServiceContext } from '../../spi/service.ts';
import { EcAlgorithmParameters } from './algorithm-parameters.ts';
import type { Curves } from './curves.ts';
import type { Hashing, HashRow } from './hashing.ts';
import { EcdhKeyAgreement } from './key-agreement.ts';
import { EcKeyFactory } from './key-factory.ts';
import { EcKeyPairGenerator } from './key-pair-generator.ts';
import { ProviumMessageDigest } from './message-digest.ts';
import type { EddsaAlgorithm, OkpAlgorithm, OkpCurves, XdhAlgorithm } from './okp-curves.ts';
import { XdhKeyAgreement } from './okp-key-agreement.ts';
import { OkpKeyFactory } from './okp-key-factory.ts';
import { OkpKeyPairGenerator } from './okp-key-pair-generator.ts';
import { EddsaSignature } from './okp-signature.ts';
import { type EcdsaParts, type EcdsaRow, EcdsaSignature } from './signature.ts';
import { EC_CURVES, HASHING, OKP_CURVES, VERIFICATION_POINTS } from './tokens.ts';
import type { VerificationPoints } from './verification-points.ts';

@injectable()
export class SpiFactory {
  readonly #parts: EcdsaParts;
  readonly #okp: OkpCurves;

  constructor(
    @inject(EC_CURVES) curves: Curves,
    @inject(HASHING) hashing: Hashing,
    @inject(VERIFICATION_POINTS) points: VerificationPoints,
    @inject(OKP_CURVES) okp: OkpCurves,
  ) {
    this.#parts = { curves, hashing, points };
    this.#okp = okp;
  }

  signature(row: EcdsaRow, context: ServiceContext): EcdsaSignature {
    return new EcdsaSignature(row, this.#parts, context);
  }

  keyAgreement(): EcdhKeyAgreement {
    return new EcdhKeyAgreement(this.#parts.curves);
  }

  keyPairGenerator(context: ServiceContext): EcKeyPairGenerator {
    return new EcKeyPairGenerator(this.#parts.curves, context);
  }

  keyFactory(): EcKeyFactory {
    return new EcKeyFactory(this.#parts.curves);
  }

  algorithmParameters(): EcAlgorithmParameters {
    return new EcAlgorithmParameters(this.#parts.curves);
  }

  eddsaSignature(algorithm: EddsaAlgorithm): EddsaSignature {
    return new EddsaSignature(algorithm, this.#okp, this.#parts.hashing);
  }

  xdhKeyAgreement(algorithm: XdhAlgorithm): XdhKeyAgreement {
    return new XdhKeyAgreement(algorithm, this.#okp);
  }

  okpKeyPairGenerator(algorithm: OkpAlgorithm, context: ServiceContext): OkpKeyPairGenerator {
    return new OkpKeyPairGenerator(algorithm, this.#okp, context);
  }

  okpKeyFactory(algorithm: OkpAlgorithm): OkpKeyFactory {
    return new OkpKeyFactory(algorithm, this.#okp);
  }

  messageDigest(hash: HashRow): ProviumMessageDigest {
    return new ProviumMessageDigest(this.#parts.hashing, hash);
  }
}

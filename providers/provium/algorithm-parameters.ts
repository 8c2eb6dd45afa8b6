// AlgorithmParameters for EC: a named curve, as ECParameters of RFC 5480.

import type { CurveName } from '../../engines/ec-operations.ts';
import { DER, decodeOid, encodeOid, parseDer } from '../../spi/encoding/der.ts';
import { IllegalStateError, InvalidAlgorithmParameterError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec } from '../../spi/key-specs.ts';
import { resolveCurve } from '../../spi/names.ts';
import type { AlgorithmParametersSpi } from '../../spi/service.ts';
import { type Curves, servedCurve } from './curves.ts';

function oidOf(encoded: Uint8Array): string {
  let node: ReturnType<typeof parseDer>;
  try {
    node = parseDer(encoded, 'The encoding of the parameters');
  } catch (cause) {
    throw new InvalidAlgorithmParameterError('The encoding of the EC parameters is not valid DER.', { cause });
  }
  if (node.tag === DER.oid) return decodeOid(node);
  throw new InvalidAlgorithmParameterError('EC parameters are the OID of a named curve; nothing else is accepted.');
}

export class EcAlgorithmParameters implements AlgorithmParametersSpi {
  readonly #curves: Curves;
  #curve: CurveName | undefined;

  constructor(curves: Curves) {
    this.#curves = curves;
  }

  init(parameters: AlgorithmParameterSpec | Uint8Array): void {
    this.#curve = undefined;
    const isEncoded = parameters instanceof Uint8Array;
    if (!isEncoded && !(parameters instanceof ECGenParameterSpec)) {
      throw new InvalidAlgorithmParameterError(`EC parameters are an ECGenParameterSpec, not ${parameters.kind}.`);
    }
    const name = isEncoded ? oidOf(parameters) : parameters.name;
    const curve = servedCurve(name);
    if (curve === undefined) throw new InvalidAlgorithmParameterError(`Provium does not serve the curve ${name}.`);
    this.#curve = curve;
  }

  #initialised(): CurveName {
    if (this.#curve === undefined) throw new IllegalStateError('The EC parameters are not initialised.');
    return this.#curve;
  }

  encoded(): Uint8Array {
    return encodeOid(this.#curves.operations(this.#initialised()).curve.oid);
  }

  parameterSpec(): ECGenParameterSpec {
    return new ECGenParameterSpec(this.#initialised());
  }

  toString(): string {
    const curve = this.#initialised();
    const row = resolveCurve(curve);
    return `${curve} [${row?.aliases.join(',') ?? ''}] (${row?.oid ?? ''})`;
  }
}

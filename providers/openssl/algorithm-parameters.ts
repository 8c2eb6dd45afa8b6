// Parameters of EC keys: the named curve as its OBJECT IDENTIFIER. RFC 5480, section 2.1.1.

import { DER, decodeOid, encodeOid, parseDer } from '../../spi/encoding/der.ts';
import { IllegalStateError, InvalidAlgorithmParameterError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec } from '../../spi/key-specs.ts';
import type { AlgorithmParametersSpi } from '../../spi/service.ts';
import { findCurve, type OpenSslCurve } from './curves.ts';

export class EcAlgorithmParameters implements AlgorithmParametersSpi {
  #curve: OpenSslCurve | undefined;

  init(parameters: AlgorithmParameterSpec | Uint8Array): void {
    const name = parameters instanceof Uint8Array ? nameOf(parameters) : specName(parameters);
    const curve = findCurve(name);
    if (curve === undefined) throw new InvalidAlgorithmParameterError(`OpenSSL has no curve ${name}.`);
    this.#curve = curve;
  }

  encoded(): Uint8Array {
    return encodeOid(this.#initialised().oid);
  }

  parameterSpec(): ECGenParameterSpec {
    return new ECGenParameterSpec(this.#initialised().name);
  }

  toString(): string {
    const { name, oid } = this.#initialised();
    return `${name} (${oid})`;
  }

  #initialised(): OpenSslCurve {
    if (this.#curve === undefined) throw new IllegalStateError('These EC parameters are not initialised.');
    return this.#curve;
  }
}

function specName(parameters: AlgorithmParameterSpec): string {
  if (parameters instanceof ECGenParameterSpec) return parameters.name;
  throw new InvalidAlgorithmParameterError(`EC takes ECGenParameterSpec, not ${parameters.kind}.`);
}

function nameOf(encoded: Uint8Array): string {
  try {
    const node = parseDer(encoded, 'The EC parameters');
    if (node.tag === DER.oid) return decodeOid(node);
  } catch (cause) {
    throw new InvalidAlgorithmParameterError('The EC parameters are not DER.', { cause });
  }
  throw new InvalidAlgorithmParameterError(
    'EC parameters are the OBJECT IDENTIFIER of a named curve; nothing else is taken.',
  );
}

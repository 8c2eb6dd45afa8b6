// Key pairs by generateKeyPairSync: EC on every curve OpenSSL names, EdDSA and XDH.

import { InvalidAlgorithmParameterError, InvalidParameterError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec, NamedParameterSpec } from '../../spi/key-specs.ts';
import type { KeyPair } from '../../spi/keys.ts';
import type { KeyGenerationOptions, KeyPairGeneratorSpi, RequestedOptions } from '../../spi/service.ts';
import { findCurve, type OpenSslCurve } from './curves.ts';
import { EcPrivateKey, EcPublicKey, EdPrivateKey, EdPublicKey, XPrivateKey, XPublicKey } from './keys.ts';
import { nodeCrypto } from './node.ts';
import { findOkp, OKP_CURVES, type OkpCurve } from './okp.ts';
import { OWN_RANDOM } from './signature.ts';

/** Sizes by number, as in the JCA; other curves by name. */
const EC_SIZES: ReadonlyMap<number, string> = new Map([
  [224, 'secp224r1'],
  [256, 'secp256r1'],
  [384, 'secp384r1'],
  [521, 'secp521r1'],
]);
const DEFAULT_EC_SIZE = 256;
const DEFAULT_OKP_SIZE = 255;

type Parameters = number | AlgorithmParameterSpec | undefined;

/** The curve, or why there is none. */
function ecCurve(parameters: Parameters): OpenSslCurve | string {
  if (parameters === undefined || typeof parameters === 'number') {
    const size = parameters ?? DEFAULT_EC_SIZE;
    const name = EC_SIZES.get(size);
    const found = name === undefined ? undefined : findCurve(name);
    return (
      found ??
      `no EC curve is meant by ${size} bits (${[...EC_SIZES.keys()].join(', ')}); name one with ECGenParameterSpec`
    );
  }
  if (!(parameters instanceof ECGenParameterSpec)) return `EC takes ECGenParameterSpec, not ${parameters.kind}`;
  return findCurve(parameters.name) ?? `OpenSSL has no curve ${parameters.name}`;
}

/** The curve among those that the algorithm (a family or one curve) allows, or why there is none. */
function okpCurve(algorithm: string, parameters: Parameters): OkpCurve | string {
  const allowed = OKP_CURVES.filter((curve) => curve.algorithm === algorithm || curve.name === algorithm);
  const names = allowed.map((curve) => curve.name).join(' or ');
  if (parameters === undefined) {
    return allowed.find((curve) => curve.size === DEFAULT_OKP_SIZE) ?? allowed[0] ?? `there is no ${algorithm}`;
  }
  if (typeof parameters === 'number') {
    return allowed.find((curve) => curve.size === parameters) ?? `${algorithm} has no key of ${parameters} bits`;
  }
  if (!(parameters instanceof NamedParameterSpec || parameters instanceof ECGenParameterSpec)) {
    return `${algorithm} takes NamedParameterSpec, not ${parameters.kind}`;
  }
  const named = findOkp(parameters.name);
  return named !== undefined && allowed.includes(named) ? named : `${algorithm} means ${names}, not ${parameters.name}`;
}

/** `true`, or what of the options cannot be honoured. */
export function generatorSupportsOptions(algorithm: string): (options: RequestedOptions) => true | string {
  const choose = algorithm === 'EC' ? ecCurve : (parameters: Parameters) => okpCurve(algorithm, parameters);
  return (options) => {
    if (options.use !== 'generate') return true;
    if (options.random !== undefined) return OWN_RANDOM;
    const chosen = choose(options.parameters ?? options.size);
    return typeof chosen === 'string' ? chosen : true;
  };
}

abstract class Generator<Row> implements KeyPairGeneratorSpi {
  readonly #algorithm: string;
  readonly #customRandom: boolean;
  #row: Row | undefined;

  /** `customRandom`: the context has a source of its own, which OpenSSL cannot use. */
  constructor(algorithm: string, customRandom: boolean) {
    this.#algorithm = algorithm;
    this.#customRandom = customRandom;
  }

  protected abstract choose(parameters: Parameters): Row | string;
  protected abstract generate(row: Row): KeyPair;

  initialize(parameters: Parameters, options: KeyGenerationOptions): void {
    this.#row = undefined;
    if (options.random !== undefined || this.#customRandom) {
      throw new InvalidAlgorithmParameterError(`${this.#algorithm} key generation: ${OWN_RANDOM}.`);
    }
    const chosen = this.choose(parameters);
    if (typeof chosen === 'string') {
      const Failure = typeof parameters === 'number' ? InvalidParameterError : InvalidAlgorithmParameterError;
      throw new Failure(`${this.#algorithm} key generation of OpenSSL: ${chosen}.`);
    }
    this.#row = chosen;
  }

  generateKeyPair(): KeyPair {
    if (this.#row === undefined) this.initialize(undefined, {});
    return this.generate(this.#row as Row);
  }
}

export class EcKeyPairGenerator extends Generator<OpenSslCurve> {
  constructor(customRandom = false) {
    super('EC', customRandom);
  }
  protected override choose(parameters: Parameters): OpenSslCurve | string {
    return ecCurve(parameters);
  }
  protected override generate(row: OpenSslCurve): KeyPair<EcPublicKey, EcPrivateKey> {
    const pair = nodeCrypto().generateKeyPairSync('ec', { namedCurve: row.nodeName });
    return { publicKey: new EcPublicKey(row, pair.publicKey), privateKey: new EcPrivateKey(row, pair.privateKey) };
  }
}

/** `EdDSA`, `XDH`, or one curve of theirs. */
export class OkpKeyPairGenerator extends Generator<OkpCurve> {
  readonly #name: string;
  constructor(algorithm: string, customRandom = false) {
    super(algorithm, customRandom);
    this.#name = algorithm;
  }
  protected override choose(parameters: Parameters): OkpCurve | string {
    return okpCurve(this.#name, parameters);
  }
  protected override generate(row: OkpCurve): KeyPair {
    const { publicKey, privateKey } = generateOkp(row);
    return row.algorithm === 'EdDSA'
      ? { publicKey: new EdPublicKey(row, publicKey), privateKey: new EdPrivateKey(row, privateKey) }
      : { publicKey: new XPublicKey(row, publicKey), privateKey: new XPrivateKey(row, privateKey) };
  }
}

function generateOkp(row: OkpCurve) {
  const { generateKeyPairSync } = nodeCrypto();
  // One overload per type.
  switch (row.nodeName) {
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'ed448':
      return generateKeyPairSync('ed448');
    case 'x25519':
      return generateKeyPairSync('x25519');
    case 'x448':
      return generateKeyPairSync('x448');
  }
}

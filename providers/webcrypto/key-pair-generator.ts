// Key pairs by generateKey. OpaqueKeyGenParameterSpec asks for a private key that the platform never gives out.

import { decodePkcs8, encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { decodeSpki, encodeSpki } from '../../spi/encoding/spki.ts';
import {
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidParameterError,
  ProviderError,
} from '../../spi/errors.ts';
import { CryptoKeyPrivateKey, CryptoKeyPublicKey } from '../../spi/foreign-keys.ts';
import {
  type AlgorithmParameterSpec,
  ECGenParameterSpec,
  NamedParameterSpec,
  OpaqueKeyGenParameterSpec,
} from '../../spi/key-specs.ts';
import type { KeyPair } from '../../spi/keys.ts';
import type { KeyGenerationOptions, KeyPairGeneratorSpi, RequestedOptions } from '../../spi/service.ts';
import { algorithmFor, curvesOf, findCurve, mainPurpose, type Purpose, usagesOf, type WebCurve } from './curves.ts';
import { wipePrivate } from './decode.ts';
import { knownVerdict, requireForGeneration, subtle } from './platform.ts';

export const OWN_RANDOM = 'WebCrypto draws from its own random source; a source of your own cannot be used';

type Parameters = number | AlgorithmParameterSpec | undefined;

interface Choice {
  readonly curve: WebCurve;
  readonly purpose: Purpose;
  readonly opaque: boolean;
}

/** What the parameters ask for, or why it is not to be had. */
function choose(algorithm: string, parameters: Parameters): Choice | string {
  const allowed = curvesOf(algorithm);
  const names = allowed.map((curve) => curve.name).join(', ');
  if (parameters === undefined || typeof parameters === 'number') {
    const curve = parameters === undefined ? allowed[0] : allowed.find(({ size }) => size === parameters);
    if (curve === undefined) return `${algorithm} of WebCrypto has no key of ${parameters} bits (${names})`;
    return { curve, purpose: mainPurpose(curve), opaque: false };
  }
  const opaque = parameters instanceof OpaqueKeyGenParameterSpec;
  const named =
    opaque ||
    parameters instanceof ECGenParameterSpec ||
    (algorithm !== 'EC' && parameters instanceof NamedParameterSpec);
  if (!named) return `${algorithm} of WebCrypto does not take ${parameters.kind}`;
  const curve = findCurve(parameters.name);
  if (curve === undefined || !allowed.includes(curve)) {
    return `${algorithm} of WebCrypto means ${names}, not ${parameters.name}`;
  }
  if (!opaque) return { curve, purpose: mainPurpose(curve), opaque };
  const purpose = curve.family === 'EC' && parameters.use === 'agree' ? 'ECDH' : mainPurpose(curve);
  const use = purpose === 'ECDH' || purpose === 'XDH' ? 'agree' : 'sign';
  if (parameters.use !== undefined && parameters.use !== use)
    return `keys on ${curve.name} are not made to ${parameters.use}`;
  return { curve, purpose, opaque };
}

/** `true`, or what of the options cannot be honoured. */
export function generatorSupportsOptions(algorithm: string): (options: RequestedOptions) => true | string {
  return (options) => {
    if (options.use !== 'generate') return true;
    if (options.random !== undefined) return OWN_RANDOM;
    const chosen = choose(algorithm, options.parameters ?? options.size);
    return typeof chosen === 'string' ? chosen : knownVerdict(chosen.curve, chosen.purpose);
  };
}

export class WebCryptoKeyPairGenerator implements KeyPairGeneratorSpi<'async'> {
  readonly #algorithm: string;
  readonly #customRandom: boolean;
  #choice: Choice | undefined;

  /** `customRandom`: the context has a source of its own, which the platform cannot use. */
  constructor(algorithm: string, customRandom: boolean) {
    this.#algorithm = algorithm;
    this.#customRandom = customRandom;
  }

  async initialize(parameters: Parameters, options: KeyGenerationOptions): Promise<void> {
    this.#choice = undefined;
    if (options.random !== undefined || this.#customRandom) {
      throw new InvalidAlgorithmParameterError(`${this.#algorithm}: ${OWN_RANDOM}.`);
    }
    const chosen = choose(this.#algorithm, parameters);
    if (typeof chosen === 'string') {
      const Failure = typeof parameters === 'number' ? InvalidParameterError : InvalidAlgorithmParameterError;
      throw new Failure(`${chosen}.`);
    }
    await requireForGeneration(chosen.curve, chosen.purpose);
    this.#choice = chosen;
  }

  async generateKeyPair(): Promise<KeyPair> {
    if (this.#choice === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised.`);
    const { curve, purpose, opaque } = this.#choice;
    const usages = [...usagesOf(purpose, 'private'), ...usagesOf(purpose, 'public')];
    try {
      const pair = (await subtle().generateKey(algorithmFor(curve, purpose), !opaque, usages)) as CryptoKeyPair;
      const open = decodeSpki(new Uint8Array(await subtle().exportKey('spki', pair.publicKey)));
      const publicKey = new CryptoKeyPublicKey(pair.publicKey, encodeSpki(open));
      if (opaque) return { publicKey, privateKey: new CryptoKeyPrivateKey(pair.privateKey, undefined) };
      const octets = open.algorithm === 'EC' ? open.point : undefined;
      const privateKey = new CryptoKeyPrivateKey(pair.privateKey, await canonical(pair.privateKey, octets));
      return { publicKey, privateKey };
    } catch (cause) {
      throw new ProviderError(`WebCrypto could not generate a key pair on ${curve.name}.`, { cause });
    }
  }
}

/** The private encoding as this provider writes it: EC with its public point, the others without. */
async function canonical(handle: CryptoKey, publicPoint: Uint8Array | undefined): Promise<Uint8Array> {
  const exported = new Uint8Array(await subtle().exportKey('pkcs8', handle));
  try {
    const data = decodePkcs8(exported);
    try {
      return encodePkcs8(data.algorithm === 'EC' ? { ...data, publicPoint } : { ...data, publicKey: undefined });
    } finally {
      wipePrivate(data);
    }
  } finally {
    exported.fill(0);
  }
}

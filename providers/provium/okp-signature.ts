// EdDSA (RFC 8032): pure, with a context, and prehashed.

import type { EdDSAOperations, EdDSAOptions } from '../../engines/eddsa-operations.ts';
import { EngineError } from '../../engines/errors.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, EdDSAParameterSpec } from '../../spi/key-specs.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type {
  RequestedOptions,
  SignatureSpi,
  SignOptions,
  VerificationCriteria,
  VerifyOptions,
} from '../../spi/service.ts';
import { type Hashing, type HashRow, hashRow, type IncrementalHash } from './hashing.ts';
import { curvesOf, type EddsaAlgorithm, type OkpCurves } from './okp-curves.ts';
import { decodedOf, EdPrivateKey, EdPublicKey, secretBytesOf } from './okp-keys.ts';

/** `true`, or which option of the caller cannot be honoured. */
export function eddsaSupports(algorithm: EddsaAlgorithm, options: RequestedOptions): true | string {
  if (options.use !== 'sign' && options.use !== 'verify') return `${algorithm} serves signatures only`;
  const { parameters, lowS } = options;
  if (lowS !== undefined) return 'options.lowS is one of ECDSA, not of EdDSA';
  if (options.use === 'sign') {
    if (options.random !== undefined) return 'EdDSA is deterministic: options.random has no use';
    if (options.nonceHash !== undefined) return 'options.nonceHash is one of ECDSA, not of EdDSA';
    if (options.nonce !== undefined && options.nonce !== 'deterministic') return 'EdDSA is deterministic';
  } else if (options.criteria === 'zip215' && algorithm === 'Ed448') {
    return 'the criteria zip215 are those of Ed25519';
  }
  return (
    parameters === undefined ||
    parameters instanceof EdDSAParameterSpec ||
    `${algorithm} takes an EdDSAParameterSpec, not ${parameters.kind}`
  );
}

interface Mode {
  readonly eddsa: EdDSAOperations;
  readonly parameters: EdDSAParameterSpec | undefined;
}
interface Signing extends Mode {
  readonly key: EdPrivateKey;
}
interface Verifying extends Mode {
  readonly key: EdPublicKey;
  readonly criteria: VerificationCriteria;
}

/** What was fed: pieces of the message, or their hash where the signature is prehashed. */
class MessageInput {
  readonly #hashing: Hashing;
  readonly #prehash: HashRow | undefined;
  #pieces: Uint8Array[] = [];
  #state: IncrementalHash | undefined;

  constructor(hashing: Hashing, { eddsa, parameters }: Mode) {
    this.#hashing = hashing;
    this.#prehash = parameters?.prehash === true ? hashRow(eddsa.curve.hash) : undefined;
  }

  update(data: Uint8Array): void {
    if (this.#prehash === undefined) {
      this.#pieces.push(Uint8Array.from(data));
      return;
    }
    this.#state ??= this.#hashing.create(this.#prehash);
    this.#state.update(data);
  }

  /** What is to be signed; `use` must not keep it. */
  consume<T>(use: (message: readonly Uint8Array[]) => T): T {
    try {
      if (this.#prehash === undefined) return use(this.#pieces);
      return use([(this.#state ?? this.#hashing.create(this.#prehash)).digest()]);
    } finally {
      this.reset();
    }
  }

  reset(): void {
    for (const piece of this.#pieces) piece.fill(0);
    this.#pieces = [];
    this.#state = undefined;
  }
}

export class EddsaSignature implements SignatureSpi {
  readonly #algorithm: EddsaAlgorithm;
  readonly #curves: OkpCurves;
  readonly #hashing: Hashing;
  #signing: Signing | undefined;
  #verifying: Verifying | undefined;
  #input: MessageInput | undefined;

  constructor(algorithm: EddsaAlgorithm, curves: OkpCurves, hashing: Hashing) {
    this.#algorithm = algorithm;
    this.#curves = curves;
    this.#hashing = hashing;
  }

  initSign(key: PrivateKey, options: SignOptions): void {
    this.#forget();
    this.#signing = this.#prepareSigning(key, options);
    this.#input = new MessageInput(this.#hashing, this.#signing);
  }

  initVerify(key: PublicKey, options: VerifyOptions): void {
    this.#forget();
    this.#verifying = this.#prepareVerifying(key, options);
    this.#input = new MessageInput(this.#hashing, this.#verifying);
  }

  update(data: Uint8Array): void {
    if (this.#input === undefined) throw this.#notInitialised('initSign or initVerify');
    this.#input.update(data);
  }

  sign(): Uint8Array {
    const signing = this.#signing;
    if (signing === undefined || this.#input === undefined) throw this.#notInitialised('initSign');
    return this.#input.consume((message) => this.#sign(signing, message, 'given'));
  }

  verify(signature: Uint8Array): boolean {
    const verifying = this.#verifying;
    if (verifying === undefined || this.#input === undefined) throw this.#notInitialised('initVerify');
    return this.#input.consume((message) => this.#verify(verifying, message, signature, 'given'));
  }

  signOnce(key: PrivateKey, data: Uint8Array, options: SignOptions): Uint8Array {
    return this.#sign(this.#prepareSigning(key, options), [data], true);
  }

  verifyOnce(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): boolean {
    return this.#verify(this.#prepareVerifying(key, options), [data], signature, true);
  }

  reset(): void {
    this.#input?.reset();
  }

  #forget(): void {
    this.reset();
    this.#signing = undefined;
    this.#verifying = undefined;
    this.#input = undefined;
  }

  #notInitialised(missing: string): IllegalStateError {
    return new IllegalStateError(`${this.#algorithm} is not initialised for this: call ${missing} first.`);
  }

  #checkOptions(options: RequestedOptions): void {
    const fault = eddsaSupports(this.#algorithm, options);
    if (fault !== true) throw new InvalidAlgorithmParameterError(`Provium ${this.#algorithm}: ${fault}.`);
  }

  #prepareSigning(key: PrivateKey, options: SignOptions): Signing {
    if (!(key instanceof EdPrivateKey) || !curvesOf(this.#algorithm).includes(key.curve)) {
      throw this.#wrongKey('private', key);
    }
    key.assertUsable();
    this.#checkOptions({ use: 'sign', ...options });
    return { key, eddsa: this.#curves.eddsa(key.curve), parameters: parametersOf(options) };
  }

  #prepareVerifying(key: PublicKey, options: VerifyOptions): Verifying {
    if (!(key instanceof EdPublicKey) || !curvesOf(this.#algorithm).includes(key.curve)) {
      throw this.#wrongKey('public', key);
    }
    key.assertUsable();
    this.#checkOptions({ use: 'verify', ...options });
    const { criteria = 'rfc8032' } = options;
    if (criteria === 'zip215' && key.curve !== 'Ed25519') {
      throw new InvalidAlgorithmParameterError(
        `The criteria zip215 are those of Ed25519, the key is for ${key.curve}.`,
      );
    }
    if (key.zip215 && criteria !== 'zip215') {
      throw new InvalidKeyError(`A key imported for zip215 serves under these criteria only, not under ${criteria}.`);
    }
    return { key, criteria, eddsa: this.#curves.eddsa(key.curve), parameters: parametersOf(options) };
  }

  #wrongKey(kind: string, key: unknown): InvalidKeyError {
    const wanted = curvesOf(this.#algorithm).join(' or ');
    const got = key instanceof Object && 'describe' in key ? String(key) : typeof key;
    return new InvalidKeyError(`${this.#algorithm} of Provium needs a ${kind} key for ${wanted}, got ${got}.`);
  }

  #sign({ key, eddsa, parameters }: Signing, message: readonly Uint8Array[], prehash: true | 'given'): Uint8Array {
    return this.#translated(() =>
      eddsa.sign(secretBytesOf(key), key.publicBytes(), message, engineOptions(parameters, prehash)),
    );
  }

  #verify(
    { key, eddsa, parameters, criteria }: Verifying,
    message: readonly Uint8Array[],
    signature: Uint8Array,
    prehash: true | 'given',
  ): boolean {
    const decoded = decodedOf(key);
    return this.#translated(() => {
      const options = { ...engineOptions(parameters, prehash), criteria };
      return eddsa.verifyVartime(decoded, message, signature, options) === 1;
    });
  }

  #translated<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new ProviderError(`${this.#algorithm} of Provium failed: ${error.message}.`, { cause: error });
    }
  }
}

function parametersOf({ parameters }: { readonly parameters?: AlgorithmParameterSpec | undefined }) {
  return parameters instanceof EdDSAParameterSpec ? parameters : undefined;
}

/** `prehash` says what the message is where the signature is prehashed: the message itself, or its hash already. */
function engineOptions(parameters: EdDSAParameterSpec | undefined, prehash: true | 'given'): EdDSAOptions {
  if (parameters === undefined) return {};
  return { prehash: parameters.prehash ? prehash : false, context: parameters.context };
}

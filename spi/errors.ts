// Everything that can go wrong, one class per exception of the JCA. `code` is API, messages are not.
// Messages never carry secret bytes; inputs are described by kind and length only.

export type ErrorCode =
  | 'ERR_NO_SUCH_ALGORITHM'
  | 'ERR_NO_SUCH_PROVIDER'
  | 'ERR_INVALID_KEY'
  | 'ERR_INVALID_KEY_SPEC'
  | 'ERR_INVALID_ALGORITHM_PARAMETER'
  | 'ERR_INVALID_PARAMETER'
  | 'ERR_SIGNATURE'
  | 'ERR_ILLEGAL_STATE'
  | 'ERR_KEY_DESTROYED'
  | 'ERR_PROVIDER'
  | 'ERR_CONFIGURATION'
  | 'ERR_ALGORITHM_DISABLED';

/** One candidate that was tried or skipped during selection, and why it did not serve. */
export interface CandidateFailure {
  readonly provider: string;
  readonly algorithm: string;
  readonly reason: string;
  /** What the candidate threw; absent when it was skipped without being asked. */
  readonly error?: unknown;
}

export interface ErrorDetails {
  readonly cause?: unknown;
  /** Every candidate of a failed selection, in order. */
  readonly errors?: readonly CandidateFailure[];
}

/** Base of all errors that this library throws on purpose. */
export abstract class ProviumError extends Error {
  abstract readonly code: ErrorCode;
  /** For a failed selection: every candidate with its reason, in the order tried. Otherwise empty. */
  readonly errors: readonly CandidateFailure[];

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.errors = details.errors ?? [];
  }
}

/** No registered provider serves the algorithm (or not in the way asked for). */
export class NoSuchAlgorithmError extends ProviumError {
  override readonly code = 'ERR_NO_SUCH_ALGORITHM';
}

/** The provider that was named is not registered. */
export class NoSuchProviderError extends ProviumError {
  override readonly code = 'ERR_NO_SUCH_PROVIDER';
}

/** The key is of the wrong kind, malformed, or of no use for the operation. */
export class InvalidKeyError extends ProviumError {
  override readonly code = 'ERR_INVALID_KEY';
}

/** The key material handed to a key factory does not describe a valid key. */
export class InvalidKeySpecError extends ProviumError {
  override readonly code = 'ERR_INVALID_KEY_SPEC';
}

/** Parameters or options that no eligible provider can honour, or that contradict the key. */
export class InvalidAlgorithmParameterError extends ProviumError {
  override readonly code = 'ERR_INVALID_ALGORITHM_PARAMETER';
}

/** An argument of the wrong type, size or range. */
export class InvalidParameterError extends ProviumError {
  override readonly code = 'ERR_INVALID_PARAMETER';
}

/** A signature could not be made from this input (verification answers `false` instead). */
export class SignatureError extends ProviumError {
  override readonly code = 'ERR_SIGNATURE';
}

/** A call out of order: before an init, or in the wrong mode. */
export class IllegalStateError extends ProviumError {
  override readonly code = 'ERR_ILLEGAL_STATE';
}

/** The key was destroyed. */
export class KeyDestroyedError extends ProviumError {
  override readonly code = 'ERR_KEY_DESTROYED';
}

/** A provider failed or broke its contract; `cause` has what it threw. */
export class ProviderError extends ProviumError {
  override readonly code = 'ERR_PROVIDER';
}

/** The configuration is wrong; the message names the path. */
export class ConfigurationError extends ProviumError {
  override readonly code = 'ERR_CONFIGURATION';
}

/** The operator's policy forbids the algorithm, curve, key or use. */
export class AlgorithmDisabledError extends ProviumError {
  override readonly code = 'ERR_ALGORITHM_DISABLED';
}

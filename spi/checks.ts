// Checks of what crosses the border between application, framework and provider.

import { InvalidParameterError, ProviderError, ProviumError } from './errors.ts';
import type { RandomSource } from './service.ts';

/** A few words on a value of the wrong type, never its content. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return `an object of class ${value.constructor?.name ?? 'none'}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

/** Throws InvalidParameterError for anything but a Uint8Array. */
export function requireBytes(value: unknown, what: string): asserts value is Uint8Array {
  if (value instanceof Uint8Array) return;
  const hint = typeof value === 'string' ? ' Encode text first: new TextEncoder().encode(text).' : '';
  throw new InvalidParameterError(`${what} must be a Uint8Array, got ${kindOf(value)}.${hint}`);
}

/** What a provider threw, as an error of this library: its own errors pass, anything else becomes a ProviderError. */
export function asProviumError(thrown: unknown, provider: string, what: string): ProviumError {
  if (thrown instanceof ProviumError) return thrown;
  const reason = describeThrown(thrown);
  return new ProviderError(`The provider ${provider} failed in ${what}: ${reason}.`, { cause: thrown });
}

/** A reason for people, whatever was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message.replace(/\.$/, '');
    return `it threw ${kindOf(thrown)}`;
  } catch {
    return 'it threw something that cannot be described';
  }
}

/** The provider's bytes as a plain Uint8Array; throws ProviderError for anything else or a length not allowed. */
export function checkedBytes(value: unknown, provider: string, what: string, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array)) {
    throw new ProviderError(`The provider ${provider} gave ${kindOf(value)} for ${what}, not a Uint8Array.`);
  }
  if (length === undefined ? value.length === 0 : value.length !== length) {
    const wanted = length === undefined ? 'at least one' : String(length);
    throw new ProviderError(
      `The provider ${provider} gave ${value.length} bytes for ${what}, where ${wanted} must be.`,
    );
  }
  // A window on a larger buffer would show the caller what stands beside it.
  const whole = value.constructor === Uint8Array && value.length === value.buffer.byteLength;
  return whole ? value : new Uint8Array(value);
}

/** Throws ProviderError unless the value is exactly true or false. */
export function checkedBoolean(value: unknown, provider: string, what: string): boolean {
  if (value === true || value === false) return value;
  throw new ProviderError(`The provider ${provider} gave ${kindOf(value)} for ${what}, not true or false.`);
}

/** Fills of this length or more cannot be all zero by chance. */
const SHORTEST_CHECKED_FILL = 16;
const checkedSources = new WeakSet<RandomSource>();

/** The same source, with ProviderError for a fill of 16 bytes or more that is all zero, or a source that throws. */
export function checkedRandom(source: RandomSource): RandomSource {
  if (checkedSources.has(source)) return source;
  const checked: RandomSource = (bytes) => {
    bytes.fill(0);
    try {
      source(bytes);
    } catch (error) {
      throw error instanceof ProviumError
        ? error
        : new ProviderError(`The random source failed: ${describeThrown(error)}.`, { cause: error });
    }
    if (bytes.length < SHORTEST_CHECKED_FILL) return;
    let any = 0;
    for (let i = 0; i < bytes.length; i++) any |= bytes[i] as number;
    if (any === 0) throw new ProviderError('The random source gave nothing but zeros.');
  };
  checkedSources.add(checked);
  return checked;
}

/** Bytes that one call of getRandomValues may ask for. */
const LARGEST_FILL = 65536;

/** The platform's generator. */
export function platformRandom(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += LARGEST_FILL) {
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + LARGEST_FILL) as Uint8Array<ArrayBuffer>);
  }
}

/** A promise where a value should be: takes its rejection, so that it cannot end the process. True if it was one. */
export function defusePromise(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    const then = (value as { readonly then?: unknown }).then;
    if (typeof then !== 'function') return false;
    then.call(value, noop, noop);
    return true;
  } catch {
    return true;
  }
}

function noop(): void {}

/** A value where nothing should be is harmless, a promise is not: it has not happened yet. */
export function requireDone(result: unknown, provider: string): void {
  if (defusePromise(result)) throw new ProviderError(`The provider ${provider} gave a promise in update.`);
}

/** Feeds data. Throws ProviderError for a promise. */
export function feed(spi: { update(data: Uint8Array): void }, data: Uint8Array, provider: string): void {
  const result: unknown = spi.update(data);
  if (result !== undefined) requireDone(result, provider);
}

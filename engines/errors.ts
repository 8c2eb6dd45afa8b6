// The one error of this layer; the provider above translates it.

/** The engines could not be built, or a candidate broke its contract. Messages carry no secrets. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

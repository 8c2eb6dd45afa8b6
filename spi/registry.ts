// The ordered list of providers: an immutable snapshot, replaced on every change.

import { kindOf } from './checks.ts';
import { InvalidParameterError } from './errors.ts';
import { foldName } from './names.ts';
import { Provider } from './provider.ts';

export class ProviderRegistry {
  #snapshot: readonly Provider[] = Object.freeze([]);

  /** The list of this moment; never changes once handed out. */
  get providers(): readonly Provider[] {
    return this.#snapshot;
  }

  get(name: string): Provider | undefined {
    const folded = foldName(name);
    return this.#snapshot.find((provider) => foldName(provider.name) === folded);
  }

  /** Counted from 1; out of range means at the end. The position taken, or −1 (and no change) if the name is there. */
  insert(provider: Provider, position: number): number {
    if (!(provider instanceof Provider)) {
      throw new InvalidParameterError(
        `A provider must be made by defineProvider or be an instance of Provider, got ${kindOf(provider)}.`,
      );
    }
    if (!Number.isInteger(position)) throw new InvalidParameterError('A position must be a whole number, from 1.');
    if (this.get(provider.name) !== undefined) return -1;
    const list = [...this.#snapshot];
    const index = position < 1 || position > list.length ? list.length : position - 1;
    list.splice(index, 0, provider);
    this.#snapshot = Object.freeze(list);
    return index + 1;
  }

  /** False if there is none of that name. */
  remove(name: string): boolean {
    const provider = this.get(name);
    if (provider === undefined) return false;
    this.#snapshot = Object.freeze(this.#snapshot.filter((other) => other !== provider));
    return true;
  }

  /** Throws InvalidParameterError if a name comes twice. */
  replace(providers: readonly Provider[]): void {
    const next = new ProviderRegistry();
    for (const provider of providers) {
      if (next.insert(provider, 0) < 0) throw new InvalidParameterError(`The provider ${provider.name} comes twice.`);
    }
    this.#snapshot = next.#snapshot;
  }
}

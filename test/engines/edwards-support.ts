// Hexadecimal, values of the RFCs and vectors outside of the repository, for the tests of Edwards and Montgomery curves.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { notTestedHere } from '../helpers/not-tested.ts';

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

export interface Rfc8032Vector {
  readonly name: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly message: string;
  readonly context: string;
  readonly signature: string;
}
export interface Rfc7748Vectors {
  readonly functionVectors: readonly { readonly scalar: string; readonly u: string; readonly output: string }[];
  readonly iterated: {
    readonly start: string;
    readonly results: readonly { readonly iterations: number; readonly k: string }[];
  };
  readonly diffieHellman: Readonly<
    Record<'alicePrivate' | 'alicePublic' | 'bobPrivate' | 'bobPublic' | 'shared', string>
  >;
}

function own<T>(name: string): T {
  const file = new URL(`../vectors/rfc/${name}`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { vectors: T }).vectors;
}

export const rfc8032 = (): Readonly<Record<string, readonly Rfc8032Vector[]>> => own('rfc8032-eddsa.json');
export const rfc7748 = (): Readonly<Record<'X25519' | 'X448', Rfc7748Vectors>> => own('rfc7748-xdh.json');

/** A file of the collection of vectors; undefined, and said so, where the collection is not on this machine. */
export function collected(path: string): unknown {
  const root = process.env['PROVIUM_VECTORS'] ?? fileURLToPath(new URL('../../../shared/vectors', import.meta.url));
  const file = `${root}/${path}`;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  notTestedHere(`vectors ${path}`);
  return undefined;
}

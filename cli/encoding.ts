// How bytes that are not keys go in and out: raw, hex or base64.

import { decodeBase64, decodeBase64Url, encodeBase64 } from '../spi/encoding/base64.ts';
import { asText } from './detect.ts';
import { type Io, UsageError } from './io.ts';

export const ENCODINGS = ['raw', 'hex', 'base64'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || /[^0-9a-f]/i.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** Raw in files and pipes; on a terminal base64, which it can show. */
export function encode(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  io: Io,
  path: string | undefined,
): Uint8Array | string {
  const toTerminal = (path === undefined || path === '-') && io.stdout.isTTY === true;
  switch (encoding ?? (toTerminal ? 'base64' : 'raw')) {
    case 'raw':
      return bytes;
    case 'hex':
      return `${toHex(bytes)}\n`;
    case 'base64':
      return `${encodeBase64(bytes)}\n`;
  }
}

/** Throws UsageError. */
export function decode(bytes: Uint8Array, encoding: Encoding | undefined, what: string): Uint8Array {
  if (encoding === undefined || encoding === 'raw') return bytes;
  const text = (asText(bytes) ?? '').replaceAll(/\s/g, '');
  const decoded = encoding === 'hex' ? fromHex(text) : (decodeBase64(text) ?? decodeBase64Url(text));
  if (decoded === undefined || decoded.length === 0) throw new UsageError(`${what} is not ${encoding}`);
  return decoded;
}

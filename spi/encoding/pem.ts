// PEM text (RFC 7468): exact boundaries and base64, any line width, any line end, text around the blocks allowed.

import { InvalidKeySpecError } from '../errors.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';

export interface PemBlock {
  readonly label: string;
  readonly bytes: Uint8Array;
}

const BEGIN = /^-----BEGIN ([!-,.-~](?:[ -]?[!-,.-~])*)-----[ \t]*$/;
const LINE_WIDTH = 64;

function refuse(label: string, reason: string): never {
  throw new InvalidKeySpecError(`The PEM block "${label}" ${reason}.`);
}

/**
 * All blocks of a text, in order. Text outside of blocks is skipped; each block must be whole.
 * Throws InvalidKeySpecError.
 */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let label: string | undefined;
  let body = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    const begin = BEGIN.exec(line)?.[1];
    if (label === undefined) {
      if (begin !== undefined) {
        label = begin;
        body = '';
      } else if (line.startsWith('-----BEGIN ') || line.startsWith('-----END ')) {
        throw new InvalidKeySpecError('A PEM boundary line is malformed or has no beginning.');
      }
      continue;
    }
    if (!line.startsWith('-----')) {
      if (line.includes(':')) {
        refuse(label, 'has header fields (traditional encryption is not supported; convert it to encrypted PKCS#8)');
      }
      body += line.replace(/^[ \t]+|[ \t]+$/g, '');
      continue;
    }
    if (line.trimEnd() !== `-----END ${label}-----`) refuse(label, 'does not end with its own END line');
    const bytes = decodeBase64(body);
    if (bytes === undefined || bytes.length === 0) refuse(label, 'does not hold valid base64');
    blocks.push({ label, bytes });
    label = undefined;
  }
  if (label !== undefined) refuse(label, 'has no END line');
  return blocks;
}

/** One block with 64 characters a line, ended by a line feed. */
export function encodePem(label: string, bytes: Uint8Array): string {
  const body = encodeBase64(bytes);
  let text = `-----BEGIN ${label}-----\n`;
  for (let i = 0; i < body.length; i += LINE_WIDTH) text += `${body.slice(i, i + LINE_WIDTH)}\n`;
  return `${text}-----END ${label}-----\n`;
}

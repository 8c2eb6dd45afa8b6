// Options that sign and verify have in common.

import { type Command, InvalidArgumentError } from 'commander';
import { type AlgorithmParameterSpec, EdDSAParameterSpec, type Key } from '../index.ts';
import { choice, withCommonOptions } from './command.ts';
import type { CommonOptions } from './context.ts';
import { ENCODINGS, type Encoding, fromHex } from './encoding.ts';
import { UsageError } from './io.ts';

export interface SignatureCommandOptions extends CommonOptions {
  readonly algorithm?: string;
  readonly key: string;
  readonly curve?: string;
  readonly in: string;
  readonly encoding?: Encoding;
  readonly lowS?: boolean;
  readonly prehash?: boolean;
  readonly context?: Uint8Array;
}

function contextBytes(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes === undefined || bytes.length > 255) throw new InvalidArgumentError('at most 255 bytes in hex are needed.');
  return bytes;
}

export function withSignatureOptions(command: Command): Command {
  return withCommonOptions(
    command
      .option('-a, --algorithm <name>', 'such as SHA256withECDSA or Ed25519 (default: by the key)')
      .option('-i, --in <file>', 'the data, - for stdin', '-')
      .option('-c, --curve <name>', 'the curve of a raw key')
      .option('--low-s', 'ECDSA: only signatures whose s is in the lower half of the order')
      .option('--prehash', 'EdDSA: Ed25519ph or Ed448ph')
      .option('--context <hex>', 'EdDSA: the context', contextBytes)
      .addOption(choice('--encoding <form>', 'how the signature is written', ENCODINGS)),
  );
}

/** The algorithm asked for, or the usual one of the key. */
export function algorithmFor(asked: string | undefined, key: Key): string {
  if (asked !== undefined) return asked;
  switch (key.algorithm) {
    case 'EC': {
      const size = key.size ?? 0;
      return size >= 512 ? 'SHA512withECDSA' : size > 256 ? 'SHA384withECDSA' : 'SHA256withECDSA';
    }
    case 'EdDSA':
      return key.curve ?? 'EdDSA';
    default:
      throw new UsageError(`a ${key.toString()} makes no signatures`);
  }
}

/** Only what was asked for: an option that nobody gave must not take part in the choice of a provider. */
export function commonSignatureOptions(options: SignatureCommandOptions): {
  lowS?: boolean;
  parameters?: AlgorithmParameterSpec;
} {
  const { lowS, prehash, context } = options;
  const parameters =
    prehash === undefined && context === undefined
      ? undefined
      : new EdDSAParameterSpec({ prehash: prehash ?? false, ...(context === undefined ? {} : { context }) });
  return { ...(lowS === undefined ? {} : { lowS }), ...(parameters === undefined ? {} : { parameters }) };
}

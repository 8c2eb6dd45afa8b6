// provium verify

import type { Command } from 'commander';
import { AsyncSignature, type VerificationCriteria } from '../index.ts';
import { choice, type Runtime, runs } from './command.ts';
import { select } from './context.ts';
import { decode } from './encoding.ts';
import { feed, nameOf, readSmall } from './files.ts';
import { EXIT, type Io, printJson, printLine, UsageError } from './io.ts';
import { loadPublicKey } from './keys.ts';
import {
  algorithmFor,
  commonSignatureOptions,
  type SignatureCommandOptions,
  withSignatureOptions,
} from './signature-options.ts';

interface Options extends SignatureCommandOptions {
  readonly signature: string;
  readonly criteria?: VerificationCriteria;
}

async function verify(io: Io, options: Options): Promise<number> {
  const { criteria } = options;
  if ([options.key, options.in, options.signature].filter((path) => path === '-').length > 1) {
    throw new UsageError('only one of the key, the data and the signature can come from stdin');
  }
  const selected = await select(options);
  const key = await loadPublicKey(io, { location: options.key, curve: options.curve }, selected);
  const bytes = decode(await readSmall(io, options.signature), options.encoding, nameOf(options.signature));
  const algorithm = algorithmFor(options.algorithm, key);
  const signature = AsyncSignature.getInstance(algorithm, selected.from);
  await signature.initVerify(key, {
    ...commonSignatureOptions(options),
    ...(criteria === undefined ? {} : { criteria }),
  });
  await feed(io, options.in, (chunk) => signature.update(chunk));
  const valid = await signature.verify(bytes);
  if (options.json) printJson(io, { valid, algorithm, provider: signature.provider?.name });
  else printLine(io, valid ? 'The signature is valid.' : 'The signature is NOT valid.');
  return valid ? EXIT.ok : EXIT.failed;
}

export function addVerify(program: Command, runtime: Runtime): void {
  const command = program
    .command('verify')
    .description('verify a signature; exit code 1 if it is not valid')
    .requiredOption('-k, --key <file>', 'the public key: a file, - for stdin, or a pkcs11: URI')
    .requiredOption('-s, --signature <file>', 'the signature, - for stdin')
    .addOption(
      choice('--criteria <name>', 'EdDSA: the rules of verification', ['rfc8032', 'strict', 'cofactored', 'zip215']),
    );
  runs<Options>(withSignatureOptions(command), runtime, verify);
}

// provium sign

import type { Command } from 'commander';
import { AsyncSignature, type NonceMode } from '../index.ts';
import { choice, type Runtime, runs } from './command.ts';
import { select } from './context.ts';
import { encode, toHex } from './encoding.ts';
import { assertWritable, feed, writeOutput } from './files.ts';
import { type Io, printJson, UsageError } from './io.ts';
import { loadPrivateKey, readPassphrase } from './keys.ts';
import {
  algorithmFor,
  commonSignatureOptions,
  type SignatureCommandOptions,
  withSignatureOptions,
} from './signature-options.ts';

interface Options extends SignatureCommandOptions {
  readonly out?: string;
  readonly nonce?: NonceMode;
  readonly nonceHash?: string;
  readonly passphraseFile?: string;
  readonly force?: boolean;
}

async function sign(io: Io, options: Options): Promise<undefined> {
  const { out, nonce, nonceHash, force = false } = options;
  if (options.key === '-' && options.in === '-')
    throw new UsageError('the key and the data cannot both come from stdin');
  const writing = { secret: false, force };
  await assertWritable(out, writing);
  const selected = await select(options);
  const passphrase = await readPassphrase(io, options.passphraseFile);
  const key = await loadPrivateKey(io, { location: options.key, curve: options.curve, passphrase }, selected);
  const algorithm = algorithmFor(options.algorithm, key);
  const signature = AsyncSignature.getInstance(algorithm, selected.from);
  await signature.initSign(key, {
    ...commonSignatureOptions(options),
    ...(nonce === undefined ? {} : { nonce }),
    ...(nonceHash === undefined ? {} : { nonceHash }),
  });
  await feed(io, options.in, (chunk) => signature.update(chunk));
  const bytes = await signature.sign();
  key.destroy();
  if (out !== undefined || !options.json) await writeOutput(io, out, encode(bytes, options.encoding, io, out), writing);
  if (options.json) {
    printJson(io, {
      algorithm,
      provider: signature.provider?.name,
      length: bytes.length,
      signature: toHex(bytes),
      out,
    });
  }
  return undefined;
}

export function addSign(program: Command, runtime: Runtime): void {
  const command = program
    .command('sign')
    .description('sign a file')
    .requiredOption('-k, --key <file>', 'the private key: a file, - for stdin, or a pkcs11: URI')
    .option('-o, --out <file>', 'where the signature goes (default: stdout)')
    .addOption(choice('--nonce <mode>', 'ECDSA: how the nonce is made', ['hedged', 'deterministic', 'random']))
    .option('--nonce-hash <name>', 'the hash of RFC 6979 for NONEwithECDSA')
    .option('--passphrase-file <file>', 'the passphrase of an encrypted key')
    .option('--force', 'overwrite a private key that stands at --out');
  runs<Options>(withSignatureOptions(command), runtime, sign);
}

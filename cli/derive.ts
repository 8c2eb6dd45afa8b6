// provium derive

import type { Command } from 'commander';
import { AsyncKeyAgreement, type Key } from '../index.ts';
import { choice, type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { ENCODINGS, type Encoding, encode } from './encoding.ts';
import { assertWritable, writeOutput } from './files.ts';
import { type Io, printJson, UsageError } from './io.ts';
import { loadPrivateKey, loadPublicKey, readPassphrase } from './keys.ts';

interface Options extends CommonOptions {
  readonly algorithm?: string;
  readonly key: string;
  readonly peer: string;
  readonly out?: string;
  readonly curve?: string;
  readonly encoding?: Encoding;
  readonly passphraseFile?: string;
  readonly force?: boolean;
}

function algorithmFor(asked: string | undefined, key: Key): string {
  if (asked !== undefined) return asked;
  if (key.algorithm === 'EC') return 'ECDH';
  if (key.algorithm === 'XDH') return key.curve ?? 'XDH';
  throw new UsageError(`a ${key.toString()} makes no key agreement`);
}

async function derive(io: Io, options: Options): Promise<undefined> {
  const { out, curve, force = false } = options;
  if (options.key === '-' && options.peer === '-') throw new UsageError('both keys cannot come from stdin');
  if (options.json && out === undefined) throw new UsageError('--json does not print secrets; give --out');
  const writing = { secret: true, force };
  await assertWritable(out, writing);
  const selected = await select(options);
  const passphrase = await readPassphrase(io, options.passphraseFile);
  const key = await loadPrivateKey(io, { location: options.key, curve, passphrase }, selected);
  const peer = await loadPublicKey(io, { location: options.peer, curve }, selected);
  const algorithm = algorithmFor(options.algorithm, key);
  const agreement = AsyncKeyAgreement.getInstance(algorithm, selected.from);
  await agreement.init(key);
  await agreement.doPhase(peer, true);
  const secret = await agreement.generateSecret();
  key.destroy();
  const length = secret.length;
  await writeOutput(io, out, encode(secret, options.encoding, io, out), writing);
  if (options.json) printJson(io, { algorithm, provider: agreement.provider?.name, length, out });
  return undefined;
}

export function addDerive(program: Command, runtime: Runtime): void {
  const command = program
    .command('derive')
    .description('agree on a secret with a peer; derive keys from it before use')
    .option('-a, --algorithm <name>', 'ECDH, XDH, X25519 or X448 (default: by the key)')
    .requiredOption('-k, --key <file>', 'the private key: a file, - for stdin, or a pkcs11: URI')
    .requiredOption('-p, --peer <file>', 'the public key of the peer')
    .option('-o, --out <file>', 'where the secret goes, with mode 0600 (default: stdout)')
    .option('-c, --curve <name>', 'the curve of raw keys')
    .option('--passphrase-file <file>', 'the passphrase of an encrypted key')
    .option('--force', 'overwrite a private key that stands at --out')
    .addOption(choice('--encoding <form>', 'how the secret is written', ENCODINGS));
  runs<Options>(withCommonOptions(command), runtime, derive);
}

// provium keygen

import type { Command } from 'commander';
import {
  type AlgorithmParameterSpec,
  AsyncKeyPairGenerator,
  ECGenParameterSpec,
  NamedParameterSpec,
} from '../index.ts';
import { choice, positiveInteger, type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { assertWritable, writeOutput } from './files.ts';
import { type Io, printJson, UsageError } from './io.ts';
import { exportEncrypted, exportKey, KEY_FORMATS, type KeyFormatName, readPassphrase } from './keys.ts';

interface Options extends CommonOptions {
  readonly algorithm: string;
  readonly curve?: string;
  readonly size?: number;
  readonly out?: string;
  readonly publicOut?: string;
  readonly format: KeyFormatName;
  readonly passphraseFile?: string;
  readonly force?: boolean;
}

function parametersOf({ algorithm, curve, size }: Options): AlgorithmParameterSpec | number | undefined {
  if (curve !== undefined && size !== undefined) throw new UsageError('--curve and --size exclude each other');
  if (curve === undefined) return size;
  return /^(ec|ellipticcurve|(oid\.)?1\.2\.840\.10045\.2\.1)$/i.test(algorithm)
    ? new ECGenParameterSpec(curve)
    : new NamedParameterSpec(curve);
}

/** The form of an encrypted key, checked before any work is done. */
function encryptedForm(format: KeyFormatName): 'pem' | 'der' {
  if (format === 'pem' || format === 'der') return format;
  throw new UsageError(`--format ${format} cannot be encrypted; use pem or der`);
}

async function keygen(io: Io, options: Options): Promise<undefined> {
  const { out, publicOut, format, force = false } = options;
  const toStdout = out === undefined || out === '-';
  if (options.json && toStdout) throw new UsageError('--json and the private key cannot both go to stdout; give --out');
  if (publicOut === '-' && (toStdout || options.json)) throw new UsageError('only one thing can go to stdout');
  if (publicOut !== undefined && publicOut === out) throw new UsageError('--out and --public-out are the same file');
  const secret = { secret: true, exclusive: true, force };
  const open = { secret: false, force };
  await assertWritable(out, secret);
  await assertWritable(publicOut, open);
  const passphrase = await readPassphrase(io, options.passphraseFile);
  if (passphrase?.length === 0) throw new UsageError('the passphrase is empty');
  const sealed = passphrase === undefined ? undefined : { passphrase, form: encryptedForm(format) };
  const parameters = parametersOf(options);
  const selected = await select(options);
  const generator = AsyncKeyPairGenerator.getInstance(options.algorithm, selected.from);
  if (parameters !== undefined) await generator.initialize(parameters);
  const { publicKey, privateKey } = await generator.generateKeyPair();
  const publicFormat = format === 'sec1' ? 'pem' : format;
  const exportedPublic = publicOut === undefined ? undefined : await exportKey(publicKey, publicFormat, selected);
  const exported =
    sealed === undefined
      ? await exportKey(privateKey, format, selected)
      : await exportEncrypted(privateKey, sealed.form, sealed.passphrase, selected);
  passphrase?.fill(0);
  // The public key first: if it cannot be written, there is no private key without one.
  if (exportedPublic !== undefined) await writeOutput(io, publicOut, exportedPublic, open);
  await writeOutput(io, out, exported, secret);
  if (exported instanceof Uint8Array) exported.fill(0);
  if (options.json) {
    const { algorithm, curve, size } = publicKey;
    printJson(io, {
      algorithm,
      curve,
      size,
      provider: generator.provider?.name,
      format,
      privateKey: out,
      publicKey: publicOut,
      encrypted: passphrase !== undefined,
    });
  }
  privateKey.destroy();
  return undefined;
}

export function addKeygen(program: Command, runtime: Runtime): void {
  const command = program
    .command('keygen')
    .description('generate a key pair')
    .requiredOption('-a, --algorithm <name>', 'EC, Ed25519, Ed448, X25519, X448, EdDSA or XDH')
    .option('-c, --curve <name>', 'the curve, by any of its names or its OID')
    .option('--size <bits>', 'the curve by its size instead', positiveInteger)
    .option('-o, --out <file>', 'where the private key goes, with mode 0600 (default: stdout)')
    .option('-p, --public-out <file>', 'where the public key goes')
    .addOption(choice('-f, --format <format>', 'form of the keys', KEY_FORMATS).default('pem'))
    .option('--passphrase-file <file>', 'encrypt the private key under the first line of this file (pem or der)')
    .option('--force', 'overwrite an existing private key');
  runs<Options>(withCommonOptions(command), runtime, keygen);
}

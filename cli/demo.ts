// The main job in one go: a key pair, a signature of a file, and its verification by two providers.

import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { AsyncKeyPairGenerator, AsyncSignature, ECGenParameterSpec, type PublicKey } from '../index.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, type Selected, select } from './context.ts';
import { toHex } from './encoding.ts';
import { explanationLines } from './explain.ts';
import { feed, writeOutput } from './files.ts';
import { EXIT, type Io, printJson, printLine, UsageError } from './io.ts';
import { exportKey } from './keys.ts';

const ALGORITHM = 'SHA256withECDSA';
const CURVE = 'secp256r1';

interface Verdict {
  readonly provider: string;
  readonly valid: boolean;
}

async function verifyBy(
  io: Io,
  provider: string,
  key: PublicKey,
  file: string,
  signature: Uint8Array,
  { context }: Selected,
): Promise<Verdict> {
  const verifier = AsyncSignature.getInstance(ALGORITHM, { context, provider });
  await verifier.initVerify(key);
  await feed(io, file, (chunk) => verifier.update(chunk));
  return { provider, valid: await verifier.verify(signature) };
}

/** The file asked for; else the README of this package; else its manifest, which is always there. */
function fileToSign(io: Io, asked: string | undefined): string {
  if (asked !== undefined) {
    if (!existsSync(asked)) throw new UsageError(`cannot read ${asked}: no such file or folder`);
    return resolve(asked);
  }
  const readme = join(io.packageFolder, 'README.md');
  return existsSync(readme) ? readme : join(io.packageFolder, 'package.json');
}

async function demo(io: Io, options: CommonOptions, asked?: string): Promise<number> {
  const file = fileToSign(io, asked);
  const selected = await select(options);
  const { context, from } = selected;
  const say = (line: string): void => {
    if (!options.json) printLine(io, line);
  };

  const generator = AsyncKeyPairGenerator.getInstance('EC', from);
  await generator.initialize(new ECGenParameterSpec(CURVE));
  const { publicKey, privateKey } = await generator.generateKeyPair();
  say(`1. Generated a key pair on ${CURVE} (P-256) with ${generator.provider?.name}.`);

  const signer = AsyncSignature.getInstance(ALGORITHM, from);
  await signer.initSign(privateKey);
  const size = await feed(io, file, (chunk) => signer.update(chunk));
  const signature = await signer.sign();
  say(`2. Signed ${file} (${size} bytes) by ${ALGORITHM} with ${signer.provider?.name}: ${signature.length} bytes.`);
  say(`   ${toHex(signature)}`);

  const folder = await mkdtemp(join(tmpdir(), 'provium-demo-'));
  const paths = {
    privateKey: join(folder, 'key.pem'),
    publicKey: join(folder, 'pub.pem'),
    signature: join(folder, `${file.split(/[\\/]/).at(-1)}.sig`),
  };
  const secret = { secret: true, exclusive: true, force: false };
  const open = { secret: false, force: false };
  await writeOutput(io, paths.privateKey, await exportKey(privateKey, 'pem', selected), secret);
  await writeOutput(io, paths.publicKey, await exportKey(publicKey, 'pem', selected), open);
  await writeOutput(io, paths.signature, signature, open);
  say('3. Wrote the private key (mode 0600), the public key and the signature.');

  const verifiers = ['Provium', 'OpenSSL'].filter((name) => context.getProvider(name) !== undefined);
  const verdicts: Verdict[] = [];
  for (const name of verifiers) verdicts.push(await verifyBy(io, name, publicKey, file, signature, selected));
  for (const [i, { provider, valid }] of verdicts.entries()) {
    say(`${4 + i}. ${provider} verified the signature: ${valid ? 'valid' : 'NOT valid'}.`);
  }

  const explanation = context.explain('Signature', ALGORITHM, privateKey);
  if (options.json) {
    const provider = signer.provider?.name;
    printJson(io, { file, algorithm: ALGORITHM, curve: CURVE, provider, verdicts, folder, ...paths, explanation });
  } else {
    say('');
    say(`Why ${signer.provider?.name}, and what it computes with:`);
    for (const line of explanationLines(explanation)) say(`  ${line}`);
    say('');
    say('The files:');
    for (const path of Object.values(paths)) say(`  ${path}`);
    say('Once more by hand:');
    say(
      `  provium verify --algorithm ${ALGORITHM} --key ${paths.publicKey} --in ${file} --signature ${paths.signature}`,
    );
  }
  privateKey.destroy();
  return verdicts.length > 0 && verdicts.every(({ valid }) => valid) ? EXIT.ok : EXIT.failed;
}

export function addDemo(program: Command, runtime: Runtime): void {
  const command = program
    .command('demo')
    .description('generate a key, sign a file and verify it with two providers (what happens without a command)')
    .argument('[file]', 'the file to sign (default: the README of this package)');
  runs<CommonOptions>(withCommonOptions(command), runtime, demo);
}

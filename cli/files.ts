// Reading and writing files. Inputs of any size pass in chunks; secrets are written with mode 0600.

import { randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { looksPrivate } from './detect.ts';
import { type Io, UsageError } from './io.ts';
import { megabytes, progress } from './progress.ts';

const CHUNK = 1 << 20;
/** Keys and signatures are small; anything larger is another file by mistake. */
const SMALL_FILE = 1 << 20;
const STDIN = '-';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it exists already',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
};

function failure(what: string, path: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason =
    (code === undefined ? undefined : REASONS[code]) ?? (error instanceof Error ? error.message : 'unknown');
  return new UsageError(`cannot ${what} ${path}: ${reason}`, { cause: error });
}

async function existing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw failure('look at', path, error);
  }
}

/** A whole small file, or stdin for `-`. */
export async function readSmall(io: Io, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(io, path)) {
    size += chunk.length;
    if (size > SMALL_FILE) {
      throw new UsageError(`${nameOf(path)} has more than ${SMALL_FILE} bytes, which is no key and no signature`);
    }
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    chunk.fill(0);
  }
  return whole;
}

/** For messages. */
export function nameOf(path: string): string {
  return path === STDIN ? 'stdin' : path;
}

/** The file in chunks, or stdin for `-`. */
async function* readChunks(io: Io, path: string): AsyncGenerator<Uint8Array> {
  if (path === STDIN) {
    yield* io.stdin;
    return;
  }
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw failure('read', path, error);
  }
}

/** Feeds the file (or stdin) to `update` chunk by chunk; says how far it is on a terminal. */
export async function feed(io: Io, path: string, update: (chunk: Uint8Array) => void): Promise<number> {
  const total = path === STDIN ? undefined : (await existing(path))?.size;
  const shown = progress(io, `Reading ${nameOf(path)}`, megabytes);
  let done = 0;
  try {
    for await (const chunk of readChunks(io, path)) {
      update(chunk);
      done += chunk.length;
      shown.update(done, total);
    }
  } finally {
    shown.end();
  }
  return done;
}

export interface WriteOptions {
  /** Mode 0600, whatever stood there before. */
  readonly secret: boolean;
  /** A private key: an existing file is left alone. */
  readonly exclusive?: boolean;
  readonly force: boolean;
}

/** Refuses to touch a file that must not be overwritten; called before any work is done. */
export async function assertWritable(path: string | undefined, options: WriteOptions): Promise<void> {
  if (path === undefined || path === STDIN || options.force) return;
  const there = await existing(path);
  if (there === undefined || !there.isFile()) return;
  if (options.exclusive) throw new UsageError(`${path} exists already; use --force to overwrite it`);
  if (there.size <= SMALL_FILE && looksPrivate(await readFile(path).catch(() => new Uint8Array(0)))) {
    throw new UsageError(`${path} holds a private key; use --force to overwrite it`);
  }
}

/** Writes a file, or stdout for `-` and nothing. */
export async function writeOutput(
  io: Io,
  path: string | undefined,
  data: Uint8Array | string,
  options: WriteOptions,
): Promise<void> {
  if (path === undefined || path === STDIN) {
    // A copy: the caller may wipe its own while the stream still holds it.
    io.stdout.write(typeof data === 'string' ? data : Uint8Array.from(data));
    return;
  }
  await assertWritable(path, options);
  try {
    const there = await existing(path);
    if (!options.secret || (there !== undefined && !there.isFile())) await writeFile(path, data);
    // Through a link the file itself is replaced; a link to nothing gives way to the file.
    else await writeSecret(there === undefined ? path : await realpath(path), data, options);
  } catch (error) {
    throw failure('write', path, error);
  }
}

/** The bytes are never in a file that others may read: a fresh file takes the name when it is whole. */
async function writeSecret(path: string, data: Uint8Array | string, options: WriteOptions): Promise<void> {
  if (options.exclusive && !options.force) {
    await writeFresh(path, data);
    return;
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFresh(temporary, data);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeFresh(path: string, data: Uint8Array | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    // The umask may only take bits away; 0600 is meant exactly.
    await file.chmod(0o600);
    await file.writeFile(data);
  } finally {
    await file.close();
  }
}

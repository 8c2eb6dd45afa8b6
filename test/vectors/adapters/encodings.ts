// Keys in every encoding: read, compared with the decoded value, written again.

import {
  CompressedRawKeySpec,
  type JsonWebKey,
  JwkKeySpec,
  type Key,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../../index.ts';
import { bytesOf, concat, type Entry, must, mustEqual, type VectorCase, Wrong } from '../case.ts';
import { familyOf, type Subject } from '../subject.ts';

function specOf(encoding: string, data: Buffer, curve: string): KeySpec {
  const bytes = Uint8Array.from(data);
  switch (encoding) {
    case 'spki-der':
      return new X509EncodedKeySpec(bytes);
    case 'pkcs8-der':
      return new PKCS8EncodedKeySpec(bytes);
    case 'sec1-der':
      return new Sec1EncodedKeySpec(bytes, { curve });
    case 'spki-pem':
    case 'pkcs8-pem':
    case 'sec1-pem':
      return new PemKeySpec(data.toString('utf8'));
    default:
      throw new Error(`unknown encoding ${encoding}`);
  }
}

function importKey(subject: Subject, curve: string, kind: 'public' | 'private', spec: KeySpec): Key {
  const family = familyOf(curve);
  return kind === 'public' ? subject.importPublic(family, spec) : subject.importPrivate(family, spec);
}

function rawOf(subject: Subject, key: Key): Uint8Array {
  return subject.exportKey(key, RawKeySpec).bytes;
}

/** Written and read again, the key is the same. */
function survives(subject: Subject, key: Key) {
  const { encoded } = key;
  must(encoded !== undefined, 'the key has no encoding');
  const spec = key.kind === 'public' ? new X509EncodedKeySpec(encoded) : new PKCS8EncodedKeySpec(encoded);
  const again = importKey(subject, key.curve ?? '', key.kind, spec);
  must(again.equals(key), 'written and read again it is another key');
}

/** A single key file; the two halves of a pair stand in files of the same stem, so both are read by the one check. */
export function* keyFile(data: Buffer, entry: Entry, subject: Subject): Iterable<VectorCase> {
  const curve = entry.curve as string;
  const id = entry.file;
  const skip = subject.lacks('KeyFactory', familyOf(curve), curve);
  if (skip !== undefined) {
    yield { id, skip };
    return;
  }
  yield {
    id,
    run() {
      const kind = entry.contains ?? 'public';
      const encoding = entry.encoding as string;
      const key = importKey(subject, curve, kind, specOf(encoding, data, curve));
      must(key.kind === kind, `it is a ${key.kind} key`);
      survives(subject, key);
      if (encoding === 'spki-der') mustEqual(key.encoded as Uint8Array, Uint8Array.from(data), 'the encoding');
      return 'passed';
    },
  };
}

interface RfcExample {
  readonly name: string;
  readonly format: string;
  readonly curve: string;
  readonly pem?: string;
  readonly jwk?: JsonWebKey;
  readonly private?: string;
  readonly publicRaw: string;
  readonly jws?: string;
  readonly peerJwk?: JsonWebKey;
  readonly shared?: string;
}

const JWS_ALGORITHMS: Readonly<Record<string, string>> = {
  secp256r1: 'SHA256withECDSAinP1363Format',
  secp521r1: 'SHA512withECDSAinP1363Format',
  Ed25519: 'Ed25519',
};

function verifyJws(subject: Subject, example: RfcExample) {
  const [header = '', payload = '', signature = ''] = (example.jws as string).split('.');
  const algorithm = JWS_ALGORITHMS[example.curve];
  must(algorithm !== undefined, 'no algorithm for the JWS');
  const publicKey = subject.importPublic(
    familyOf(example.curve),
    new RawKeySpec(bytesOf(example.publicRaw), { curve: example.curve }),
  );
  const text = new TextEncoder().encode(`${header}.${payload}`);
  const bytes = Uint8Array.from(Buffer.from(signature, 'base64url'));
  must(subject.verifier(algorithm).verify(publicKey, text, bytes), 'the JWS does not verify');
}

export function* rfcExamples(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  const { vectors } = JSON.parse(data.toString('utf8')) as { readonly vectors: readonly RfcExample[] };
  for (const example of vectors) {
    const { name: id, curve } = example;
    const family = familyOf(curve);
    const skip = subject.lacks('KeyFactory', family, curve);
    if (skip !== undefined) {
      yield { id, skip };
      continue;
    }
    yield {
      id,
      run() {
        const kind = example.private === undefined ? 'public' : 'private';
        const spec = example.jwk === undefined ? new PemKeySpec(example.pem ?? '') : new JwkKeySpec(example.jwk);
        const key = importKey(subject, curve, kind, spec);
        mustEqual(rawOf(subject, key), example.private ?? example.publicRaw, 'the key');
        survives(subject, key);
        if (example.jws !== undefined) verifyJws(subject, example);
        if (example.shared !== undefined && example.peerJwk !== undefined) {
          must(key.kind === 'private', 'it is no private key');
          const peer = subject.importPublic(family, new JwkKeySpec(example.peerJwk));
          const own = subject.importPrivate(family, spec);
          mustEqual(subject.agree(family === 'EC' ? 'ECDH' : curve, own, peer), example.shared, 'the secret');
        }
        return 'passed';
      },
    };
  }
}

interface OpenSslKey {
  readonly curve: string;
  readonly label: string;
  readonly private: string;
  readonly publicUncompressed?: string;
  readonly publicCompressed?: string;
  readonly publicRaw?: string;
  readonly pkcs8Der: string;
  readonly pkcs8Pem: string;
  readonly sec1Der?: string;
  readonly sec1Pem?: string;
  readonly spkiDer: string;
  readonly spkiPem: string;
  readonly jwkPrivate?: JsonWebKey;
  readonly jwkPublic?: JsonWebKey;
}

function* privateSpecs(key: OpenSslKey): Iterable<KeySpec> {
  yield new PKCS8EncodedKeySpec(bytesOf(key.pkcs8Der));
  yield new PemKeySpec(key.pkcs8Pem);
  yield new RawKeySpec(bytesOf(key.private), { curve: key.curve });
  if (key.sec1Der !== undefined) yield new Sec1EncodedKeySpec(bytesOf(key.sec1Der));
  if (key.sec1Pem !== undefined) yield new PemKeySpec(key.sec1Pem);
  if (key.jwkPrivate !== undefined) yield new JwkKeySpec(key.jwkPrivate);
}

function* publicSpecs(key: OpenSslKey): Iterable<KeySpec> {
  yield new X509EncodedKeySpec(bytesOf(key.spkiDer));
  yield new PemKeySpec(key.spkiPem);
  for (const raw of [key.publicUncompressed, key.publicCompressed, key.publicRaw]) {
    if (raw !== undefined) yield new RawKeySpec(bytesOf(raw), { curve: key.curve });
  }
  if (key.jwkPublic !== undefined) yield new JwkKeySpec(key.jwkPublic);
}

export function* openSslKeys(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  const { vectors } = JSON.parse(data.toString('utf8')) as { readonly vectors: readonly OpenSslKey[] };
  for (const listed of vectors) {
    const { curve } = listed;
    const family = familyOf(curve);
    const id = `${curve} ${listed.label}`;
    const skip = subject.lacks('KeyFactory', family, curve);
    if (skip !== undefined) yield { id, skip };
    else yield { id, run: () => checkOpenSslKey(listed, family, subject) };
  }
}

function checkOpenSslKey(listed: OpenSslKey, family: string, subject: Subject): 'passed' {
  const privates = [...privateSpecs(listed)].map((spec) => subject.importPrivate(family, spec));
  const publics = [...publicSpecs(listed)].map((spec) => subject.importPublic(family, spec));
  const [privateKey, publicKey] = [privates[0], publics[0]];
  if (privateKey === undefined || publicKey === undefined) throw new Wrong('no form of the key');
  for (const key of [...privates, ...publics]) survives(subject, key);
  must(
    privates.every((key) => key.equals(privateKey)),
    'one of the private forms gives another key',
  );
  must(
    publics.every((key) => key.equals(publicKey)),
    'one of the public forms gives another key',
  );
  mustEqual(rawOf(subject, privateKey), listed.private, 'the private key');
  mustEqual(rawOf(subject, publicKey), listed.publicRaw ?? listed.publicUncompressed ?? '', 'the public key');
  mustEqual(publicKey.encoded ?? '', listed.spkiDer, 'SPKI');
  if (listed.publicCompressed !== undefined) {
    mustEqual(subject.exportKey(publicKey, CompressedRawKeySpec).bytes, listed.publicCompressed, 'compressed point');
  }
  mustEqual(subject.exportKey(publicKey, PemKeySpec).pem.trim(), listed.spkiPem.trim(), 'PEM');
  if (listed.jwkPublic !== undefined) {
    const { x, y } = subject.exportKey(publicKey, JwkKeySpec).jwk;
    mustEqual(
      concat(...[x, y ?? ''].map(decode)),
      concat(...[listed.jwkPublic.x, listed.jwkPublic.y ?? ''].map(decode)),
      'JWK',
    );
  }
  return 'passed';
}

function decode(text: string | undefined): Uint8Array {
  return Uint8Array.from(Buffer.from(text ?? '', 'base64url'));
}

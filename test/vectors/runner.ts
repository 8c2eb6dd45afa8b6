// Every file of the list against one provider: one row per file.

import { wycheproofAgreements } from './adapters/agreements.ts';
import { curveParameters } from './adapters/curves.ts';
import { keyFile, openSslKeys, rfcExamples } from './adapters/encodings.ts';
import { nist } from './adapters/nist.ts';
import { rfc6979, rfc7748, rfc8032, rfc9180 } from './adapters/rfc.ts';
import { speccheck, wycheproofSignatures } from './adapters/signatures.ts';
import { countCases, type Entry, type Row, type VectorCase } from './case.ts';
import type { Library } from './sources.ts';
import type { Subject } from './subject.ts';

type Adapter = (data: Buffer, entry: Entry, subject: Subject) => Iterable<VectorCase>;

const OWN: Readonly<Record<string, Adapter>> = {
  'rfc/rfc6979-ecdsa.json': rfc6979,
  'rfc/rfc7748-xdh.json': rfc7748,
  'rfc/rfc8032-eddsa.json': rfc8032,
  'rfc/rfc9180-dhkem.json': rfc9180,
  'encodings/rfc-key-examples.json': rfcExamples,
  'encodings/openssl-key-encodings.json': openSslKeys,
};

const WYCHEPROOF: Readonly<Record<string, Adapter>> = {
  'ecdsa-verify': wycheproofSignatures,
  'eddsa-verify': wycheproofSignatures,
  ecdh: wycheproofAgreements,
  xdh: wycheproofAgreements,
  'curve-params': curveParameters,
};

function adapterFor(entry: Entry): Adapter {
  const adapter =
    entry.format === 'own-json'
      ? OWN[entry.file]
      : entry.format === 'wycheproof-v1'
        ? WYCHEPROOF[entry.kind]
        : { cavs: nist, file: keyFile, speccheck }[entry.format];
  if (adapter === undefined) throw new Error(`${entry.file}: no adapter for ${entry.format} ${entry.kind}`);
  return adapter;
}

/** Throws if a file has another number of cases than the list says. */
export function runFile(library: Library, entry: Entry, subject: Subject): Row {
  const adapter = adapterFor(entry);
  const row = countCases(entry.file, subject.provider, adapter(library.read(entry), entry, subject));
  if (row.cases !== entry.cases) {
    throw new Error(`${entry.file}: ${row.cases} cases were found, the list says ${entry.cases}`);
  }
  return row;
}

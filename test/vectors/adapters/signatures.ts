// Wycheproof and speccheck: verification of ECDSA and EdDSA signatures.

import { RawKeySpec, X509EncodedKeySpec } from '../../../index.ts';
import { attempt, bytesOf, type Entry, must, type VectorCase } from '../case.ts';
import { familyOf, type Subject } from '../subject.ts';

interface Group {
  readonly publicKeyDer: string;
  readonly tests: readonly {
    readonly tcId: number;
    readonly msg: string;
    readonly sig: string;
    readonly result: 'valid' | 'invalid' | 'acceptable';
  }[];
}

/** `SHA-256` and `der` → SHA256withECDSA. */
export function ecdsaName(hash: string, encoding: 'der' | 'p1363'): string {
  return `${hash.replace(/^SHA-/, 'SHA')}withECDSA${encoding === 'p1363' ? 'inP1363Format' : ''}`;
}

function verified(accepted: boolean, expected: boolean): 'passed' | 'refused' {
  must(accepted === expected, accepted ? 'a bad signature verifies' : 'a good signature does not verify');
  return accepted ? 'passed' : 'refused';
}

export function* wycheproofSignatures(data: Buffer, entry: Entry, subject: Subject): Iterable<VectorCase> {
  const { testGroups } = JSON.parse(data.toString('utf8')) as { testGroups: readonly Group[] };
  const curve = entry.curve as string;
  const family = familyOf(curve);
  const algorithm = family === 'EC' ? ecdsaName(entry.hash as string, entry.encoding as 'der' | 'p1363') : curve;
  const skip = subject.lacks('Signature', algorithm, curve);
  const verifier = skip === undefined ? subject.verifier(algorithm) : undefined;
  for (const group of testGroups) {
    const key =
      verifier === undefined
        ? undefined
        : subject.importPublic(family, new X509EncodedKeySpec(bytesOf(group.publicKeyDer)));
    for (const { tcId, msg, sig, result } of group.tests) {
      const id = String(tcId);
      if (verifier === undefined || key === undefined) yield { id, skip };
      else
        yield {
          id,
          run: () => verified(verifier.verify(key, bytesOf(msg), bytesOf(sig)), result === 'valid'),
        };
    }
  }
}

/** Indices that verify by each criterion; the first that a provider honours is the one that it is tested by. */
const SPECCHECK = [
  ['rfc8032', [0, 1, 2, 3]],
  ['strict', [3]],
  ['cofactored', [0, 1, 2, 3, 4, 5]],
] as const;

export function* speccheck(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  const cases = JSON.parse(data.toString('utf8')) as readonly {
    readonly message: string;
    readonly pub_key: string;
    readonly signature: string;
  }[];
  const missing = subject.lacks('Signature', 'Ed25519', 'Ed25519');
  const [criteria, accepted] = SPECCHECK.find(([each]) => subject.canVerify('Ed25519', { criteria: each })) ?? [];
  const skip = missing ?? (criteria === undefined ? `${subject.provider} honours none of the criteria` : undefined);
  for (const [index, { message, pub_key: raw, signature }] of cases.entries()) {
    const id = String(index);
    if (skip !== undefined || accepted === undefined) yield { id, skip };
    else
      yield {
        id,
        run() {
          // A key in no canonical encoding may be refused at import.
          const key = attempt(() => subject.importPublic('EdDSA', new RawKeySpec(bytesOf(raw), { curve: 'Ed25519' })));
          const verifier = subject.verifier('Ed25519');
          const answer = key !== undefined && verifier.verify(key, bytesOf(message), bytesOf(signature), { criteria });
          return verified(answer, (accepted as readonly number[]).includes(index));
        },
      };
  }
}

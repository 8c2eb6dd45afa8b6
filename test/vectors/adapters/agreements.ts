// Wycheproof: ECDH and XDH in all encodings. What is done with "acceptable" cases is written in docs/vectors-policy.md.

import {
  type JsonWebKey,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  X509EncodedKeySpec,
} from '../../../index.ts';
import { resolveCurve } from '../../../spi/names.ts';
import { attempt, atWidth, bytesOf, type Entry, must, mustEqual, type VectorCase, Wrong } from '../case.ts';
import { familyOf, type Subject } from '../subject.ts';

interface Test {
  readonly tcId: number;
  readonly flags: readonly string[];
  readonly public: string | JsonWebKey;
  readonly private: string | JsonWebKey;
  readonly shared: string;
  readonly result: 'valid' | 'invalid' | 'acceptable';
}

type Answer = 'compute' | 'refuse';

/** One decision per flag. */
const ACCEPTABLE: Readonly<Record<string, Answer>> = {
  // RFC 5480 has named curves only.
  UnnamedCurve: 'refuse',
  // What does not encode again to the same DER is no key.
  InvalidAsn: 'refuse',
  InvalidPem: 'refuse',
  // RFC 7748, section 6.1: the check that may be made is made.
  ZeroSharedSecret: 'refuse',
  CompressedPoint: 'compute',
};

export function wanted({ result, flags }: Pick<Test, 'result' | 'flags'>): Answer {
  if (result === 'valid') return 'compute';
  if (result === 'invalid') return 'refuse';
  for (const [flag, answer] of Object.entries(ACCEPTABLE)) if (flags.includes(flag)) return answer;
  // RFC 7748: twist, small, non-canonical and special values are computed.
  return 'compute';
}

interface Forms {
  publicSpec(test: Test): KeySpec;
  privateSpec(test: Test): KeySpec;
}

function formsOf(curve: string, encoding: string): Forms {
  const width = resolveCurve(curve)?.orderBytes ?? 0;
  const raw = (hex: string) => new RawKeySpec(bytesOf(hex), { curve });
  const scalar = ({ private: given }: Test): KeySpec => {
    const bytes = atWidth(given as string, width);
    if (bytes === undefined) throw new Wrong('the private key does not fit');
    return new RawKeySpec(bytes, { curve });
  };
  const jwk = {
    publicSpec: (test: Test) => new JwkKeySpec(test.public as JsonWebKey),
    privateSpec: (test: Test) => new JwkKeySpec(test.private as JsonWebKey),
  };
  const pem = {
    publicSpec: (test: Test) => new PemKeySpec(test.public as string),
    privateSpec: (test: Test) => new PemKeySpec(test.private as string),
  };
  const der = (test: Test) => new X509EncodedKeySpec(bytesOf(test.public as string));
  switch (encoding) {
    case 'spki-der':
      return { publicSpec: der, privateSpec: scalar };
    case 'ecpoint':
      return { publicSpec: (test) => raw(test.public as string), privateSpec: scalar };
    case 'raw':
      return {
        publicSpec: (test) => raw(test.public as string),
        privateSpec: (test) => raw(test.private as string),
      };
    case 'der':
      return {
        publicSpec: der,
        privateSpec: (test) => new PKCS8EncodedKeySpec(bytesOf(test.private as string)),
      };
    case 'pem':
      return pem;
    case 'jwk':
      return jwk;
    default:
      throw new Error(`unknown encoding ${encoding}`);
  }
}

export function* wycheproofAgreements(data: Buffer, entry: Entry, subject: Subject): Iterable<VectorCase> {
  const { testGroups } = JSON.parse(data.toString('utf8')) as {
    testGroups: readonly { readonly tests: readonly Test[] }[];
  };
  const curve = entry.curve as string;
  const family = familyOf(curve);
  const algorithm = family === 'EC' ? 'ECDH' : curve;
  const skip = subject.lacks('KeyAgreement', algorithm, curve);
  const forms = formsOf(curve, entry.encoding as string);
  for (const test of testGroups.flatMap(({ tests }) => tests)) {
    const id = String(test.tcId);
    if (skip !== undefined) yield { id, skip };
    else yield { id, run: () => runAgreement(test, forms, { family, algorithm, curve, subject }) };
  }
}

interface Bench {
  readonly family: string;
  readonly algorithm: string;
  readonly curve: string;
  readonly subject: Subject;
}

function runAgreement(test: Test, forms: Forms, { family, algorithm, curve, subject }: Bench): 'passed' | 'refused' {
  const answer = wanted(test);
  const secret = attempt(() => {
    const peer = subject.importPublic(family, forms.publicSpec(test));
    const own = subject.importPrivate(family, forms.privateSpec(test));
    // A peer on another curve is refused by the agreement, not by the import.
    must(own.curve === resolveCurve(curve)?.name || answer === 'refuse', 'the private key is on another curve');
    return subject.agree(algorithm, own, peer);
  });
  if (secret === undefined) {
    must(answer === 'refuse', 'refused, but the secret should be computed');
    return 'refused';
  }
  must(answer === 'compute', 'computed, but should be refused');
  mustEqual(secret, test.shared, 'the secret');
  return 'passed';
}

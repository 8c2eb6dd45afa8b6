// Known answers for the Edwards and Montgomery curves (RFC 8032, section 7; RFC 7748, section 6), what is said of their
// choice, and the test before first use.

import { bytesEqual } from '../../fields/ct.ts';
import { bytesFromHex } from '../curves.ts';
import type { EdDSAOperations } from '../eddsa-operations.ts';
import type { EdwardsCurveName, MontgomeryCurveName } from '../edwards-curves.ts';
import { EngineError } from '../errors.ts';
import type { XDHOperations } from '../xdh-operations.ts';
import type { CandidateDecision, EngineExplanation } from './selection.ts';
import type { SelfTestResult } from './self-test-report.ts';

interface SignatureAnswer {
  readonly seed: string;
  readonly publicKey: string;
  readonly message: string;
  readonly signature: string;
}

/** RFC 8032, 7.1 (test 2) and 7.4 (1 octet). */
const SIGNATURES: Readonly<Record<EdwardsCurveName, SignatureAnswer>> = {
  Ed25519: {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  Ed448: {
    seed: 'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e',
    publicKey:
      '43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480',
    message: '03',
    signature:
      '26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00',
  },
};

interface AgreementAnswer {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly peer: string;
  readonly secret: string;
}

/** RFC 7748, 6.1 and 6.2. */
const AGREEMENTS: Readonly<Record<MontgomeryCurveName, AgreementAnswer>> = {
  X25519: {
    privateKey: '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a',
    publicKey: '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
    peer: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
    secret: '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742',
  },
  X448: {
    privateKey:
      '9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b',
    publicKey:
      '9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0',
    peer: '3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b43027d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609',
    secret:
      '07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a449a5037514a879d',
  },
};

function expectBytes(got: Uint8Array, wanted: string, what: string): void {
  if (bytesEqual(got, bytesFromHex(wanted)) === 0) throw new EngineError(`${what} gives a wrong answer`);
}

/** Throws EngineError if a known answer does not come out. */
export function testSigning({ curve, derivePublicKey, sign }: EdDSAOperations): void {
  const { seed, publicKey, message, signature } = SIGNATURES[curve.name];
  expectBytes(derivePublicKey(bytesFromHex(seed)), publicKey, `the comb of ${curve.name}`);
  const made = sign(bytesFromHex(seed), bytesFromHex(publicKey), bytesFromHex(message));
  expectBytes(made, signature, `signing with ${curve.name}`);
}

/** Throws EngineError if a known signature is refused or an altered one is accepted. */
export function testVerification({ curve, verifyVartime }: EdDSAOperations): void {
  const { publicKey, message, signature } = SIGNATURES[curve.name];
  const key = bytesFromHex(publicKey);
  const right = bytesFromHex(signature);
  const wrong = right.slice();
  wrong[curve.byteLength] = wrong[curve.byteLength]! ^ 1;
  const text = bytesFromHex(message);
  if (verifyVartime(key, text, right) !== 1 || verifyVartime(key, text, wrong) !== 0) {
    throw new EngineError(`verification with ${curve.name} gives a wrong answer`);
  }
}

export function testAgreement({ curve, agree }: XDHOperations): void {
  const { privateKey, peer, secret } = AGREEMENTS[curve.name];
  const out = new Uint8Array(curve.byteLength);
  agree(out, bytesFromHex(privateKey), bytesFromHex(peer));
  expectBytes(out, secret, `the ladder of ${curve.name}`);
}

function testDerivation({ curve, derivePublicKey }: XDHOperations): void {
  const { privateKey, publicKey } = AGREEMENTS[curve.name];
  const out = new Uint8Array(curve.byteLength);
  derivePublicKey(out, bytesFromHex(privateKey));
  expectBytes(out, publicKey, `the comb behind ${curve.name}`);
}

/** `run` before the first of the calls that go through it; a failure comes again at every call. */
function before(run: () => void): () => void {
  let passed = false;
  return () => {
    if (passed) return;
    run();
    passed = true;
  };
}

/** The operations, each half tested with known answers when it is first used. */
export function testedEdDSA(operations: EdDSAOperations): EdDSAOperations {
  const signing = before(() => testSigning(operations));
  const verification = before(() => testVerification(operations));
  return {
    ...operations,
    derivePublicKey(seed) {
      signing();
      return operations.derivePublicKey(seed);
    },
    generateKeyPair(seed, random) {
      signing();
      return operations.generateKeyPair(seed, random);
    },
    sign(seed, publicKey, message, options) {
      signing();
      return operations.sign(seed, publicKey, message, options);
    },
    verifyVartime(publicKey, message, signature, options) {
      verification();
      return operations.verifyVartime(publicKey, message, signature, options);
    },
  };
}

/** As testedEdDSA. */
export function testedXDH(operations: XDHOperations): XDHOperations {
  const agreement = before(() => testAgreement(operations));
  const derivation = before(() => testDerivation(operations));
  return {
    ...operations,
    agree(out, privateKey, peer) {
      agreement();
      return operations.agree(out, privateKey, peer);
    },
    derivePublicKey(out, privateKey) {
      derivation();
      operations.derivePublicKey(out, privateKey);
    },
    generateKeyPair(privateKey, publicKey, random) {
      derivation();
      operations.generateKeyPair(privateKey, publicKey, random);
    },
  };
}

function result(curve: string, id: string, role: SelfTestResult['role'], test: () => void): SelfTestResult {
  try {
    test();
    return { curve, id, role, outcome: 'passed', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it threw something odd';
    return { curve, id, role, outcome: 'failed', reason };
  }
}

/** The known answers of both halves. */
export function selfTestEdDSA(name: EdwardsCurveName, operations: () => EdDSAOperations): readonly SelfTestResult[] {
  return [
    result(name, `${name}/comb`, 'base', () => testSigning(operations())),
    result(name, `${name}/double/window`, 'double', () => testVerification(operations())),
  ];
}

export function selfTestXDH(name: MontgomeryCurveName, operations: () => XDHOperations): readonly SelfTestResult[] {
  const comb = `${name === 'X25519' ? 'Ed25519' : 'Ed448'}/comb`;
  return [
    result(name, comb, 'base', () => testDerivation(operations())),
    result(name, `${name}/ladder`, 'point', () => testAgreement(operations())),
  ];
}

/** The decision for one part, from what its test said; untested where there are no hash functions to test it with. */
function decision(id: string, kind: CandidateDecision['kind'], test?: SelfTestResult): readonly CandidateDecision[] {
  const taken = test?.outcome !== 'failed';
  let reason = 'the only one there is';
  if (test?.outcome === 'passed') reason += '; its known answers come out';
  if (!taken) reason = `failed its self-test: ${test?.reason}`;
  return [{ id, kind, foreign: false, rank: 20, taken, reason }];
}

/**
 * The decision for an Edwards or Montgomery curve, from the results of its self-test: there is one portable candidate for
 * each part.
 */
export function explainEdwards(
  name: EdwardsCurveName | MontgomeryCurveName,
  results: readonly SelfTestResult[],
): EngineExplanation {
  const is25519 = name === 'Ed25519' || name === 'X25519';
  const edwards = is25519 ? 'Ed25519' : 'Ed448';
  const montgomery = name === 'X25519' || name === 'X448';
  const part = (id: string, role: SelfTestResult['role']): readonly CandidateDecision[] =>
    decision(
      id,
      'multiplier',
      results.find((result) => result.role === role),
    );
  return {
    curve: name,
    field: decision(`${is25519 ? 'curve25519' : 'curve448'}/montgomery`, 'field'),
    base: part(`${edwards}/comb`, 'base'),
    point: montgomery ? part(`${name}/ladder`, 'point') : [],
    double: montgomery ? [] : part(`${edwards}/double/window`, 'double'),
  };
}

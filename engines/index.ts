// Public face of `provium/engines`.

export {
  createEngines,
  type EngineOptions,
  type Engines,
} from './container.ts';
export {
  BRAINPOOLP256R1,
  BRAINPOOLP384R1,
  BRAINPOOLP512R1,
  CURVES,
  SECP224R1,
  SECP256K1,
  SECP256R1,
  SECP384R1,
  SECP521R1,
} from './curves.ts';
export type { CurveName, CurveRow, ECOperations, PrecomputedPoint, ScalarOperations } from './ec-operations.ts';
export { createECDHOperations, type ECDHOperations, generateKeyPair } from './ecdh-operations.ts';
export { createECDSAOperations, type ECDSAOperations, signDigestWithNonceUnchecked } from './ecdsa-operations.ts';
export {
  createEdDSAOperations,
  type EdDSACriteria,
  type EdDSAMessage,
  type EdDSAOperations,
  type EdDSAOptions,
  type EdDSAPublicKey,
  type EdDSAVerifyOptions,
} from './eddsa-operations.ts';
export {
  EDWARDS_CURVES,
  type EdwardsCurveName,
  type EdwardsCurveRow,
  MONTGOMERY_CURVES,
  type MontgomeryCurveName,
  type MontgomeryCurveRow,
} from './edwards-curves.ts';
export { EngineError } from './errors.ts';
export { type ExplicitCurve, explicitOperations, validateExplicitCurve } from './explicit-curve.ts';
export type {
  Candidate,
  CurveCandidate,
  FieldCandidate,
  ForeignCandidate,
  MultiplierCandidate,
} from './intrinsics/candidate.ts';
export {
  CAPABILITIES,
  type Capabilities,
  type Capability,
  type CapabilityFinding,
  detectCapabilities,
} from './intrinsics/capabilities.ts';
export type { EnginePolicy } from './intrinsics/policy.ts';
export type {
  CandidateDecision,
  CandidateDisabledEvent,
  EngineEvent,
  EngineExplanation,
  Selection,
} from './intrinsics/selection.ts';
export type { SelfTestResult } from './intrinsics/self-test-report.ts';
export type {
  CombMultiplier,
  ForeignImplementation,
  ForeignMultiplier,
  KernelMultiplier,
  LadderMultiplier,
  MultiplierKind,
  MultiplierRole,
  PointMultiplier,
  WindowMultiplier,
} from './multipliers/multiplier.ts';
export type { NonceSource } from './nonces.ts';
export { type HashFunctions, type RandomSource, surplusLength } from './sources.ts';
export { createXDHOperations, type XDHOperations } from './xdh-operations.ts';

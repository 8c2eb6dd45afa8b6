// Public face of `provium/spi`: everything for applications and provider authors, without any cryptography.

export { AlgorithmParameters } from './algorithm-parameters.ts';
export { AsyncKeyAgreement } from './async-key-agreement.ts';
export { AsyncKeyFactory } from './async-key-factory.ts';
export { AsyncKeyPairGenerator } from './async-key-pair-generator.ts';
export type { Abortable } from './async-queue.ts';
export { AsyncSignature } from './async-signature.ts';
export {
  type From,
  type FromOptions,
  type ProviderSelfTest,
  Security,
  SecurityContext,
  setBuiltInProviders,
  setDefaultContextFactory,
} from './context.ts';
export type { ContextOptions, ProviderResolver } from './context-options.ts';
export { decodeCkaEcPoint, encodeCkaEcPoint } from './encoding/cka-ec-point.ts';
export * from './errors.ts';
export type { ExplainedCandidate, Explanation } from './explain.ts';
export {
  type CryptoKeyLike,
  CryptoKeyPrivateKey,
  CryptoKeyPublicKey,
  type KeyObjectLike,
  KeyObjectPrivateKey,
  KeyObjectPublicKey,
} from './foreign-keys.ts';
export { KeyAgreement } from './key-agreement.ts';
export { KeyFactory } from './key-factory.ts';
export { KeyPairGenerator } from './key-pair-generator.ts';
export * from './key-specs.ts';
export * from './keys.ts';
export { MessageDigest } from './message-digest.ts';
export {
  type CurveFamily,
  type CurveNameInfo,
  type DigestAlgorithm,
  type KeyAgreementAlgorithm,
  type KeyPairAlgorithm,
  type Open,
  resolveAlgorithm,
  resolveCurve,
  resolveCurveName,
  type SignatureAlgorithm,
} from './names.ts';
export { defineProvider, Provider, type ProviderDefinition, type SelfTestResult } from './provider.ts';
export type { Failover, GenerationParameters } from './selection.ts';
export * from './service.ts';
export {
  algorithmParametersService,
  type InstanceInit,
  keyAgreementService,
  keyFactoryService,
  keyPairGeneratorService,
  messageDigestService,
  type OneShotInit,
  type ServiceInit,
  signatureService,
} from './service-helpers.ts';
export {
  type AsyncPrivateKeyInput,
  type AsyncPublicKeyInput,
  type OneShotSignOptions,
  type OneShotVerifyOptions,
  type PrivateKeyInput,
  type PublicKeyInput,
  Signature,
} from './signature.ts';
export { startOnce } from './start-once.ts';

// One provider behind the public façades: all that the adapters use.

import {
  AlgorithmParameters,
  ECGenParameterSpec,
  type Key,
  KeyAgreement,
  KeyFactory,
  type KeySpec,
  type KeySpecClass,
  type PrivateKey,
  type PublicKey,
  Security,
  Signature,
  type SignOptions,
  type VerifyOptions,
} from '../../index.ts';
import { resolveCurve } from '../../spi/names.ts';
import type { ServiceType } from '../../spi/service.ts';

interface Verifier {
  verify(key: PublicKey, message: Uint8Array, signature: Uint8Array, options?: VerifyOptions): boolean;
}

export interface Subject {
  readonly provider: string;
  /** Why a service on a curve is not to be had here; undefined if it is. */
  lacks(type: ServiceType, algorithm: string, curve: string): string | undefined;
  importPublic(family: string, spec: KeySpec): PublicKey;
  importPrivate(family: string, spec: KeySpec): PrivateKey;
  exportKey<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): S;
  /** One object for many verifications. */
  verifier(algorithm: string): Verifier;
  sign(algorithm: string, key: PrivateKey, message: Uint8Array, options?: SignOptions): Uint8Array;
  canSign(algorithm: string, options: SignOptions): boolean;
  /** False if the provider cannot honour the options. */
  canVerify(algorithm: string, options: VerifyOptions): boolean;
  agree(algorithm: string, key: PrivateKey, peer: PublicKey): Uint8Array;
  /** The DER encoding of the parameters of a curve. */
  encodedParameters(curve: string): Uint8Array;
}

/** The key factory for a curve. */
export function familyOf(curve: string): string {
  return resolveCurve(curve)?.family ?? 'EC';
}

export function createSubject(provider: string): Subject {
  const factories = new Map<string, KeyFactory>();
  const factory = (family: string): KeyFactory => {
    const made = factories.get(family) ?? KeyFactory.getInstance(family, provider);
    factories.set(family, made);
    return made;
  };
  const serviceOf = (type: ServiceType, algorithm: string) => Security.getProvider(provider)?.service(type, algorithm);
  return {
    provider,
    lacks(type, algorithm, curve) {
      const name = resolveCurve(curve)?.name ?? curve;
      const service = serviceOf(type, algorithm);
      const served = (service?.attributes.SupportedCurves ?? []).some((each) => resolveCurve(each)?.name === name);
      if (service !== undefined && served) return undefined;
      // That the whole curve is missing says more than that one service is.
      const factoryCurves = serviceOf('KeyFactory', familyOf(curve))?.attributes.SupportedCurves ?? [];
      if (!factoryCurves.some((each) => resolveCurve(each)?.name === name)) {
        return `the curve ${name} is not served by ${provider} ${Security.getProvider(provider)?.version}`;
      }
      return `the ${type} ${algorithm} is not served by ${provider} ${Security.getProvider(provider)?.version}`;
    },
    importPublic: (family, spec) => factory(family).generatePublic(spec),
    importPrivate: (family, spec) => factory(family).generatePrivate(spec),
    exportKey: (key, kind) => factory(key.algorithm).getKeySpec(key, kind),
    verifier(algorithm) {
      const object = Signature.getInstance(algorithm, provider);
      return {
        verify(key, message, signature, options) {
          object.initVerify(key, options);
          return object.update(message).verify(signature);
        },
      };
    },
    sign: (algorithm, key, message, options) =>
      Signature.getInstance(algorithm, provider).initSign(key, options).update(message).sign(),
    canSign: (algorithm, options) =>
      serviceOf('Signature', algorithm)?.supportsOptions({ use: 'sign', ...options }) === true,
    canVerify: (algorithm, options) =>
      serviceOf('Signature', algorithm)?.supportsOptions({ use: 'verify', ...options }) === true,
    agree: (algorithm, key, peer) =>
      KeyAgreement.getInstance(algorithm, provider).init(key).doPhase(peer, true).generateSecret(),
    encodedParameters(curve) {
      return AlgorithmParameters.getInstance('EC', provider).init(new ECGenParameterSpec(curve)).encoded;
    },
  };
}

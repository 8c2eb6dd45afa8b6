// Operations drawn by a seeded generator on every curve, each done by the provider Provium behind the façades and by
// node:crypto. Used with a fixed count by the tests, without end by `npm run soak:differential`.

import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  getCurves,
  getHashes,
  type KeyObject,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto';
import {
  ECGenParameterSpec,
  KeyAgreement,
  KeyFactory,
  KeyPairGenerator,
  PKCS8EncodedKeySpec,
  type PrivateKey,
  type PublicKey,
  Signature,
  type SignOptions,
  X509EncodedKeySpec,
} from '../../index.ts';

export type Operation = 'sign' | 'verify' | 'agree' | 'generate';

interface Curve {
  readonly name: string;
  readonly family: 'EC' | 'EdDSA' | 'XDH';
  /** As node:crypto calls it. */
  readonly nodeName: string;
}

const EC = (name: string, nodeName = name): Curve => ({ name, family: 'EC', nodeName });
const ALL: readonly Curve[] = [
  EC('secp256r1', 'prime256v1'),
  EC('secp384r1'),
  EC('secp521r1'),
  EC('secp256k1'),
  EC('secp224r1'),
  EC('brainpoolP256r1'),
  EC('brainpoolP384r1'),
  EC('brainpoolP512r1'),
  { name: 'Ed25519', family: 'EdDSA', nodeName: 'ed25519' },
  { name: 'Ed448', family: 'EdDSA', nodeName: 'ed448' },
  { name: 'X25519', family: 'XDH', nodeName: 'x25519' },
  { name: 'X448', family: 'XDH', nodeName: 'x448' },
];

const known = new Set(getCurves());
const isThere = ({ family, nodeName }: Curve): boolean => family !== 'EC' || known.has(nodeName);
/** Those that node:crypto has here. */
export const CURVES: readonly Curve[] = ALL.filter(isThere);

export function operationsOf({ family }: Curve): readonly Operation[] {
  if (family === 'XDH') return ['agree', 'generate'];
  return family === 'EC' ? ['sign', 'verify', 'agree', 'generate'] : ['sign', 'verify', 'generate'];
}

const ALL_DIGESTS: readonly (readonly [provium: string, node: string])[] = [
  ['SHA1', 'sha1'],
  ['SHA224', 'sha224'],
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA512', 'sha512'],
  ['SHA512/256', 'sha512-256'],
  ['SHA3-224', 'sha3-224'],
  ['SHA3-256', 'sha3-256'],
  ['SHA3-384', 'sha3-384'],
  ['SHA3-512', 'sha3-512'],
];
const hashes = new Set(getHashes());
const DIGESTS = ALL_DIGESTS.filter(([, node]) => hashes.has(node));
/** Names of the curves and digests that node:crypto lacks here. */
export const LACKING: readonly string[] = [
  ...ALL.filter((curve) => !isThere(curve)).map(({ name }) => name),
  ...ALL_DIGESTS.filter(([, node]) => !hashes.has(node)).map(([name]) => name),
];
const NONCES: readonly NonNullable<SignOptions['nonce']>[] = ['hedged', 'deterministic', 'random'];
/** One key pair serves so many operations. */
const KEY_USES = 20;

/** xorshift32 (Marsaglia 2003): enough to draw cases, and the same everywhere. */
class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}

interface Pair {
  readonly publicKey: PublicKey;
  readonly privateKey: PrivateKey;
  readonly nodePublic: KeyObject;
  readonly nodePrivate: KeyObject;
}

function nodePair({ family, nodeName }: Curve): { publicKey: KeyObject; privateKey: KeyObject } {
  if (family === 'EC') return generateKeyPairSync('ec', { namedCurve: nodeName });
  switch (nodeName) {
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'ed448':
      return generateKeyPairSync('ed448');
    case 'x25519':
      return generateKeyPairSync('x25519');
    default:
      return generateKeyPairSync('x448');
  }
}

/** A pair that node:crypto made, imported by Provium. */
function pairOf(curve: Curve): Pair {
  const made = nodePair(curve);
  const factory = KeyFactory.getInstance(curve.family, 'Provium');
  return {
    publicKey: factory.generatePublic(new X509EncodedKeySpec(made.publicKey.export({ format: 'der', type: 'spki' }))),
    privateKey: factory.generatePrivate(
      new PKCS8EncodedKeySpec(made.privateKey.export({ format: 'der', type: 'pkcs8' })),
    ),
    nodePublic: made.publicKey,
    nodePrivate: made.privateKey,
  };
}

interface Scheme {
  readonly algorithm: string;
  readonly options: SignOptions;
  readonly nodeDigest: string | null;
  readonly dsaEncoding: 'der' | 'ieee-p1363';
}

function drawScheme(curve: Curve, draw: Draw): Scheme {
  if (curve.family === 'EdDSA') return { algorithm: curve.name, options: {}, nodeDigest: null, dsaEncoding: 'der' };
  const [digest, nodeDigest] = draw.of(DIGESTS);
  const dsaEncoding = draw.of(['der', 'ieee-p1363'] as const);
  const algorithm = `${digest}withECDSA${dsaEncoding === 'der' ? '' : 'inP1363Format'}`;
  return { algorithm, options: { nonce: draw.of(NONCES), lowS: draw.of([true, false]) }, nodeDigest, dsaEncoding };
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function signs(curve: Curve, pair: Pair, draw: Draw): void {
  const { algorithm, options, nodeDigest, dsaEncoding } = drawScheme(curve, draw);
  const data = draw.bytes(draw.below(301));
  const signature = Signature.sign(algorithm, pair.privateKey, data, { ...options, provider: 'Provium' });
  require(nodeVerify(
    nodeDigest,
    data,
    { key: pair.nodePublic, dsaEncoding },
    signature,
  ), `node:crypto refuses a signature by ${algorithm}`);
  if (options.lowS !== true) return;
  const low = Signature.verify(algorithm, pair.publicKey, data, signature, { lowS: true, provider: 'Provium' });
  require(low, `a signature by ${algorithm} with lowS has a high s`);
}

function verifies(curve: Curve, pair: Pair, draw: Draw): void {
  const { algorithm, nodeDigest, dsaEncoding } = drawScheme(curve, draw);
  const data = draw.bytes(draw.below(301));
  const signature = new Uint8Array(nodeSign(nodeDigest, data, { key: pair.nodePrivate, dsaEncoding }));
  const verify = () => Signature.verify(algorithm, pair.publicKey, data, signature, { provider: 'Provium' });
  require(verify(), `Provium refuses a signature of node:crypto by ${algorithm}`);
  const at = draw.below(signature.length);
  signature[at] = (signature[at] as number) ^ (1 << draw.below(8));
  require(!verify(), `Provium takes a changed signature by ${algorithm}`);
}

/** With a fresh peer of node:crypto each time. */
function agrees(curve: Curve, pair: Pair): void {
  const { publicKey: peer } = nodePair(curve);
  const spec = new X509EncodedKeySpec(peer.export({ format: 'der', type: 'spki' }));
  const publicKey = KeyFactory.getInstance(curve.family, 'Provium').generatePublic(spec);
  const agreement = KeyAgreement.getInstance(curve.family === 'EC' ? 'ECDH' : curve.name, 'Provium');
  const secret = agreement.init(pair.privateKey).doPhase(publicKey, true).generateSecret();
  const theirs = diffieHellman({ privateKey: pair.nodePrivate, publicKey: peer });
  require(same(secret, theirs), `the secrets differ; peer ${Buffer.from(spec.encoded).toString('hex')}`);
}

function generates(curve: Curve): void {
  const generator = KeyPairGenerator.getInstance(curve.family === 'EC' ? 'EC' : curve.name, 'Provium');
  if (curve.family === 'EC') generator.initialize(new ECGenParameterSpec(curve.name));
  const { publicKey, privateKey } = generator.generateKeyPair();
  const key = Buffer.from(privateKey.encoded as Uint8Array);
  const derived = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  require(same(
    derived.export({ format: 'der', type: 'spki' }),
    publicKey.encoded as Uint8Array,
  ), 'the public keys differ');
}

const RUN: Readonly<Record<Operation, (curve: Curve, pair: Pair, draw: Draw) => void>> = {
  sign: signs,
  verify: verifies,
  agree: agrees,
  generate: generates,
};

/** Runs `count` operations. Throws an error that names curve, operation, seed and index of the first difference. */
export function runOperations(curve: Curve, operation: Operation, count: number, seed: number): void {
  const draw = new Draw(seed);
  let pair = pairOf(curve);
  for (let i = 0; i < count; i++) {
    if (i > 0 && i % KEY_USES === 0) pair = pairOf(curve);
    try {
      RUN[operation](curve, pair, draw);
    } catch (error) {
      // The seed fixes what is drawn, not the keys, which node:crypto makes; they are worth nothing outside this run.
      const key = pair.nodePrivate.export({ format: 'der', type: 'pkcs8' }).toString('hex');
      const where = `${curve.name}, ${operation}, seed ${seed}, operation ${i}, key ${key}`;
      throw new Error(`${where}: ${String(error)}`, { cause: error });
    }
  }
}

/** PROVIUM_SEED, else one of its own for each run. */
export function runSeed(): number {
  const given = process.env['PROVIUM_SEED'];
  return given !== undefined && /^-?\d+$/.test(given) ? Number(given) : Date.now() | 0;
}

// What the machine can do, found out by trying, each part removable so that every tier can be tested everywhere.

export const CAPABILITIES = ['wasm', 'wasm-simd', 'wasm-fma', 'threads'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface CapabilityFinding {
  readonly present: boolean;
  /** How it was found, or why it is absent. */
  readonly reason: string;
}

export interface Capabilities {
  readonly findings: Readonly<Record<Capability, CapabilityFinding>>;
  /** Candidates that must not serve, by id. */
  readonly disabledIds: readonly string[];
  /** What the runtime says of itself; for reports only. */
  readonly runtime: { readonly node?: string; readonly architecture?: string };
  has(capability: Capability): boolean;
}

const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

// (func (result i32) i32.const 0  i8x16.splat  v128.any_true)
const SIMD = Uint8Array.of(
  ...EMPTY,
  ...[1, 5, 1, 96, 0, 1, 127],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 83, 11],
);

// (memory (export "m") 1) (func (export "p") (param i32) (result i32)
//   v128.any_true(f64x2.relaxed_madd(v128.load(p), v128.load(p), v128.load(p + 16))))
const RELAXED_MADD = Uint8Array.of(
  ...EMPTY,
  ...[1, 6, 1, 96, 1, 127, 1, 127],
  ...[3, 2, 1, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 9, 2, 1, 109, 2, 0, 1, 112, 0, 0],
  ...[10, 27, 1, 25, 0, 32, 0, 253, 0, 4, 0, 32, 0, 253, 0, 4, 0, 32, 0, 253, 0, 4, 16, 253, 135, 2, 253, 83, 11],
);

// (memory 1 1 shared)
const SHARED_MEMORY = Uint8Array.of(...EMPTY, ...[5, 4, 1, 3, 1, 1]);

const present = (reason: string): CapabilityFinding => ({ present: true, reason });
const absent = (reason: string): CapabilityFinding => ({ present: false, reason });

function findWasm(): CapabilityFinding {
  if (typeof WebAssembly !== 'object') return absent('the runtime has no WebAssembly');
  try {
    new WebAssembly.Instance(new WebAssembly.Module(EMPTY));
    return present('a module was compiled');
  } catch {
    return absent('compiling WebAssembly is not allowed here');
  }
}

function findSimd(): CapabilityFinding {
  return WebAssembly.validate(SIMD) ? present('SIMD128 validates') : absent('SIMD128 does not validate');
}

/**
 * Relaxed SIMD may fuse multiply and add or not; only fused hardware gives what our kernels need. With a = 1 + 2^−30,
 * a·a − (1 + 2^−29) is 2^−60 if fused and 0 if the product was rounded. Operands come from memory, out of reach of
 * constant folding.
 */
function findFusedMadd(): CapabilityFinding {
  if (!WebAssembly.validate(RELAXED_MADD)) return absent('relaxed SIMD does not validate');
  const { m, p } = new WebAssembly.Instance(new WebAssembly.Module(RELAXED_MADD)).exports as {
    m: WebAssembly.Memory;
    p: (address: number) => number;
  };
  const memory = new Float64Array(m.buffer);
  memory.fill(1 + 2 ** -30, 8, 10);
  memory.fill(-(1 + 2 ** -29), 10, 12);
  return p(64) === 1
    ? present('relaxed_madd is fused')
    : absent('relaxed_madd rounds the product: it is not fused on this machine');
}

function findThreads(): CapabilityFinding {
  if (typeof SharedArrayBuffer !== 'function') return absent('there is no SharedArrayBuffer here');
  return WebAssembly.validate(SHARED_MEMORY) ? present('shared memory validates') : absent('shared memory is refused');
}

function isCapability(word: string): word is Capability {
  return (CAPABILITIES as readonly string[]).includes(word);
}

/**
 * Detects. `disable` (the value of PROVIUM_DISABLE, as text or list) takes away capabilities and candidates by id; it
 * cannot add any. Without `wasm` there is none of the others.
 */
export function detectCapabilities(disable: string | readonly string[] = []): Capabilities {
  const words = (typeof disable === 'string' ? disable.split(',') : disable)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const find = (capability: Capability, needs: CapabilityFinding | undefined, probe: () => CapabilityFinding) => {
    if (words.includes(capability)) return absent('disabled by PROVIUM_DISABLE');
    if (needs !== undefined && !needs.present) return absent(needs.reason);
    try {
      return probe();
    } catch {
      return absent('the probe failed');
    }
  };
  const wasm = find('wasm', undefined, findWasm);
  const simd = find('wasm-simd', wasm, findSimd);
  const findings: Record<Capability, CapabilityFinding> = {
    wasm,
    'wasm-simd': simd,
    'wasm-fma': find('wasm-fma', simd, findFusedMadd),
    threads: find('threads', wasm, findThreads),
  };
  const { process } = globalThis as { process?: { versions?: { node?: string }; arch?: string } };
  const node = process?.versions?.node;
  return {
    findings,
    disabledIds: words.filter((word) => !isCapability(word)),
    runtime: {
      ...(node === undefined ? {} : { node }),
      ...(process?.arch === undefined ? {} : { architecture: process.arch }),
    },
    has: (capability) => findings[capability].present,
  };
}

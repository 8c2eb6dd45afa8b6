import { describe, expect, it } from 'vitest';
import { bytesFromHex, SECP256R1 } from '../../engines/curves.ts';
import { P256_COMB_BASE64 } from '../../engines/generated/p256-comb.generated.ts';
import { combTable, decodeComb, encodeComb } from '../../engines/multipliers/p256-comb-table.ts';

describe('the comb table of the generator', () => {
  const computed = combTable(bytesFromHex(SECP256R1.gx + SECP256R1.gy));

  it('in the source is what its generator computes', () => {
    expect(encodeComb(computed)).toBe(P256_COMB_BASE64);
    expect(decodeComb(P256_COMB_BASE64)).toEqual(computed);
  });

  it('holds balanced limbs', () => {
    expect(computed.every((limb) => Math.abs(limb) < 2 ** 23)).toBe(true);
  });
});

// Factors as signed sums of powers of two, for multiplication by shifts.

export interface SignedDigit {
  readonly sign: 1 | -1;
  readonly shift: number;
}

/** The non-adjacent form of an integer, lowest power first. */
export function signedDigits(value: bigint): SignedDigit[] {
  const digits: SignedDigit[] = [];
  let rest = value;
  for (let shift = 0; rest !== 0n; shift++) {
    if ((rest & 1n) === 1n) {
      const sign = (rest & 3n) === 1n ? 1 : -1;
      digits.push({ sign, shift });
      rest -= BigInt(sign);
    }
    rest >>= 1n;
  }
  return digits;
}

// Base64 and base64url (RFC 4648) without tables, so that private keys pass without secret-dependent branch or address.

/** A mask of ones if lo ≤ c ≤ hi, else 0. */
function within(c: number, lo: number, hi: number): number {
  return ((lo - 1 - c) & (c - hi - 1)) >> 31;
}

/** Six bits of one character code, or −1. `c62` and `c63` are the last two characters of the alphabet. */
function decodeSextet(c: number, c62: number, c63: number): number {
  const upper = within(c, 65, 90);
  const lower = within(c, 97, 122);
  const digit = within(c, 48, 57);
  const plus = within(c, c62, c62);
  const slash = within(c, c63, c63);
  const value = (upper & (c - 65)) | (lower & (c - 71)) | (digit & (c + 4)) | (plus & 62) | (slash & 63);
  return value | ~(upper | lower | digit | plus | slash);
}

function encodeSextet(v: number, c62: number, c63: number): number {
  let c = v + 65;
  c += ((25 - v) >> 31) & 6;
  c += ((51 - v) >> 31) & -75;
  const is62 = within(v, 62, 62);
  const is63 = within(v, 63, 63);
  return (c & ~(is62 | is63)) | (c62 & is62) | (c63 & is63);
}

function decode(text: string, c62: number, c63: number): Uint8Array | undefined {
  const tail = text.length & 3;
  if (tail === 1) return undefined;
  const out = new Uint8Array((text.length >> 2) * 3 + (tail === 0 ? 0 : tail - 1));
  let bits = 0;
  let pending = 0;
  let invalid = 0;
  let written = 0;
  for (let i = 0; i < text.length; i++) {
    const sextet = decodeSextet(text.charCodeAt(i), c62, c63);
    invalid |= sextet >> 31;
    bits = ((bits << 6) | (sextet & 63)) & 0x3fff;
    pending += 6;
    if (pending >= 8) {
      pending -= 8;
      out[written++] = (bits >> pending) & 0xff;
    }
  }
  // The bits left over must be zero, or several texts would decode to the same bytes.
  invalid |= bits & ((1 << pending) - 1);
  if (invalid === 0) return out;
  out.fill(0);
  return undefined;
}

function encode(bytes: Uint8Array, c62: number, c63: number): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3fff;
    pending += 8;
    while (pending >= 6) {
      pending -= 6;
      text += String.fromCharCode(encodeSextet((bits >> pending) & 63, c62, c63));
    }
  }
  if (pending > 0) text += String.fromCharCode(encodeSextet((bits << (6 - pending)) & 63, c62, c63));
  return text;
}

/** Base64 with its padding; undefined for any character, length, padding or left-over bit that does not belong. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if ((text.length & 3) !== 0) return undefined;
  let end = text.length;
  if (end > 0 && text.charCodeAt(end - 1) === 61) end--;
  if (end < text.length && text.charCodeAt(end - 1) === 61) end--;
  return decode(text.slice(0, end), 43, 47);
}

export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, 43, 47);
  return text.padEnd((text.length + 3) & ~3, '=');
}

/** Base64url without padding (RFC 7515); undefined for anything else. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  return decode(text, 45, 95);
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return encode(bytes, 45, 95);
}

// ECDSA signatures as DER SEQUENCE { r INTEGER, s INTEGER } (RFC 3279, SEC 1) and as r, s at fixed width (IEEE P1363).
// Runs once per signature: no parser, one allocation at most.

/**
 * Reads one strict DER INTEGER, 0 ≤ value < 256^width, at `offset` into `out[at, at + width)`, left-padded with zeros.
 * Returns the offset after it, or −1: negative, not minimal, empty, too wide or cut off.
 */
function readInteger(out: Uint8Array, at: number, width: number, der: Uint8Array, offset: number): number {
  if (der[offset] !== 0x02) return -1;
  let length = der[offset + 1] as number;
  let start = offset + 2;
  const end = start + length;
  // A length of 80 hexadecimal or more is the long form; an integer that long fits no curve up to 1000 bits.
  if (!(length > 0 && length < 0x80) || end > der.length) return -1;
  const first = der[start] as number;
  if (first >= 0x80) return -1;
  if (first === 0 && length > 1) {
    if ((der[start + 1] as number) < 0x80) return -1;
    start++;
    length--;
  }
  if (length > width) return -1;
  let i = at;
  for (const pad = at + width - length; i < pad; i++) out[i] = 0;
  for (let from = start; from < end; from++, i++) out[i] = der[from] as number;
  return end;
}

/**
 * Decodes a strict DER signature into `out` as r then s, `width` bytes each (`out` has 2·width).
 * False, with `out` in no defined state, for anything but the one DER encoding of two integers that fit.
 */
export function decodeEcdsaDer(out: Uint8Array, der: Uint8Array, width: number): boolean {
  if (der[0] !== 0x30) return false;
  let offset = 2;
  let length = der[1] as number;
  if (length >= 0x80) {
    if (length !== 0x81) return false;
    length = der[2] as number;
    if (!(length >= 0x80)) return false;
    offset = 3;
  }
  if (offset + length !== der.length) return false;
  offset = readInteger(out, 0, width, der, offset);
  return offset >= 0 && readInteger(out, width, width, der, offset) === der.length;
}

/** Content bytes of the INTEGER for `rs[from, to)`. */
function contentLength(rs: Uint8Array, from: number, to: number): number {
  let start = from;
  while (start < to - 1 && rs[start] === 0) start++;
  return to - start + ((rs[start] as number) >> 7);
}

function writeInteger(
  out: Uint8Array,
  offset: number,
  rs: Uint8Array,
  from: number,
  to: number,
  length: number,
): number {
  out[offset++] = 0x02;
  out[offset++] = length;
  const end = offset + length;
  // A content wider than what is there begins with a sign byte, which is 0 already.
  for (let i = end, source = to; i > offset && source > from; ) out[--i] = rs[--source] as number;
  return end;
}

/** Encodes r then s of equal width (at most 126 bytes each) as DER. */
export function encodeEcdsaDer(rs: Uint8Array): Uint8Array {
  const width = rs.length >> 1;
  const rLength = contentLength(rs, 0, width);
  const sLength = contentLength(rs, width, rs.length);
  const body = rLength + sLength + 4;
  const header = body < 0x80 ? 2 : 3;
  const out = new Uint8Array(header + body);
  out[0] = 0x30;
  if (header === 3) out[1] = 0x81;
  out[header - 1] = body;
  writeInteger(out, writeInteger(out, header, rs, 0, width, rLength), rs, width, rs.length, sLength);
  return out;
}

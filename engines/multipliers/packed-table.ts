// Tables of points as text, for those that are shipped instead of computed: every integer as three bytes, little-endian,
// plus 2^23, in base64.

const OFFSET = 2 ** 23;

/** Needs integers in [−2^23, 2^23). Throws RangeError for others. */
export function packTable(table: Int32Array): string {
  let bytes = '';
  for (const value of table) {
    const shifted = value + OFFSET;
    if (shifted < 0 || shifted >= 2 * OFFSET) throw new RangeError('a limb does not fit into three bytes');
    bytes += String.fromCharCode(shifted & 255, (shifted >> 8) & 255, shifted >> 16);
  }
  return btoa(bytes);
}

/** The inverse of packTable. */
export function unpackTable(text: string): Int32Array {
  const bytes = atob(text);
  const table = new Int32Array(bytes.length / 3);
  for (let i = 0; i < table.length; i++) {
    const at = 3 * i;
    table[i] = (bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16)) - OFFSET;
  }
  return table;
}

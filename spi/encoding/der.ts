// Distinguished encoding rules (X.690) over the asn1js library, which reads BER: whatever it accepts is laid out again by
// the rules of DER and refused unless the very same bytes come out.

import { type AsnType, Constructed, fromBER, ObjectIdentifier, Sequence, Set as SetOf } from 'asn1js';
import { InvalidKeySpecError } from '../errors.ts';

/** Identifier octets of the types that keys are made of. */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Keys nest about six levels deep. */
const MAX_DEPTH = 16;

/** One value: its identifier octet, its content as a view on the input, its parts if it is constructed. */
export interface DerNode {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly children: readonly DerNode[];
}

function refuse(what: string, reason: string): never {
  throw new InvalidKeySpecError(`${what} is not valid DER: ${reason}.`);
}

function lengthOfLength(length: number): number {
  return length < 0x80 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : length < 0x1000000 ? 4 : 5;
}

function writeHeader(out: Uint8Array, offset: number, tag: number, length: number): number {
  out[offset++] = tag;
  const octets = lengthOfLength(length) - 1;
  if (octets > 0) out[offset++] = 0x80 | octets;
  for (let shift = 8 * Math.max(octets - 1, 0); shift >= 0; shift -= 8) out[offset++] = (length >>> shift) & 0xff;
  return offset;
}

/** The DER encoding of a value; `parts` are joined. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(1 + lengthOfLength(length) + length);
  let offset = writeHeader(out, 0, tag, length);
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Bytes that a node takes as DER. */
function encodedLength(node: DerNode): number {
  return 1 + lengthOfLength(node.content.length) + node.content.length;
}

/** Why the content of a primitive universal value is not the one DER form, or undefined. */
function primitiveFault(tag: number, content: Uint8Array): string | undefined {
  const first = content[0];
  switch (tag) {
    case DER.boolean:
      return content.length === 1 && (first === 0 || first === 0xff) ? undefined : 'a boolean is neither 00 nor FF';
    case DER.null:
      return content.length === 0 ? undefined : 'a null has content';
    case DER.integer: {
      if (first === undefined) return 'an integer is empty';
      const sign = (content[1] ?? 0) >> 7;
      return content.length > 1 && first === (sign === 1 ? 0xff : 0) ? 'an integer is not minimal' : undefined;
    }
    case DER.bitString: {
      if (first === undefined || first > 7 || (first > 0 && content.length === 1)) return 'a bit string is malformed';
      const unused = (1 << first) - 1;
      return ((content[content.length - 1] ?? 0) & unused) === 0 || content.length === 1
        ? undefined
        : 'unused bits of a bit string are set';
    }
    case DER.oid: {
      let start = true;
      for (const byte of content) {
        if (start && byte === 0x80) return 'an object identifier is not minimal';
        start = byte < 0x80;
      }
      return content.length > 0 && start ? undefined : 'an object identifier is cut off';
    }
    default:
      return undefined;
  }
}

function nodeOf(block: AsnType, bytes: Uint8Array, offset: number, what: string): DerNode {
  const { tagClass, tagNumber, isConstructed } = block.idBlock;
  if (block.lenBlock.isIndefiniteForm) refuse(what, 'a length is indefinite');
  if (tagClass < 1 || tagNumber < 0 || tagNumber > 30) refuse(what, 'a tag is not one that keys use');
  const tag = ((tagClass - 1) << 6) | (isConstructed ? 0x20 : 0) | tagNumber;
  const length = block.lenBlock.length;
  const header = 1 + lengthOfLength(length);
  const content = bytes.subarray(offset + header, offset + header + length);
  if (content.length !== length) refuse(what, 'it is cut off');
  const expected = new Uint8Array(header);
  writeHeader(expected, 0, tag, length);
  for (let i = 0; i < header; i++) {
    if (expected[i] !== bytes[offset + i]) refuse(what, 'a length is not written in its shortest form');
  }
  if (!isConstructed) {
    const fault = tagClass === 1 ? primitiveFault(tag, content) : undefined;
    if (fault !== undefined) refuse(what, fault);
    return { tag, content, children: [] };
  }
  if (!(block instanceof Sequence || block instanceof SetOf || (tagClass !== 1 && block instanceof Constructed))) {
    refuse(what, 'a string is in pieces');
  }
  const children: DerNode[] = [];
  let at = offset + header;
  for (const part of block.valueBlock.value) {
    const child = nodeOf(part as AsnType, bytes, at, what);
    children.push(child);
    at += encodedLength(child);
  }
  if (at !== offset + header + length) refuse(what, 'a length does not match its content');
  return { tag, content, children };
}

function readBer(bytes: Uint8Array, what: string): AsnType {
  let read: ReturnType<typeof fromBER>;
  try {
    read = fromBER(bytes, { maxDepth: MAX_DEPTH, copyInput: false });
  } catch {
    // The library throws on some malformed times and strings; what it says could quote the content.
    refuse(what, 'it cannot be read');
  }
  return read.offset === -1 ? refuse(what, 'it cannot be read') : read.result;
}

/**
 * Reads exactly one DER value that fills `input`. The nodes are views on it: no copy is made.
 * `what` names the input in errors. Throws InvalidKeySpecError.
 */
export function parseDer(input: Uint8Array, what: string): DerNode {
  // A Buffer would give nodes whose slice() shares memory.
  const bytes = new Uint8Array(input.buffer, input.byteOffset, input.length);
  const root = nodeOf(readBer(bytes, what), bytes, 0, what);
  if (encodedLength(root) !== bytes.length) refuse(what, 'bytes follow the end');
  return root;
}

/** The OBJECT IDENTIFIER, complete with tag and length, of a dotted name. */
export function encodeOid(dotted: string): Uint8Array {
  return new Uint8Array(new ObjectIdentifier({ value: dotted }).toBER());
}

/** The dotted name of an OBJECT IDENTIFIER node. */
export function decodeOid(node: DerNode): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of node.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const first = arcs[0] ?? 0;
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - 40 * top, ...arcs.slice(1)].join('.');
}

/** The small non-negative value of an INTEGER node, or undefined. */
export function decodeSmallInteger(node: DerNode | undefined): number | undefined {
  if (node?.tag !== DER.integer || node.content.length > 4 || (node.content[0] ?? 0) >= 0x80) return undefined;
  let value = 0;
  for (const byte of node.content) value = value * 256 + byte;
  return value;
}

/** The octets of a BIT STRING content without unused bits, as a view; undefined where bits are unused. */
export function wholeOctets(content: Uint8Array): Uint8Array | undefined {
  return content.length > 0 && content[0] === 0 ? content.subarray(1) : undefined;
}

import { generateKeyPairSync, getCurves } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { curves, findCurve } from '../../../providers/openssl/curves.ts';
import { DER, type DerNode, decodeOid, parseDer } from '../../../spi/encoding/der.ts';

const PRIME_FIELD = '1.2.840.10045.1.1';

function unsigned(node: DerNode | undefined): bigint {
  return BigInt(`0x${Buffer.from(node?.content ?? []).toString('hex')}`);
}

/** What OpenSSL says of a curve: the parameters it writes out in full (SEC 1, appendix C.2). */
function explicitParameters(namedCurve: string) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve, paramEncoding: 'explicit' });
  const spki = parseDer(publicKey.export({ type: 'spki', format: 'der' }), 'The key');
  const [, field, , , order, cofactor] = spki.children[0]?.children[1]?.children ?? [];
  const [kind, size] = field?.children ?? [];
  const prime = kind?.tag === DER.oid && decodeOid(kind) === PRIME_FIELD;
  return {
    fieldBits: prime ? unsigned(size).toString(2).length : Number(unsigned(size?.children[0])),
    order: unsigned(order),
    cofactor: Number(unsigned(cofactor)),
  };
}

describe('the table of curves', () => {
  it('has every curve of the runtime but the three that keys cannot be kept on', () => {
    const served = new Set(curves().map(({ nodeName }) => nodeName));
    const missing = getCurves().filter((name) => !served.has(name));
    expect(missing.sort()).toEqual(['Oakley-EC2N-3', 'Oakley-EC2N-4', 'SM2']);
  });

  it.each(curves().map((curve) => [curve.name, curve] as const))(
    'agrees with the parameters of OpenSSL on %s',
    (_, curve) => {
      const { fieldBits, order, cofactor } = explicitParameters(curve.nodeName);
      expect(curve.fieldBits).toBe(fieldBits);
      expect(curve.cofactor).toBe(cofactor);
      expect(Buffer.from(curve.order).toString('hex')).toBe(
        order.toString(16).padStart(2 * Math.ceil(order.toString(16).length / 2), '0'),
      );
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: curve.nodeName });
      const named = parseDer(publicKey.export({ type: 'spki', format: 'der' }), 'The key').children[0]?.children[1];
      expect(named && decodeOid(named)).toBe(curve.oid);
    },
  );

  it.each([
    ['P-256', 'secp256r1'],
    ['prime256v1', 'secp256r1'],
    ['SECP256R1', 'secp256r1'],
    ['1.2.840.10045.3.1.7', 'secp256r1'],
    ['OID.1.3.132.0.34', 'secp384r1'],
    ['prime192v1', 'secp192r1'],
    ['secp192r1', 'secp192r1'],
    ['BRAINPOOLp320t1', 'brainpoolP320t1'],
  ])('finds %s as %s', (name, canonical) => {
    expect(findCurve(name)?.name).toBe(canonical);
  });

  it('finds nothing for a name that OpenSSL does not have', () => {
    expect(findCurve('secp257r1')).toBeUndefined();
    expect(findCurve('SM2')).toBeUndefined();
    expect(findCurve('constructor')).toBeUndefined();
  });
});

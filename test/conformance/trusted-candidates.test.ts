// A foreign engine sees secrets only where the operator's configuration says so.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ECGenParameterSpec, KeyPairGenerator, SecurityContext, Signature } from '../../index.ts';

const ENGINES = new URL('../../engines/container.ts', import.meta.url).href;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provium-trusted-'));
  writeFileSync(
    join(folder, 'acme.mjs'),
    `import { createEngines } from ${JSON.stringify(ENGINES)};
const operations = createEngines().ecOperations('secp256r1');
export const candidates = [
  { id: 'acme/kernel', kind: 'curve', for: ['secp256r1'], requires: [], rank: 5000, load: () => operations },
];
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

async function contextWith(engines: object): Promise<SecurityContext> {
  const file = join(folder, 'provium.json');
  writeFileSync(file, JSON.stringify({ providers: ['Provium'], engines: { modules: ['./acme.mjs'], ...engines } }));
  return SecurityContext.fromConfig(file);
}

const explained = (context: SecurityContext): string =>
  JSON.stringify(context.explain('Signature', 'SHA256withECDSA').candidates[0]?.engine);

/** Whether the first decision of the role base takes the candidate. */
function takesForSecrets(context: SecurityContext): boolean {
  return /"id":"acme\/kernel"[^}]*"taken":true/.test(
    explained(context)
      .replace(/^.*?"base":/, '')
      .split('"point":')[0] ?? '',
  );
}

function signs(context: SecurityContext): boolean {
  const { privateKey, publicKey } = KeyPairGenerator.getInstance('EC', { context })
    .initialize(new ECGenParameterSpec('secp256r1'))
    .generateKeyPair();
  const message = Uint8Array.of(1, 2, 3);
  const signature = Signature.sign('SHA256withECDSA', privateKey, message, { context });
  return Signature.verify('SHA256withECDSA', publicKey, message, signature, { context });
}

describe('a candidate of a configuration module', () => {
  it('sees no secret by itself', async () => {
    const context = await contextWith({});
    expect(takesForSecrets(context)).toBe(false);
    expect(explained(context)).toContain('not listed as trusted');
    expect(signs(context)).toBe(true);
  });

  it('serves secrets where the configuration trusts it', async () => {
    const context = await contextWith({ trusted: ['acme/kernel'] });
    expect(takesForSecrets(context)).toBe(true);
    expect(signs(context)).toBe(true);
  });

  it('is not used where the configuration denies it, trusted or not', async () => {
    const context = await contextWith({ trusted: ['acme/kernel'], deny: ['acme/kernel'] });
    expect(explained(context)).not.toMatch(/"id":"acme\/kernel"[^}]*"taken":true/);
    expect(signs(context)).toBe(true);
  });
});

// Says at the end of the run, in one line, what the machine could not test, so that nothing is left out in silence.

import { appendFileSync } from 'node:fs';

/** Names the file; set by the global set-up. */
export const NOT_TESTED_FILE = 'PROVIUM_NOT_TESTED_FILE';

/** Notes that `name` (a tool, a browser, a Node version …) is missing here. */
export function notTestedHere(name: string): void {
  const file = process.env[NOT_TESTED_FILE];
  if (file !== undefined) appendFileSync(file, `${name}\n`);
}

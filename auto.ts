// provium/auto: `node --import provium/auto app.js` configures the default context before the application runs.
// It reads exactly the file that PROVIUM_CONFIG names; without one it stops the start, so that nothing fails open.

import { ConfigurationError, Security } from './index.ts';

const file = process.env['PROVIUM_CONFIG'];
if (file === undefined || file === '') {
  throw new ConfigurationError('provium/auto needs PROVIUM_CONFIG: the path of a configuration file.');
}
await Security.configure(file);

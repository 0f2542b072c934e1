import { brutus } from './brutus.js';
import { opencode } from './opencode.js';
import { opencodeV2 } from './opencode-v2.js';
import { pi } from './pi.js';
import { tunacode } from './tunacode.js';

/** How other systems answer questions about their own data, by version. */
export const compat = { pi, opencode, opencodeV2, tunacode, brutus };

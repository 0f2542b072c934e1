import { brutus } from './brutus.js';
import { opencode } from './opencode.js';
import { opencodeV2 } from './opencode-v2.js';
import { pi } from './pi.js';
import { tunacode } from './tunacode.js';

/** The systems that are asked about their own data. */
export const systems = { pi, opencode, opencodeV2, tunacode, brutus };

import brutus, { type BrutusCompat } from './brutus.js';
import opencode, { type OpencodeCompat } from './opencode.js';
import opencodeV2, { type OpencodeV2Compat } from './opencode-v2.js';
import pi, { type PiCompat } from './pi.js';
import tunacode, { type TunacodeCompat } from './tunacode.js';

export type * from './brutus.js';
export type * from './opencode.js';
export type { OpencodeStoredError } from './opencode-errors.js';
export type * from './opencode-v2.js';
export type * from './pi.js';
export type * from './tunacode.js';

/** The other systems that answer. */
export interface Compat {
  readonly pi: PiCompat;
  readonly opencode: OpencodeCompat;
  readonly opencodeV2: OpencodeV2Compat;
  readonly tunacode: TunacodeCompat;
  readonly brutus: BrutusCompat;
}

/**
 * Answers of other systems about their own data, for each version: where pi would cut, what OpenCode would send.
 *
 * Data may be values or JSON text; text keeps its spelling of numbers and keys.
 *
 * The answers come from a separate module, `compat.wasm`. Node loads it with the first question; in a browser and in Workers, wait
 * for `init({ compat: true })` first.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * await init({ compat: true });
 * const { firstKeptEntryIndex } = compat.pi.cutPoint(entries, { keepRecentTokens: 20_000 });
 * ```
 */
export const compat: Compat = { pi, opencode, opencodeV2, tunacode, brutus };

import type { DecisionMoments, ProfileName, UsageFrom } from './generated/words.js';
import type { ReadOptions } from './plan-options.js';
import type { PolicyOptions } from './policy-options.js';

export interface ReplayOptions extends ReadOptions {
  /** The tokens that every request sends beside the messages: system prompt, tools. The default is 0. */
  overhead?: number | undefined;
  /** Where reported usage comes from, on which some policies depend. The default is `estimate`. */
  usage?: UsageFrom | undefined;
  /** When the policy decides. The default is `every_request`, the same for every policy. */
  moments?: DecisionMoments | undefined;
  /** What tokens cost, as multiples of the price of one fresh input token. The default is 0.1, 1.25 and 5. */
  rates?: { cached?: number | undefined; written?: number | undefined; output?: number | undefined } | undefined;
  /** Prices in money for a million tokens, in the shape of models.dev; instead of `rates`. */
  prices?: { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined } | undefined;
  /** The provider's cache. By default it keeps every exact prefix for ever. */
  cache?: ReplayCache | undefined;
  /**
   * Only for `sweep`: what the summaries of a replay carry, which nobody wrote. `nothing` is the default; `by_rule` is what the
   * deterministic summary says; a number is so many tokens of identifiers.
   */
  carried?: 'nothing' | 'by_rule' | number | undefined;
  /** Whether to measure what is lost. Only for texts: it is measured by words. */
  loss?: boolean | undefined;
  /**
   * Whether to check `cache` against the cache reads that the session's provider reported. Only for texts, and only by `replay`:
   * it concerns the session as its agent lived it, whatever the policy.
   */
  cacheCheck?: boolean | undefined;
}

/** How a provider's cache of prompts works. */
export interface ReplayCache {
  /** The smallest prefix that is cached, in tokens. */
  minimum?: number | undefined;
  /** A cached prefix is a multiple of this many tokens. */
  block?: number | undefined;
  /**
   * How long a prefix stays cached after its last use, in milliseconds. It is compared with the moments that the text of a
   * session records; where there are none, and in live messages, nothing expires.
   */
  lives?: number | undefined;
}

/** The policies that a sweep compares, at most 1,000. */
export interface SweepGrid {
  /** The policy over which values are laid. The default is the default profile, unless the grid only names `policies`. */
  policy?: ProfileName | PolicyOptions | undefined;
  /** For each knob, by its path, a list of values. Every combination is a point. */
  set?: Readonly<Record<string, readonly unknown[]>> | undefined;
  /** Context windows, in tokens, in each of which every policy is taken. The default is the window of each policy. */
  windows?: readonly number[] | undefined;
  /** Policies beside them, whose knobs are not turned. */
  policies?: readonly (ProfileName | PolicyOptions)[] | undefined;
}

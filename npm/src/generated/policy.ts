// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

import type { DeepPartial, Share } from '../policy-options.js';

/** Every knob of a decision. Amounts are tokens unless they say otherwise. */
export interface Policy {
  /** The profile it came from, with `*` appended once a knob has been turned. */
  profile: string;
  /** The model's limits, in tokens. */
  model: Model;
  /** How text becomes tokens. */
  estimator: Estimator;
  /** When and how old tool outputs are cleared. */
  prune: PrunePolicy;
  /** Which newest messages stay word for word when the rest is summarized. */
  retain: RetainPolicy;
  /** When the context counts as full. */
  trigger: TriggerPolicy;
  /** Knobs given as a share of the context window, by their path: they take the place of the figure there. */
  shares?: { [K in SharedKnob]?: Share };
  /** What is laid over the policy for a model, by `provider/model`: see {@link PolicyOptions.model}. */
  models?: Record<string, DeepPartial<Policy>>;
}

/** The path of a knob that may be given as a share of the context window. */
export type SharedKnob =
  | "prune.protect"
  | "prune.minimum"
  | "prune.minimumContext"
  | "prune.downTo"
  | "prune.preview"
  | "prune.arguments"
  | "prune.excerpt"
  | "retain.keep"
  | "retain.userWords"
  | "trigger.reserve"
  | "trigger.floor"
  | "trigger.floorBelow";

/** The model's limits, in tokens. */
export interface Model {
  /**
   * The context window: what a request and its answer may fill together. 0 in JSON when it is not known: then
   * summarizing never fires.
   */
  context: number;
  /** The limit of an answer; 0 in JSON if it is not known. */
  output: number;
  /** The limit of a request, if the provider limits requests separately from the window; otherwise 0 in JSON. */
  input: number;
  /**
   * How many milliseconds the provider's cache keeps what a request sent (`prune.coldAfter`); 0 in JSON if it is not
   * known. A model's name that begins with its provider says it: `anthropic/` 5 minutes, `openai/` 10 minutes,
   * `google/` and `gemini/` an hour.
   */
  cacheLives: number;
}

/** How text becomes tokens. */
export interface Estimator {
  /** The unit in which text is measured. */
  unit:
    /** UTF-16 code units: JavaScript's `string.length`. */
    | "utf16"
    /** Unicode code points: Python's `len(str)`. An unpaired surrogate is one. */
    | "code_points"
    /** Bytes of UTF-8. An unpaired surrogate is three. */
    | "bytes"
    /**
     * 64ths of a token, estimated by the kinds of characters: letters cost less than digits and punctuation, these
     * less than Chinese. An estimator that measures in it has 64 of them a token.
     */
    | "classes"
    /**
     * As `classes`, and of values the JSON that is sent: the escapes in its strings, its numbers and its punctuation
     * cost what they cost there.
     */
    | "classes_of_json";
  /** How many of these units make one token. */
  perToken: number;
  /** How fractions are rounded. */
  rounding:
    /** Down: TunaCode, `len // 4`. */
    | "floor"
    /** To the nearest, halves up: OpenCode, `Math.round(len / 4)`. */
    | "nearest"
    /** Up: pi, `Math.ceil(chars / 4)`. */
    | "ceil";
  /** Whether parts or whole messages are rounded. */
  rounded:
    /** Each part by itself. */
    | "part"
    /** The characters of a whole message. */
    | "message";
  /** The number of characters between the texts of a message when they are joined for measuring. */
  separator: number;
  /** What of a tool call is counted. */
  calls:
    /** Nothing: TunaCode 0.2 counts tool-call arguments as 0. */
    | "nothing"
    /** The arguments as compact JSON. */
    | "arguments"
    /** The tool's name and the arguments. */
    | "name_and_arguments";
  /** How many characters an image counts as, in `unit`; `null` measures its URL or base64 data like text. */
  image: number | null;
  /**
   * Whether a part is measured in the notation of the format's own system where that is another than compact JSON:
   * for pydantic-ai's results Python's `repr`, for pi's arguments exactly what `JSON.stringify` writes.
   */
  nativeNotation: boolean;
  /** Whether usage that the provider reported corrects the estimate, as far as there is any. */
  calibrate: boolean;
}

/** When and how old tool outputs are cleared. */
export interface PrunePolicy {
  /** Whether outputs are pruned. */
  enabled: boolean;
  /** The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole. */
  protect: number;
  /** Outputs are pruned only if together they have this many tokens. */
  minimum: number;
  /** Whether exactly `minimum` is enough. */
  minimumIs: Comparison;
  /**
   * A context with fewer tokens is left alone. Its size is measured as for summarizing (`trigger.measure`), before
   * anything is pruned; where no usage was reported to measure it by, it is the estimate. 0: pruned at any size.
   */
  minimumContext: number;
  /**
   * Whether outputs are pruned only when the context is full, by the same test as for summarizing (`trigger`), or
   * when compaction is forced.
   */
  onlyWhenFull: boolean;
  /**
   * After how many milliseconds without a request the provider's cache is cold (`idle` of a plan's options): then a
   * prune breaks nothing, and waits neither for a full context nor for `breaksAtMost`. Where it is known how long the
   * provider's cache lives (`model.cacheLives`), that counts instead. 0: never.
   */
  coldAfter: number;
  /**
   * How many tokens a prune may break out of the provider's cache for each token that it frees, while the context is
   * not full: all tokens from the first pruned output on have to be written again. A prune pays for itself after
   * `breaks / frees * (written - cached) / cached` requests; with a cache that reads at a tenth of the price and
   * writes at 1.25, 4 means 46 requests. With `onlyWhenFull`, such a prune does not wait; without it, every other one
   * does. 0: the cache is not considered.
   */
  breaksAtMost: number;
  /**
   * The size down to which protected outputs give way. Everything beyond the boundary is pruned first. If the context
   * is then still full, or larger than this, newer outputs follow, oldest first, although `protect` and
   * `protectedTurns` protect them. Pruning ends when `minimum` is reached and the context is neither. Outputs that no
   * answer has followed stay. A forced compaction goes down to half of the context where that is less, and summarizes
   * only if pruning does not get there. The size is measured as for `minimumContext`. 0: protected outputs stay.
   */
  downTo: number;
  /**
   * The most tokens that outputs without a later answer may have together, once they are cut to their head and tail.
   * They are cut where the context is full, or compaction is forced, with everything pruned that may be, and a
   * summary of everything older would not make enough room for them: the largest first, down to a common size. Above
   * 0, no output without an answer is pruned or summarized otherwise. 0: nothing is cut.
   */
  preview: number;
  /** A session with fewer turns is left alone. */
  minimumTurns: number;
  /** How many of the newest turns keep their outputs, which are not counted either. `downTo` may still prune them. */
  protectedTurns: number;
  /** How many of the newest outputs stay, whatever their size. `downTo` may still prune them. */
  keepOutputs: number;
  /** Whether messages that the agent wrote in the user's name count as turns. */
  countSyntheticTurns: boolean;
  /** Tools whose outputs are never pruned nor counted. */
  protectedTools: string[];
  /** Whether the outputs of failed calls are counted and may be pruned. */
  errors: boolean;
  /** Whether outputs that are not longer than the placeholder are pruned as well. */
  shortOutputs: boolean;
  /** Whether everything before a summary is left alone. */
  stopAtSummary: boolean;
  /** Whether everything before an already pruned output is left alone. */
  stopAtPruned: boolean;
  /**
   * Whether an output gives way that a newer output of the same tool repeats word for word. This and the next four
   * knobs are passes: they come before the protection boundary is drawn, only where the context is full, or
   * compaction is forced, and only if they free `minimum` together or pruning goes on behind them. What no answer has
   * followed, what is pinned and what is signed stay.
   */
  repeated: boolean;
  /**
   * Whether the output of reading a file gives way once the same part of it is read again or the whole file is
   * written, and the text in the arguments of a write once the whole file is written or read again. Only calls that
   * succeeded count.
   */
  superseded: boolean;
  /**
   * How many of the newest answers keep their thinking; older thinking is removed. Thinking stays as long as the run
   * of calls goes on that it belongs to. `null`: all keep it.
   */
  thinking: number | null;
  /**
   * Texts in the arguments of calls beyond the protection boundary that have more tokens are cut to head and tail. 0:
   * none is cut.
   */
  arguments: number;
  /** How many of the newest images stay; older ones are replaced by a note. `null`: all stay. */
  images: number | null;
  /**
   * How many tokens of its head and tail a pruned output keeps in front of the placeholder, where a reference stands
   * behind it (`reference`). 0: the placeholder alone. A note between head and tail says what is missing; with less
   * than about 40 tokens there is room for nothing else, so the placeholder stands alone as well.
   */
  excerpt: number;
  /**
   * The most tokens of identifiers that stand behind the placeholder, where a reference stands behind them
   * (`reference`): paths, ids, error codes and names in code that stood only in the output. They take at most a tenth
   * of what it had. 0: none.
   */
  names: number;
  /**
   * The text that replaces a pruned output. `{tool}` in it stands for the name of the tool, `{argument}` for what the
   * call was about (a command, a path), `{size}` for the number of characters that are gone, `{outcome}` for
   * `, failed:` or `, ended:` and the line that says how a command ended. No other name may stand in braces. A plan
   * assumes the longest text that this may become. A text with braces takes at most a twentieth of an output. Where
   * it has no room, or no reference stands behind it (`reference`), `[Old tool result content cleared]` stands there.
   * Where the agent has a field for pruned outputs, its own text stands there.
   */
  placeholder: string;
  /**
   * Whether a reference to the call stands behind the placeholder where a format has no field for what is pruned:
   * ` [ref kpbmgken]`. By it ebbline knows a pruned output again; no tool can write it, because no tool is told the
   * id of its call. Without it, an output that only reads as the placeholder does cannot be told from one that was
   * pruned. `ebbline@1`.
   */
  reference: boolean;
}

/** Which newest messages stay word for word when the rest is summarized. */
export interface RetainPolicy {
  /** Whether older messages are summarized. */
  enabled: boolean;
  /** The number of newest tokens in the retention window; `fill` says whether it is a minimum or a maximum. */
  keep: number;
  /** The largest size of the window as a share of the trigger's threshold; `null` for no limit. */
  keepShare: Share | null;
  /** What `keepShare` never goes below, in tokens. */
  keepFloor: number;
  /** Whether `keep` is the smallest or the largest size of the window. */
  fill:
    /** The fewest newest messages that hold at least `keep`. pi, TunaCode. */
    | "at_least"
    /** The most newest messages that hold at most `keep`. OpenCode. */
    | "at_most";
  /** The largest number of turns in the window; 0 for no limit. */
  turns: number;
  /** The direction in which the boundary moves away from a place where it must not be. */
  snap:
    /** To an older message: keeps more than asked for. TunaCode. */
    | "older"
    /**
     * To a newer message: keeps less; to none, the oldest place there is. pi until 0.85: when trailing tool results
     * eat the budget, nothing is summarized.
     */
    | "newer"
    /** To a newer message: keeps less; to none, the newest place there is. pi since 0.86. */
    | "newer_or_last"
    /**
     * To an older message; to a newer one where the window would otherwise hold more than twice `keep`. Where neither
     * place makes the context fit, behind the newest message, unless that waits for an answer; nowhere where a
     * summary would take as much as it frees. A forced compaction summarizes half of a history that would fit.
     * `ebbline@1`.
     */
    | "nearest";
  /** Where the boundary may be; never between a call and its result. */
  cut:
    /** Between any two messages. */
    | "anywhere"
    /** Before any message but a tool result. pi. */
    | "before_message"
    /** After a user's message or an answer that the model ended, and never before a tool result. TunaCode 0.2. */
    | "after_ended_message"
    /** Only where a turn begins. */
    | "before_turn"
    /** Only behind the newest message: nothing is kept. OpenCode until April 2026. */
    | "at_end";
  /** Whether everything is summarized when the whole history fits the window, instead of nothing. OpenCode. */
  summarizeAllThatFits: boolean;
  /** Whether a forced compaction (by hand, or after an overflow) keeps nothing at all. */
  forcedKeepsNothing: boolean;
  /** The size that a plan's totals assume for the summary, in tokens: the summary does not exist yet. */
  summaryAllowance: number;
  /**
   * The largest size of what a summary carries of the user's own words, word for word, in tokens: the first request,
   * the request that the agent is working on, then the newest words. 0 for none.
   */
  userWords: number;
  /**
   * The most tokens of identifiers that a summary takes over: what only the messages name that it replaces, such as
   * paths, ids and error codes. The request for a summary names them, and those that the answer leaves out stand
   * behind it. First come those that the agent has used, the newest use first. 0: none.
   */
  names: number;
}

/** When the context counts as full. */
export interface TriggerPolicy {
  /** Whether compaction fires by itself. A forced one (by hand, or after an overflow) runs in any case. */
  enabled: boolean;
  /** What is compared with the threshold. */
  measure:
    /** The estimate of every active message. TunaCode. */
    | "estimate"
    /**
     * The usage reported with the newest answer that has one, and the estimate of what followed; without any, the
     * estimate of every message. pi, OpenCode v2, `ebbline@1`.
     */
    | "anchored"
    /** The usage reported with the newest answer alone; without any, summarizing does not fire. OpenCode. */
    | "reported";
  /** How the threshold is computed from the limits and the reserve. */
  limit:
    /** Context window less reserve. pi, TunaCode. */
    | "less_reserve"
    /** Context window less output limit. OpenCode, December 2025. */
    | "less_output"
    /** The input limit; without one, context window less output limit. OpenCode, January 2026. */
    | "input_else_less_output"
    /**
     * Input limit less reserve; without one, context window less output limit: the reserve has no effect then.
     * OpenCode since February 2026.
     */
    | "input_less_reserve_else_less_output"
    /** Context window less the larger of output limit and reserve. OpenCode v2, June 2026. */
    | "less_larger"
    /**
     * The smaller of that and, where there is an input limit, input limit less reserve. OpenCode v2 later,
     * `ebbline@1`.
     */
    | "smaller_of_both";
  /**
   * What is kept free of the context window, in tokens. A negative reserve moves the threshold up by that much, even
   * beyond the window: pi takes one from its settings, and TunaCode 0.2.3 takes one as an argument of
   * `should_compact`. TunaCode refuses a negative reserve in its settings; so does `settings`(crate::settings) where
   * it reads them.
   */
  reserve: number;
  /** Whether the reserve is at most the output limit. */
  reserveWithinOutput: boolean;
  /** A cap on the model's output limit, which also replaces an unknown limit; 0 for no cap. */
  outputCap: number;
  /** Whether the retention window's `keep` is also subtracted from the threshold, as in TunaCode 0.2. */
  lessKeep: boolean;
  /**
   * The threshold is never below this. In a window smaller than output limit and reserve the systems' own arithmetic
   * gives 0, and an empty context counts as full.
   */
  floor: number;
  /**
   * The floor applies only where limits and reserve give less than this; 0: wherever they give less than the floor.
   */
  floorBelow: number;
  /** Whether a context of exactly the threshold fires. */
  fires: Comparison;
}

/** How a figure is compared with a limit. Systems differ, and at the limit their answers differ. */
export type Comparison =
  /** Strictly more than the limit: `>`. */
  | "above"
  /** The limit itself suffices: `>=`. */
  | "at_least";

/* -------------------------------------------------------------------------------------------------------- the policy */

export interface Profile {
  name: ProfileName;
  /** One sentence on what it reproduces. */
  about: string;
  policy: Policy;
}

/** Every knob of a decision. Amounts are tokens unless they say otherwise. */
export interface Policy {
  /** The profile it came from, with `*` appended once a knob has been turned. */
  profile: string;
  model: Model;
  estimator: Estimator;
  prune: PrunePolicy;
  retain: RetainPolicy;
  trigger: TriggerPolicy;
  /** Knobs given as a share of the context window, by their path: they take the place of the figure there. */
  shares?: Record<string, Share>;
  /** What is laid over the policy for a model, by `provider/model`: see {@link PolicyOptions.model}. */
  models?: Record<string, DeepPartial<Policy>>;
}

/** A share of the context window, up to two decimals. An amount of tokens may be set to one: `set: { "retain.keep": "10%" }`. */
export type Share = `${number}%`;

/** The model's limits. */
export interface Model {
  /** What a request and its answer may fill together. 0 when it is not known: then summarising never fires. */
  context: number;
  /** The most that an answer may have; 0 when it is not known. */
  output: number;
  /** The most that a request may have, where the provider limits it apart from the window; 0 when it does not. */
  input: number;
}

/** How text becomes tokens. */
export interface Estimator {
  /** The unit in which text is measured. */
  unit: "utf16" | "code_points" | "bytes" | "classes";
  /** How many of those units are one token. */
  perToken: number;
  /** Where fractions go. */
  rounding: "floor" | "nearest" | "ceil";
  /** Whether parts or whole messages are rounded. */
  rounded: "part" | "message";
  /** How many characters stand between the texts of a message when they are joined to be measured. */
  separator: number;
  /** What of a tool call is counted. */
  calls: "nothing" | "arguments" | "name_and_arguments";
  /** How many characters an image counts as; `null` measures its URL or data like text. */
  image: number | null;
  /** Whether a result that is no text is measured in the notation of the format's own system. */
  nativeNotation: boolean;
  /** Whether usage that the provider reported corrects the estimate, as far as there is any. */
  calibrate: boolean;
}

/** `above` is `>`, `at_least` is `>=`. */
export type Comparison = "above" | "at_least";

/** When and how old tool outputs are cleared. */
export interface PrunePolicy {
  enabled: boolean;
  /** The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole. */
  protect: number;
  /** Outputs are pruned only if together they hold this many tokens. */
  minimum: number;
  /** Whether exactly `minimum` suffices. */
  minimumIs: Comparison;
  /** A session with fewer turns is left alone. */
  minimumTurns: number;
  /** The newest turns whose outputs are never pruned nor counted. */
  protectedTurns: number;
  /** Whether messages that the agent wrote in the user's place count as turns. */
  countSyntheticTurns: boolean;
  /** Tools whose outputs are never pruned nor counted. */
  protectedTools: string[];
  /** Whether the outputs of failed calls are counted and may be pruned. */
  errors: boolean;
  /** Whether outputs no longer than the placeholder are pruned all the same. */
  shortOutputs: boolean;
  /** Whether everything before a summary is left alone. */
  stopAtSummary: boolean;
  /** Whether everything before an already pruned output is left alone. */
  stopAtPruned: boolean;
  /** What takes the place of a pruned output. */
  placeholder: string;
  /**
   * Whether a reference to the call stands behind the placeholder where a format has no field for what is pruned:
   * ` [ref kpbmgken]`. By it ebbline knows a pruned output again, and no tool can write it.
   */
  reference: boolean;
}

/** Which newest messages stay word for word when the rest is summarised. */
export interface RetainPolicy {
  enabled: boolean;
  /** The newest tokens that the retention window holds; `fill` says whether at least or at most. */
  keep: number;
  /** The most that the window is to hold, as a share of the trigger's threshold; `null` for no such limit. */
  keepShare: Share | null;
  /** What `keepShare` never goes below. */
  keepFloor: number;
  /** Whether `keep` is the least or the most that the window holds. */
  fill: "at_least" | "at_most";
  /** The most turns that the window reaches back; 0 for any number. */
  turns: number;
  /**
   * Which way the boundary moves off a place where it may not stand. `nearest`: to an older message, unless the window
   * would then hold more than twice `keep` and a newer place is at hand; behind everything where the context would be
   * full again at once; nowhere where no more would be freed than the summary takes.
   */
  snap: "older" | "newer" | "newer_or_last" | "nearest";
  /** Where the boundary may stand; never between a call and its result. */
  cut: "anywhere" | "before_message" | "after_ended_message" | "before_turn" | "at_end";
  /** Whether everything is summarised when the whole history fits the window, instead of nothing. */
  summariseAllThatFits: boolean;
  /** Whether a forced compaction keeps nothing at all. */
  forcedKeepsNothing: boolean;
  /** The size allowed for the summary when totals are forecast. */
  summaryAllowance: number;
}

/** When the context counts as full. */
export interface TriggerPolicy {
  /** Whether compaction fires by itself; asked for by hand or after an overflow it runs all the same. */
  enabled: boolean;
  /**
   * What is compared with the threshold: the estimate of every active message; the usage reported with the newest answer
   * and the estimate of what followed; or that usage alone.
   */
  measure: "estimate" | "anchored" | "reported";
  /** How the model's limits, the reserve and the output cap make the threshold. */
  limit:
    | "less_reserve"
    | "less_output"
    | "input_else_less_output"
    | "input_less_reserve_else_less_output"
    | "less_larger"
    | "smaller_of_both";
  /** What is kept free of the context window. */
  reserve: number;
  /** Whether the reserve is at most the output limit. */
  reserveWithinOutput: boolean;
  /** The most of the output limit that counts, and what counts when it is not known; 0 for the limit as it is. */
  outputCap: number;
  /** Whether the retention window's `keep` is taken off the threshold as well. */
  lessKeep: boolean;
  /** The threshold is never below this. */
  floor: number;
  /** Whether reaching the threshold exactly suffices. */
  fires: Comparison;
}

// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

/** What is to be done with a session. As JSON it is described by the schema `docs/plan.schema.json`. */
export interface Plan {
  /** The name and version of this form. */
  schema: "ebbline.plan/1";
  /** The policy's name; it ends in `*` when a knob of the profile has been turned. */
  profile: string;
  /** What is to be done. */
  verdict: Verdict;
  /** Why. */
  reason: VerdictReason;
  /** Estimated tokens of the active messages before. */
  tokensBefore: number;
  /** Estimated tokens after, the summary's allowance included. */
  tokensAfter: number;
  /** Whether what is left stays below the threshold: `false` when the plan cannot make the context fit. */
  fits: boolean;
  /** What `tokensAfter` allows for a summary that does not exist yet; 0 when none is to be made. */
  summaryAllowance: number;
  /** When summarizing fires. */
  trigger: TriggerReport;
  /** The protection boundary. */
  prune: PruneReport;
  /** The retention window. */
  retain: RetainReport;
  /** Every message, in the order in which the agent would send the active ones. */
  messages: MessagePlan[];
}

/** A place in the session. */
export interface Position {
  /** The message's index. */
  message: number;
  /** The part's index in the message. */
  part: number;
}

/** The protection boundary: the newest output that is pruned, or would be but for another reason. */
export interface Boundary {
  /** The message's index. */
  message: number;
  /** The part's index in the message. */
  part: number;
  /** What decides that it is there. */
  by: BoundaryLimit;
}

/** How full the context is, and whether that is too full. */
export interface TriggerReport {
  /** The context window, in tokens; 0 in JSON if it is not known. */
  context: number;
  /** The number of tokens at which summarizing fires. */
  threshold: number;
  /** The tokens that were compared with it: after pruning, if that is part of the plan. */
  tokens: number;
  /** What that figure rests on. */
  source:
    /** The estimate of every active message. */
    | "estimate"
    /** The usage that the provider reported with the newest answer, and the estimate of what followed. */
    | "reported"
    /** What the caller said. */
    | "known"
    /** Nothing: the policy goes by reported usage alone, and there is none. */
    | "nothing";
  /**
   * The tokens sent beside the messages: given by the caller, or learnt from reported usage; `null` when not known.
   */
  overhead: number | null;
  /** Whether summarizing fires. */
  fires: boolean;
}

/** What pruning does, or would do. */
export interface PruneReport {
  /** Whether outputs are pruned. */
  applied: boolean;
  /** Why, or why not. */
  reason: VerdictReason;
  /**
   * The output that crosses the protection boundary; `null` when all outputs are protected. Where protected outputs
   * give way (`room_needed`), the newest of these.
   */
  boundary: Boundary | null;
  /**
   * Tokens of tool output that were counted. Where protected outputs give way, these include the outputs in the
   * newest turns that an answer has followed.
   */
  counted: number;
  /** Tokens of output up to the boundary, compared with the minimum. */
  candidates: number;
  /** How many outputs are pruned, or would be but for the reason. */
  outputs: number;
  /**
   * Tokens that the pruned outputs free. An output smaller than the placeholder frees 0 here; the plan's totals count
   * what it adds.
   */
  reclaimed: number;
}

/** What the retention window does, or would do. */
export interface RetainReport {
  /** Whether messages are summarized. */
  applied: boolean;
  /** Why, or why not. */
  reason: VerdictReason;
  /** Where the system's own rule puts the boundary; `null` for nowhere. */
  proposed: number | null;
  /**
   * The first message of the window, once no call is parted from its result, nor an unfinished run of calls from the
   * signed thinking that it begins with; `null` for nowhere. Equal to the number of messages when nothing is kept.
   */
  boundary: number | null;
  /** The message with which the turn begins that the boundary divides; `null` when it divides none. */
  splitTurn: number | null;
  /** Tokens from the boundary on. */
  kept: number;
  /** Tokens before the boundary that are, or would be, summarized. */
  summarized: number;
  /** How many messages those are. */
  messages: number;
}

/** The fate of one message. */
export interface MessagePlan {
  /** Who speaks. */
  role: Role;
  /** What happens to it. */
  fate: Fate;
  /** Why. */
  reason: Reason;
  /** Whether one of its outputs is pruned before the message is summarized. */
  prunedFirst: boolean;
  /** Its tokens before; 0 when it is not active. */
  tokensBefore: number;
  /** Its tokens after. */
  tokensAfter: number;
  /** Its parts. */
  parts: PartPlan[];
}

/** The fate of one part. */
export interface PartPlan {
  /** What the part is. */
  kind: PartKind;
  /** What happens to it. */
  fate: Fate;
  /** Why. */
  reason: Reason;
  /** Whether it is pruned before its message is summarized, so that the summary is made from the placeholder. */
  prunedFirst: boolean;
  /** Its tokens before. */
  tokensBefore: number;
  /** Its tokens after. */
  tokensAfter: number;
  /** What stays of an output that is cut; a part that is not cut lacks it. */
  preview?: Preview;
}

/**
 * What stays of an output that is cut: its head and its tail, with a note of what is missing between them. Where a
 * line ends near the cut, less may stay.
 */
export interface Preview {
  /** The length of its head, in UTF-16 units. */
  head: number;
  /** The length of its tail, in UTF-16 units. */
  tail: number;
}

/** What is to be done. */
export type Verdict =
  /** Nothing. */
  | "noop"
  /** Something should be done, but nothing can be done safely. */
  | "refuse"
  /** Clear old tool outputs. */
  | "prune"
  /** Summarize old messages. */
  | "summarize"
  /** Clear old tool outputs, then summarize old messages. */
  | "prune_then_summarize";

/** Why that is to be done, or one of its steps is not. */
export type VerdictReason =
  /** There are no active messages. */
  | "empty"
  /** The policy switches it off. */
  | "disabled"
  /** The session has fewer turns than the policy asks for. */
  | "too_few_turns"
  /** The context is smaller than the policy asks for before it prunes. */
  | "context_small"
  /** The context is not full, and the policy prunes only when it is. */
  | "not_full"
  /** Pruning waits: it would break more of the provider's cache than the policy allows for what it frees. */
  | "deferred"
  /** No tool output lies beyond the protection boundary. */
  | "nothing_to_prune"
  /** The outputs beyond the boundary have fewer tokens than the minimum. */
  | "below_minimum"
  /** Enough tool output lies beyond the protection boundary. */
  | "outputs_beyond_protection"
  /**
   * Outputs beyond the protection boundary do not make the context as small as `prune.downTo`, so protected ones are
   * pruned as well.
   */
  | "room_needed"
  /**
   * What is sent beside the messages (`overhead`) is as large as the context window: nothing that is done with the
   * messages makes a request fit.
   */
  | "overhead_fills_window"
  /**
   * Outputs that the model has not answered yet are larger than the room for them, so they are cut to head and tail.
   */
  | "too_large"
  /**
   * Content that newer content makes needless gives way, and no output has to (`prune.repeated` and the other
   * passes).
   */
  | "needless"
  /** The context is not full. */
  | "below_threshold"
  /** The context is full. */
  | "over_threshold"
  /** The caller asked for it. */
  | "forced"
  /** The context is full, but the whole history is smaller than the retention window. */
  | "history_below_keep"
  /** The context is full, but there is no place where the boundary may be. */
  | "no_valid_boundary"
  /** The step would not make the context smaller. */
  | "nothing_gained"
  /** The context is full, but nothing was added since the last summary: another would summarize the same messages. */
  | "nothing_new";

/** What decides where the protection boundary is: the knob that keeps the outputs behind it. */
export type BoundaryLimit =
  /** `prune.protect`: the newest tokens of tool output stay. */
  | "protect"
  /** `prune.keepOutputs`: a number of the newest outputs stay. */
  | "keep_outputs"
  /** `prune.protectedTurns`: the outputs of the newest turns stay. */
  | "protected_turns"
  /** `prune.downTo`: outputs that would be protected give way until the context is that small. */
  | "down_to"
  /** No knob: what no answer has followed stays. */
  | "unanswered";

/** What happens to a message or part. */
export type Fate =
  /** It stays word for word. */
  | "kept"
  /**
   * A tool output that the placeholder replaces, or one that is cut to its head and tail; or what a pass removes or
   * shortens: thinking, arguments, an image.
   */
  | "pruned"
  /** It lies before the retention window and goes into the summary. */
  | "summarized"
  /** A placeholder had replaced it before. */
  | "already_pruned"
  /** The agent does not send it now: it lies before a recorded compaction or on another branch. */
  | "inactive";

/** Why a message or part has its fate. */
export type Reason =
  /** Only tool outputs are pruned. */
  | "not_tool_output"
  /** Among the newest tokens of tool output. */
  | "protected_by_budget"
  /** One of the newest outputs, of which the policy keeps a number (`prune.keepOutputs`). */
  | "newest_outputs"
  /** In one of the newest turns. */
  | "newest_turns"
  /** The output of a protected tool. */
  | "protected_tool"
  /** The output of a call that failed. */
  | "error_output"
  /** An output that must go back to the provider as it came. */
  | "sealed_output"
  /** No longer than the placeholder. */
  | "short_output"
  /** Before a summary, where the policy stops looking. */
  | "before_summary"
  /** Before an already pruned output, where the policy stops looking. */
  | "before_pruned"
  /** The session has too few turns to be pruned. */
  | "too_few_turns"
  /** Beyond the boundary, but the context is smaller than the policy asks for. */
  | "context_small"
  /** Beyond the boundary, but the policy prunes only when the context is full, and it is not. */
  | "not_full"
  /** Beyond the boundary, but too little would be reclaimed. */
  | "below_minimum"
  /**
   * Beyond the boundary, but pruning would break more of the provider's cache than it frees (`prune.breaksAtMost`).
   */
  | "deferred"
  /** Beyond the boundary, but what is sent beside the messages alone fills the context window. */
  | "overhead_fills_window"
  /** Beyond the boundary, but the placeholders would take as much room as the outputs. */
  | "nothing_gained"
  /** Pruning is switched off. */
  | "prune_disabled"
  /** The output that crosses the protection boundary. */
  | "crossed_boundary"
  /** Older than the output that crosses the protection boundary. */
  | "beyond_boundary"
  /**
   * Protected, but pruned as well: the context would be larger than `prune.downTo` with it, and a summary would be
   * the alternative.
   */
  | "room_needed"
  /** The model has not answered it yet, and there is no room for all of it: its head and tail stay. */
  | "too_large"
  /** A newer output of the same tool repeats it (`prune.repeated`). */
  | "repeated"
  /** A newer call reads or writes the same file (`prune.superseded`). */
  | "superseded"
  /** Thinking of an older answer (`prune.thinking`). */
  | "old_thinking"
  /** Arguments with texts that are too long (`prune.arguments`). */
  | "long_arguments"
  /** An image that enough newer ones have followed (`prune.images`). */
  | "old_image"
  /** A placeholder stood in its place before. */
  | "already_pruned"
  /** Before the retention window. */
  | "before_window"
  /** In the retention window. */
  | "in_window"
  /** System messages are always kept. */
  | "system_message"
  /** Not sent now. */
  | "inactive"
  /** The agent always sends it, whatever is summarized. */
  | "always_sent";

/** Who speaks in a message. */
export type Role =
  /** Instructions by the application: system, developer. */
  | "system"
  /** The person, or a message in the person's name. */
  | "user"
  /** The model. */
  | "assistant"
  /** The results of tool calls, where the format gives them messages of their own. */
  | "tool"
  /** Anything else that a format lets stand among its messages. */
  | "other";

/** What a part is. */
export type PartKind =
  /** Words of the user, the model or the system. */
  | "text"
  /** The model's reasoning. */
  | "thinking"
  /** A call of a tool; its length is that of the arguments. */
  | "tool_call"
  /** What a tool gave back. */
  | "tool_result"
  /** An image; its length is that of its URL or data. */
  | "image"
  /** A document or another file. */
  | "file"
  /** A summary of what came before. */
  | "summary"
  /** Anything else that is sent. */
  | "other";

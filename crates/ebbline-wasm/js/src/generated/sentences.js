// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.
// The sentences stand in crates/ebbline/src/sentences.rs.

/** Why a message or part has its fate. */
export const REASONS = {
  not_tool_output: 'no tool output',
  protected_by_budget: 'among the newest outputs',
  newest_turns: 'in one of the newest turns',
  protected_tool: 'output of a protected tool',
  error_output: 'output of a failed call',
  sealed_output: 'must go back to the provider as it came',
  short_output: 'no longer than the placeholder',
  before_summary: 'before a summary',
  before_pruned: 'before an already pruned output',
  too_few_turns: 'the session has too few turns',
  context_small: 'beyond the boundary, but the context is small enough',
  not_full: 'beyond the boundary, but the context is not full',
  below_minimum: 'beyond the boundary, but too little would be reclaimed',
  deferred: 'beyond the boundary, but the cache is worth more',
  overhead_fills_window: 'beyond the boundary, but no request fits',
  nothing_gained: 'the placeholders would take as much room',
  prune_disabled: 'pruning is off',
  crossed_boundary: 'crosses the protection boundary',
  beyond_boundary: 'beyond the protection boundary',
  room_needed: 'protected, but a summary would be the alternative',
  too_large: 'larger than the room for it',
  repeated: 'a newer output repeats it',
  superseded: 'a newer call reads or writes the file',
  old_thinking: 'thinking of an older answer',
  long_arguments: 'arguments with long texts',
  old_image: 'an older image',
  already_pruned: 'pruned before',
  before_window: 'before the retention window',
  in_window: 'in the retention window',
  system_message: 'system messages are always kept',
  inactive: 'not sent now',
  always_sent: 'always sent by the agent',
};

/** A fate's mark and word. */
export const FATES = {
  kept: ['●', 'kept'],
  pruned: ['○', 'pruned'],
  summarised: ['◌', 'summarised'],
  already_pruned: ['◦', 'pruned before'],
  inactive: ['·', 'inactive'],
};

/** What pruning has to say of an output; a policy that does not prune has no boundary and protects nothing. */
export const OF_PRUNING = new Set([
  'protected_by_budget',
  'newest_turns',
  'protected_tool',
  'error_output',
  'short_output',
  'before_summary',
  'before_pruned',
  'too_few_turns',
  'context_small',
  'not_full',
  'below_minimum',
  'deferred',
  'overhead_fills_window',
  'nothing_gained',
]);

/** Why nothing is done; figures stand in braces. */
export const VERDICT_REASONS = {
  empty: 'there are no messages',
  disabled: 'the policy has it switched off',
  too_few_turns: 'the session has too few turns',
  context_small: 'the context is smaller than the policy asks for before it prunes',
  not_full: 'the context is not full',
  deferred: 'pruning would break more of the provider\'s cache than it frees',
  nothing_to_prune: 'no tool output lies beyond the protection boundary',
  below_minimum: 'only {candidates} lie beyond the protection boundary',
  outputs_beyond_protection: 'enough tool output lies beyond the protection boundary',
  room_needed: 'protected outputs give way as well',
  overhead_fills_window: 'what is sent beside the messages (system prompt, tools) alone fills the context window',
  too_large: 'outputs that are larger than the room for them are cut to head and tail',
  needless: 'what newer content makes needless gives way',
  below_threshold: '{measured} are below the threshold of {threshold}',
  over_threshold: '{measured} exceed {threshold}',
  forced: 'asked for',
  history_below_keep: 'the whole history is smaller than the retention window',
  no_valid_boundary: 'there is no place where the history could be cut',
  nothing_gained: 'what could be done would make it no smaller',
  nothing_new: 'nothing was added since the last summary',
};

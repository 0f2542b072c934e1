import type { Policy } from '../generated/policy.js';
import type { Provider, UnsaidKnob } from '../provider-compaction.js';
import { MEASURED, type Sentences, sentenceFor } from './knobs.js';

/** The name of a beta that a request asks for. */
export type AnthropicBeta = 'context-management-2025-06-27' | 'compact-2026-01-12';

/** Parameters of `client.beta.messages.create`. */
export interface AnthropicCompaction {
  betas?: AnthropicBeta[];
  context_management?: { edits: AnthropicEdit[] };
}

export type AnthropicEdit = AnthropicClearing | AnthropicThinkingClearing | AnthropicSummarizing;

/** Clears tool uses. */
export interface AnthropicClearing {
  type: 'clear_tool_uses_20250919';
  trigger: AnthropicTrigger;
  keep: { type: 'tool_uses'; value: number };
  clear_at_least?: { type: 'input_tokens'; value: number };
  exclude_tools?: string[];
  clear_tool_inputs: boolean;
}

/** Clears thinking. */
export interface AnthropicThinkingClearing {
  type: 'clear_thinking_20251015';
  keep: 'all' | { type: 'thinking_turns'; value: number };
}

/** Summarizes. */
export interface AnthropicSummarizing {
  type: 'compact_20260112';
  trigger: AnthropicTrigger;
  pause_after_compaction: boolean;
  instructions?: string;
}

/** From how many input tokens on. */
export interface AnthropicTrigger {
  type: 'input_tokens';
  value: number;
}

const CLEARING: AnthropicBeta = 'context-management-2025-06-27';
const COMPACTION: AnthropicBeta = 'compact-2026-01-12';
/** How many tool uses the provider keeps unless it is told otherwise. */
const KEPT = 3;
/** The smallest trigger that the provider accepts for its compaction. */
const SMALLEST_TRIGGER = 50_000;

const NOTHING_KEPT = 'The summary stands for everything before it: no message is kept word for word.';
const WHY: Sentences = {
  ...MEASURED,
  'prune.protect': `The provider keeps a number of tool uses, not of tokens: its own default, ${KEPT}.`,
  'prune.coldAfter': 'The provider does not consider how long its cache has been idle.',
  'prune.breaksAtMost': 'The provider weighs no cost of its cache; only the least that is cleared can be said (`clear_at_least`).',
  'prune.downTo': 'The provider clears all tool uses but the newest ones, and does not stop at a size.',
  'prune.preview': 'The provider clears an output or leaves it; it does not cut one.',
  'prune.minimumTurns': 'The provider does not count turns.',
  'prune.protectedTurns': 'The provider keeps a number of tool uses, not of turns.',
  'prune.countSyntheticTurns': 'The provider does not count turns.',
  'prune.stopAtSummary': 'The provider clears outputs wherever they stand.',
  'prune.stopAtPruned': 'The provider clears outputs wherever they stand.',
  'prune.repeated': 'The provider does not compare outputs.',
  'prune.superseded': 'The provider does not know which calls read or write the same file.',
  'prune.arguments': 'The provider clears the whole input of a cleared tool use, or leaves it.',
  'prune.images': 'The provider clears images with the output that they stand in, and no others.',
  'prune.excerpt': 'The provider leaves nothing of an output that it clears.',
  'prune.names': 'The provider writes its own placeholder, which names nothing.',
  'prune.placeholder': 'The provider writes its own placeholder.',
  'prune.reference': 'The placeholder of the provider names no call, so the model cannot ask for an output again.',
  'retain.keep': NOTHING_KEPT,
  'retain.keepShare': NOTHING_KEPT,
  'retain.keepFloor': NOTHING_KEPT,
  'retain.fill': NOTHING_KEPT,
  'retain.turns': NOTHING_KEPT,
  'retain.snap': NOTHING_KEPT,
  'retain.summarizeAllThatFits': 'The provider summarizes everything, however much it is.',
  'retain.forcedKeepsNothing': NOTHING_KEPT,
  'retain.summaryAllowance': 'The provider is not told how large a summary may be.',
  'retain.names': 'Instructions can ask for identifiers, but nothing makes sure that they are in the summary.',
  'retain.userWords': "Instructions can ask for the user's own words, but nothing makes sure that they are in the summary.",
};
/** Knobs that are said by one of their values only. */
const UNLESS: { readonly [knob: string]: readonly [isSaid: (policy: Policy) => boolean, why: string] } = {
  'prune.errors': [({ prune }) => prune.errors, 'The provider clears the outputs of failed calls as well.'],
  'prune.shortOutputs': [({ prune }) => prune.shortOutputs, 'The provider clears outputs that are shorter than its placeholder as well.'],
  'retain.cut': [({ retain }) => retain.cut === 'at_end', NOTHING_KEPT],
};

/**
 * Context editing and compaction of Anthropic's Messages API, both in beta.
 *
 * @internal
 */
export const anthropic: Provider<AnthropicCompaction> = {
  parameters({ policy, threshold, thinking, instructions }) {
    const clearing = clearingOf(policy, threshold);
    const isLargeEnough = threshold !== undefined && threshold >= SMALLEST_TRIGGER;
    const compaction = policy.retain.enabled && isLargeEnough ? compactionOf(threshold, instructions) : undefined;
    const isTooSmall = policy.retain.enabled && threshold !== undefined && !isLargeEnough;
    return {
      parameters: requested(clearing, compaction, keptThinking(policy, thinking)),
      missing: isTooSmall ? [tooSmall(threshold)] : [],
    };
  },

  why(knob, policy) {
    const unless = UNLESS[knob];
    if (unless === undefined) return sentenceFor(WHY, knob);
    const [isSaid, why] = unless;
    return isSaid(policy) ? undefined : why;
  },

  /** The provider clears outputs, the compactor summarizes: neither repeats what the other did. */
  beside({ policy, threshold, thinking }) {
    const clearing = clearingOf(policy, threshold);
    if (clearing === undefined) return undefined;
    const value = Math.min(clearing.trigger.value, threshold);
    const earlier: AnthropicClearing = { ...clearing, trigger: { type: 'input_tokens', value } };
    return { parameters: requested(earlier, undefined, keptThinking(policy, thinking)), set: { 'prune.enabled': false } };
  },
};

/** Which thinking the provider keeps: without a word, it clears all but the newest. `undefined` where requests have none. */
function keptThinking({ prune }: Policy, thinking: boolean): AnthropicThinkingClearing['keep'] | undefined {
  const { thinking: turns } = prune;
  if (prune.enabled && turns !== null) return { type: 'thinking_turns', value: turns };
  return thinking ? 'all' : undefined;
}

function requested(
  clearing: AnthropicClearing | undefined,
  compaction: AnthropicSummarizing | undefined,
  keep: AnthropicThinkingClearing['keep'] | undefined,
): AnthropicCompaction {
  const edits: AnthropicEdit[] = [clearing, compaction].filter((edit) => edit !== undefined);
  if (edits.length === 0) return {};
  // Thinking has to come first.
  if (keep !== undefined) edits.unshift({ type: 'clear_thinking_20251015', keep });
  const betas = [...(clearing !== undefined || keep !== undefined ? [CLEARING] : []), ...(compaction === undefined ? [] : [COMPACTION])];
  return { betas, context_management: { edits } };
}

function clearingOf({ prune }: Policy, threshold: number | undefined): AnthropicClearing | undefined {
  if (!prune.enabled || (prune.onlyWhenFull && threshold === undefined)) return undefined;
  const trigger = Math.max(1, prune.minimumContext, prune.onlyWhenFull ? (threshold ?? 0) : 0);
  const least = prune.minimum + (prune.minimumIs === 'above' ? 1 : 0);
  return {
    type: 'clear_tool_uses_20250919',
    trigger: { type: 'input_tokens', value: trigger },
    keep: { type: 'tool_uses', value: prune.keepOutputs || KEPT },
    ...(least > 0 && { clear_at_least: { type: 'input_tokens', value: least } }),
    ...(prune.protectedTools.length > 0 && { exclude_tools: [...prune.protectedTools] }),
    clear_tool_inputs: false,
  };
}

function compactionOf(threshold: number, instructions: string | undefined): AnthropicSummarizing {
  return {
    type: 'compact_20260112',
    trigger: { type: 'input_tokens', value: threshold },
    pause_after_compaction: false,
    ...(instructions !== undefined && { instructions }),
  };
}

function tooSmall(threshold: number): UnsaidKnob {
  return {
    knob: 'retain.enabled',
    why: `The provider compacts from ${SMALLEST_TRIGGER} tokens on, and the context of this policy is full at ${threshold}.`,
  };
}

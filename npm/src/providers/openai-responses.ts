import type { Provider, UnsaidKnob } from '../provider-compaction.js';
import { MEASURED, type Sentences, sentenceFor } from './knobs.js';

/** Parameters of `client.responses.create`. */
export interface OpenAICompaction {
  context_management?: { type: 'compaction'; compact_threshold: number }[];
}

const WHY: Sentences = {
  ...MEASURED,
  prune: 'The provider clears no outputs by themselves: it compacts everything.',
  retain: 'The provider compacts everything before its compaction item, and does not say what it keeps of it.',
};

/**
 * Compaction inside a request of OpenAI's Responses API.
 *
 * @internal
 */
export const openaiResponses: Provider<OpenAICompaction> = {
  parameters({ policy, threshold, instructions }) {
    const missing: UnsaidKnob[] = instructions === undefined ? [] : [{ knob: 'instructions', why: 'The provider takes no instructions.' }];
    return { parameters: policy.retain.enabled && threshold !== undefined ? compactingFrom(threshold) : {}, missing };
  },

  why(knob) {
    return knob === 'retain.enabled' ? undefined : sentenceFor(WHY, knob);
  },

  /** After the provider's compaction the context is small again, and the compactor has nothing to do. */
  beside({ policy, threshold }) {
    return policy.retain.enabled ? { parameters: compactingFrom(threshold), set: {} } : undefined;
  },
};

function compactingFrom(threshold: number): OpenAICompaction {
  return { context_management: [{ type: 'compaction', compact_threshold: threshold }] };
}

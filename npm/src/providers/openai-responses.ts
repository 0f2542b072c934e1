import { MEASURED, sentenceFor } from './knobs.js';

const WHY = {
  ...MEASURED,
  prune: 'The provider clears no outputs by themselves: it compacts everything.',
  retain: 'The provider compacts everything before its compaction item, and does not say what it keeps of it.',
};

/** Compaction inside a request of OpenAI's Responses API. */
export const openaiResponses = {
  parameters({ policy, threshold, instructions }: import('../provider-compaction.js').Wanted) {
    const missing = instructions === undefined ? [] : [{ knob: 'instructions', why: 'The provider takes no instructions.' }];
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

function compactingFrom(threshold) {
  return { context_management: [{ type: 'compaction', compact_threshold: threshold }] };
}

import type { Provider, UnsaidKnob } from '../provider-compaction.js';
import { MEASURED, type Sentences, sentenceFor } from './knobs.js';

/** Members of the `config` of `client.live.connect`. */
export interface GeminiCompaction {
  contextWindowCompression?: { triggerTokens: string; slidingWindow: { targetTokens: string } };
}

const DROPPED = 'The provider drops the oldest turns without a summary.';
const WHY: Sentences = {
  ...MEASURED,
  prune: 'The provider clears no outputs by themselves: it drops whole turns.',
  'retain.enabled': `${DROPPED} Only sessions of the Live API take these parameters: \`generateContent\` has none.`,
  'retain.keepShare': 'The target is one number of tokens.',
  'retain.keepFloor': 'The target is one number of tokens.',
  'retain.fill': 'The provider does not say whether its target is the least or the most that stays.',
  'retain.turns': 'The provider does not count turns.',
  'retain.snap': 'The provider does not say in which direction it moves to the beginning of a turn.',
  'retain.summarizeAllThatFits': DROPPED,
  'retain.forcedKeepsNothing': 'The provider cannot be made to compact.',
  'retain.summaryAllowance': DROPPED,
  'retain.userWords': DROPPED,
  'retain.names': DROPPED,
};

/**
 * The sliding window of Gemini's Live API, the only parameters of Gemini that shorten a context.
 *
 * @internal
 */
export const gemini: Provider<GeminiCompaction> = {
  parameters({ policy: { retain }, threshold, instructions }) {
    const missing: UnsaidKnob[] = instructions === undefined ? [] : [{ knob: 'instructions', why: 'The provider writes no summary.' }];
    if (!retain.enabled || threshold === undefined) return { parameters: {}, missing };
    const kept = retain.cut === 'at_end' ? 0 : retain.keep;
    const slidingWindow = { targetTokens: String(Math.max(1, Math.min(kept, threshold - 1))) };
    return { parameters: { contextWindowCompression: { triggerTokens: String(threshold), slidingWindow } }, missing };
  },

  why(knob, { retain }) {
    if (knob !== 'retain.cut') return sentenceFor(WHY, knob);
    return retain.cut === 'before_turn' ? undefined : 'The provider cuts where a turn of the user begins, and nowhere else.';
  },
};

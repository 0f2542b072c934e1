// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

import type { Decision } from '../session-options.js';

const Verdict = [
  'noop', 'refuse', 'prune', 'summarize', 'prune_then_summarize',
] as const;
const VerdictReason = [
  'empty', 'disabled', 'too_few_turns', 'context_small', 'not_full', 'deferred', 'nothing_to_prune', 'below_minimum',
  'outputs_beyond_protection', 'room_needed', 'overhead_fills_window', 'too_large', 'needless', 'below_threshold',
  'over_threshold', 'forced', 'history_below_keep', 'no_valid_boundary', 'nothing_gained', 'nothing_new',
] as const;
const Source = [
  'estimate', 'reported', 'known', 'nothing',
] as const;
const BoundaryLimit = [
  'protect', 'keep_outputs', 'protected_turns', 'down_to', 'unanswered',
] as const;

/**
 * What the figures from number `at` on say, as the members of a plan that say nothing of single messages.
 */
export function decisionOf(figures: Float64Array, at: number, profile: string): Decision {
  return {
    schema: 'ebbline.plan/1',
    profile,
    verdict: Verdict[figures[at]],
    reason: VerdictReason[figures[at + 1]],
    tokensBefore: figures[at + 2],
    tokensAfter: figures[at + 3],
    fits: figures[at + 4] === 1,
    summaryAllowance: figures[at + 5],
    trigger: {
      context: figures[at + 6],
      threshold: figures[at + 7],
      tokens: figures[at + 8],
      source: Source[figures[at + 9]],
      overhead: placeIn(figures[at + 10]),
      fires: figures[at + 11] === 1,
    },
    prune: {
      applied: figures[at + 12] === 1,
      reason: VerdictReason[figures[at + 13]],
      boundary: figures[at + 14] < 0 ? null : { message: figures[at + 14], part: figures[at + 15], by: BoundaryLimit[figures[at + 16]] },
      counted: figures[at + 17],
      candidates: figures[at + 18],
      outputs: figures[at + 19],
      reclaimed: figures[at + 20],
    },
    retain: {
      applied: figures[at + 21] === 1,
      reason: VerdictReason[figures[at + 22]],
      proposed: placeIn(figures[at + 23]),
      boundary: placeIn(figures[at + 24]),
      splitTurn: placeIn(figures[at + 25]),
      kept: figures[at + 26],
      summarized: figures[at + 27],
      messages: figures[at + 28],
    },
  };
}

function placeIn(figure: number): number | null {
  return figure < 0 ? null : figure;
}

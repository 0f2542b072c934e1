import type { LiveFormatName } from './generated/words.js';
import { walk } from './live-plan.js';
import type { Pins } from './pins.js';
import { plan } from './plan.js';
import { type PolicySource, policyOf } from './ready-policy.js';

/**
 * The tokens of what no compaction makes smaller: system messages, and what is pinned.
 *
 * @param log the whole history
 * @param options of the policy
 */
export function fixedTokens(log: unknown[], format: LiveFormatName | undefined, pins: Pins | undefined, options: PolicySource): number {
  const { messages } = plan(log, { ...options, format });
  const parts = messages.flatMap(({ role, parts: inside }) =>
    inside.map(({ tokensBefore }) => ({ tokens: tokensBefore, isSystem: role === 'system' })),
  );
  const pinned = new Set(pins && walk(log, { format }, policyOf({}), pins.recorderOf(log), (_, recorder) => recorder.pinned));
  return parts.reduce((sum, { tokens, isSystem }, at) => sum + (isSystem || pinned.has(at) ? tokens : 0), 0);
}

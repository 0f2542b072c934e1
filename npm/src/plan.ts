import type { Plan } from './generated/plan.js';
import { guarded } from './guard.js';
import { checkedFormat, passedOf, planOf, walkAs } from './live-plan.js';
import { checked } from './options.js';
import type { PlanOptions } from './plan-options.js';
import { policyOf } from './ready-policy.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { planText, readText, refuseCounting } from './text-session.js';

/**
 * Decides what should be done with a session: a fate and a reason for each message and part, totals before and after, and a
 * verdict. The input is not changed.
 *
 * @param input the text of a session file, its bytes, or an array of live messages (OpenAI Chat or Responses, items of
 *   the OpenAI Agents SDK, Anthropic Messages, Bedrock Converse, Gemini contents, AI SDK model or UI messages, Mastra, LangChain,
 *   pi, OpenCode)
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { verdict, reason, messages } = plan(history, { model: { context: 200_000 } });
 * ```
 */
export const plan = guarded(function plan(input: SessionInput, options?: PlanOptions): Plan {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (Array.isArray(source)) {
    const { format } = checkedFormat(source, given);
    const found = passedOf(source, format, given, policy);
    return found?.plan ?? walkAs(format, source, given, policy, false, (recorder) => planOf(recorder, given, policy));
  }
  refuseCounting(given);
  return readText(source, given, policy, (session) => planText(session, given, policy, (_, plan) => plan));
});

import { formatCalled } from './formats/table.js';
import { isSameToModel } from './equality.js';
import type { Fate, MessagePlan, Plan } from './generated/plan.js';
import type { GrowingSession } from './growing-session.js';
import type { PolicyOptions } from './policy-options.js';

/**
 * What was sent when a summary was asked for, and the plan of it.
 *
 * A summary that a model writes while the agent goes on stands for these messages, as one that is already there does. An edit behind them
 * changes the tail alone, so the summary is put in front of the new tail. An edit among them would leave a summary that tells of what
 * was taken back, and no beginning of it is a summary of the beginning: it is dropped.
 */
export interface AskedMessages {
  messages: readonly unknown[];
  plan: Plan;
}

/**
 * Whether an edit left the messages that a summary was asked for, and something behind them.
 *
 * @param messages what would be sent now
 */
export function stands({ messages: known, plan }: AskedMessages, messages: readonly unknown[]) {
  const end = endOf(plan);
  return messages.length > end && known.slice(0, end).every((message, at) => isSameToModel(message, messages[at]));
}

/**
 * A session of what is sent now whose forced plan summarizes the messages that the summary was asked for, and nothing else; `undefined` if
 * there is no such plan, because a call would be parted from its result. The caller frees it.
 *
 * @param session of what is sent now
 * @param set the knobs that the caller changed
 */
export function rebased(
  session: GrowingSession,
  { messages: known, plan }: AskedMessages,
  set: PolicyOptions['set'],
): GrowingSession | undefined {
  const { messages, format } = session;
  // A format that removes nothing keeps what was summarized, so that a beginning of the array is no beginning of what is sent.
  if (format === undefined || formatCalled(format)?.append !== undefined || plan.messages.length !== known.length) return undefined;
  const end = endOf(plan);
  const tokens = session
    .plan({})
    .messages.slice(end)
    .reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  const portion = session.portion(messages, format, {
    'retain.keep': Math.max(1, tokens),
    'retain.userWords': set?.['retain.userWords'],
  });
  const found = portion.plan({ force: true });
  const isSame = found.messages.every(({ fate }, at) => isSummarized(fate) === isSummarized(plan.messages[at]?.fate) || at >= end);
  if (found.retain.applied && endOf(found) === end && isSame) return portion;
  portion.free();
  return undefined;
}

/** The place behind the last message that a plan summarizes. */
function endOf({ messages }: { messages: readonly MessagePlan[] }) {
  return messages.findLastIndex(({ fate }) => isSummarized(fate)) + 1;
}

function isSummarized(fate: Fate | undefined) {
  return fate === 'summarized';
}

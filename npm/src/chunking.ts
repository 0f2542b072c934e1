import { EbblineError } from './errors.js';
import { Division } from './files-core.js';
import { formatCalled } from './formats/table.js';
import type { Plan } from './generated/plan.js';
import type { GrowingSession } from './growing-session.js';
import type { RequestedSummary } from './requested-summary.js';

/** The context window that the engine assumes if the model's is unknown, and the share of it that stays free. */
const ASSUMED_CONTEXT = 128_000;
const MARGIN = 16;
/** What a request is made with that leaves nothing out. */
export const BOUNDLESS = 2 ** 40;
/** What becomes of a message, as the engine's division takes it. */
const WEIGHTS: Record<string, number> = { summarized: 2, inactive: 0 };

/** Messages in parts: for each, the index of the first message behind it, and how many messages it is asked for with. */
export interface Parts {
  session: GrowingSession;
  messages: unknown[];
  cuts: { bound: number; behind: number }[];
}

/** The most tokens that a request has, as the engine computes them. */
export function budgetOf({ request, plan }: Pick<RequestedSummary, 'request' | 'plan'>, budgetTokens: number | undefined) {
  const context = plan.trigger.context || ASSUMED_CONTEXT;
  return budgetTokens ?? Math.max(0, context - request.maxTokens - Math.floor(context / MARGIN));
}

/**
 * The messages to be summarized in parts. Every part by itself gives a request that fits, and no call is parted from its result.
 * `undefined` if they cannot be divided.
 */
export function dividedInto(session: GrowingSession, messages: unknown[], plan: Plan, budget: number): Parts | undefined {
  const { summarized, boundary } = plan.retain;
  // Where a format stores its messages in another order, or appends a summary, a beginning of the array is no beginning of the session.
  const { append } = (session.format === undefined ? undefined : formatCalled(session.format)) ?? {};
  if (append !== undefined || plan.messages.length !== messages.length || boundary === null) return undefined;
  const weights = plan.messages.flatMap(({ fate, tokensBefore }) => [WEIGHTS[fate] ?? 1, tokensBefore]);
  const division = new Division(Uint32Array.from(weights), boundary, summarized, budget);
  try {
    for (let part = division.nextPart(); part !== undefined; part = division.nextPart()) {
      tryPart(division, session, messages.slice(part[0], part[1]));
    }
    const found = division.cuts();
    if (found === undefined) return undefined;
    const cuts = Array.from({ length: found.length / 2 }, (_, at) => ({ bound: found[2 * at], behind: found[2 * at + 1] }));
    return { session, messages, cuts };
  } finally {
    division.free();
  }
}

/** Tells a division what it may have of the messages of a part. */
function tryPart(division: Division, session: GrowingSession, messages: unknown[]) {
  const portion = session.portion(messages);
  try {
    const { applied, boundary } = portion.plan({ force: true }).retain;
    if (!applied || boundary === null || boundary === 0) return;
    if (portion.summaryRequest({ force: true, budgetTokens: division.budget }) !== undefined) division.found(boundary);
  } catch (error) {
    if (!(error instanceof EbblineError) || error.code !== 'budget_too_small') throw error;
    division.tooLarge();
  } finally {
    portion.free();
  }
}

/** The most parts that a summary is written in. */
const MOST_PARTS = 64;
/** The context window that the engine assumes if the model's is unknown, and the share of it that stays free. */
const ASSUMED_CONTEXT = 128_000;
const MARGIN = 16;
/** The share of a request's budget that a part may fill: the summary of the parts before stands beside it. */
const SHARE = 3 / 4;
/** From so many budgets on, one request would have to leave out or cut too much. */
const MOST_BUDGETS = 2;
/** What a request is made with that leaves nothing out. */
export const BOUNDLESS = 2 ** 40;

/** The most tokens that a request has, as the engine computes them. */
export function budgetOf({ request, plan }, budgetTokens) {
  const context = plan.trigger.context || ASSUMED_CONTEXT;
  return budgetTokens ?? Math.max(0, context - request.maxTokens - Math.floor(context / MARGIN));
}

/** Whether one request would have to leave out or cut much: the messages have more than twice the tokens that it may have. */
export function isTooMuch(requested, budget) {
  return requested.plan.retain.summarized > MOST_BUDGETS * budget;
}

/**
 * Where the messages to be summarized are divided: for each part, the index of the first message behind it. Every part by itself
 * gives a request that fits, and no call is parted from its result. `undefined` if they cannot be divided.
 *
 * The messages are divided, not the text of the request. So the engine writes every request: it shortens each part by its own budget,
 * quotes the user's open request only in the last one, and hands an earlier summary on in its own section. Text that was divided here
 * would need these rules a second time, and whoever writes into a transcript could forge them.
 *
 * @param requested the request for all of it
 */
export function boundsOf(
  session: import('./growing-session.js').GrowingSession,
  messages: any[],
  { plan }: any,
  budget: number,
): number[] | undefined {
  // Where a format stores its messages in another order, or appends a summary, a beginning of the array is no beginning of the session.
  if (session.format === 'opencode' || plan.messages.length !== messages.length || plan.retain.boundary === null) return undefined;
  const { summarized, boundary } = plan.retain;
  let size = Math.min(budget * SHARE, summarized / 2);
  while (targets(plan, boundary, size).length > MOST_PARTS) size = (size + 1) * 1.25;
  // Many short messages take more room in a request than they have tokens.
  for (; size >= summarized / MOST_PARTS; size /= 2) {
    try {
      const bounds = partsOf(session, messages, plan, size, Math.floor(budget * SHARE));
      return bounds.length < 2 || bounds.length > MOST_PARTS ? undefined : bounds;
    } catch (error) {
      if (error.code !== 'budget_too_small') throw error;
    }
  }
  return undefined;
}

/** The parts of about `size` tokens. */
function partsOf(session, messages, plan, size, budgetTokens) {
  const last = plan.retain.boundary;
  const bounds = [];
  let from = 0;
  for (const wanted of targets(plan, last, size)) {
    if (wanted <= from) continue;
    const portion = session.portion(messages.slice(from, behind(plan, wanted)));
    try {
      const found = portion.plan({ force: true }).retain;
      const isThere = found.applied && found.boundary !== null && found.boundary > 0;
      if (!isThere || portion.summaryRequest({ force: true, budgetTokens }) === undefined) continue;
      from += found.boundary;
      bounds.push(from);
    } finally {
      portion.free();
    }
  }
  // The last part has nothing that is worth a request: it belongs to the one before.
  if (bounds.length > 0 && bounds.at(-1) !== last) bounds[bounds.length - 1] = last;
  return bounds;
}

/** The messages in front of which a part has its size, and the boundary of the plan. */
function targets({ messages }, last, size) {
  const found = [];
  let tokens = 0;
  for (let at = 0; at < last; at += 1) {
    const { fate, tokensBefore } = messages[at];
    if (fate !== 'summarized') continue;
    if (tokens > 0 && tokens + tokensBefore > size) {
      found.push(at);
      tokens = 0;
    }
    tokens += tokensBefore;
  }
  return [...found, last];
}

/** How many messages a part is asked for with: those before its boundary, and the first behind it, which shows how the part ends. */
export function behind({ messages }, bound) {
  const next = messages.findIndex(({ fate, tokensBefore }, at) => at >= bound && fate !== 'inactive' && tokensBefore > 0);
  return next === -1 ? messages.length : next + 1;
}

/** The summaries of all parts, in order, as messages of which one summary is written. */
export function joined(summaries) {
  const of = (at) => `Summary of part ${at + 1} of ${summaries.length} of the conversation:`;
  const said = summaries.map((summary, at) => ({ role: 'user', content: `${of(at)}\n\n${summary}` }));
  return [...said, { role: 'user', content: 'Go on.' }];
}

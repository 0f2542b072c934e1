import { finishSummary } from './summary-request.js';
import { BOUNDLESS, behind, boundsOf, budgetOf, isTooMuch, joined } from './chunking.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import { noSummary, summaryAgain } from './files-core.js';
import { REMINDERS } from './generated/names.js';
import { CallerError } from './caller-error.js';
import { anySignal, untilCancelled } from './cancellation.js';
import { reminded } from './reminded.js';

/** The members in which answers say why they ended. */
const WHY_ENDED = ['finishReason', 'finish_reason', 'stopReason', 'stop_reason'];
const NO_FILES = { read: [], modified: [], unlistedRead: 0, unlistedModified: 0 };
/** What a model says if its answer ended at its output limit, in the words of each provider. */
const CUT_OFF = new Set(['length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS']);

/** Why an answer is no summary at all, in words, and what to tell the model; `undefined` if it may be one. */
export function noSummaryIn(answer: string): { why: string; reminder: string } | undefined {
  files.memory();
  const json = noSummary(answer);
  if (json === undefined) return undefined;
  const { why, reminder } = JSON.parse(json);
  return { why, reminder };
}

/** The messages of a second request: with what was wrong about an answer, within the budget of the first. */
export function secondMessages({ request, plan, context }, answer, reminder, budgetTokens = undefined) {
  files.memory();
  const sent = [request.system, ...request.messages.map(({ content }) => content)].join('\n');
  const budget = budgetOf({ request, plan }, budgetTokens);
  const [shown, why] = JSON.parse(summaryAgain(JSON.stringify(context), sent, answer, reminder, budget));
  return reminded(request.messages, shown, why);
}

/** Asks for summaries, and judges the answers. */
export class Summarizer {
  #ask;
  #accept;
  #timeout;
  #budget;
  #chunks;

  constructor({
    summarize,
    accept,
    timeout,
    budgetTokens,
    chunks,
  }: {
    summarize?: Function | 'deterministic';
    accept?: object | false;
    timeout: number;
    budgetTokens?: number;
    chunks?: 'rolling' | 'map_reduce';
  }) {
    this.#chunks = chunks;
    this.#ask = summarize;
    // What is no summary at all is refused in any case.
    const least = accept === false ? { language: false, facts: 0 } : { language: true, facts: 0.5 };
    this.#accept = { headings: false, ...least, ...accept };
    this.#timeout = timeout;
    this.#budget = budgetTokens;
  }

  /** Whether somebody writes summaries. */
  get isThere() {
    return this.#ask !== undefined;
  }

  /**
   * A summary of what the session's plan summarizes. A model whose answer must not replace history is asked once more.
   *
   * @param begin called before a model is asked
   */
  async summary(
    session: import('./growing-session.js').GrowingSession,
    { how, focus, signal }: { how: object; focus?: string; signal?: AbortSignal },
    begin: (requested: any, part: number, parts: number) => void,
  ) {
    if (this.#ask === 'deterministic') {
      const requested = this.#requested(session, how, focus, BOUNDLESS);
      begin(requested, 1, 1);
      await untilCancelled(files.init(), signal);
      return this.#byRule(session, how, requested);
    }
    const { requested, messages, bounds } = this.#divided(session, how, focus);
    // What comes in while the model writes, or is edited, does not concern what its answer is judged by.
    const whole = { session, how: { ...how, messages: session.messages }, requested };
    const asked = { focus, signal, begin };
    if (bounds === undefined) return accepted(requested, await this.#written(requested, whole, asked, 1, 1));
    const divided = { session, messages, plan: requested.plan, bounds };
    const inParts = this.#chunks === 'map_reduce' ? this.#mapped(divided, whole, asked) : this.#rolled(divided, whole, asked);
    return accepted(requested, await inParts);
  }

  /** The request for all of it, and where it is divided if one request does not do. */
  #divided(session, how, focus) {
    let requested;
    let refusal;
    try {
      requested = this.#requested(session, how, focus);
    } catch (error) {
      if (error.code !== 'budget_too_small') throw error;
      refusal = error;
      requested = this.#requested(session, how, focus, BOUNDLESS);
    }
    const budget = budgetOf(requested, this.#budget);
    if (refusal === undefined && (this.#chunks === undefined || !isTooMuch(requested, budget))) return { requested };
    const { messages } = session;
    const bounds = boundsOf(session, messages, requested, budget);
    if (bounds === undefined && refusal !== undefined) throw refusal;
    return { requested, messages, bounds };
  }

  /**
   * One part after the other: the summary of the parts before is the earlier summary of the next one. The last answer is judged by the
   * whole.
   */
  async #rolled({ session, messages, plan, bounds, format = session.format }, whole, asked, done = 0) {
    const parts = done + bounds.length;
    const rolling = session.portion(messages.slice(0, behind(plan, bounds[0])), format);
    const how = { force: true };
    try {
      for (let at = 0; at < bounds.length - 1; at += 1) {
        const requested = this.#requested(rolling, how, asked.focus);
        const part = { session: rolling, how, requested };
        const summary = await this.#written(requested, part, asked, done + at + 1, parts);
        rolling.apply({ ...how, summary });
        rolling.push(messages.slice(behind(plan, bounds[at]), behind(plan, bounds[at + 1])));
      }
      return await this.#written(this.#requested(rolling, how, asked.focus), whole, asked, parts, parts);
    } finally {
      rolling.free();
    }
  }

  /** Each part by itself, then one summary of the summaries. */
  async #mapped({ session, messages, plan, bounds }, whole, asked) {
    const summaries = [];
    const how = { force: true };
    for (const [at, bound] of bounds.entries()) {
      const portion = session.portion(messages.slice(bounds[at - 1] ?? 0, behind(plan, bound)));
      try {
        const found = this.#requested(portion, how, asked.focus);
        // The files of all parts stand behind the summary of all.
        const requested = { ...found, context: { ...found.context, files: NO_FILES } };
        const part = { session: portion, how, requested };
        summaries.push(await this.#written(requested, part, asked, at + 1, bounds.length + 1));
      } finally {
        portion.free();
      }
    }
    return this.#joined(session, joined(summaries), whole, asked);
  }

  /** One summary of all summaries; one after the other, if they are too long for one request. */
  async #joined(session, messages, whole, asked) {
    const format = 'openai_chat';
    const done = messages.length - 1;
    const joining = session.portion(messages, format);
    try {
      const all = this.#requested(joining, { force: true }, asked.focus, BOUNDLESS);
      const budget = budgetOf(all, this.#budget);
      const isLong = all.plan.retain.summarized > budget;
      const bounds = isLong ? boundsOf(joining, messages, all, budget) : undefined;
      if (bounds !== undefined) return await this.#rolled({ session: joining, messages, plan: all.plan, bounds }, whole, asked, done);
      return await this.#written(this.#requested(joining, { force: true }, asked.focus), whole, asked, done + 1, done + 1);
    } finally {
      joining.free();
    }
  }

  /** A model's answer to a request, judged by what it is to replace. */
  async #written({ request, plan, context }, judged, { signal, begin }, part, parts) {
    if (signal?.aborted) throw new CallerError(signal.reason);
    begin({ plan }, part, parts);
    await untilCancelled(files.init(), signal);
    const answer = await this.#answer(request, request.messages, signal);
    const first = this.#judged(judged.session, judged.how, judged.requested, answer);
    if (first.summary !== undefined) return first.summary;
    if (first.reminder === undefined) throw first.error;
    const second = secondMessages({ request, plan, context }, answer.text, first.reminder, this.#budget);
    const again = await this.#answer(request, second, signal);
    const last = this.#judged(judged.session, judged.how, judged.requested, again);
    if (last.summary === undefined) throw last.error;
    return last.summary;
  }

  /** The summary that needs no model. */
  async withoutModel(session, { how }) {
    await files.init();
    return this.#byRule(session, how, this.#requested(session, how, undefined, BOUNDLESS));
  }

  #requested(session, how, focus = undefined, budgetTokens = this.#budget) {
    const options = { ...how, ...(focus !== undefined && { focus }), ...(budgetTokens !== undefined && { budgetTokens }) };
    const requested = session.summaryRequest(options);
    if (requested === undefined) throw new EbblineError('empty_summary', 'there is nothing to summarize but an earlier summary');
    return requested;
  }

  #byRule(session, how, requested) {
    const text = session.deterministicSummary(how) ?? '';
    return { ...accepted(requested, finishSummary(requested, text)), isByRule: true };
  }

  async #answer(request, messages, signal) {
    const limit = new AbortController();
    const late = () => limit.abort(new DOMException('the model did not answer in time', 'TimeoutError'));
    const timer: any = setTimeout(late, this.#timeout);
    // A program that has nothing else to do must not wait for it; the model's connection keeps Node running.
    timer.unref?.();
    const limited = anySignal(signal, limit.signal);
    try {
      const asked = (this.#ask as Function)({ ...request, messages }, { signal: limited });
      return answerOf(await untilCancelled(Promise.resolve(asked), limited));
    } finally {
      clearTimeout(timer);
    }
  }

  #judged(session, how, requested, answer): { summary?: string; error?: unknown; reminder?: string } {
    let summary;
    try {
      summary = finished(requested, answer);
    } catch (error) {
      return { error, reminder: REMINDERS[error.code] };
    }
    const { why, none, reminder } = session.shortcomingsOf(summary, how, this.#accept);
    if (why === null) return { summary };
    const code = none ? 'refused_summary' : 'incomplete_summary';
    return { error: new EbblineError(code, `the summary is refused: ${why}`), reminder };
  }
}

/** The summary of an answer. One that fills half of the window leaves no room for the work, however much it replaces. */
function finished(requested, answer) {
  const { context, plan } = requested;
  const most = Math.floor((plan.trigger.context ?? Infinity) / 2);
  try {
    return finishSummary({ ...requested, context: { ...context, replacedTokens: Math.min(context.replacedTokens, most) } }, answer);
  } catch (error) {
    if (error.code !== 'larger_summary' || context.replacedTokens <= most) throw error;
    throw new EbblineError('larger_summary', `the summary has more than ${most} tokens, half of the context window`);
  }
}

function accepted({ handle, plan }, summary) {
  return { summary, handle, plan };
}

function answerOf(answer): { text: string; truncated?: boolean } {
  if (typeof answer === 'string') return { text: answer };
  if (typeof answer?.text === 'string') {
    const { text, truncated } = answer;
    return { text, truncated: truncated ?? WHY_ENDED.some((name) => CUT_OFF.has(answer[name])) };
  }
  throw new EbblineError('invalid_option', '`summarize` must return the text of the answer, or { text, truncated }');
}

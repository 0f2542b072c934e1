import { CallerError, anySignal, untilCancelled } from './cancellation.js';
import { BOUNDLESS, type Parts, budgetOf, dividedInto } from './chunking.js';
import type { CallInfo } from './compactor-call.js';
import type { CompactorOptions } from './compactor-options.js';
import { EbblineError } from './errors.js';
import type { FoundSummary } from './execution.js';
import { isTooMuch, joinedSummaries } from './files-core.js';
import { files } from './files.js';
import type { GrowingSession, SessionQuestion } from './growing-session.js';
import type { ModelRequest, RequestedSummary, SummaryAnswer } from './requested-summary.js';
import type { DecisionOptions } from './session-options.js';
import { type LiveRequest, finishSummary } from './summary-request.js';
import { isObject } from './values.js';

/** The members in which answers say why they ended. */
const WHY_ENDED = ['finishReason', 'finish_reason', 'stopReason', 'stop_reason'];
const NO_FILES = { read: [], modified: [], unlistedRead: 0, unlistedModified: 0 };
/** What a model says if its answer ended at its output limit, in the words of each provider. */
const CUT_OFF: ReadonlySet<unknown> = new Set(['length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS']);
/** How a portion of a session is planned. */
const FORCED = { force: true };

/** Hears that a model is about to be asked: what, and for which part. */
type Begin = (requested: Pick<RequestedSummary, 'plan'>, part: number, parts: number) => void;

/** What a summary is asked for with. */
export interface SummaryCall extends Pick<CallInfo, 'focus' | 'notes' | 'summarize' | 'signal'> {
  how: DecisionOptions;
}

/** What a request is written with. */
type Written = Pick<SummaryCall, 'focus' | 'notes'>;

type Asked = Omit<SummaryCall, 'how'> & { begin: Begin };

/** What an answer is judged by. */
interface Judged {
  session: GrowingSession;
  how: SessionQuestion;
  requested: Pick<RequestedSummary, 'context'>;
}

/** Asks for summaries, and judges the answers. */
export class Summarizer {
  #ask: CompactorOptions['summarize'];
  #accept: CompactorOptions['accept'];
  #timeout: number;
  #budget: number | undefined;
  #chunks: CompactorOptions['chunks'];

  constructor({
    summarize,
    accept,
    timeout,
    budgetTokens,
    chunks,
  }: Pick<CompactorOptions, 'summarize' | 'accept' | 'budgetTokens' | 'chunks'> & { timeout: number }) {
    this.#chunks = chunks;
    this.#ask = summarize;
    this.#accept = accept;
    this.#timeout = timeout;
    this.#budget = budgetTokens;
  }

  /**
   * A summary of what the session's plan summarizes. A model whose answer must not replace history is asked once more.
   *
   * @param begin called before a model is asked
   */
  async summary(session: GrowingSession, { how, ...call }: SummaryCall, begin: Begin): Promise<FoundSummary> {
    if (this.#ask === 'deterministic') {
      const requested = this.#requested(session, how, call, BOUNDLESS);
      begin(requested, 1, 1);
      await untilCancelled(files.init(undefined), call.signal);
      return this.#byRule(session, how, requested);
    }
    const { requested, refusal } = this.#whole(session, how, call);
    // What comes in while the model writes, or is edited, does not concern what its answer is judged by.
    const { messages } = session;
    const whole = { session, how: { ...how, messages }, requested };
    // Messages are divided by the module that judges their summaries.
    if (refusal !== undefined || this.#chunks !== undefined) await untilCancelled(files.init(undefined), call.signal);
    const parts = this.#parts(session, messages, requested, refusal);
    const asked = { ...call, begin };
    if (parts === undefined) return accepted(requested, await this.#written(requested, whole, asked, 1, 1));
    const inParts = this.#chunks === 'map_reduce' ? this.#mapped(parts, whole, asked) : this.#rolled(parts, whole, asked);
    return accepted(requested, await inParts);
  }

  /** The request for all of it, and why one request does not do. */
  #whole(session: GrowingSession, how: DecisionOptions, call: Written): { requested: LiveRequest; refusal?: EbblineError } {
    try {
      return { requested: this.#requested(session, how, call) };
    } catch (error) {
      if (!(error instanceof EbblineError) || error.code !== 'budget_too_small') throw error;
      return { requested: this.#requested(session, how, call, BOUNDLESS), refusal: error };
    }
  }

  /** The parts of a request if one does not do. */
  #parts(session: GrowingSession, messages: unknown[], requested: LiveRequest, refusal: EbblineError | undefined) {
    const budget = budgetOf(requested, this.#budget);
    const isWhole = this.#chunks === undefined || !isTooMuch(requested.plan.retain.summarized, budget);
    if (refusal === undefined && isWhole) return undefined;
    const parts = dividedInto(session, messages, requested.plan, budget);
    if (parts === undefined && refusal !== undefined) throw refusal;
    return parts;
  }

  /**
   * One part after the other: the summary of the parts before is the earlier summary of the next one. The last answer is judged by the
   * whole.
   */
  async #rolled({ session, messages, cuts }: Parts, whole: Judged, asked: Asked, done = 0) {
    const parts = done + cuts.length;
    const rolling = session.portion(messages.slice(0, cuts[0].behind));
    try {
      for (let at = 0; at < cuts.length - 1; at += 1) {
        const requested = this.#requested(rolling, FORCED, asked);
        const part = { session: rolling, how: FORCED, requested };
        const summary = await this.#written(requested, part, asked, done + at + 1, parts);
        rolling.apply({ ...FORCED, summary });
        rolling.push(messages.slice(cuts[at].behind, cuts[at + 1].behind));
      }
      return await this.#written(this.#requested(rolling, FORCED, asked), whole, asked, parts, parts);
    } finally {
      rolling.free();
    }
  }

  /** Each part by itself, then one summary of the summaries. */
  async #mapped({ session, messages, cuts }: Parts, whole: Judged, asked: Asked) {
    const summaries: string[] = [];
    for (const [at, { behind }] of cuts.entries()) {
      const portion = session.portion(messages.slice(at === 0 ? 0 : cuts[at - 1].bound, behind));
      try {
        const found = this.#requested(portion, FORCED, asked);
        // The files of all parts stand behind the summary of all.
        const requested = { ...found, context: { ...found.context, files: NO_FILES } };
        const part = { session: portion, how: FORCED, requested };
        summaries.push(await this.#written(requested, part, asked, at + 1, cuts.length + 1));
      } finally {
        portion.free();
      }
    }
    return this.#joined(session, JSON.parse(joinedSummaries(summaries)), whole, asked);
  }

  /** One summary of all summaries; one after the other, if they are too long for one request. */
  async #joined(session: GrowingSession, messages: unknown[], whole: Judged, asked: Asked) {
    const done = messages.length - 1;
    const joining = session.portion(messages, 'openai_chat');
    try {
      const { request, plan } = this.#requested(joining, FORCED, asked, BOUNDLESS);
      const budget = budgetOf({ request, plan }, this.#budget);
      const parts = plan.retain.summarized > budget ? dividedInto(joining, messages, plan, budget) : undefined;
      if (parts !== undefined) return await this.#rolled(parts, whole, asked, done);
      return await this.#written(this.#requested(joining, FORCED, asked), whole, asked, done + 1, done + 1);
    } finally {
      joining.free();
    }
  }

  /** A model's answer to a request, judged by what it is to replace. */
  async #written(requested: RequestedSummary, judged: Judged, { signal, summarize, begin }: Asked, part: number, parts: number) {
    if (signal?.aborted) throw new CallerError(signal.reason);
    const { request, plan } = requested;
    begin({ plan }, part, parts);
    await untilCancelled(files.init(undefined), signal);
    const sent = [request.system, ...request.messages.map(({ content }) => content)].join('\n');
    const { session, how } = judged;
    const wanted = { context: judged.requested.context, accept: this.#accept };
    for (let messages = request.messages, isFirst = true; ; isFirst = false) {
      const answer = await this.#answer(summarize ?? this.#ask, request, messages, signal);
      const found = session.judgementOf({ answer, wanted, sent, budget: budgetOf(requested, this.#budget) }, how);
      if (found.summary !== undefined) return found.summary;
      if (!isFirst || found.again === undefined) throw new EbblineError(found.code, found.message);
      messages = reminded(messages, ...found.again);
    }
  }

  /** The summary that needs no model. */
  async withoutModel(session: GrowingSession, how: DecisionOptions): Promise<FoundSummary> {
    await files.init(undefined);
    return this.#byRule(session, how, this.#requested(session, how, {}, BOUNDLESS));
  }

  #requested(session: GrowingSession, how: DecisionOptions, { focus, notes }: Written, budgetTokens = this.#budget): LiveRequest {
    const options = { ...how, focus, notes, ...(budgetTokens !== undefined && { budgetTokens }) };
    const requested = session.summaryRequest(options);
    if (requested === undefined) throw new EbblineError('empty_summary', 'there is nothing to summarize but an earlier summary');
    return requested;
  }

  #byRule(session: GrowingSession, how: DecisionOptions, requested: LiveRequest): FoundSummary {
    const text = session.deterministicSummary(how) ?? '';
    return { ...accepted(requested, finishSummary(requested, text)), isByRule: true };
  }

  async #answer(
    ask: CompactorOptions['summarize'],
    request: ModelRequest,
    messages: ModelRequest['messages'],
    signal: AbortSignal | undefined,
  ): Promise<SummaryAnswer> {
    const limit = new AbortController();
    const late = () => limit.abort(new DOMException('the model did not answer in time', 'TimeoutError'));
    const timer: { unref?: () => void } & ReturnType<typeof setTimeout> = setTimeout(late, this.#timeout);
    // A program that has nothing else to do must not wait for it; the model's connection keeps Node running.
    timer.unref?.();
    const limited = anySignal(signal, limit.signal);
    if (typeof ask !== 'function') throw new EbblineError('empty_summary', 'nobody writes summaries');
    try {
      const asked = ask({ ...request, messages }, { signal: limited });
      return answerOf(await untilCancelled(Promise.resolve(asked), limited));
    } finally {
      clearTimeout(timer);
    }
  }
}

function accepted({ handle, plan }: LiveRequest, summary: string): FoundSummary {
  return { summary, handle, plan };
}

function answerOf(answer: unknown): SummaryAnswer {
  if (typeof answer === 'string') return { text: answer };
  if (isObject(answer) && typeof answer.text === 'string') {
    const { text, truncated = WHY_ENDED.some((name) => CUT_OFF.has(answer[name])) } = answer;
    return { text: answer.text, truncated: truncated as boolean };
  }
  throw new EbblineError('invalid_option', '`summarize` must return the text of the answer, or { text, truncated }');
}

/** The messages of a request with what is wrong about the answer. An answer without words is no message that a provider takes. */
function reminded(messages: ModelRequest['messages'], text: string, reminder: string): ModelRequest['messages'] {
  if (text.trim() !== '') return [...messages, { role: 'assistant', content: text }, { role: 'user', content: reminder }];
  const last = messages.at(-1);
  return last === undefined ? [] : [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${reminder}` }];
}

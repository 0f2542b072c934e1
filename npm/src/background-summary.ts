import { untilCancelled } from './cancellation.js';
import type { CallInfo, Order } from './compactor-call.js';
import { isSameToModel } from './equality.js';
import type { FoundSummary } from './execution.js';
import { formatCalled } from './formats/table.js';
import type { Plan } from './generated/plan.js';
import type { GrowingSession } from './growing-session.js';
import type { PolicyOptions } from './policy-options.js';

/**
 * A summary that a model writes while the agent goes on stands for the messages that it was asked for, as one that is already there
 * does. An edit behind them changes the tail alone, so the summary is put in front of the new tail. An edit among them would leave
 * a summary that tells of what was taken back, and no beginning of it is a summary of the beginning: it is dropped.
 */
export class BackgroundSummary {
  isEdited = false;
  #isDone = false;
  #messages: unknown[];
  #plan: Plan;

  /** `about`: what was sent when the summary was asked for, and the plan of it. */
  constructor(
    about: { messages: unknown[]; plan: Plan },
    readonly order: Order,
    readonly call: CallInfo,
    readonly stop: AbortController,
    readonly answered: Promise<FoundSummary>,
  ) {
    this.#messages = about.messages;
    this.#plan = about.plan;
    const done = () => {
      this.#isDone = true;
    };
    answered.then(done, done);
  }

  get isDone() {
    return this.#isDone;
  }

  /** Waits until the model has answered. */
  async wait(signal: AbortSignal | undefined) {
    await untilCancelled(this.answered.then(nothing, nothing), signal);
  }

  /**
   * Whether an edit left the messages that the summary was asked for, and something behind them.
   *
   * @param messages what would be sent now
   */
  stands(messages: readonly unknown[]) {
    const end = endOf(this.#plan);
    return messages.length > end && this.#messages.slice(0, end).every((message, at) => isSameToModel(message, messages[at]));
  }

  /**
   * A session of what is sent now whose forced plan summarizes the messages that the summary was asked for, and nothing else; `undefined`
   * if there is no such plan, because a call would be parted from its result. The caller frees it.
   *
   * @param session of what is sent now
   * @param set the knobs that the caller changed
   */
  rebased(session: GrowingSession, set: PolicyOptions['set']) {
    const { messages, format } = session;
    const known = this.#plan;
    // A format that removes nothing keeps what was summarized, so that a beginning of the array is no beginning of what is sent.
    const removes = format !== undefined && formatCalled(format)?.append === undefined;
    if (!removes || known.messages.length !== this.#messages.length) return undefined;
    const end = endOf(known);
    const tail = session.plan({}).messages.slice(end);
    const tokens = tail.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
    const portion = session.portion(messages, format, {
      'retain.keep': Math.max(1, tokens),
      'retain.userWords': set?.['retain.userWords'],
    });
    const found = portion.plan({ force: true });
    const isSame = found.messages.every(({ fate }, at) => isSummarized(fate) === isSummarized(known.messages[at]?.fate) || at >= end);
    if (found.retain.applied && endOf(found) === end && isSame) return portion;
    portion.free();
    return undefined;
  }
}

/** The place behind the last message that a plan summarizes. */
function endOf({ messages }: Plan) {
  return messages.findLastIndex(({ fate }) => isSummarized(fate)) + 1;
}

function isSummarized(fate: string | undefined) {
  return fate === 'summarized';
}

function nothing() {}

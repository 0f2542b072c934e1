import { carryOver } from './carry-over.js';
import { untilCancelled } from './cancellation.js';
import type { Compaction } from './compaction.js';
import type { CallInfo, Order } from './compactor-call.js';
import type { CompactorHistory } from './compactor-history.js';
import type { CompactedList } from './compact.js';
import { UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';
import { largerSummary } from './files-core.js';
import { files } from './files.js';
import type { Plan } from './generated/plan.js';
import type { GrowingSession } from './growing-session.js';
import type { SummaryHandle } from './handle.js';
import { introduced } from './introductions.js';
import type { Listeners } from './listeners.js';
import type { SentSession } from './sent-session.js';
import type { ContextMemory } from './session-ledger.js';
import type { DecisionOptions } from './session-options.js';
import type { About, Change } from './view.js';

/** A summary, and what it is of. */
export interface FoundSummary {
  summary: string;
  handle?: SummaryHandle;
  plan: Plan;
  isByRule?: boolean;
  /** It must leave less than so many tokens. */
  most?: number;
}

/** Another session of what is sent, and how its plan is made, which is carried out instead. */
export interface OtherSession {
  session: GrowingSession;
  how: DecisionOptions;
}

/** What a plan made of the view, before it is taken over. */
interface Made extends CompactedList {
  at: number;
  before: number;
  memory: ContextMemory | undefined;
  carries?: Pick<Compaction, 'orders' | 'pins' | 'byRule'>;
}

/** A compaction that nobody heard of yet, and what was known before it. */
interface Held {
  event: Compaction;
  undone: Change[];
  memory: ContextMemory | undefined;
}

/** Carries plans out on what is sent. */
export class Execution {
  #sent: SentSession;
  #history: CompactorHistory;
  #listeners: Listeners;
  #now: () => number;
  /** What was done in the call that is running. */
  #held: Held[] = [];
  /** What the session remembered before the newest change, and how long the history was then. */
  #newest: { memory: ContextMemory | undefined; log: number } | undefined;

  constructor(sent: SentSession, history: CompactorHistory, listeners: Listeners, now: () => number) {
    this.#sent = sent;
    this.#history = history;
    this.#listeners = listeners;
    this.#now = now;
  }

  /** How many changes there are that stay if the call that is running is cancelled. */
  get changes() {
    return this.#history.view.changes.length - this.#held.length;
  }

  /** Carries a plan out, with a summary if there is one. */
  async apply(found: FoundSummary | undefined, order: Order, { signal }: CallInfo, other?: OtherSession) {
    await this.takeOver(await this.make(found, order, signal, other), order, signal);
  }

  /** What a plan makes of the view, with a summary if there is one, which must make it smaller. */
  async make(found: FoundSummary | undefined, { how }: Order, signal: AbortSignal | undefined, other?: OtherSession): Promise<Made> {
    const session = this.#sent.now;
    const { view } = this.#history;
    const before = session.check(how).tokensBefore;
    const { memory, format = 'openai_chat' } = session;
    const at = this.moment();
    if (found !== undefined || this.#sent.policy.effects.describes) await untilCancelled(files.init(undefined), signal);
    const about = other?.session.plan(other.how) ?? found?.plan;
    const told = found && about && carryOver(view, format, about, this.#sent.pinned.pins, found.summary);
    const { done, sources } = (other?.session ?? session).applied({
      ...(other?.how ?? how),
      ...(told !== undefined && { summary: introduced(told.summary, this.#sent.introduction.text, format) }),
      ...(found?.handle !== undefined && other === undefined && { handle: found.handle }),
      now: at,
    });
    if (other !== undefined) session.goesOnWith(done.messages);
    if (told === undefined) return { done, sources, at, before, memory };
    const { tokensBefore: after } = this.#sent.decide(this.#sent.asked({}), view.log);
    const why = largerSummary(before, after, found?.most ?? UNKNOWN);
    if (why !== undefined) {
      session.goesBackTo(view.messages, memory);
      throw new EbblineError('larger_summary', why);
    }
    const carries = { orders: told.orders, pins: told.pins, byRule: found?.isByRule ?? false };
    return { done, sources, at, before, memory, carries };
  }

  /** Carries out the passes that come before the boundary. Returns the size that they leave, or why there are none. */
  async pass(order: Order, { signal }: CallInfo, isAllowed: (plan: Plan) => Promise<boolean>): Promise<number | 'nothing' | 'forbidden'> {
    const session = this.#sent.now;
    const { tokensBefore: before } = this.#sent.decide(order.how, this.#history.view.log);
    if (!this.#sent.policy.effects.takesPasses) return 'nothing';
    await untilCancelled(files.init(undefined), signal);
    const found = session.passes(order.how);
    if (found === undefined) return 'nothing';
    if (!(await isAllowed(found.done.plan))) return 'forbidden';
    const { memory } = session;
    found.take();
    await this.takeOver({ ...found, at: this.moment(), before, memory }, order, signal, true);
    return found.knownTokens ?? UNKNOWN;
  }

  /** Takes over what was done with the view; it is told at once, unless it `isHeld` until the call has ended. */
  async takeOver(made: Made, { cause }: Order, signal: AbortSignal | undefined, isHeld = false) {
    const { done, sources, at, before, memory, carries = {} } = made;
    const { pruned, summarized } = done.applied;
    const { view } = this.#history;
    const about: About = { at, cause, profile: done.plan.profile, pruned, summarized };
    const { undone } = view;
    const messages = view.change(done.messages, sources, about);
    // The session has the references that the engine wrote.
    if (messages.some((message, index) => message !== done.messages[index])) this.#sent.now.sync(messages);
    try {
      await this.#history.store(signal);
    } catch (error) {
      // What cannot be stored must not be changed.
      this.#goBack(undone, memory);
      throw error;
    }
    const isSummary = summarized > 0 && carries.byRule !== true;
    const after = this.#sent.course.committed(...this.#sent.seen, cause, before, isSummary);
    Object.assign(about, carries, { tokensBefore: before, tokensAfter: after });
    const event = { cause, pruned, summarized, ...carries, tokensBefore: before, tokensAfter: after, plan: done.plan };
    this.#held.push({ event, undone, memory });
    this.#newest = { memory, log: view.log.length };
    if (!isHeld) await this.tell(signal);
  }

  /** Says what was done, once it is certain that it stays. What a hook throws keeps nobody from hearing of the rest. */
  async tell(signal: AbortSignal | undefined) {
    if (this.#held.length === 0) return;
    const told = this.#held.splice(0);
    this.#sent.course.ends(false);
    for (const { event } of told) this.#listeners.emit({ type: 'compacted', ...event });
    const faults: unknown[] = [];
    for (const { event } of told) await this.#listeners.hearAfter(event, signal).catch((fault) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  }

  /** Takes back what passes did in a call that is cancelled: nobody has heard of it. */
  takeBack() {
    if (this.#held.length === 0) return;
    this.#sent.course.ends(true);
    for (let held = this.#held.pop(); held !== undefined; held = this.#held.pop()) this.#goBack(held.undone, held.memory);
  }

  #goBack(undone: Change[], memory: ContextMemory | undefined) {
    const { view } = this.#history;
    view.undo();
    view.undone = undone;
    this.#sent.now.goesBackTo(view.messages, memory);
  }

  /** Takes the newest compaction back, or makes again the one that was taken back last. Returns whether there was one. */
  turn(type: 'undone' | 'redone') {
    const { view } = this.#history;
    if (!(type === 'undone' ? view.undo() : view.redo())) return false;
    const { memory, log } = this.#newest ?? {};
    // Where the model was asked nothing since, its usage is of what is sent again.
    if (type === 'undone' && log === view.log.length) this.#sent.now.goesBackTo(view.messages, memory);
    else this.#sent.now.goesOnWith(view.messages);
    this.#newest = undefined;
    this.#sent.course.turned(type === 'redone', view.undone.length > 0);
    this.#listeners.emit({ type, messages: view.messages.length });
    return true;
  }

  /** When something is done, as the caller's clock says. What is no number is refused where it is written, by its sentence. */
  moment() {
    const moment = this.#now();
    return typeof moment === 'number' ? Math.floor(moment) : moment;
  }
}

import { EbblineError } from '#errors';
import { resumed } from './resume.js';
import { servingOf } from './serving.js';

/** How many conversations are kept if the caller does not say it. */
const LIMIT = 1000;

export interface Conversation {
  thread: string | undefined;
  compactor: any;
  serving: ReturnType<typeof servingOf>;
  /** of what the record was looked at last */
  revision?: number;
  /** a print of the record in the host's state */
  written?: string;
}

/**
 * The conversations of an agent, for what the caller gave: one compactor, or a function that makes the compactor of a thread.
 *
 * @param hook what the compactors are used with
 */
export function conversationsOf(
  given: unknown,
  hook: string,
  options: { limit?: number; onMismatch?: (error: unknown, thread: string | undefined) => void } = {},
) {
  return typeof given === 'function' ? new Conversations(given, hook, options) : new OneConversation(given, hook);
}

/** The record of a conversation, if the one in the host's state is another one. */
export function recordToWrite(conversation) {
  if (conversation === undefined || conversation.revision === conversation.serving.revision) return undefined;
  conversation.revision = conversation.serving.revision;
  const { record } = conversation.compactor;
  const print = printOf(record);
  if (print === conversation.written) return undefined;
  conversation.written = print;
  return record;
}

/** The conversation of an agent that serves one session. */
class OneConversation {
  #hook;
  #conversation: Conversation;

  constructor(compactor, hook) {
    this.#hook = hook;
    this.#conversation = { compactor, serving: servingOf(compactor, hook), thread: undefined };
  }

  async of(_messages, thread) {
    const { serving, thread: own } = this.#conversation;
    if (serving.length > 0 && own !== thread) {
      throw invalid(
        `one compactor serves one thread, and this one serves ${named(own)}: for ${named(thread)} as well, give ${this.#hook} a function that makes a compactor for each thread`,
      );
    }
    this.#conversation.thread = thread;
    return this.#conversation;
  }

  async known() {
    return this.#conversation;
  }

  async compactor() {
    return this.#conversation.compactor;
  }

  async forget() {}
}

/**
 * The conversations of an agent that serves many threads. A thread has several of them if its agent has sub-agents, so a conversation is
 * recognized by its thread and its first message. Of more conversations than `limit`, the one that was not used for the longest time
 * is dropped.
 */
class Conversations {
  #create;
  #hook;
  #limit;
  #onMismatch;
  /** the one that was used last comes last */
  #kept: Map<string, { thread: string | undefined; opened: Promise<Conversation> }> = new Map();
  /** the conversation of each thread that is not that of a sub-agent */
  #main: Map<string | undefined, string> = new Map();
  /** the compactors that have a conversation */
  #taken: WeakSet<object> = new WeakSet();

  constructor(
    create: Function,
    hook: string,
    { limit = LIMIT, onMismatch }: { limit?: number; onMismatch?: (error: unknown, thread: string | undefined) => void },
  ) {
    if (!(Number.isSafeInteger(limit) && limit > 0)) throw invalid('`limit` must be a whole number above 0');
    if (onMismatch !== undefined && typeof onMismatch !== 'function') throw invalid('`onMismatch` must be a function');
    this.#create = create;
    this.#hook = hook;
    this.#limit = limit;
    this.#onMismatch = onMismatch;
  }

  /**
   * The conversation of these messages.
   *
   * @param about what was decided, maybe in another process, and whether it is a sub-agent's
   */
  async of(
    messages: readonly any[],
    thread: string | undefined,
    { record, isNested = false }: { record?: any; isNested?: boolean } = {},
  ): Promise<Conversation> {
    const key = keyOf(messages, thread);
    const known = this.#kept.get(key);
    // The host's state is right: another process may have gone on, or the caller went back in time.
    const isCurrent = known !== undefined && (record === undefined || printOf(record) === (await known.opened).written);
    const entry = isCurrent ? known : { thread, opened: this.#opened(messages, thread, record) };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (!isNested || !this.#kept.has(this.#main.get(thread) ?? '')) this.#main.set(thread, key);
    if (this.#kept.size > this.#limit) this.#drop();
    try {
      return await entry.opened;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** The conversation of these messages, if there is one. */
  async known(messages, thread) {
    return this.#kept.get(keyOf(messages, thread))?.opened;
  }

  /** The compactor of a thread, which is not that of a sub-agent. */
  async compactor(thread) {
    return (await this.#kept.get(this.#main.get(thread) ?? '')?.opened)?.compactor;
  }

  /** Forgets a thread, and releases the memory of its compactors. */
  async forget(thread) {
    this.#main.delete(thread);
    for (const [key, entry] of [...this.#kept]) {
      if (entry.thread !== thread) continue;
      this.#kept.delete(key);
      (await entry.opened).compactor.free();
    }
  }

  /** Drops the conversation that was not used for the longest time. A request of it may still run, so its memory is not released here. */
  #drop() {
    const [key, { thread }] = this.#kept.entries().next().value as any;
    this.#kept.delete(key);
    if (this.#main.get(thread) === key) this.#main.delete(thread);
  }

  async #opened(messages, thread, record): Promise<Conversation> {
    const create = async (from) => {
      const compactor = await this.#create(thread, from);
      if (this.#taken.has(compactor)) {
        throw invalid(
          `the function gave ${named(thread)} the compactor of another conversation: make a new one at each call, it is kept for you`,
        );
      }
      servingOf(compactor, this.#hook);
      this.#taken.add(compactor);
      return compactor;
    };
    const compactor = await resumed(create, record, messages, (error) => this.#onMismatch?.(error, thread));
    return { thread, compactor, serving: servingOf(compactor, this.#hook), ...(record && { written: printOf(record) }) };
  }
}

/** What a conversation is recognized by. */
function keyOf(messages, thread) {
  const first = messages.find((message) => message?.type !== 'system') ?? messages[0];
  return JSON.stringify([thread ?? null, first?.id ?? null]);
}

/** What tells one record from another, whatever became of the order of its members in a database. */
function printOf({ changes, overhead }) {
  return JSON.stringify([overhead === null, changes.map(({ at, replaced, summary }) => [at, replaced.length, summary?.until])]);
}

function named(thread) {
  return thread === undefined ? 'a run without a thread_id' : `the thread ${JSON.stringify(thread)}`;
}

export function invalid(message) {
  return new EbblineError('invalid_option', message);
}

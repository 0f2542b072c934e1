import type { Compactor, CompactorRecord } from '../../compactor-interface.js';
import type { CompactorFor, ConversationOptions } from '../langchain.js';
import { checkedLimit, invalid } from './refusal.js';
import { resumed } from './resume.js';
import { type Serving, servingOf } from './serving.js';

/** A conversation with its compactor. */
export interface Conversation {
  thread: string | undefined;
  compactor: Compactor;
  serving: Serving;
  /** of what the record was looked at last */
  revision?: number;
  /** a print of the record in the host's state */
  written?: string;
}

/** What is known about the conversation of a request. */
export interface Place {
  thread: string | undefined;
  /** what was decided, maybe in another process */
  record?: CompactorRecord | undefined;
  /** whether it is a sub-agent's */
  isNested?: boolean;
}

/** A message, as far as a conversation is recognized by it. */
interface FirstMessage {
  type?: unknown;
  id?: unknown;
}

/** What tells one record from another. */
interface Contents {
  changes: readonly { at: unknown; replaced: readonly unknown[]; summary?: { until: unknown } }[];
  overhead: unknown;
}

/**
 * The conversations of an agent, for what the caller gave: one compactor, or a function that makes the compactor of a thread.
 *
 * @param hook what the compactors are used with
 */
export function conversationsOf(
  given: CompactorFor | Compactor,
  hook: string,
  options: ConversationOptions,
): Conversations | OneConversation {
  return typeof given === 'function' ? new Conversations(given, hook, options) : new OneConversation(given, hook);
}

/** The record of a conversation, if the one in the host's state is another one. */
export function recordToWrite(conversation: Conversation | undefined): CompactorRecord | undefined {
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
  #hook: string;
  #conversation: Conversation;

  constructor(compactor: Compactor, hook: string) {
    this.#hook = hook;
    this.#conversation = { compactor, serving: servingOf(compactor, hook), thread: undefined };
  }

  async of(_messages: readonly unknown[], { thread }: Place): Promise<Conversation> {
    const { serving, thread: own } = this.#conversation;
    if (serving.length > 0 && own !== thread) {
      throw invalid(
        `one compactor serves one thread, and this one serves ${named(own)}: for ${named(thread)} as well, give ${this.#hook} a function that makes a compactor for each thread`,
      );
    }
    this.#conversation.thread = thread;
    return this.#conversation;
  }

  async known(): Promise<Conversation> {
    return this.#conversation;
  }

  async compactor(): Promise<Compactor> {
    return this.#conversation.compactor;
  }

  async forget(): Promise<void> {}
}

/**
 * The conversations of an agent that serves many threads. A thread has several of them if its agent has sub-agents, so a conversation is
 * recognized by its thread and its first message. Of more conversations than `limit`, the one that was not used for the longest time
 * is dropped.
 */
class Conversations {
  #create: CompactorFor;
  #hook: string;
  #limit: number;
  #onMismatch: ConversationOptions['onMismatch'];
  /** the one that was used last comes last */
  #kept: Map<string, { thread: string | undefined; opened: Promise<Conversation> }> = new Map();
  /** the conversation of each thread that is not that of a sub-agent */
  #main: Map<string | undefined, string> = new Map();
  /** the compactors that have a conversation */
  #taken: WeakSet<Compactor> = new WeakSet();

  constructor(create: CompactorFor, hook: string, { limit, onMismatch }: ConversationOptions) {
    this.#limit = checkedLimit(limit);
    if (onMismatch !== undefined && typeof onMismatch !== 'function') throw invalid('`onMismatch` must be a function');
    this.#create = create;
    this.#hook = hook;
    this.#onMismatch = onMismatch;
  }

  /** The conversation of these messages. */
  async of(messages: readonly unknown[], { thread, record, isNested = false }: Place): Promise<Conversation> {
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
  async known(messages: readonly unknown[], thread: string | undefined): Promise<Conversation | undefined> {
    return this.#kept.get(keyOf(messages, thread))?.opened;
  }

  /** The compactor of a thread, which is not that of a sub-agent. */
  async compactor(thread: string | undefined): Promise<Compactor | undefined> {
    return (await this.#kept.get(this.#main.get(thread) ?? '')?.opened)?.compactor;
  }

  /** Forgets a thread, and releases the memory of its compactors. */
  async forget(thread: string | undefined): Promise<void> {
    this.#main.delete(thread);
    for (const [key, entry] of [...this.#kept]) {
      if (entry.thread !== thread) continue;
      this.#kept.delete(key);
      (await entry.opened).compactor.free();
    }
  }

  /** Drops the conversation that was not used for the longest time. A request of it may still run, so its memory is not released here. */
  #drop(): void {
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    const [key, { thread }] = oldest;
    this.#kept.delete(key);
    if (this.#main.get(thread) === key) this.#main.delete(thread);
  }

  async #opened(messages: readonly unknown[], thread: string | undefined, record: CompactorRecord | undefined): Promise<Conversation> {
    const create = async (from: CompactorRecord | undefined) => {
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
function keyOf(messages: readonly unknown[], thread: string | undefined): string {
  const known = messages as readonly (FirstMessage | null | undefined)[];
  const first = known.find((message) => message?.type !== 'system') ?? known[0];
  return JSON.stringify([thread ?? null, first?.id ?? null]);
}

/** What tells one record from another, whatever became of the order of its members in a database. */
function printOf(record: CompactorRecord): string {
  const { changes, overhead } = record as CompactorRecord & Contents;
  return JSON.stringify([overhead === null, changes.map(({ at, replaced, summary }) => [at, replaced.length, summary?.until])]);
}

function named(thread: string | undefined): string {
  return thread === undefined ? 'a run without a thread_id' : `the thread ${JSON.stringify(thread)}`;
}

import type { AgentInputItem, Session } from '@openai/agents';

import { seenOf } from '../../equality.js';

/**
 * A session of the OpenAI Agents SDK that stores what was said, not what was sent. The runner stores the input of a run as its input
 * filter returned it: a summary could take the place of the user's words.
 */
export class WholeSession implements Session {
  #session: Session;
  /** The history that the runner got last. */
  #history: readonly AgentInputItem[] = [];
  /** What the run added to it before the first request. */
  #incoming: readonly AgentInputItem[] | undefined;
  /** What a model sees of what was sent, but is not in the history: summaries, and outputs that were cleared. */
  #made: Set<string> = new Set();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Hears what the run's input is and what is sent instead. */
  sent(input: readonly AgentInputItem[], view: readonly AgentInputItem[]): void {
    this.#incoming ??= others(input, this.#history);
    const known = new Set(input);
    for (const item of view) if (!known.has(item)) this.#made.add(seenOf(item));
  }

  async getSessionId(): Promise<string> {
    return this.#session.getSessionId();
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = await this.#session.getItems(limit);
    if (limit === undefined) {
      this.#history = items;
      this.#incoming = undefined;
      this.#made = new Set();
    }
    return items;
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    return this.#session.addItems(this.#restored(items));
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#session.popItem();
  }

  async clearSession(): Promise<void> {
    return this.#session.clearSession();
  }

  /** The items as they were before they were sent. */
  #restored(items: AgentInputItem[]): AgentInputItem[] {
    const isMade = (item: AgentInputItem) => this.#made.has(seenOf(item));
    if (this.#incoming === undefined || !items.some(isMade)) return items;
    const said = items.filter((item) => !isMade(item));
    return [...this.#incoming, ...others(said, this.#incoming)];
  }
}

/** The items that are not among those that are known. */
function others(items: readonly AgentInputItem[], known: readonly AgentInputItem[]): AgentInputItem[] {
  const objects = new Set(known);
  const seen = new Set(known.map(seenOf));
  return items.filter((item) => !objects.has(item) && !seen.has(seenOf(item)));
}

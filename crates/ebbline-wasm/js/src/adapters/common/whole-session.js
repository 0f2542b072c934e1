import { isSame } from '../../same.js';

/**
 * A session of the OpenAI Agents SDK that stores what was said, not what was sent. The runner stores the input of a run as its input
 * filter returned it: a summary could take the place of the user's words.
 */
export class WholeSession {
  #session;
  /** The history that the runner got last. */
  #history = [];
  /** What the run added to it before the first request. */
  #incoming;
  /** What was sent, but is not in the history: summaries, and outputs that were cleared. */
  #made = [];

  /** @param {any} session */
  constructor(session) {
    this.#session = session;
  }

  /** Hears what the run's input is and what is sent instead. */
  sent(input, view) {
    this.#incoming ??= input.filter((item) => !this.#history.some((known) => known === item || isSame(known, item)));
    const known = new Set(input);
    this.#made.push(...view.filter((item) => !known.has(item)));
  }

  async getSessionId() {
    return this.#session.getSessionId();
  }

  async getItems(limit) {
    const items = await this.#session.getItems(limit);
    if (limit === undefined) {
      this.#history = items;
      this.#incoming = undefined;
      this.#made = [];
    }
    return items;
  }

  async addItems(items) {
    return this.#session.addItems(this.#restored(items));
  }

  async popItem() {
    return this.#session.popItem();
  }

  async clearSession() {
    return this.#session.clearSession();
  }

  /** The items as they were before they were sent. */
  #restored(items) {
    const isMade = (item) => this.#made.some((made) => isSame(made, item));
    if (this.#incoming === undefined || !items.some(isMade)) return items;
    const incoming = this.#incoming;
    const others = items.filter((item) => !isMade(item) && !incoming.some((known) => isSame(known, item)));
    return [...incoming, ...others];
  }
}

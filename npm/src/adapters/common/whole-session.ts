import { seenOf } from '../../equality.js';

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
  /** What a model sees of what was sent, but is not in the history: summaries, and outputs that were cleared. */
  #made = new Set();

  constructor(session: any) {
    this.#session = session;
  }

  /** Hears what the run's input is and what is sent instead. */
  sent(input, view) {
    this.#incoming ??= others(input, this.#history);
    const known = new Set(input);
    for (const item of view) if (!known.has(item)) this.#made.add(seenOf(item));
  }

  async getSessionId() {
    return this.#session.getSessionId();
  }

  async getItems(limit) {
    const items = await this.#session.getItems(limit);
    if (limit === undefined) {
      this.#history = items;
      this.#incoming = undefined;
      this.#made = new Set();
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
    const isMade = (item) => this.#made.has(seenOf(item));
    if (this.#incoming === undefined || !items.some(isMade)) return items;
    const said = items.filter((item) => !isMade(item));
    return [...this.#incoming, ...others(said, this.#incoming)];
  }
}

/** The items that are not among those that are known. */
function others(items, known) {
  const objects = new Set(known);
  const seen = new Set(known.map(seenOf));
  return items.filter((item) => !objects.has(item) && !seen.has(seenOf(item)));
}

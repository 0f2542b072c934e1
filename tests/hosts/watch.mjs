// Checks what a compactor gives to an agent.
import assert from 'node:assert/strict';

/** The codes with which a compactor gives up: nothing makes the context fit. */
export const GIVEN_UP = ['still_too_large', 'nothing_to_compact', 'no_summary'];

/** How far an estimate may be off. A context that leaves less room than this may be refused, and is recovered from. */
const ERROR = 0.05;

export class Watch {
  #provider;
  #title;
  #prunes;
  /** How many compactions there may be for one request: passes are one by themselves. */
  #mostAtOnce;
  /** Sentences that must be in every view, word for word: the first goal, and standing orders. */
  mustHold = [];
  /** The newest words of the user. */
  newest = '';
  seen = {
    compactions: 0,
    pruned: 0,
    asked: 0,
    failed: 0,
    overflows: 0,
    gaveUp: {},
    cancelled: 0,
    promised: 0,
    refusedThoughItFits: 0,
    unseenSummarized: 0,
  };
  #compacted = [];
  /** @type {string[]} what was found out where an error would not be heard */
  #faults = [];
  /** What the compactor said of the view that is sent next. */
  #promise;
  #overflows = 0;

  /** @param {import('./server/provider.mjs').ProviderSession} provider */
  constructor(provider, title, prunes, takesPasses) {
    this.#provider = provider;
    this.#mostAtOnce = takesPasses ? 2 : 1;
    this.#title = title;
    this.#prunes = prunes;
  }

  event({ type, ...event }) {
    const { seen } = this;
    if (type === 'compacted') {
      this.#compacted.push(event);
      seen.compactions += 1;
      seen.pruned += event.summarized === 0 ? 1 : 0;
    } else if (type === 'summary_requested') seen.asked += 1;
    else if (type === 'summary_failed') seen.failed += 1;
    else if (type === 'overflow') seen.overflows += 1;
    else if (type === 'gave_up') seen.gaveUp[event.code] = (seen.gaveUp[event.code] ?? 0) + 1;
    else if (type === 'edited') this.#faults.push('nothing was edited, and the compactor says so');
  }

  say(what) {
    return `${this.#title}: ${what}`;
  }

  /** A request for a summary: whatever stands in the transcript, it is one conversation between two tags. */
  asked({ messages }) {
    const [{ role, content }] = messages;
    const number = /^<(?:previous-summary|conversation)(-\d+)?>\n/.exec(content)?.[1] ?? '';
    const closed = content.split(`</conversation${number}>`).length - 1;
    // What a summarizer throws is no error of the agent, so it is said later.
    if (role !== 'user' || closed !== 1) this.#faults.push(`a request for a summary ends its conversation ${closed} times`);
  }

  /** What must not change when a call is cancelled: nothing is compacted, and nothing else is in the record. */
  stateOf(compactor, isExact) {
    return { compactions: this.seen.compactions, ...(isExact && { changes: compactor.record.changes }) };
  }

  cancelled(name, reason, before, compactor, isMade) {
    this.seen.cancelled += 1;
    // What a hook is told of is made, and stays.
    if (isMade) {
      assert.ok(
        this.seen.compactions > before.compactions,
        this.say(`${name} was cancelled (${reason.message}), and the compaction is gone`),
      );
      this.#compacted.length = 0;
      return;
    }
    const now = this.stateOf(compactor, before.changes !== undefined);
    assert.deepEqual(now, before, this.say(`${name} was cancelled (${reason.message}), and something was decided`));
  }

  /** The process is gone. Nobody gets the view of a compaction that was made in its last call. */
  restarted() {
    this.#compacted.length = 0;
  }

  /** A view is about to be kept and sent. */
  view(name, view, { history, compactor }, isBackground) {
    assert.deepEqual(this.#faults, [], this.#title);
    const compacted = this.#compacted.splice(0);
    // A summary that was asked for earlier may be taken over first.
    assert.ok(compacted.length <= this.#mostAtOnce + (isBackground ? 1 : 0), this.say(`${name}: ${compacted.length} compactions at once`));
    const text = JSON.stringify(view);
    for (const sentence of [...this.mustHold, this.newest]) {
      assert.ok(text.includes(JSON.stringify(sentence).slice(1, -1)), this.say(`${name}: "${sentence}" is gone`));
    }
    this.#checkNewest(name, view, history);
    const { tokens, threshold, overhead } = compactor.contextUsage();
    // What is sent beside the messages has to be known, and the size is an estimate.
    this.#promise = {
      name,
      fits: overhead !== null && tokens <= Math.min(threshold, this.#provider.limit * (1 - ERROR)),
      ...compacted.at(-1),
      isCompacted: compacted.length > 0,
    };
  }

  /** The newest message is what the model is to answer: it is there, or its outputs are cut. Without pruning it may be summarized. */
  #checkNewest(name, view, history) {
    const [newest, last] = [view.at(-1), history.at(-1)].map((message) => JSON.stringify(message));
    if (newest === last || newest.includes('characters are left out here')) return;
    assert.ok(!this.#prunes && view.length === 1, this.say(`${name}: the newest message is another one: ${newest.slice(0, 300)}`));
    this.seen.unseenSummarized += 1;
  }

  sends() {
    if (this.#promise.fits && this.#promise.isCompacted) this.seen.promised += 1;
    this.#overflows = this.#provider.seen.overflows;
  }

  /** The provider refused what was sent. */
  refused(error) {
    const { seen, last, isHonest } = this.#provider;
    assert.deepEqual(seen.invalid, [], this.say(`an invalid request: ${error.message}`));
    if (seen.overflows === this.#overflows) return;
    const { name, fits, isCompacted, tokensBefore, tokensAfter } = this.#promise;
    if (fits && isHonest) this.seen.refusedThoughItFits += 1;
    const told = `${last.tokens} of ${last.limit} tokens after ${name}, ${tokensBefore} → ${tokensAfter}`;
    assert.ok(!(fits && isHonest && isCompacted), this.say(`over the limit after a compaction that says it fits: ${told}`));
    const isHalved = name === 'recover' && tokensAfter <= tokensBefore / 2 && tokensBefore <= last.window;
    assert.ok(!isHalved, this.say(`over the limit after half was given up: ${told}`));
  }
}

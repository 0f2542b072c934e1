/**
 * What is sent beside the messages, learnt from reported usage.
 *
 * Usage is that of a whole request, so what it says beyond the messages contains the error of their estimate, which grows with
 * them. The request with the fewest messages says it best: no later one makes the figure smaller.
 */
export class Overhead {
  /** The tokens; `undefined` if nothing is known. */
  tokens;
  /** What the request with the fewest tokens of messages showed. */
  #least = { sent: Infinity, tokens: 0 };

  /** @param {number | undefined} tokens */
  constructor(tokens) {
    this.tokens = tokens;
  }

  /**
   * Learns from a request.
   *
   * @param {number} reported all tokens of it
   * @param {number} sent the estimate of its messages
   */
  learn(reported, sent) {
    const tokens = Math.max(0, reported - sent);
    if (sent <= this.#least.sent) this.#least = { sent, tokens };
    this.tokens = Math.max(tokens, this.#least.tokens);
  }
}

// Anthropic's prompt cache by its published rules: the prefix up to a marked block is stored, and read again if a later request
// has the same prefix and a mark at most 20 blocks behind it.

import { createHash } from 'node:crypto';

const MOST = 4;
const LOOKBACK = 20;
const UNMARKED = new Set(['thinking', 'redacted_thinking']);

export class PromptCache {
  #known = new Set();

  /** The tokens of a request that are read from the cache and written to it. A request that breaks a rule of marks is an error. */
  take({ tools = [], system = [], messages = [] }) {
    const blocks = [
      ...tools,
      ...blocksOf(system),
      ...messages.flatMap(({ role, content }) => blocksOf(content).map((block) => ({ role, ...block }))),
    ];
    const hash = createHash('sha256');
    let size = 0;
    const prefixes = blocks.map((block) => {
      const text = JSON.stringify({ ...block, cache_control: undefined });
      size += Math.ceil(text.length / 4);
      return { name: hash.update(text).copy().digest('hex'), size };
    });
    const marks = blocks.flatMap(({ cache_control: mark }, at) => (mark ? [at] : []));
    if (marks.length > MOST) throw new Error(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
    if (marks.some((at) => UNMARKED.has(blocks[at].type))) throw new Error('cache_control cannot be set on thinking blocks');
    if (marks.some((at) => blocks[at].type === 'text' && blocks[at].text === ''))
      throw new Error('cache_control cannot be set for empty text blocks');
    const times = marks.map((at) => blocks[at].cache_control.ttl ?? '5m');
    if (times.some((ttl, at) => ttl === '1h' && times[at - 1] === '5m'))
      throw new Error("a ttl='1h' block must not come after a ttl='5m' block");
    const found = marks.map(
      (at) => prefixes.slice(Math.max(0, at - LOOKBACK), at + 1).findLast(({ name }) => this.#known.has(name))?.size ?? 0,
    );
    const read = Math.max(0, ...found);
    const written = marks.length === 0 ? 0 : prefixes[marks.at(-1)].size - read;
    for (const at of marks) this.#known.add(prefixes[at].name);
    return { read, written };
  }
}

function blocksOf(content) {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

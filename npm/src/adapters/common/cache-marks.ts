import { sameUntil } from '../../equality.js';

/** How many marks Anthropic takes in one request. */
const MOST = 4;
/** Blocks that cannot carry a mark. */
const UNMARKED: Set<unknown> = new Set(['thinking', 'redacted_thinking', 'fallback', 'connector_text']);

/** A mark, as far as it is looked at. */
interface Mark {
  ttl?: unknown;
}

/** What may carry a mark: a block of a message, a tool, a part of the system prompt, or the whole request. */
interface Markable {
  type?: unknown;
  text?: string;
  content?: unknown;
  cache_control?: unknown;
}

interface Message {
  content?: unknown;
}

/** The parts of a request that may carry marks, besides its messages. */
export interface MarkedRequest {
  tools?: unknown;
  system?: unknown;
  cache_control?: unknown;
}

/**
 * Marks for Anthropic's prompt cache. Two places are marked as far as the caller's own marks leave room: the end of what was sent last
 * time as well, which is read from the cache, and the end of what is sent now, which is written to it for the next request.
 */
export class CacheMarks {
  #ttl: '5m' | '1h' | undefined;
  #last: readonly unknown[] = [];

  constructor(ttl: '5m' | '1h' | undefined) {
    this.#ttl = ttl;
  }

  /**
   * The messages to send instead, copies where a mark was set.
   *
   * @param params the request
   * @param messages what is to be sent
   */
  marked<M extends Message>(params: MarkedRequest, messages: readonly M[]): M[] {
    const stable = sameUntil(this.#last, messages, messages.length);
    this.#last = messages.slice();
    const free = MOST - marksIn([params, params.tools, params.system, messages]).length;
    // With its own mark for the whole request, the provider marks the end by itself.
    const ends = isObject(params.cache_control) ? [stable] : [messages.length, stable];
    const places = [...new Set(ends.map((end) => placeBefore(messages, end)))].filter((at) => at !== -1 && !isMarked(messages[at]));
    const result = messages.slice();
    for (const at of places.slice(0, Math.max(free, 0))) result[at] = withMark(messages[at], this.#markAt(params, messages, at));
    return result;
  }

  /** A mark for a message. A longer time to live must not come after a shorter one. */
  #markAt({ tools, system, cache_control: whole }: MarkedRequest, messages: readonly Message[], at: number): object {
    const before = marksIn([tools, system, messages.slice(0, at + 1)]);
    const after = [...marksIn([messages.slice(at)]), ...(isObject(whole) ? [whole] : [])];
    const mustBeLong = after.some(({ ttl }) => ttl === '1h');
    const mustBeShort = before.some(({ ttl }) => ttl !== '1h');
    const ttl = mustBeLong ? '1h' : mustBeShort ? undefined : this.#ttl;
    return { type: 'ephemeral', ...(ttl !== undefined && { ttl }) };
  }
}

/** The marks in a part of a request, in their order. */
function marksIn(value: unknown): Mark[] {
  if (Array.isArray(value)) return value.flatMap(marksIn);
  if (!isObject(value)) return [];
  const { content, cache_control: mark } = value;
  const inside = Array.isArray(content) ? marksIn(content) : [];
  return isObject(mark) ? [...inside, mark] : inside;
}

function isObject(value: unknown): value is Markable & Mark {
  return typeof value === 'object' && value !== null;
}

/** The last message before `end` that can carry a mark; -1 if there is none. */
function placeBefore(messages: readonly Message[], end: number): number {
  let at = end - 1;
  while (at >= 0 && blockOf(messages[at]) === undefined) at -= 1;
  return at;
}

/** The index of the last block that can carry a mark. */
function blockOf({ content }: Message): number | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : 0;
  const at = blocksIn(content).findLastIndex(({ type, text }) => !UNMARKED.has(type) && !(type === 'text' && text?.trim() === ''));
  return at === -1 ? undefined : at;
}

function blocksIn(content: unknown): readonly Markable[] {
  return Array.isArray(content) ? content : [];
}

function isMarked(message: Message): boolean {
  const chosen = blockOf(message);
  return blocksIn(message.content).some((block, at) => at === chosen && isObject(block.cache_control));
}

function withMark<M extends Message>(message: M, mark: object): M {
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: [{ type: 'text', text: content, cache_control: mark }] };
  const chosen = blockOf(message);
  return { ...message, content: blocksIn(content).map((block, at) => (at === chosen ? { ...block, cache_control: mark } : block)) };
}

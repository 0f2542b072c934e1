// What a provider may refuse in a message although its records are sound; the counterpart of `validate/facts.rs`.

import type { LiveFormat } from '../format.js';
import { type TypedBlock } from './chat.js';
import { elements, isSaid } from './content.js';
import { isObject } from '../../values.js';

const WORD = /^[\w-]*$/;

/** What is read of a message, and of a result in it. */
interface Holder {
  readonly content?: unknown;
}

/** What is read of a call. */
interface Call {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

/** How many texts of a message say nothing, `inResults` among them: those in a result may not even be empty. */
export function blankTexts<Block extends TypedBlock>(
  { content }: Holder,
  resultIn: (block: Block | null | undefined) => Holder | undefined,
): number {
  let count = Number(isBlank(content));
  for (const block of elements<Block>(content)) {
    if (block?.type === undefined || block.type === 'text') count += Number(isBlank(block?.text));
    for (const inner of elements<TypedBlock>(resultIn(block)?.content))
      count += Number(typeof inner?.text === 'string' && !isSaid(inner.text));
  }
  return count;
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && !isSaid(text);
}

/** What is wrong with the calls of a message: the id is 0, the name 1, the input 2. */
export function refusedCalls<Block>({ content }: Holder, callIn: (block: Block | null | undefined) => Call | undefined): number[] {
  return elements<Block>(content).flatMap((block) => {
    const call = callIn(block);
    if (call === undefined) return [];
    const isWrong = [isNoWord(call.id), isNoWord(call.name), !isObject(call.input)];
    return isWrong.flatMap((wrong, rule) => (wrong ? [rule] : []));
  });
}

function isNoWord(text: unknown): boolean {
  return typeof text === 'string' && !WORD.test(text);
}

/** What an array has that records do not contain and a provider may refuse: each message as often as it has it. */
export interface Restrictions {
  readonly emptyCalls: Uint32Array;
  readonly cacheMarks: Uint32Array;
  readonly blankTexts: Uint32Array;
  /** for each call that is refused its message and what is wrong */
  readonly calls: Uint32Array;
}

export function restrictionsOf(format: LiveFormat, messages: readonly unknown[]): Restrictions {
  const found = { emptyCalls: [] as number[], cacheMarks: [] as number[], blankTexts: [] as number[], calls: [] as number[] };
  messages.forEach((message, at) => {
    const { calls = [], emptyCalls = 0, cacheMarks = 0, blankTexts = 0 } = format.refusable?.(message) ?? {};
    for (let left = emptyCalls; left > 0; left -= 1) found.emptyCalls.push(at);
    for (let left = cacheMarks; left > 0; left -= 1) found.cacheMarks.push(at);
    for (let left = blankTexts; left > 0; left -= 1) found.blankTexts.push(at);
    for (const wrong of calls) found.calls.push(at, wrong);
  });
  return {
    emptyCalls: Uint32Array.from(found.emptyCalls),
    cacheMarks: Uint32Array.from(found.cacheMarks),
    blankTexts: Uint32Array.from(found.blankTexts),
    calls: Uint32Array.from(found.calls),
  };
}

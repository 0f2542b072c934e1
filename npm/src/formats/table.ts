// The formats of live messages. One row registers a format; everything else about it is in its own file.

import { anthropic } from './anthropic-messages.js';
import { bedrockConverse } from './bedrock-converse.js';
import { geminiContents } from './gemini-contents.js';
import { langchain } from './langchain.js';
import { Looker } from './looker.js';
import { mastra } from './mastra.js';
import { openaiAgents } from './openai-agents.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { atif, openhands, pydanticAi, tinyagent, tunacode } from './recognized.js';
import { vercelModel } from './vercel-model.js';
import { vercelUi } from './vercel-ui.js';

export type Plan = import('../../types/plan.js').Plan;
export type Sign = import('./looker.js').Sign;

/** A format: what shows it and, unless it is only recognized, how its live messages are read and changed. */
export interface Format {
  name: string;
  /** what shows it, the most specific first; one of them is enough */
  signs: Sign[];
  /** what some message must show in addition */
  beside?: Sign;
  /** what no message may show */
  without?: Sign;
  /** the format whose messages this one's lists may consist of, so that only a name tells which it is */
  extends?: string;
  /** when to assume the format if no sign of any format is shown */
  guess?: { words: string; shown?: Sign; without?: Sign[] };
  /** records the messages from number `from` on; the earlier ones are already recorded. What it must remember about them is in the recorder's `state` */
  walk?: (messages: unknown[], recorder: import('../packed-messages.js').Recorder, from?: number) => void;
  /** the first message that must be recorded again: the first `kept` of the `known` recorded messages are unchanged, the rest of `messages` is new. The default is `kept`: messages do not affect earlier ones */
  changedFrom?: (messages: unknown[], kept: number, known: number, state: any) => number;
  /** the message without these outputs; `cleared` returns the replacement of the output for a call's id */
  prune?: (
    message: any,
    blocks: number[],
    cleared: (id: unknown) => string,
    options: { placeholder: string; now: number; freeBytes: boolean },
  ) => unknown;
  /** the message with what stays of outputs that are cut, if that is not written as a placeholder is */
  preview?: (message: any, blocks: number[], shown: () => string) => unknown;
  /** whether a snapshot of `length` messages can contain this state; without it the format has no state */
  isState?: (state: any, length: number) => boolean;
  /** whether the content of a message is unreadable: it stays where it is */
  isOpaque?: (message: any) => boolean;
  /** the message without what it still stores of outputs that were pruned before */
  free?: (message: any, blocks: number[], placeholder: string) => unknown;
  /** the message that replaces the summarized ones, in the same form as the others */
  summary?: (summary: {
    text: string;
    marked: string;
    kept: number;
    plan: Plan;
    now: number;
    messages: unknown[];
    role: string;
  }) => unknown;
  /** a summary with these members, as an instance of the class that it had; `undefined` if the messages are no instances */
  instance?: (members: any, messages: unknown[]) => unknown;
  /** the roles that it may have; without them, it has that of a user */
  summaryRoles?: string[];
  /** a message with what the model says to a summary in front of a message of the user */
  answer?: (text: string) => unknown;
  /** whether the provider demands such an answer; otherwise the caller may want it */
  alternates?: boolean;
  /** whether removing the summarized messages would make the server send omitted ones again */
  returns?: boolean;
  /** the messages with a recorded summary appended, for formats that remove nothing */
  append?: (messages: any[], text: string, plan: Plan, now: number, places: number[]) => unknown[];
  /** what makes a message none of the format */
  faultOf?: (message: any) => import('./common/chat.js').Fault | undefined;
  /** facts that records do not contain but for which a provider may refuse a message */
  facts?: (message: any) => { emptyCalls?: number; cacheMarks?: number; blankTexts?: number; calls?: number[] };
}

/**
 * The most specific format first: if formats share a trait, the order decides. It equals the order of ranks in the
 * engine's `format/signs.rs`.
 */
const FORMATS: Format[] = [
  langchain,
  tunacode,
  pydanticAi,
  opencode,
  openhands,
  atif,
  mastra,
  vercelUi,
  geminiContents,
  tinyagent,
  pi,
  openaiAgents,
  openaiResponses,
  vercelModel,
  bedrockConverse,
  anthropic,
  openaiChat,
];

/** The format of an empty array, for which no format does anything. */
export const OF_NOTHING = openaiChat;

/** How many bits there are, because snapshots contain them. */
const MOST_BITS = 31;
/** The bit of each sign. */
const bits: Map<object, number> = new Map();
const lookedFor: [bit: number, sign: Sign][] = [];

function bitOf(sought, signs) {
  if (sought === undefined) return 0;
  const known = bits.get(sought);
  if (known !== undefined) return known;
  if (bits.size === MOST_BITS) throw new Error(`there are more than ${MOST_BITS} things to look for in a message`);
  const bit = 1 << bits.size;
  bits.set(sought, bit);
  for (const sign of signs) lookedFor.push([bit, sign]);
  return bit;
}

const bitOfSign = (sign) => bitOf(sign, [sign]);

const rows = FORMATS.map((format) => ({
  format,
  shown: bitOf(format.signs, format.signs),
  beside: bitOfSign(format.beside),
  without: bitOfSign(format.without),
}));
const guesses = FORMATS.filter(({ guess }) => guess !== undefined).map((format) => ({
  format,
  shown: bitOfSign(format.guess.shown),
  without: (format.guess.without ?? []).reduce((bits, sign) => bits | bitOfSign(sign), 0),
}));

/** Looks for the signs of all formats; the other functions of this file interpret its bits. */
export const looker = new Looker(lookedFor);

/** The format with this name; `undefined` if live messages of it are unknown. */
export function formatCalled(name) {
  return FORMATS.find((format) => format.name === name);
}

/** The format that is shown: by one of its signs or, if no format shows any, by a guess. */
export function shownBy(seen: number): { format: Format; basis: 'sign' | 'guess' } | undefined {
  for (const { format, shown, beside, without } of rows) {
    if ((seen & shown) !== 0 && (beside === 0 || (seen & beside) !== 0) && (seen & without) === 0) return { format, basis: 'sign' };
  }
  // Several formats write the remaining lists the same way.
  for (const { format, shown, without } of guesses) {
    if ((shown === 0 || (seen & shown) !== 0) && (seen & without) === 0) return { format, basis: 'guess' };
  }
  return undefined;
}

/** The first sign of a format that is shown, in words. It is rarely needed, so the signs are looked for again. */
export function signOf({ signs }, messages) {
  const seen = new Looker(signs.map((sign, at) => [1 << at, sign])).over(messages, 0, messages.length);
  return (signs.find((_, at) => (seen & (1 << at)) !== 0) ?? signs[0]).words;
}

// The formats of live messages. One row makes a format known: everything else about it stands in its own file.

import { anthropic } from './anthropic-messages.js';
import { bedrockConverse } from './bedrock-converse.js';
import { geminiContents } from './gemini-contents.js';
import { langchain } from './langchain.js';
import { Looker } from './looker.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { atif, openhands, pydanticAi, refused, tinyagent, tunacode } from './recognised.js';
import { vercelModel } from './vercel-model.js';
import { vercelUi } from './vercel-ui.js';

/** @typedef {import('../../types/plan.js').Plan} Plan */
/** @typedef {import('./looker.js').Sign} Sign */

/**
 * A format: what shows it and, unless it is only recognised, what its live messages are and how they are changed.
 *
 * @typedef {object} Format
 * @property {string} name
 * @property {Sign[]} signs what shows it, the most specific first; any of them is enough
 * @property {Sign} [beside] what some message must show besides
 * @property {Sign} [without] what no message may show
 * @property {{ words: string, shown?: Sign, without?: Sign }} [guess] what it is taken for where no sign of any format is shown
 * @property {(messages: unknown[], recorder: import('../records.js').Recorder, from?: number) => void} [walk]
 *   writes down what is there: the messages from number `from` on, behind those that are recorded already. What it has to
 *   remember of these, it keeps in the recorder's `state`
 * @property {(messages: unknown[], kept: number, known: number, state: any) => number} [changedFrom]
 *   the first message whose records have to be made anew: the first `kept` of the `known` messages that were recorded are
 *   still the same, the rest of `messages` is new. Without it, that is `kept`: no message concerns others
 * @property {(message: any, blocks: number[], cleared: (id: unknown) => string, options: { placeholder: string, now: number, freeBytes: boolean }) => unknown} [prune]
 *   the message without these outputs; `cleared` says what takes the place of one, the answer to the call of an id
 * @property {(state: any, length: number) => boolean} [isState] whether a snapshot of so many messages can hold this state;
 *   without it there is none
 * @property {(message: any) => boolean} [isOpaque] whether nobody can read what a message says: it stays where it is
 * @property {(message: any, blocks: number[], placeholder: string) => unknown} [free]
 *   the message without what is not sent of outputs that were pruned before
 * @property {(summary: { text: string, marked: string, kept: number, plan: Plan, now: number, messages: unknown[] }) => unknown} [summary]
 *   a summary message, in the place of those it stands for and like the others
 * @property {boolean} [returns] whether messages that are not sent would be sent again without the summarised ones
 * @property {(messages: any[], text: string, plan: Plan, now: number, places: number[]) => unknown[]} [append]
 *   the messages with a summary recorded behind them, where nothing gives way
 * @property {(message: any) => { emptyCalls?: number, cacheMarks?: number }} [facts] what a provider may refuse a message for,
 *   though no record holds it
 */

/**
 * The most specific format first: the order decides where formats share a trait. It is that of the ranks in the engine's `format/signs.rs`.
 *
 * @type {Format[]}
 */
const FORMATS = [
  langchain,
  tunacode,
  pydanticAi,
  opencode,
  openhands,
  atif,
  vercelUi,
  geminiContents,
  tinyagent,
  pi,
  openaiResponses,
  vercelModel,
  bedrockConverse,
  anthropic,
  openaiChat,
];

/** The format that an array without any message is taken for. Nothing is to be done with it under any. */
export const OF_NOTHING = openaiChat;

/** How many bits there are: snapshots hold them. */
const MOST_BITS = 31;
/** By what is looked for: its bit. @type {Map<object, number>} */
const bits = new Map();
/** @type {[bit: number, sign: Sign][]} */
const lookedFor = [];

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
  without: bitOfSign(format.guess.without),
}));
const refusals = refused.map((what) => ({ what, shown: bitOfSign(what.sign) }));
const anyRefusal = refusals.reduce((all, { shown }) => all | shown, 0);

/** What looks for the signs of all formats; the other functions of this file say what its bits mean. */
export const looker = new Looker(lookedFor);

/** A format by its name; `undefined` if no live messages of it are known. */
export function formatCalled(name) {
  return FORMATS.find((format) => format.name === name);
}

/**
 * The format that is shown, by a sign of it or, where no format shows any, by a guess.
 *
 * @param {number} seen
 * @returns {{ format: Format, basis: 'sign' | 'guess' } | undefined}
 */
export function shownBy(seen) {
  for (const { format, shown, beside, without } of rows) {
    if ((seen & shown) !== 0 && (beside === 0 || (seen & beside) !== 0) && (seen & without) === 0) return { format, basis: 'sign' };
  }
  // Several formats spell what is left the same way.
  for (const { format, shown, without } of guesses) {
    if ((shown === 0 || (seen & shown) !== 0) && (seen & without) === 0) return { format, basis: 'guess' };
  }
  return undefined;
}

/** What is recognised and not read, if it is shown. */
export function refusedBy(seen) {
  return (seen & anyRefusal) === 0 ? undefined : refusals.find(({ shown }) => (seen & shown) !== 0).what;
}

/** The first sign of a format that is shown, in words. Hardly anybody asks for them: the signs are looked for once more. */
export function signOf({ signs }, messages) {
  const seen = new Looker(signs.map((sign, at) => [1 << at, sign])).over(messages, 0, messages.length);
  return (signs.find((_, at) => (seen & (1 << at)) !== 0) ?? signs[0]).words;
}

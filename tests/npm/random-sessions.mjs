// Sessions that nobody would write: every combination of fields that the live formats allow, and some that they do not.
// `random/` has the messages of each format.

import { internal } from './package.mjs';
import { anthropicMessage } from './random/anthropic.mjs';
import { geminiContent } from './random/gemini-contents.mjs';
import { langchainMessage } from './random/langchain.mjs';
import { openaiMessage } from './random/openai-chat.mjs';
import { responsesItem } from './random/openai-responses.mjs';
import { opencodeMessage } from './random/opencode.mjs';
import { piMessage } from './random/pi.mjs';
import { vercelModelMessage } from './random/vercel-model.mjs';
import { vercelUiMessage } from './random/vercel-ui.mjs';

const { lead } = await internal('references.js');

/** Makes one message of each live format. */
const MAKERS = {
  openai_chat: openaiMessage,
  openai_responses: responsesItem,
  anthropic_messages: anthropicMessage,
  pi: piMessage,
  gemini_contents: geminiContent,
  vercel_model: vercelModelMessage,
  vercel_ui: vercelUiMessage,
  langchain: langchainMessage,
  opencode: opencodeMessage,
};

/** The formats whose sessions can be made. */
export const formats = Object.keys(MAKERS);

/** The same seed gives the same numbers (mulberry32). */
export function randomness(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const PLACEHOLDER = '[Old tool result content cleared]';
const TEXTS = [
  '', ' ', '\n\t ', '\u0085', '\ufeff', '\u2028', 'x', 'plain words', '"quoted" \\ back\\slash', 'tab\tline\nbreak\u0000\u001f',
  'déjà vu', '日本語のテキスト', '👩‍👩‍👧‍👦', 'flag 🇪🇺 end', '\ud83d', '\ude00\ud83d', 'a\ud83d\ud83d\ude00b\ude00', '\uffff\ud7ff\ue000',
  PLACEHOLDER, `${PLACEHOLDER} `, '[Compaction summary]\n\nearlier',
];
const NUMBERS = [0, -0, 1, 29.0, -1.5, 0.1, 1e21, 1e-7, 123456789012345680, 2 ** 53, 5e-324, 1.7976931348623157e308, -7];

export function makeSession(format, seed) {
  const random = randomness(seed);
  const tools = { random, ...pickers(random) };
  const makeMessage = MAKERS[format];
  const messages = Array.from({ length: tools.upTo(12) + 1 }, () => makeMessage(tools));
  const summary = SUMMARIES[format];
  if (summary !== undefined && tools.upTo(5) === 0) messages.splice(tools.upTo(2), 0, summary(markedAsSummary(tools)));
  return messages;
}

/** A message of the person that may be a summary, where nothing but its text says so. */
const SUMMARIES = {
  openai_chat: (content) => ({ role: 'user', content }),
  openai_responses: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  anthropic_messages: (content) => ({ role: 'user', content }),
  gemini_contents: (text) => ({ role: 'user', parts: [{ text }] }),
  vercel_model: (content) => ({ role: 'user', content }),
  vercel_ui: (text) => ({ id: 'm', role: 'user', parts: [{ type: 'text', text }] }),
  langchain: (content) => ({ type: 'human', data: { content } }),
};

/** The words of a summary that is true if the right id, or the right text, stands behind it. */
function markedAsSummary({ upTo, pick }) {
  const anchor = pick(['c1', 'c2', 'c3', 'x', 'plain words', PLACEHOLDER]);
  return pick([`${lead(3, 1 + upTo(12), anchor)}So far.`, `${lead(3, 1 + upTo(12), anchor)}So far.`, `${lead(3, 0, 'So far.')}So far.`]);
}

function pickers(random) {
  const upTo = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[upTo(list.length)];
  const maybe = (chance, make) => (random() < chance ? make() : undefined);
  const text = () => (random() < 0.1 ? pick(TEXTS).repeat(1 + upTo(400)) : pick(TEXTS) + (random() < 0.5 ? pick(TEXTS) : ''));
  const list = (limit, make) => Array.from({ length: upTo(limit) }, make);
  const value = (depth = 0) => {
    const kind = upTo(depth > 4 ? 5 : 7);
    if (kind === 0) return text();
    if (kind === 1) return pick(depth > 1 ? [...NUMBERS, NaN, Infinity] : NUMBERS);
    if (kind === 2) return pick([true, false, null]);
    // Messages are plain data; inside arguments there may be anything that has a `toJSON`.
    if (kind === 3) return depth > 1 ? pick([undefined, () => 1, Symbol('none'), new Date(0)]) : undefined;
    if (kind === 4) return pick([[], {}, '']);
    if (kind === 5) return list(4, () => value(depth + 1));
    return Object.fromEntries(list(4, () => [pick(['a', 'b', 'path', 'é', '\ud83d', text()]), value(depth + 1)]));
  };
  /** A field that is sometimes of another type, null, or missing. */
  const field = (make, chance = 0.1) => (random() < chance ? pick([undefined, null, 7, true, {}, [], value()]) : make());
  const id = () => pick(['c1', 'c2', 'c3', 'call_4|fc_4', '', '\ud83d', '\ufffd', 'é']);
  const name = () => pick(['bash', 'read', 'skill', '', '日本', '\ude00', 'bash ']);
  const number = () => pick(NUMBERS);
  return { upTo, pick, maybe, text, list, value, field, id, name, number, placeholder: PLACEHOLDER };
}

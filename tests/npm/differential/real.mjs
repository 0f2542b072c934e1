// The published packages of pi, asked as `compat.pi` is asked. Their entry points do not export all of these functions, so
// the files behind them are loaded; those files alone run in Node 20 too, which the newer package as a whole does not.

import { readFileSync } from 'node:fs';

/** Marks the message of an entry with the place of that entry; pi copies it along where it copies a message. */
const PLACE = Symbol('place');

const PACKAGES = {
  '0.58': '@mariozechner/pi-coding-agent',
  '0.84': '@earendil-works/pi-coding-agent',
};

/** The package for each version that `compat.pi` knows and npm has. */
export const versions = Object.keys(PACKAGES);

/** The functions of the package for `version`, with the exact version installed. */
export async function realPi(version) {
  const main = import.meta.resolve(PACKAGES[version]);
  const load = (file) => import(new URL(`core/${file}`, main));
  const { version: exact } = JSON.parse(readFileSync(new URL('../package.json', main), 'utf8'));
  const pi = {
    ...(await load('compaction/compaction.js')),
    ...(await load('compaction/utils.js')),
    ...(await load('messages.js')),
    ...(await load('session-manager.js')),
  };
  const ask = questions(pi);
  return {
    name: `${PACKAGES[version]}@${exact}`,
    /** The answer to a question about JSON text. */
    ask: (question, data, options) => ask[question](JSON.parse(data), options),
    /** How much an entry adds to the walk of `findCutPoint`, or 0 if it cannot be measured. */
    weight: (entry) => weight(pi, JSON.parse(entry)),
  };
}

function questions(pi) {
  const serialize = (messages) => pi.serializeConversation(pi.convertToLlm(messages));
  return {
    estimate(messages, { checks }) {
      const context = pi.estimateContextTokens(messages);
      return {
        perMessage: messages.map(pi.estimateTokens),
        context,
        shouldCompact: checks.map(({ contextWindow, settings }) => pi.shouldCompact(context.tokens, contextWindow, settings)),
      };
    },

    context(entries, { leafId }) {
      mark(entries);
      const { messages, thinkingLevel, model } = pi.buildSessionContext(entries, leafId);
      const shown = messages.map((message) => {
        const place = placeOf(message);
        const stored = (entries[place].message ?? entries[place]).content;
        const same = JSON.stringify(message.content) === JSON.stringify(stored);
        return { id: idOf(entries, place), role: message.role, content: same ? undefined : message.content };
      });
      return { messages: shown, thinkingLevel, model, contextTokens: attempt(() => pi.estimateContextTokens(messages)) };
    },

    cutPoint(entries, { startIndex, endIndex, keepRecentTokens }) {
      return pi.findCutPoint(entries, startIndex, endIndex, keepRecentTokens);
    },

    prepare(entries, { settings }) {
      mark(entries);
      const preparation = pi.prepareCompaction(entries, settings);
      if (preparation === undefined) return null;
      const { fileOps, messagesToSummarize, turnPrefixMessages } = preparation;
      const ids = (messages) => messages.map((message) => idOf(entries, placeOf(message)));
      return {
        firstKeptEntryId: preparation.firstKeptEntryId,
        messagesToSummarize: ids(messagesToSummarize),
        turnPrefixMessages: ids(turnPrefixMessages),
        isSplitTurn: preparation.isSplitTurn,
        tokensBefore: preparation.tokensBefore,
        previousSummary: preparation.previousSummary,
        ...pi.computeFileLists(fileOps),
        historyText: attempt(() => serialize(messagesToSummarize)),
        turnPrefixText: attempt(() => serialize(turnPrefixMessages)),
      };
    },

    serialize,
  };
}

/** What `ask` gives, or that it throws. */
export function attempt(ask) {
  try {
    return ask();
  } catch (error) {
    return { throws: error.message };
  }
}

function weight(pi, entry) {
  const messages = attempt(() => pi.buildSessionContext([{ ...entry, parentId: null }]).messages.map(pi.estimateTokens));
  return Array.isArray(messages) ? messages.reduce((sum, tokens) => sum + (tokens || 0), 0) : 0;
}

/** Messages that pi makes out of entries have no mark but the time of their entry, which nothing else depends on. */
function mark(entries) {
  entries.forEach((entry, place) => {
    entry.timestamp = new Date(place).toISOString();
    if (entry.message) entry.message[PLACE] = place;
  });
}

function placeOf(message) {
  return message[PLACE] ?? message.timestamp;
}

/** An entry without an id is named by its place. */
function idOf(entries, place) {
  return entries[place].id || `#${place}`;
}

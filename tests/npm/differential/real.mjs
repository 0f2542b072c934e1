// The published packages of pi, called like `compat.pi`. Their entry points do not export all of these functions, so
// the files behind them are loaded. These also run in Node 20, for which the newer package as a whole is not made.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Marks the message of an entry with the entry's index; pi copies the mark when it copies a message. */
const PLACE = Symbol('place');

const PACKAGES = {
  0.58: '@mariozechner/pi-coding-agent',
  0.84: '@earendil-works/pi-coding-agent',
};

/**
 * The main file of each version's package. npm cannot install pi 1.5, which depends on unpublished packages; it is
 * included if EBBLINE_PI_1_5 names the folder of an unpacked package whose files can be loaded.
 */
export function installedVersions() {
  /** @type {[string, string][]} */
  const found = Object.entries(PACKAGES).map(([version, name]) => [version, import.meta.resolve(name)]);
  const folder = process.env.EBBLINE_PI_1_5;
  if (folder) found.push(['1.5', String(pathToFileURL(join(folder, 'dist/index.js')))]);
  return new Map(found);
}

/** The functions of the package with this main file. */
export async function realPi(main) {
  const load = (file) => import(new URL(`core/${file}`, main).href);
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', main), 'utf8'));
  const pi = {
    ...(await load('compaction/compaction.js')),
    ...(await load('compaction/utils.js')),
    ...(await load('messages.js')),
    ...(await load('session-manager.js')),
  };
  const ask = questions(pi);
  return {
    name: `${name}@${version}`,
    /** The answer to a question about JSON text. */
    ask: (question, data, options) => ask[question](JSON.parse(data), options),
    /** The weight of an entry in the walk of `findCutPoint`, or 0 if it cannot be measured. */
    weight: (entry) => weight(pi, JSON.parse(entry)),
  };
}

function questions(pi) {
  const serialize = (messages) => pi.serializeConversation(pi.convertToLlm(messages));
  return {
    estimate(messages, { checks }) {
      const context = pi.estimateContextTokens(messages);
      const check = ({ contextWindow, settings }) => pi.shouldCompact(context.tokens, contextWindow, settings);
      return { perMessage: messages.map(pi.estimateTokens), context, shouldCompact: checks.map(check) };
    },

    context(entries, { leafId }) {
      mark(entries);
      const { messages, thinkingLevel, model } = pi.buildSessionContext(entries, leafId);
      const shown = messages.map((message) => {
        const place = placeOf(message);
        const { message: own, systemMessage } = entries[place];
        const stored = own ?? (message.role === 'system' ? systemMessage : entries[place]);
        const same = JSON.stringify(message.content) === JSON.stringify(stored.content);
        const role = typeof message.role === 'string' ? message.role : '';
        return { id: idOf(entries, place), role, content: same ? undefined : message.content };
      });
      const contextTokens = orNothing(() => contextEstimate(pi, messages, entries, leafId));
      return { messages: shown, thinkingLevel, model, contextTokens };
    },

    cutPoint(entries, { startIndex, endIndex, keepRecentTokens }) {
      const cut = pi.findCutPoint(entries, startIndex, endIndex, keepRecentTokens);
      return { ...cut, firstKeptEntryId: entries[cut.firstKeptEntryIndex]?.id || undefined };
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
        historyText: orNothing(() => serialize(messagesToSummarize)),
        turnPrefixText: orNothing(() => serialize(turnPrefixMessages)),
      };
    },

    serialize,
  };
}

/** Newer versions measure the context together with the branch that it comes from. */
function contextEstimate(pi, messages, entries, leafId) {
  if (pi.estimateProjectedContextTokens === undefined) return pi.estimateContextTokens(messages);
  const places = new Map(entries.map((entry) => [entry.id, entry]));
  const branch = [];
  let entry = leafId === null ? undefined : ((leafId ? places.get(leafId) : undefined) ?? entries.at(-1));
  for (; entry; entry = entry.parentId ? places.get(entry.parentId) : undefined) branch.unshift(entry);
  return pi.estimateProjectedContextTokens(pi.buildSessionProjection(entries, leafId), branch);
}

/** A part of an answer that is missing if pi cannot compute it; the other parts remain. */
function orNothing(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function weight(pi, entry) {
  const alone = [{ ...entry, parentId: null }];
  const estimates = orNothing(() => pi.buildSessionContext(alone).messages.map(pi.estimateTokens)) ?? [];
  return estimates.reduce((sum, tokens) => sum + (tokens || 0), 0);
}

/** Messages that pi makes of entries are only identified by the time of their entry, on which nothing else depends. */
function mark(entries) {
  entries.forEach((entry, place) => {
    entry.timestamp = new Date(place).toISOString();
    for (const message of [entry.message, entry.systemMessage]) {
      if (message) message[PLACE] = place;
    }
  });
}

function placeOf(message) {
  return message[PLACE] ?? message.timestamp;
}

/** An entry without an id is named by its index. */
function idOf(entries, place) {
  return entries[place].id ?? place;
}

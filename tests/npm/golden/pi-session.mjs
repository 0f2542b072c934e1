// pi: estimates, contexts, cuts, preparations and transcripts.

import { createHash } from 'node:crypto';

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal, sameText, throws } from './compare.mjs';

const { pi } = ebbline.compat;
const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Checks each of the expected answers; an error is correct if the system raised an exception. */
function each(inputs, expected, ask, compare) {
  equal('how many answers', inputs.length, expected.length);
  inputs.forEach((input, at) => {
    if (expected[at]?.throws) throws(() => ask(input));
    else compare(ask(input), expected[at], JSON.stringify(input));
  });
}

export function estimate({ messages, input, expected, version }) {
  equal('estimate', pi.estimate(messages, { version, checks: input.checks }), expected);
}

export function serialize({ messages, expected, version }) {
  sameText('text', pi.serialize(messages, { version }), expected);
}

export function context({ raw, input, expected, version }) {
  const entries = expand(member(raw, 'entries'));
  each(
    input.leaves,
    expected.contexts,
    (leaf) => pi.context(entries, { version, ...leaf }),
    (ours, wanted, what) => {
      const contextTokens = wanted.contextTokens.throws ? null : wanted.contextTokens;
      equal(what, { ...ours, messages: ours.messages.map(row) }, { ...wanted, contextTokens });
    },
  );
}

/** The vectors do not list that a `system` message without content is read as an empty text. */
function row({ id, role, content }) {
  return content === undefined || role === 'system' ? [entryName(id), role] : [entryName(id), role, content];
}

/** An entry as the vectors name it: by its id, or `#3` for the entry at index 3 without one. */
function entryName(id) {
  return typeof id === 'number' ? `#${id}` : id;
}

export function cut({ raw, input, expected, version }) {
  const entries = expand(member(raw, 'entries'));
  each(
    input.runs,
    expected.cuts,
    (run) => pi.cutPoint(entries, { version, ...run }),
    (ours, wanted, what) => {
      equal(what, ours, wanted);
    },
  );
}

export function prepare({ raw, input, expected, version }) {
  const entries = expand(member(raw, 'entries'));
  const ask = (settings) => pi.prepare(entries, { version, settings });
  each(input.settings, expected.preparations, ask, samePreparation);
}

function samePreparation(ours, wanted, what) {
  if (ours === null || wanted === null) return equal(what, ours, wanted);
  for (const key of ['firstKeptEntryId', 'isSplitTurn', 'tokensBefore']) equal(`${what}, ${key}`, ours[key], wanted[key]);
  equal(`${what}, previous summary`, ours.previousSummary !== null, wanted.previousSummaryPresent);
  if (wanted.previousSummary != null) sameText(what, ours.previousSummary, wanted.previousSummary);
  for (const key of ['messagesToSummarize', 'turnPrefixMessages', 'readFiles', 'modifiedFiles']) {
    sameList(`${what}, ${key}`, ours[key].map(entryName), wanted[key]);
  }
  for (const key of ['historyText', 'turnPrefixText'].filter((name) => wanted[name] !== undefined)) {
    if (wanted[key].throws) equal(`${what}, ${key}`, ours[key], null);
    else sameLongText(`${what}, ${key}`, ours[key], wanted[key]);
  }
}

function sameLongText(what, ours, wanted) {
  equal(`${what}, length`, ours.length, wanted.utf16Length);
  sameText(what, ours, wanted);
}

/** Compares a list with the expected one, or with its digest: count and SHA-256 of the items joined by newlines. */
function sameList(what, ours, wanted) {
  if (Array.isArray(wanted)) return equal(what, ours, wanted);
  equal(`${what}, count`, ours.length, wanted.count);
  equal(`${what}, SHA-256`, sha256(ours.join('\n')), wanted.sha256OfIds ?? wanted.sha256);
}

/** Two long sessions, in every version. */
export function realSessions({ raw, input, expected }) {
  const entries = expand(member(raw, 'entries'));
  for (const [version, wanted] of Object.entries(expected)) {
    realContext(entries, input.entries, version, wanted.context);
    for (const { keepRecentTokens, ...cutPoint } of wanted.cuts) {
      equal(`keep ${keepRecentTokens}`, pi.cutPoint(entries, { version, keepRecentTokens }), cutPoint);
    }
    for (const { keepRecentTokens, result } of wanted.preparations) {
      const settings = { enabled: true, reserveTokens: 16384, keepRecentTokens };
      samePreparation(pi.prepare(entries, { version, settings }), result, `keep ${keepRecentTokens}`);
    }
  }
}

function realContext(text, entries, version, wanted) {
  const { messages, contextTokens } = pi.context(text, { version });
  sameList(
    'messages',
    messages.map(({ id }) => id),
    wanted.messages,
  );
  equal('estimate', contextTokens, wanted.estimate);
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  const sent = messages.map(({ id, role, content }) => {
    const { message, summary, content: said } = stored.get(id);
    return message ? { ...message, content: content ?? message.content } : { role, summary, content: content ?? said };
  });
  const { perMessage } = pi.estimate(sent, { version });
  equal(
    'sum of the estimates',
    perMessage.reduce((sum, tokens) => sum + tokens, 0),
    wanted.sumOfEstimates,
  );
  equal('estimates', sha256(perMessage.join(',')), wanted.sha256OfPerMessageEstimates);
}

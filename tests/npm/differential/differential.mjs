// Random sessions for a published package of pi and for `compat.pi`: the same question must have the same answer.

import { isDeepStrictEqual } from 'node:util';

import { Choices } from './choices.mjs';
import { makeSession } from './generate.mjs';
import { shrink } from './shrink.mjs';

const MOST_REPORTS = 3;

/** The questions about a session: the data of each, and the options of each call. */
const QUESTIONS = {
  estimate: ({ messages, checks }) => ({ data: messages, all: [{ checks }] }),
  context: ({ entries, leaves }) => ({ data: entries, all: leaves }),
  cutPoint: ({ entries, cuts }) => ({ data: entries, all: cuts }),
  prepare: ({ entries, path, settings }) => ({
    data: path.map((at) => entries[at]),
    all: settings.map((each) => ({ settings: each })),
  }),
  serialize: ({ messages }) => ({ data: messages, all: [{}] }),
};

export const questions = Object.keys(QUESTIONS);

/** `count` random sessions from `seed` on, each with its seed and choices. */
export function randomSessions(seed, count) {
  return Array.from({ length: count }, (_, at) => {
    const choices = Choices.from(seed + at);
    return { seed: seed + at, session: makeSession(choices), made: choices.made };
  });
}

/**
 * Asks both sides `question` about each of the sessions.
 *
 * A side has a `name` and a function `ask(question, data, options)`, which may throw. Returns, for each kind of
 * difference, the smallest session found: `{ question, data, options, ours, theirs, text }`.
 */
export function differences(question, ours, theirs, sessions) {
  const compare = (session) => differenceIn(session, question, ours, theirs);
  const found = new Map();
  for (const { seed, session, made } of sessions) {
    if (found.size === MOST_REPORTS) break;
    const kind = compare(session)?.kind;
    if (kind === undefined || found.has(kind)) continue;
    const least = shrink(made, (choices) => compare(makeSession(choices))?.kind === kind);
    const difference = compare(makeSession(Choices.replay(least)));
    found.set(kind, { ...difference, text: report(difference, ours, theirs, seed) });
  }
  return [...found.values()];
}

function differenceIn(session, question, ours, theirs) {
  const { data, all } = QUESTIONS[question](session);
  for (const wanted of all) {
    const options = settled(wanted, session, theirs);
    const [here, there] = [ours, theirs].map((side) => answer(side, question, `[${data.join(',')}]`, options));
    if (isDeepStrictEqual(here, there)) continue;
    return { question, data, options, ours: here, theirs: there, kind: kindOf(here, there) };
  }
  return undefined;
}

function answer(side, question, data, options) {
  try {
    return comparable(side.ask(question, data, options));
  } catch {
    // Each side has its own wording of errors.
    return { throws: true };
  }
}

/** Options with budgets as numbers, and ranges with both ends. */
function settled(options, session, { weight }) {
  const inside = (part) => settled(part, session, { weight });
  if (options.checks !== undefined) return { checks: options.checks.map(inside) };
  if (options.settings !== undefined) return { ...options, settings: inside(options.settings) };
  if (!('keepRecentTokens' in options)) return options;
  const { keepRecentTokens: budget } = options;
  const tokens = ({ from, plus }) => session.entries.slice(from).reduce((sum, entry) => sum + weight(entry), plus);
  const keepRecentTokens = typeof budget === 'object' ? tokens(budget) : budget;
  if (!('startIndex' in options)) return { ...options, keepRecentTokens };
  return { ...options, endIndex: options.endIndex ?? session.entries.length, keepRecentTokens };
}

/** Plain JSON: numbers that JSON cannot represent as names, and null as missing. */
function comparable(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(comparable);
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, comparable(member)]));
}

/** Two differences of the same kind probably have the same cause. */
function kindOf(ours, theirs) {
  if (ours?.throws || theirs?.throws) return ours?.throws ? 'ours throws' : 'theirs throws';
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) return 'value';
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys]
    .filter((key) => !isDeepStrictEqual(ours[key], theirs[key]))
    .sort()
    .join();
}

function report({ question, data, options, ours, theirs }, { name: ourName }, { name: theirName }, seed) {
  const named = (_, value) => (typeof value === 'number' ? comparable(value) : value);
  return [
    `${question}: ${ourName} does not answer as ${theirName} (EBBLINE_SEED=${seed} EBBLINE_SESSIONS=1 finds it again)`,
    `  data: [\n    ${data.join(',\n    ')}\n  ]`,
    `  options: ${JSON.stringify(options, named)}`,
    `  ${theirName}: ${JSON.stringify(theirs)}`,
    `  ${ourName}: ${JSON.stringify(ours)}`,
  ].join('\n');
}

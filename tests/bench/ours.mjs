// What ebbline does before a request: over a growing session, and over a whole array in one call.

import { ebbline } from '../npm/package.mjs';

export const PROFILES = ['ebbline@1', 'pi@1.5', 'opencode@2026-06'];
export const model = { context: 200_000, output: 32_000 };

/** How many messages a turn adds. */
const PER_TURN = 2;
/** The most messages in all copies of a session together: more copies would take longer to make than to measure. */
const MOST_COPIED = 20_000;

const { Session, compact, plan } = ebbline;

/**
 * Our rows over sessions of one length.
 *
 * @param {import('./sessions.mjs').Entry[]} entries the session
 * @param {import('./sessions.mjs').Entry[]} following the entries after it
 * @param {typeof import('./sessions.mjs').shapes} shapes
 * @param {Record<'pi' | 'piUsage' | 'ai', unknown[]>} sessions the session's messages
 */
export function ours(entries, following, shapes, sessions) {
  return [
    ...(Session === undefined ? [] : incremental(following, shapes, sessions)),
    ...PROFILES.flatMap((profile) => [
      ...oneCall(`plan(array), ${profile}`, (array) => plan(array, { profile, model }), entries, shapes.pi, sessions.pi),
      ...oneCall(`compact(array), ${profile}`, (array) => compact(array, { profile, model }), entries, shapes.pi, sessions.pi),
      ...oneCall(`plan(array of the AI SDK), ${profile}`, (array) => plan(array, { profile, model }), entries, shapes.ai, sessions.ai),
    ]),
    // A plan computes the verdict of a message only when it is read.
    ...oneCall(`plan(array) and each fate, ${PROFILES[0]}`, allFates, entries, shapes.pi, sessions.pi),
  ];
}

function allFates(array) {
  let pruned = 0;
  for (const { fate } of plan(array, { profile: PROFILES[0], model }).messages) if (fate === 'pruned') pruned += 1;
  return pruned;
}

/** Rows of one session that lives on: one turn of two new messages, or nothing new. */
function incremental(following, shapes, { pi, piUsage }) {
  const turns = Math.min(Math.max(pi.length >> 3, 8), 256);
  const rows = PROFILES.map((profile) => pushAndCheck(`push + check, ${profile}`, profile, turns, following, shapes.pi, pi));
  rows.push(pushAndCheck('push + check, ebbline@1, usage reported', PROFILES[0], turns, following, shapes.piUsage, piUsage));
  rows.push(nothingNew('check, nothing new', pi), nothingNew('check, nothing new, usage reported', piUsage));
  for (const verify of ['last', 'all']) rows.push(syncAndCheck(verify, turns, following, shapes.pi, pi));
  return rows;
}

/** A session that holds these messages. */
export function sessionOf(messages, profile, options) {
  const session = new Session({ format: 'pi', profile, model, ...options });
  session.push(messages);
  return session;
}

function pushAndCheck(name, profile, turns, following, shape, messages) {
  const session = sessionOf(messages, profile);
  let next = [];
  return {
    name,
    batch: turns,
    before() {
      session.truncate(messages.length);
      session.check();
      next = turnsOf(following, turns, shape);
    },
    run() {
      for (let turn = 0; turn < turns; turn += 1) {
        session.push(next[turn]);
        session.check();
      }
    },
  };
}

function nothingNew(name, messages) {
  const session = sessionOf(messages, PROFILES[0]);
  const batch = 1_000;
  return {
    name,
    batch,
    run() {
      for (let call = 0; call < batch; call += 1) session.check();
    },
  };
}

/** The caller passes its whole array each time; the session finds the new messages. */
function syncAndCheck(verify, turns, following, shape, messages) {
  const session = sessionOf([], PROFILES[0], { verify });
  session.sync(messages);
  const grown = [...messages];
  let next = [];
  return {
    name: `sync + check, by ${verify === 'last' ? 'the last message' : 'every reference'}`,
    batch: turns,
    before() {
      grown.length = messages.length;
      session.truncate(messages.length);
      session.check();
      next = turnsOf(following, turns, shape);
    },
    run() {
      for (let turn = 0; turn < turns; turn += 1) {
        grown.push(...next[turn]);
        session.sync(grown);
        session.check();
      }
    },
  };
}

/** One call over an array: with new objects, and with the objects of the previous call. */
function oneCall(name, call, entries, shape, messages) {
  const batch = Math.min(Math.max(Math.floor(MOST_COPIED / messages.length), 1), 32);
  let copies = [];
  return [
    {
      name: `${name}, cold`,
      batch,
      before() {
        copies = Array.from({ length: batch }, () => entries.map(shape));
      },
      run() {
        for (const copy of copies) call(copy);
      },
    },
    { name: `${name}, warm`, run: () => call(messages) },
  ];
}

/** Turns of new objects, which no cache of an earlier call contains. */
let used = 0;
function turnsOf(following, turns, shape) {
  const made = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const turnMessages = [];
    for (let message = 0; message < PER_TURN; message += 1) {
      turnMessages.push(shape(following[used % following.length]));
      used += 1;
    }
    made.push(turnMessages);
  }
  return made;
}

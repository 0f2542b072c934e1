// The agent of agent-loop.mjs against a server that is as strict as the providers, with everything that goes wrong in practice: windows smaller
// than they should be, requests that fail, summaries that fail, stall and lie, cancelled calls, and a process that dies at every step.
// EBBLINE_TURNS sets the number of answers of each format, EBBLINE_SEED the first seed, and EBBLINE_FIGURES=1 prints what happened. With
// EBBLINE_LONG=1, all sessions are of a thousand answers.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { CLIENTS } from './agent-loop.mjs';
import { ebbline } from './adapter.mjs';
import { KEEPS } from './disk.mjs';
import { tokensOf } from './server/count.mjs';
import { startProvider } from './server/provider.mjs';
import { FAULTS } from './server/script.mjs';
import { liveThrough } from './trial.mjs';

const TURNS = Number(process.env.EBBLINE_TURNS ?? 1_000);
const SEED = Number(process.env.EBBLINE_SEED ?? 1);
/** How many answers a session has, and how many the first one has. */
const isLong = Boolean(process.env.EBBLINE_LONG);
const ANSWERS = isLong ? 1_000 : 63;
const LONGEST = Math.max(ANSWERS, 150);
/** Where a process can end, and how a call can be cancelled. */
const PLACES = [
  'killed: before a request',
  'killed: prepare is done',
  'killed: before it is sent',
  'killed: in the middle of an answer',
  'killed: refused',
  'killed: recover is done',
  'killed: compactNow is done',
  'killed: answered',
  'killed: usage is learnt',
  'killed: the answer is stored',
  'killed: between the tools',
  'killed: the results are stored',
  ...['prepare', 'recover', 'compactNow'].flatMap((call) =>
    ['before', 'at once', 'soon', 'asked'].flatMap((when) => [`killed in ${call}: ${when}`, `cancelled in ${call}: ${when}`]),
  ),
  ...['hooks.before', 'hooks.after', 'hooks.failed'].flatMap((hook) =>
    ['at once', 'soon'].flatMap((when) => [`killed in ${hook}: ${when}`, `cancelled in ${hook}: ${when}`]),
  ),
  ...['before', 'torn', 'written'].map((when) => `killed in put: ${when}`),
  'cancelled in put: written',
];

const server = await startProvider(tokensOf);
const total = {};
after(() => server.close());

/** Adds figures, at any depth. */
function add(sum, figures) {
  for (const [name, figure] of Object.entries(figures)) {
    if (typeof figure === 'number') sum[name] = (sum[name] ?? 0) + figure;
    else if (!Array.isArray(figure)) add((sum[name] ??= {}), figure);
  }
}

for (const format of /** @type {(keyof typeof CLIENTS)[]} */ (Object.keys(CLIENTS))) {
  test(`${format}: ${TURNS} answers, and no request that is invalid or too large, no word and no byte lost`, async () => {
    const begun = performance.now();
    const sum = { sessions: 0 };
    for (let turns = 0, seed = SEED * 1_000, answers = LONGEST; turns < TURNS; turns += answers, seed += 10) {
      answers = Math.min(turns === 0 ? LONGEST : ANSWERS, TURNS - turns);
      const keeps = KEEPS[(seed / 10) % KEEPS.length];
      add(sum, await liveThrough({ server, createCompactor: ebbline.createCompactor, format, seed, answers, keeps }));
      sum.sessions += 1;
    }
    assert.equal(sum.provider.answers >= TURNS, true);
    sum.seconds = (performance.now() - begun) / 1_000;
    add(total, sum);
    if (process.env.EBBLINE_FIGURES) console.log(format, JSON.stringify(sum, undefined, 1));
  });
}

test('everything happened that can go wrong', { skip: isLong || TURNS < 1_000 }, () => {
  if (process.env.EBBLINE_FIGURES) console.log('all', JSON.stringify(total, undefined, 1));
  const { provider, watch, fate } = total;
  for (const fault of ['smaller window', 'failed request', 'torn stream', ...FAULTS.map((name) => `summary ${name}`)]) {
    assert.ok(provider.faults[fault] >= 1, `no ${fault}`);
  }
  const missing = PLACES.filter((place) => !(fate[place] >= 1));
  assert.deepEqual(missing, []);
  assert.ok(total.restarts >= 40 && watch.overflows >= 40 && watch.compactions >= 200 && watch.promised >= 150 && total.takenBack >= 60);
});

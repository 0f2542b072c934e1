// Compactors under anything an agent may do, drawn at random: whatever happens, what is sent is valid, in the order of the history, and
// nothing is lost: taking everything back gives the history.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline } from './package.mjs';
import { randomness } from './random-sessions.mjs';

const { createCompactor, validate } = ebbline;
const RUNS = Number(process.env.EBBLINE_RUNS ?? 12);
const STEPS = 60;
const OVERFLOW = Object.assign(new Error('prompt is too long: 213462 tokens > 200000 maximum'), { status: 400 });

const isText = (message) => JSON.stringify(message);

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: ${RUNS} agents that do anything`, async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) await live(name, shape, seed);
  });
}

async function live(name, shape, seed) {
  const random = randomness(seed);
  const draw = (below) => Math.floor(random() * below);
  const options = {
    model: { context: 8_000 + draw(4) * 6_000 },
    format: name,
    background: draw(4) === 0,
    now: () => 1_790_000_000_000,
    set: draw(2) === 0 ? { 'prune.enabled': false } : {},
    summarize: async () => {
      const answer = draw(6);
      if (answer === 0) throw new Error('the model is down');
      if (answer === 1) return '';
      if (answer === 2) return { text: 'The agent', truncated: true };
      return 'The agent read some files. The fault is not found yet.';
    },
  };
  let compactor = createCompactor(options);
  let history = historyOf(shape, 1);
  let steps = 1;
  let edits = 0;
  const say = (what) => `${name}, seed ${seed}: ${what}`;

  async function checked(what, view) {
    assert.deepEqual(validate(view, { format: name }).violations, [], say(what));
    const known = new Map(history.map((message, at) => [isText(message), at]));
    const kept = view.map((message) => known.get(isText(message))).filter((at) => at !== undefined);
    assert.deepEqual(
      kept,
      kept.toSorted((one, other) => one - other),
      say(`${what}: the order`),
    );
    // The newest message is what the model is to answer: it is there, or its head and tail are.
    const newest = isText(view.at(-1));
    assert.ok(
      newest === isText(history.at(-1)) || newest.includes('characters are left out here'),
      say(`${what}: the newest message: ${newest.slice(0, 300)} … ${isText(history.at(-1)).slice(0, 150)}`),
    );
  }

  const actions = {
    async grow() {
      history.push(...shape.step(`c${steps}`, `line ${steps} of the file\n`.repeat(draw(160))));
      steps += 1;
      if (draw(4) === 0) history.push(shape.person(`And part ${steps}? ${'Look well. '.repeat(draw(60))}`));
    },
    async prepare() {
      const given = draw(2) === 0 ? history : structuredClone(history);
      const view = await compactor.prepare(given);
      await checked('prepare', view);
      assert.deepEqual((await compactor.prepare(history)).length > 0, true);
    },
    async recover() {
      try {
        await checked('recover', await compactor.recover(OVERFLOW, history));
      } catch (error) {
        assert.ok(['still_too_large', 'nothing_to_compact', 'no_summary'].includes(error.code), say(error.stack));
      }
    },
    async compactNow() {
      await checked('compactNow', await compactor.compactNow(history));
    },
    async edit() {
      const at = draw(history.length);
      const isPerson = isText(history[at]).includes('Look well') || at === 0;
      if (isPerson) history = history.with(at, shape.person(`Another request, number ${(edits += 1)}.`));
    },
    async rewind() {
      // An agent goes back to a request of the user.
      const places = history.flatMap((message, at) => (isText(message).includes('And part') ? [at] : []));
      if (places.length > 0) history = history.slice(0, places[draw(places.length)] + 1);
    },
    async undo() {
      compactor.undo();
    },
    async redo() {
      compactor.redo();
    },
    async restart() {
      const record = JSON.parse(JSON.stringify(compactor.record));
      compactor.free();
      compactor = createCompactor({ ...options, record });
      try {
        await checked('restart', await compactor.prepare(history));
      } catch (error) {
        // The history was edited since.
        assert.equal(error.code, 'mismatch', say(error.stack));
        compactor = createCompactor(options);
      }
    },
  };
  const often = ['grow', 'grow', 'grow', 'grow', 'grow', 'prepare', 'prepare', 'prepare'];
  const names = [...often, ...Object.keys(actions)];
  for (let step = 0; step < STEPS; step += 1) await actions[names[draw(names.length)]]();
  await compactor.prepare(history);
  while (compactor.undo());
  const { record } = compactor;
  compactor.free();
  const back = await createCompactor({ ...options, auto: false, record }).prepare(history);
  assert.deepEqual(back, history, say('nothing is lost'));
}

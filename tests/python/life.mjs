// Prints what the npm package says of the lives of all fixtures, one line of JSON each, for test_life.py.

import { ebbline, fixture, fixtures } from '../npm/package.mjs';

const POLICIES = ['pi@1.5', { profile: 'ebbline@2', set: { 'prune.protect': 50 }, model: { context: 3_000 } }];
const GRID = { policy: 'ebbline@2', set: { 'prune.protect': [20, 200] }, policies: ['pi@1.5'], windows: [2_000, 9_000] };
const LIFE = { overhead: 500, usage: 'recorded', moments: 'system', rates: { cached: 0.2 }, cache: { minimum: 64, lives: 300_000 } };
const FORCED = { force: true, summary: 'So far.', set: { 'retain.keep': 60, 'prune.protect': 20 } };

/** What a call returns, or the code of its error. */
function told(call) {
  try {
    return call();
  } catch (error) {
    return { code: error.code };
  }
}

const print = (what) => console.log(JSON.stringify(what));
for (const name of fixtures) {
  const text = fixture(name);
  const model = { context: 2_000, output: 200 };
  print({
    name,
    input: text,
    replay: told(() => ebbline.replay(text, { ...LIFE, model, loss: true, cacheCheck: true })),
    compare: told(() => ebbline.compare(text, POLICIES, { ...LIFE, model, loss: true })),
    audit: told(() => ebbline.audit(text, { strict: true })),
    compacted: told(() => ebbline.compact(text, FORCED).text),
  });
}
const whole = fixtures.map((name) => fixture(name)).filter((text) => !('code' in told(() => ebbline.detect(text))));
const plain = { set: GRID.set };
const model = { context: 3_000 };
print({
  sweep: told(() => ebbline.sweep(whole, GRID, LIFE)),
  plain: told(() => ebbline.sweep(whole, plain, { model })),
  grid: GRID,
  life: LIFE,
  policies: POLICIES,
  forced: FORCED,
  sessions: whole,
});

// A session without `format`, while its format is not yet detected: it gives the same answers and the same refusals as `plan`
// for the same messages, in whatever order messages of different formats are added.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';
import { formats, makeSession, randomness } from './random-sessions.mjs';

const { EbblineError, Session, plan } = ebbline;

const CONTENTS = ['hi', '[Compaction summary]\n\nx', [{ type: 'text', text: 'x' }], [{ type: 'thinking', thinking: 't' }], 'y'.repeat(300)];

function outcome(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof EbblineError, error.stack);
    return error.code;
  }
}

test('messages of several formats, pushed by fits and starts', () => {
  let states = 0;
  let refused = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomness(seed * 13 + 5);
    const upTo = (limit) => Math.floor(random() * limit);
    const chat = () =>
      Array.from({ length: upTo(4) }, () => ({ role: ['user', 'assistant', 'system'][upTo(3)], content: CONTENTS[upTo(5)] }));
    const [one, other] = [formats[upTo(formats.length)], formats[upTo(formats.length)]];
    const all = [...chat(), ...makeSession(one, seed), ...chat(), ...makeSession(upTo(3) ? one : other, seed + 7)].slice(0, 1 + upTo(30));
    const options = [{}, { profile: 'pi@1.5' }, { profile: 'opencode@2026-06' }][upTo(3)];
    const session = new Session(options);
    let taken = [];
    for (let at = 0; at < all.length; ) {
      const added = all.slice(at, (at += 1 + upTo(4)));
      const expected = outcome(() => plan([...taken, ...added], options));
      const found = outcome(() => (session.push(added), session.plan()));
      assert.deepEqual(found, expected, `seed ${seed}`);
      if (typeof found === 'string') refused += 1;
      else taken = [...taken, ...added];
      assert.deepEqual(session.messages, taken);
      states += 1;
    }
    session.free();
  }
  assert.ok(states > 1000 && refused > 10, `${states} states, ${refused} refused`);
});

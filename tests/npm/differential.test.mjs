// For thousands of random sessions, `compat.pi` gives the same answers as the packages of pi on npm.
//
// EBBLINE_SESSIONS sets their number for each version and question, EBBLINE_SEED the first seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Choices } from './differential/choices.mjs';
import { differences, questions, randomSessions } from './differential/differential.mjs';
import { makeSession } from './differential/generate.mjs';
import { ourPi } from './differential/ours.mjs';
import { installedVersions, realPi } from './differential/real.mjs';
import { some } from './package.mjs';

const count = Number(process.env.EBBLINE_SESSIONS ?? some(3000));
const seed = Number(process.env.EBBLINE_SEED ?? 1);
const sessions = randomSessions(seed, count);
const packages = new Map();
for (const [version, main] of installedVersions()) packages.set(version, await realPi(main));

for (const [version, theirs] of packages) {
  for (const question of questions) {
    test(`${question}, ${version}: ${count} random sessions from seed ${seed} as ${theirs.name} answers`, () => {
      const found = differences(question, ourPi(version), theirs, sessions);
      assert.ok(found.length === 0, `\n${found.map(({ text }) => text).join('\n\n')}`);
    });
  }
}

test('where two versions differ, the smallest session that shows it is found', () => {
  const [older, newer] = ['0.58', '0.84'].map((version) => packages.get(version));
  const found = differences('cutPoint', newer, older, randomSessions(1, 50));
  assert.ok(found.length > 0);
  const [least] = found.sort((one, other) => one.data.length - other.data.length);
  assert.ok(least.data.length <= 2, least.text);
  assert.match(least.text, /EBBLINE_SEED=\d+/);
});

test('the same seed, and the same choices, make the same session', () => {
  for (const { seed: own, session, made } of randomSessions(1, 50)) {
    assert.deepEqual(makeSession(Choices.from(own)), session);
    assert.deepEqual(makeSession(Choices.replay(made)), session);
  }
});

// The comparison with other libraries: ebbline's rows are clean, and the page says what the program prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { factsOf, ofThePage, printed } from './peers.mjs';
import { ROWS } from './peers/rows.mjs';

const OWN = ROWS.filter(({ from }) => from === 'ebbline');

for (const row of OWN) {
  test(`ebbline, ${row.name}: nothing is lost that the columns are about`, async () => {
    const facts = await factsOf(row);
    for (const [at, { share, firstRole, ...one }] of facts.entries()) {
      const clean = { orphans: 0, isSettled: true, isChanged: false, system: true, goal: true, newest: true, unseen: true, unsigned: 0 };
      assert.deepEqual(one, clean, `session ${at + 1}`);
      assert.equal(firstRole, 'user');
      assert.ok(share < 0.5, `session ${at + 1}: ${share} is left`);
    }
  });
}

test('docs/peers.md has the table that the program prints', async () => {
  assert.ok(OWN.length === 4 && ROWS.length > 12);
  assert.equal(ofThePage(), await printed());
});

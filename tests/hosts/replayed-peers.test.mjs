// The exchange with the measures: over the life of a fixture, the libraries that are installed here give the rows that Rust's tests judge.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { rowsOf } from './peers/replay.mjs';
import { installed } from './peers/rules.mjs';

const WINDOW = 2_000;
const at = (/** @type {string} */ name) => new URL(`peers/fixture/${name}`, import.meta.url);
const life = JSON.parse(readFileSync(at('lives.jsonl'), 'utf8'));
const { peers, absent } = await installed({});

test('the rows of a life are those that are judged', { skip: peers.length === 0 && absent.join('; ') }, async () => {
  const rows = [];
  for (const peer of peers) for await (const row of rowsOf(life, peer, WINDOW, 0)) rows.push(JSON.stringify(row));
  const lines = `${rows.join('\n')}\n`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(at('rows.jsonl'), lines);
  assert.equal(lines, readFileSync(at('rows.jsonl'), 'utf8'));
});

test('who sends what it is given has one row, and every part is in it', async () => {
  for (const { name, wire } of peers) {
    const rows = [];
    const idle = { name, wire, keeps: true, open: () => (/** @type {any[]} */ messages) => messages };
    for await (const row of rowsOf(life, idle, WINDOW, 0)) rows.push(row);
    assert.deepEqual(
      rows.map(({ request, context }) => [request, context]),
      [[0, [[0, 1]]]],
      name,
    );
  }
});

test('what is not installed is named', () => {
  assert.match(absent.join('\n'), /EBBLINE_PEERS_NODE, .*: it is not set\nEBBLINE_PEERS_PYTHON, .*: it is not set/);
});

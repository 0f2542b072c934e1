// `repair` on the command line, and the function behind it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertSentence, run } from './command.mjs';
import { ebbline, fixture, fixtures, temporaryFolder } from './package.mjs';
import { matchesSnapshot } from './snapshot.mjs';

const folder = temporaryFolder('ebbline-repair-');

const USER = '{"role":"user","content":"list the files"}';
const CALL = '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}';
const ORPHAN = '{"role":"tool","tool_call_id":"c9","content":"Cargo.toml"}';
/** Two calls with one id: nobody knows which of them the results answer. */
const TWICE = CALL.replace(/\[(.*)\]/, '[$1,$1]');
const RESULT = '{"role":"tool","tool_call_id":"c1","content":"Cargo.toml"}';
const list = (...messages) => `[\n ${messages.join(',\n ')}\n]\n`;

test('it says what it did, item by item, and the rest stays', async () => {
  const { code, out, errors } = await run(['repair', '-'], { input: list(USER, ORPHAN, CALL, USER) });
  assert.deepEqual([code, out], [0, list(USER, USER)]);
  matchesSnapshot('repair', errors);
});

test('what cannot be mended is named, and the exit code says so', async () => {
  const file = join(folder, 'out.json');
  const { code, out, errors } = await run(['repair', '-', '-o', file], { input: list(USER, ORPHAN, TWICE, RESULT, RESULT) });
  assert.deepEqual([code, out, readFileSync(file, 'utf8')], [1, '', list(USER, TWICE, RESULT, RESULT)]);
  assert.match(errors, /1 fault mended; 1 violation cannot be mended/);
  assert.match(errors, /not mended[^\n]*\n {2}line 3, message 1: {2}the call of ls has the id of another \(duplicate_call\)/);
});

test('--json reports the same for programs', async () => {
  const file = join(folder, 'json.json');
  const { code, out, errors } = await run(['repair', '--json', '-', '-o', file], { input: list(USER, ORPHAN) });
  const { done, left } = ebbline.repair(list(USER, ORPHAN));
  assert.deepEqual([code, errors, JSON.parse(out)], [0, '', { file: '-', out: file, done, left }]);
  assert.deepEqual(
    done.map(({ mending, rule, message, line }) => [mending, rule, message, line]),
    [['removed', 'result_without_call', 1, 3]],
  );
});

test('a file without faults comes out as it is, also over itself', async () => {
  for (const name of fixtures) {
    const text = fixture(name);
    if (ebbline.validate(text).violations.length > 0) continue;
    const { text: repaired, done, left } = ebbline.repair(text);
    assert.deepEqual([repaired, done, left], [text, [], []], name);
  }
  const file = join(folder, 'same.json');
  writeFileSync(file, fixture('openai-chat.json'));
  const { code, errors } = await run(['repair', file, '-o', file]);
  assert.deepEqual([code, readFileSync(file, 'utf8')], [0, fixture('openai-chat.json')]);
  assert.match(errors, /same\.json: nothing to mend\n$/);
});

test('a second repair changes nothing', () => {
  const once = ebbline.repair(list(USER, ORPHAN, TWICE, RESULT, RESULT, CALL.replace('c1', 'c2'), USER));
  assert.ok(once.done.length === 2 && once.left.length === 1);
  assert.deepEqual(ebbline.repair(once.text), { ...once, done: [] });
});

test('what only a stricter server refuses is mended on request', async () => {
  const empty = '{"role":"user","content":""}';
  assert.deepEqual(ebbline.repair(list(USER, empty)), { text: list(USER, empty), done: [], left: [] });
  const { text, done } = ebbline.repair(list(USER, empty), { also: ['empty_text'] });
  assert.deepEqual([text, done.map(({ rule }) => rule)], [list(USER), ['empty_text']]);
  const { code, out } = await run(['repair', '--also', 'empty_text', '-'], { input: list(USER, empty) });
  assert.deepEqual([code, out], [0, list(USER)]);
  const left = await run(['repair', '--except', 'result_without_call', '-'], { input: list(USER, ORPHAN) });
  assert.deepEqual([left.code, left.out], [0, list(USER, ORPHAN)]);
  assertSentence(await run(['repair', '--also', 'emty_text', '-'], { input: list(USER) }), 2, /did you mean "empty_text"/);
});

test('bytes give bytes', () => {
  const { bytes, done } = ebbline.repair(Buffer.from(list(USER, ORPHAN)));
  assert.ok(bytes instanceof Uint8Array && done.length === 1);
  assert.equal(String(Buffer.from(bytes)), list(USER));
});

test('live messages are refused with a sentence', () => {
  assert.throws(() => ebbline.repair([{ role: 'user', content: 'hi' }]), { code: 'invalid_option', message: /pass its text or bytes/ });
});

test('mistakes end with a sentence', async () => {
  assertSentence(await run(['repair', '--json', 'plain-chat.json']), 2, /repair --json needs -o OUT/);
  assertSentence(await run(['repair', 'plain-chat.json', 'openai-chat.json']), 2, /repair takes one FILE at a time/);
  assertSentence(await run(['repair', 'no-such.json']), 1, /cannot read no-such\.json: there is no such file/);
  assertSentence(await run(['repair', '-o', '', 'plain-chat.json']), 2, /-o needs the name of a file/);
});

// The record of a compaction on the command line: back to the session as it was, whole or one output of it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertSentence, run } from './command.mjs';
import { ebbline, fixture, fixtures, inTurn, temporaryFolder } from './package.mjs';

const folder = temporaryFolder('ebbline-undo-');

const EAGER = [
  'prune.protect=0',
  'prune.minimum=0',
  'prune.minimumTurns=0',
  'prune.protectedTurns=0',
  'prune.onlyWhenFull=false',
  'prune.downTo=0',
  'retain.keep=60',
].flatMap((knob) => ['--set', knob]);
const SUMMARY = join(folder, 'summary.txt');
writeFileSync(SUMMARY, '## Goal\nMend what was asked for.\n');

/** Compacts a text: the names of the compacted file and of its record. */
async function compacted(name, text, args = ['--summary', SUMMARY]) {
  const [before, file, record] = ['before', 'after', 'record'].map((part) => join(folder, `${part}-${name}`));
  writeFileSync(before, text);
  const end = await run(['compact', before, '--force', ...EAGER, ...args, '-o', file, '--record', record]);
  return { ...end, before, file, record };
}

async function undone(file, record) {
  const out = `${file}.undone`;
  const end = await run(['undo', file, '--record', record, '-o', out]);
  return { ...end, text: end.code === 0 ? readFileSync(out, 'utf8') : undefined };
}

test('undo gives every fixture back byte for byte', async () => {
  let changes = 0;
  const chosen = inTurn(fixtures, 0);
  for (const name of chosen) {
    const text = fixture(name);
    let done = await compacted(name, text);
    // Formats that are never continued have no place for a summary.
    if (done.code === 1) done = await compacted(name, text, []);
    assert.equal(done.code, 0, `${name}: ${done.errors}`);
    if (readFileSync(done.file, 'utf8') !== text) changes += 1;
    const back = await undone(done.file, done.record);
    assert.equal(back.code, 0, `${name}: ${back.errors}`);
    assert.equal(back.text, text, name);
  }
  assert.ok(changes > chosen.length / 2, `${changes} of ${chosen.length} fixtures were changed`);
});

test('bytes that are no text come back, too', async () => {
  const bytes = Buffer.concat([Buffer.from('{"role":"user","content":"caf\u00e9"}\n'), Buffer.from(fixture('openai-chat.jsonl'))]);
  bytes[27] = 0xff;
  const { file, record, code } = await compacted('bytes.jsonl', bytes);
  assert.equal(code, 0);
  const { code: ended } = await run(['undo', file, '--record', record, '-o', file]);
  assert.deepEqual([ended, readFileSync(file).equals(bytes)], [0, true]);
});

test('messages that were added since stay, in a document and in lines', async () => {
  const message = '{"role":"user","content":"and now?"}';
  const document = fixture('openai-chat.json');
  const array = await compacted('added.json', document);
  const close = (text) => text.replace(/\s*\]\s*$/, (end) => `,\n${message}${end}`);
  writeFileSync(array.file, close(readFileSync(array.file, 'utf8')));
  const back = await undone(array.file, array.record);
  assert.equal(back.text, close(document));
  assert.match(back.errors, /undone; [\d,]+ bytes that came since stay/);
  const log = fixture('openai-chat.jsonl');
  const lines = await compacted('added.jsonl', log);
  writeFileSync(lines.file, `${readFileSync(lines.file, 'utf8').trimEnd()}\n${message}\n`);
  assert.equal((await undone(lines.file, lines.record)).text, `${log.trimEnd()}\n${message}\n`);
});

const entriesOf = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

test('in a tree, what was added follows what the compaction followed', async () => {
  for (const [name, id, parent] of [
    ['pi-v3.jsonl', 'id', 'parentId'],
    ['claude-code.jsonl', 'uuid', 'parentUuid'],
    ['copilot-cli.jsonl', 'id', 'parentId'],
  ]) {
    const text = fixture(name);
    const { file, record, code } = await compacted(`tree-${name}`, text);
    assert.equal(code, 0, name);
    const after = readFileSync(file, 'utf8');
    const said = entriesOf(text).findLast((entry) => JSON.stringify(entry).includes('user'));
    const last = entriesOf(after).findLast((entry) => entry[id] !== undefined);
    assert.notEqual(last[id], entriesOf(text).findLast((entry) => entry[id] !== undefined)[id], `${name}: the compaction added an entry`);
    writeFileSync(file, `${after.trimEnd()}\n${JSON.stringify({ ...said, [id]: 'added', [parent]: last[id] })}\n`);
    const back = await undone(file, record);
    assert.ok(back.text.startsWith(text.trimEnd()), name);
    assert.match(back.errors, /follow what the compaction followed \(1 link changed\)/);
    const ids = new Set(entriesOf(text).map((entry) => entry[id]));
    const added = entriesOf(back.text).at(-1);
    assert.equal(added[id], 'added');
    assert.ok(ids.has(added[parent]), `${name}: ${added[parent]} is an entry of the session`);
    const [{ counts: now }, { counts: whole }] = [back.text, text].map((session) => ebbline.read(session));
    assert.deepEqual([now.messages, now.inactive], [whole.messages + 1, whole.inactive], name);
  }
});

test('in a tree, bytes that are no text stay as they are where links change', async () => {
  const text = fixture('pi-v3.jsonl');
  const { file, record, code } = await compacted('tree-bytes.jsonl', text);
  assert.equal(code, 0);
  const after = readFileSync(file, 'utf8').trimEnd();
  const { id: last } = entriesOf(after).findLast((entry) => entry.id !== undefined);
  const entry = (parent) => Buffer.from(`{"type":"custom","id":"added","parentId":"${parent}","customType":"caf\xe9 \xff"}\n`, 'latin1');
  writeFileSync(file, Buffer.concat([Buffer.from(`${after}\n`), entry(last)]));
  const { errors } = await undone(file, record);
  assert.match(errors, /\(1 link changed\)/);
  const { id: whole } = entriesOf(text).findLast((entry) => entry.id !== undefined);
  assert.ok(readFileSync(`${file}.undone`).subarray(-entry(whole).length).equals(entry(whole)));
});

test('a record that does not fit is refused with a sentence, and nothing is written', async () => {
  const { file, record, before } = await compacted('fit.json', fixture('openai-chat.json'));
  const other = await compacted('other.json', fixture('anthropic-messages.json'));
  const out = join(folder, 'none.json');
  const refused = async (name, by, said) => assertSentence(await run(['undo', name, '--record', by, '-o', out]), 1, said);
  await refused(before, record, /fit\.json is as it was before this compaction: there is nothing to undo/);
  await refused(other.file, record, /the record does not fit .*other\.json: the first [\d]+ bytes are not those that the compaction wrote/);
  await refused(file, file, /fit\.json is no record of a compaction/);
  const cut = join(folder, 'cut.json');
  writeFileSync(
    cut,
    readFileSync(file, 'utf8')
      .trimEnd()
      .replace(/[\]}\s]+$/, ''),
  );
  await refused(cut, record, /cut\.json is damaged, and nothing is undone: /);
  const damaged = JSON.parse(readFileSync(record, 'utf8'));
  const write = (content) => writeFileSync(join(folder, 'damaged'), JSON.stringify(content));
  write({ ...damaged, version: 2 });
  await refused(file, join(folder, 'damaged'), /is a record of version 2, which this version of ebbline does not know/);
  write({ ...damaged, edits: damaged.edits.map((edit) => ({ ...edit, text: 'x' })) });
  await refused(file, join(folder, 'damaged'), /the record is damaged: it does not give back/);
  write({ ...damaged, edits: [{ at: 1e9, length: 5, text: '' }] });
  await refused(file, join(folder, 'damaged'), /the record is damaged: it names bytes/);
  assert.throws(() => readFileSync(out));
});

test('recall prints the whole output of a call that was pruned', async () => {
  const text = fixture('openai-chat.json');
  const { file, record } = await compacted('recall.json', text, []);
  const results = JSON.parse(text).filter(({ role }) => role === 'tool');
  let pruned = 0;
  for (const { tool_call_id: id, content } of results) {
    if (typeof content !== 'string' || content.includes('content cleared')) continue;
    const bare = await run(['recall', file, id]);
    const { code, out } = await run(['recall', file, id, '--record', record]);
    assert.deepEqual([code, out], [0, content], id);
    if (bare.code === 0) {
      assert.equal(bare.out, content);
      continue;
    }
    pruned += 1;
    assertSentence(bare, 1, /the output of .* was pruned, and the file has no copy of it: pass the record of the compaction with --record/);
  }
  assert.ok(pruned > 0);
  const { tool_call_id: id, content: whole } = results.find(({ content }) => !content.includes('content cleared'));
  const { out } = await run(['recall', '--json', file, id, '--record', record]);
  assert.deepEqual(JSON.parse(out), { file, id, text: whole });
  const { tool_call_id: gone } = results.find(({ content }) => content.includes('content cleared'));
  assertSentence(
    await run(['recall', file, gone, '--record', record]),
    1,
    /the output of .* was pruned, and the file has no copy of it, because an earlier compaction pruned it/,
  );
  assertSentence(await run(['recall', file, 'no-such']), 1, /no result answers a call with the id no-such/);
  assertSentence(await run(['recall', file]), 2, /recall needs a FILE and the ID of a call/);
});

test('a file that keeps what it marks as pruned needs no record', async () => {
  const { file } = await compacted('opencode.json', fixture('opencode.json'), []);
  const { largest } = JSON.parse((await run(['inspect', '--json', 'opencode.json'])).out);
  const [before, now] = await Promise.all(['opencode.json', file].map((name) => run(['recall', name, largest[0].id])));
  assert.deepEqual([now.code, now.out], [0, before.out]);
});

test('the record has a file of its own', async () => {
  const path = join(folder, 'own.json');
  writeFileSync(path, fixture('openai-chat.json'));
  for (const args of [
    ['-o', join(folder, 'x.json'), '--record', join(folder, 'x.json')],
    ['-o', path, '--record', path],
  ]) {
    assertSentence(await run(['compact', path, ...args]), 2, /--record needs a file of its own/);
  }
  assertSentence(await run(['compact', path, '--record', '-']), 2, /--record needs the name of a file/);
  assertSentence(await run(['undo', path, '-o', path]), 2, /undo needs --record RECORD/);
  assert.equal(readFileSync(path, 'utf8'), fixture('openai-chat.json'));
});

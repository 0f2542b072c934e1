// TunaCode, TinyAgent and pydantic-ai load compacted sessions with their own code. `cargo xtask test` makes the Python environment
// of tests/python/requirements.txt and names its interpreter in EBBLINE_PYTHON.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { ebbline, fixture, sharedFolder } from './package.mjs';

const { compact } = ebbline;

const python = process.env.EBBLINE_PYTHON;
const skip = python ? false : 'EBBLINE_PYTHON names no Python with the packages of tests/python/requirements.txt';
const script = join(dirname(fileURLToPath(import.meta.url)), '../python/loaders.py');

const CLEARED = '[Old tool result content cleared]';
const SUMMARY = '## Goal\nWhat was asked: “so far”.';
const NO_TURNS = { 'prune.protectedTurns': 0, 'prune.minimumTurns': 0 };
const EAGER = {
  'prune.reference': false,
  'prune.enabled': true,
  'prune.protect': 20,
  'prune.minimum': 0,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  ...NO_TURNS,
};
const KEEP_LITTLE = { 'retain.enabled': true, 'retain.keep': 60, 'model.context': 100, 'trigger.reserve': 0 };
const WAYS = {
  pruned: { set: { ...EAGER, 'retain.enabled': false } },
  summarized: { set: { ...KEEP_LITTLE, 'prune.enabled': false }, summary: SUMMARY },
  'pruned and summarized': { set: { ...EAGER, ...KEEP_LITTLE }, summary: SUMMARY },
};

const newer = fixture('tunacode-0.2.json');
const older = fixture('tunacode-0.1.json');
const isPydantic = ({ kind }) => kind !== undefined;

/** Sessions by the loader that reads them. */
const FIXTURES = [
  ['tunacode', 'tunacode', newer],
  ['pydantic_ai', 'tunacode', older],
  ['tinyagent', 'tinyagent', JSON.stringify(JSON.parse(newer).messages)],
  ['pydantic_ai', 'pydantic_ai', JSON.stringify(JSON.parse(older).messages.filter(isPydantic))],
];

/** The sessions beside the project, likewise. */
const realSessions = () => [
  ...shared('tunacode').map((text) => [loaderOf(text), 'tunacode', text]),
  ...shared('tinyagent').map((text) => ['tinyagent', 'tinyagent', text]),
  ...shared('pydantic_ai').map((text) => ['pydantic_ai', 'pydantic_ai', text]),
];

/** TunaCode 0.2 refuses the sessions of 0.1, which contain pydantic-ai's messages. */
function loaderOf(text) {
  return JSON.parse(text).messages.some(isPydantic) ? 'pydantic_ai' : 'tunacode';
}

function shared(format) {
  const folder = join(sharedFolder, 'sessions', format);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** What the agents' own code makes of sessions. */
function load(jobs) {
  const { status, stdout, stderr } = spawnSync(python, [script], { input: JSON.stringify(jobs), encoding: 'utf8', maxBuffer: 1e9 });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** A message with every result cleared, because pruning is not compared. */
function cleared(message) {
  if (message.role === 'tool_result') return { ...message, content: CLEARED };
  if (message.parts === undefined) return message;
  const parts = message.parts.map(({ content_file_digests: _made, ...part }) => {
    return part.part_kind === 'tool-return' ? { ...part, content: CLEARED } : part;
  });
  return { ...message, parts };
}

/** The messages of `all` that `kept` contains, in order; system prompts stay before the summarized messages. */
function among(all, kept) {
  let next = 0;
  return kept.map((message) => {
    const at = all.findIndex((other, index) => index >= next && isDeepStrictEqual(other, message));
    next = at === -1 ? next : at + 1;
    return all[at];
  });
}

function clearedCount(messages) {
  return JSON.stringify(messages).split(CLEARED).length - 1;
}

function loads(sessions, options) {
  const done = sessions.map(([, format, text]) => compact(text, { format, now: 1_795_300_000_000, ...options }));
  const before = load(sessions.map(([loader, , text]) => ({ loader, text })));
  const after = load(sessions.map(([loader], at) => ({ loader, text: done[at].text })));
  assert.deepEqual([before.length, after.length], [sessions.length, sessions.length]);
  sessions.forEach(([loader, format], at) => {
    const { pruned, summarized } = done[at].applied;
    const [was, is] = [before[at], after[at]];
    const name = `${format} ${at}: ${pruned} pruned, ${summarized} summarized`;
    assert.equal(is.error, undefined, name);
    assert.notEqual(is.continued, false, name);
    if (summarized === 0) assert.equal(clearedCount(is.messages) - clearedCount(was.messages), pruned, name);
    const isList = format !== 'tunacode';
    const isSummary = (message) => summarized > 0 && isList && JSON.stringify(message).includes('so far”');
    const kept = is.messages.filter((message) => !isSummary(message));
    const found = among(was.messages.map(cleared), kept.map(cleared));
    assert.ok(summarized > 0 ? kept.length < was.messages.length : kept.length === was.messages.length, name);
    if (summarized > 0 && isList) assert.equal(is.messages.length, kept.length + 1, name);
    if (loader === 'tunacode' && summarized > 0) assert.equal(is.compaction.summary, SUMMARY, name);
    assert.deepEqual(found, kept.map(cleared), name);
    assert.deepEqual(found.at(-1), cleared(was.messages.at(-1)), name);
  });
  assert.ok(done.some(({ applied }) => applied.pruned + applied.summarized > 0));
}

const isAlone = !existsSync(join(sharedFolder, 'sessions')) && 'there are no sessions beside the project';

for (const [way, options] of Object.entries(WAYS)) {
  test(`TunaCode, TinyAgent and pydantic-ai load sessions that were ${way}`, { skip }, () => loads(FIXTURES, options));
  test(`TunaCode, TinyAgent and pydantic-ai load real sessions that were ${way}`, { skip: skip || isAlone }, () =>
    loads(realSessions(), options),
  );
}

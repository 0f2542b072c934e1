// Google ADK, Agent Framework, Semantic Kernel, AutoGen and Kimi CLI load compacted sessions with their own code. `cargo xtask test`
// makes the Python environment of tests/python/frameworks.txt and names its interpreter in EBBLINE_FRAMEWORKS.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { ebbline, fixture } from './package.mjs';

const { compact } = ebbline;

const python = process.env.EBBLINE_FRAMEWORKS;
const skip = python ? false : 'EBBLINE_FRAMEWORKS names no Python with the packages of tests/python/frameworks.txt';
const script = join(import.meta.dirname, '../python/framework_loaders.py');

const CLEARED = '[Old tool result content cleared]';
const SUMMARY = 'What was asked: “so far”.';
const PRUNE = {
  'prune.reference': false,
  'prune.enabled': true,
  'prune.protect': 0,
  'prune.minimum': 0,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.protectedTurns': 0,
  'prune.minimumTurns': 0,
  'prune.shortOutputs': true,
  'retain.enabled': false,
};
const SUMMARIZE = { 'prune.enabled': false, 'retain.enabled': true, 'retain.keep': 10, 'retain.userWords': 0 };

const SESSIONS = {
  google_adk: 'google-adk.json',
  agent_framework: 'agent-framework.json',
  semantic_kernel: 'semantic-kernel.json',
  autogen: 'autogen.json',
  kimi_cli: 'kimi-cli.jsonl',
};

/** What the code of a framework makes of texts; `undefined` if it is not installed. */
function load(loader, texts) {
  const input = JSON.stringify(texts.map((text) => ({ loader, text })));
  const { status, stdout, stderr } = spawnSync(String(python), [script], { input, encoding: 'utf8', maxBuffer: 1e9 });
  assert.equal(status, 0, stderr);
  const answers = JSON.parse(stdout);
  if (answers[0].absent !== undefined) return undefined;
  for (const { error, continued } of answers) assert.deepEqual([error, continued], [undefined, true]);
  return answers.map(({ messages }) => messages);
}

/** The values that differ, each as it was and as it is. */
function differences(was, is) {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return was === is ? [] : [[was, is]];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(was[key], is[key]));
}

for (const [loader, name] of Object.entries(SESSIONS)) {
  test(`${loader} loads what was pruned and what was summarized`, { skip }, (t) => {
    const text = fixture(name);
    const how = { format: loader, now: 1_795_300_000_000, force: true };
    const pruned = compact(text, { ...how, set: PRUNE });
    const summarized = compact(text, { ...how, set: SUMMARIZE, summary: SUMMARY });
    const loaded = load(loader, [text, pruned.text, summarized.text]);
    if (loaded === undefined) return t.skip(`the package of ${loader} is not installed in ${python}`);
    const [whole, afterPruning, afterSummary] = loaded;

    const changed = differences(whole, afterPruning);
    assert.ok(pruned.applied.pruned > 0);
    assert.deepEqual(
      changed.map(([, is]) => is),
      Array(pruned.applied.pruned).fill(CLEARED),
    );

    assert.ok(summarized.applied.summarized > 0);
    const at = afterSummary.findIndex((message) => JSON.stringify(message).includes('“so far”'));
    const kept = afterSummary.slice(at + 1);
    assert.ok(at >= 0 && kept.length > 0 && afterSummary.length < whole.length);
    assert.deepEqual(kept, whole.slice(-kept.length));
    assert.deepEqual(afterSummary.slice(0, at), whole.slice(0, at));
  });
}

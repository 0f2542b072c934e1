// Prints what the npm package answers about every fixture, one line of JSON each, for test_answers.py.

import { ebbline, fixture, fixtures, lists } from '../npm/package.mjs';

const NOW = 1_767_225_600_000;
/** The same moment among the options in Python. */
const HERE = { now_seconds: NOW / 1000 };
const WAYS = [
  { model: { context: 2_000, output: 200 } },
  { profile: 'ebbline@2', force: true, summary: '## Goal\nWhat was asked.', set: { 'retain.keep': 60, 'prune.protect': 20 } },
  { profile: 'pi@0.58', model: { context: 4_000, output: 400 } },
  { profile: 'opencode@2026-01', force: true, summary: 'So far.' },
];

/** What a call returns, or the code of its error. */
function told(call) {
  try {
    return call();
  } catch (error) {
    return { code: error.code };
  }
}

for (const name of fixtures) {
  const text = fixture(name);
  for (const options of WAYS) {
    const compacted = told(() => ebbline.compact(text, { ...options, now: NOW }));
    const plan = compacted.plan ?? told(() => ebbline.plan(text, options));
    console.log(JSON.stringify({ name, input: text, options: { ...options, ...HERE }, code: compacted.code, plan, text: compacted.text }));
  }
}

for (const [name, format] of Object.entries(lists)) {
  const messages = JSON.parse(fixture(name));
  for (const options of WAYS) {
    const given = { ...options, format };
    const compacted = told(() => ebbline.compact(messages, { ...given, now: NOW }));
    const { plan, messages: output, code } = compacted;
    const kept = output?.map((message) => messages.indexOf(message));
    console.log(JSON.stringify({ name, messages, options: { ...given, ...HERE }, code, plan, output, kept }));
  }
}

// What each part counts as by a function of the caller's; images and files are what only npm has counted.
for (const [name, format] of Object.entries(lists)) {
  const counted = JSON.parse(fixture(name));
  const options = { format, model: { context: 200_000 }, set: { 'retain.keep': 60, 'prune.protect': 20, 'prune.minimum': 0 } };
  const plan = ebbline.plan(counted, { ...options, force: true, countTokens: (text) => text.length * 0.37 });
  const parts = plan.messages.flatMap((message, at) => message.parts.map((part) => [at, part.kind, part.tokensBefore]));
  console.log(JSON.stringify({ name, counted, options, parts }));
}

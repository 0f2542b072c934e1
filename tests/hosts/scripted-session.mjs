// A session of 200 steps in a small window, and what is expected of it with every client.

import assert from 'node:assert/strict';

import { ebbline } from './adapter.mjs';

export const WINDOW = 16_000;
export const STEPS = 200;
/** The system prompt: 3,000 tokens that are sent beside the messages. */
export const SYSTEM = 'Read one file after the other until you find the fault. '.repeat(215);
export const PROMPT = 'Mend the login test.';
export const SUMMARY = 'The agent reads files until it finds the fault of the login test.';

/** A compactor, and what it did. */
export function counted(options = {}) {
  const told = { asked: 0, compacted: 0, events: [] };
  const compactor = ebbline.createCompactor({
    model: { context: WINDOW, output: 1_000 },
    summarize: async () => {
      told.asked += 1;
      return SUMMARY;
    },
    onEvent: ({ type }) => {
      told.events.push(type);
      if (type === 'compacted') told.compacted += 1;
    },
    ...options,
  });
  return { compactor, told };
}

/** No refusal, few summaries, and a view that changes with compactions only. */
export function assertCalm(seen, told) {
  assert.deepEqual(seen.violations, []);
  assert.equal(seen.requests, STEPS + 1);
  assert.equal(seen.refused, 0);
  assert.ok(told.compacted >= 5 && told.compacted <= 60, `${told.compacted} compactions`);
  assert.ok(told.asked >= 1 && told.asked <= 12, `${told.asked} summaries`);
  assert.equal(seen.changes, told.compacted);
  assert.deepEqual([...new Set(told.events)].sort(), ['compacted', 'summary_requested']);
}

/** The error of a promise, which must be one of ours with this code. */
export async function refusal(promise, code = 'invalid_option') {
  const error = await promise.then(
    () => assert.fail('it was not refused'),
    (thrown) => thrown,
  );
  assert.equal(error.name, 'EbblineError', error);
  assert.equal(error.code, code);
  return error.message;
}

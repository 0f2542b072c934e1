// Compactors for the tests with real hosts, and what they told.

import { ebbline } from './adapter.mjs';

export const WINDOW = 16_000;
const SUMMARY = 'The agent reads files until it finds the fault of the login test.';

/** A function that makes compactors, and what all of them told. */
export function compacting(options = {}) {
  const told = { asked: 0, compacted: 0, events: {} };
  const make = (more = {}) =>
    ebbline.createCompactor({
      model: { context: WINDOW, output: 1_000 },
      summarize: async () => {
        told.asked += 1;
        return SUMMARY;
      },
      onEvent: ({ type }) => {
        told.events[type] = (told.events[type] ?? 0) + 1;
        if (type === 'compacted') told.compacted += 1;
      },
      ...options,
      ...more,
    });
  return { make, told };
}

// What the command line needs of the engine to go back: the edits of a compaction, and the output of one call.

import { outcome, planText, readText, summaryOf } from './api.js';
import { files } from './files.js';
import { guarded } from './guard.js';
import { checked, policyOf } from './options.js';
import { takeBytes } from './text.js';

/**
 * Compacts the bytes of a session, as `compact` does, and also says which bytes it replaced.
 *
 * @param {Uint8Array} source
 * @returns {any} as `compact`, with `edits`: for each the first byte, the byte behind the last, and how many bytes are written
 */
export const compactRecorded = guarded(function compactRecorded(source, options) {
  const given = checked(options);
  const policy = policyOf(given);
  const summary = summaryOf(given);
  return readText(source, given, policy, (session) =>
    planText(session, given, policy, (planned, plan) => {
      const how = [planned, summary, given.now, given.freeBytes ?? false];
      const figures = session.edits(...how);
      const buffer = session.compact(...how);
      try {
        return { bytes: takeBytes(buffer, files), edits: triples(figures), ...outcome(plan, summary) };
      } finally {
        buffer.free();
      }
    }),
  );
});

function triples(figures) {
  return Array.from({ length: figures.length / 3 }, (_, at) => [...figures.slice(3 * at, 3 * at + 3)]);
}

/** The output of a call: `{ text, whole }`; `undefined` if no result answers it. */
export const outputOf = guarded(function outputOf(source, id, options) {
  const given = checked(options);
  return readText(source, given, policyOf(given), (session) => {
    const json = session.output(id);
    return json === undefined ? undefined : JSON.parse(json);
  });
});

/** The ids of calls by their numbers in a report; an empty text for a call without an id. */
export const callIds = guarded(function callIds(source, calls, options) {
  const given = checked(options);
  return readText(source, given, policyOf(given), (session) => session.callIds(Uint32Array.from(calls)));
});

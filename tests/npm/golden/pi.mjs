// pi.

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal } from './compare.mjs';
import { piOverflow } from './overflow.mjs';
import { context, cut, estimate, prepare, realSessions, serialize } from './pi-session.mjs';
import { branch, branchSummary, compact } from './pi-summaries.mjs';

const { read } = ebbline;

/** Adapters by function; the case states its version. */
export const pi = {
  migrate,
  estimate,
  context,
  cut,
  prepare,
  serialize,
  'real-sessions': realSessions,
  overflow: piOverflow,
  compact,
  branch,
  branchSummary,
};

/**
 * Whether pi keeps the index of a compaction's first kept entry: in a compaction of version 1 it replaces the index
 * by the entry's id. The engine keeps no copies of entries; that it has migrated such a file shows in the ids that it
 * gave.
 */
function keepsIndex({ id, firstKeptEntryIndex: index }, entry) {
  const isReplaced = entry.type === 'compaction' && entry.id !== id && typeof index === 'number';
  return index !== undefined && !isReplaced;
}

function migrate({ raw, expected }) {
  const sources = member(raw, 'lines').elements.map(expand);
  const { entries } = read(sources.join('\n'), { format: 'pi' });
  equal('entries', entries.length, expected.entries.length);
  const lines = new Map(entries.map((entry, line) => [entry.id, line]));
  const shown = (id) => (id !== undefined && lines.has(id) ? `@${lines.get(id)}` : (id ?? null));
  const show = { id: shown, parentId: shown, firstKeptEntryId: shown, version: Number };
  entries.forEach((entry, line) => {
    for (const [key, wanted] of Object.entries(expected.entries[line])) {
      if (key === 'hasFirstKeptEntryIndex') {
        equal(`line ${line}, index`, keepsIndex(JSON.parse(sources[line]), entry), wanted);
        continue;
      }
      equal(`line ${line}, ${key}`, show[key] ? show[key](entry[key] ?? undefined) : entry[key], wanted);
    }
  });
}

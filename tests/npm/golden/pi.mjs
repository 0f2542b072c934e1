// pi.

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal } from './compare.mjs';
import { piOverflow } from './overflow.mjs';
import { context, cut, estimate, prepare, realSessions, serialize } from './pi-session.mjs';
import { branch, branchSummary, compact } from './pi-summaries.mjs';

const { read } = ebbline;

/** Adapters by function; the case knows its version. */
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

function migrate({ raw, expected }) {
  const text = member(raw, 'lines').elements.map(expand).join('\n');
  const { entries } = read(text, { format: 'pi' });
  equal('entries', entries.length, expected.entries.length);
  const lines = new Map(entries.map((entry, line) => [entry.id, line]));
  const shown = (id) => (id !== undefined && lines.has(id) ? `@${lines.get(id)}` : (id ?? null));
  const show = { id: shown, parentId: shown, firstKeptEntryId: shown, version: Number };
  entries.forEach((entry, line) => {
    for (const [key, wanted] of Object.entries(expected.entries[line])) {
      equal(`line ${line}, ${key}`, show[key] ? show[key](entry[key] ?? undefined) : entry[key], wanted);
    }
  });
}

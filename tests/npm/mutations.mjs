// Random messages of a format that has nothing but fixtures: their blocks in any order, with other texts and ids, and damaged members.

import { internal } from './package.mjs';

const { formatCalled } = await internal('formats/table.js');

/** Members whose values say what something is. */
const SAYING = new Set(['type', 'role', 'status', 'mimeType']);
const NOW = 1_795_300_000_000;
const NOTHING = { messages: [], tokensBefore: 0 };

/** The function for a message of the format, and the one for a summary, as `random.mjs` of other formats has them. */
export function mutationsOf(format, messages) {
  const lists = new Map();
  const ids = new Set();
  for (const message of messages) survey(message, '', { lists, ids });
  const changed = (t, value, key) => {
    if (Array.isArray(value)) {
      const own = t.maybe(0.6, () => value.filter(() => t.upTo(8) > 0)) ?? t.list(5, () => t.pick(lists.get(key)));
      return own.map((element) => t.field(() => changed(t, element, key), 0.03));
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([name, member]) => [name, t.field(() => changed(t, member, name), 0.03)]);
      return Object.fromEntries(members);
    }
    if (SAYING.has(key)) return value;
    if (ids.has(value)) return t.id();
    if (typeof value === 'string') return t.pick([value, t.text(), t.placeholder]);
    if (typeof value === 'boolean') return t.upTo(5) > 0 ? value : !value;
    return typeof value === 'number' ? t.number() : value;
  };
  const { summary } = formatCalled(format);
  return {
    makeMessage: (t) => changed(t, t.pick(messages), ''),
    summary: (marked) => summary({ text: marked, marked, kept: 0, plan: NOTHING, now: NOW, messages: [], role: 'user' }),
  };
}

/** Notes the elements of all lists by the member that holds them, and the ids of blocks. */
function survey(value, key, found) {
  if (Array.isArray(value)) {
    if (!found.lists.has(key)) found.lists.set(key, []);
    found.lists.get(key).push(...value);
    for (const element of value) survey(element, key, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) survey(member, name, found);
  } else if (/id$/iu.test(key) && typeof value === 'string') {
    found.ids.add(value);
  }
}

// Sessions of pi as trees, with the arguments of questions about them.

import { MessageMaker } from './messages.mjs';
import { SPELLINGS, write } from './spelling.mjs';

const MOST_ENTRIES = 40;
const BUDGETS = [20_000, 0, 1, -1, 0.5, 37.25, 100, 1000, 2500, 5_000_000_000, 1e300, NaN, Infinity, -Infinity];
const FILES = ['a.ts', 'b.ts', 'B.ts', 'é.ts', '😀.md', '\uffff.md', '', '\ud83d'];
const WINDOWS = [200_000, 0, 1, -1, 16_384, 20_000.5, 4_294_967_297, NaN, Infinity];
const RESERVES = [16_384, 0, 1, -1, 0.5, 100, 1e300];

/**
 * A session from choices.
 *
 * - `entries`: the JSON text of each entry, in file order; `messages`: that of their messages.
 * - `path`: the indices of the entries from the root to one leaf, or of all entries.
 * - `leaves`, `cuts`, `settings`, `checks`: the arguments of the questions. A budget may be `{ from, plus }`: the
 *   tokens of the messages from that index on, and `plus` more.
 */
export function makeSession(choices) {
  const spelling = choices.pick(SPELLINGS);
  const maker = new EntryMaker(choices);
  choices.list(MOST_ENTRIES, 7, () => maker.add());
  const entries = untangled(maker.entries);
  const count = entries.length;
  const budget = () =>
    choices.make(
      () => ({ from: choices.below(count + 1), plus: choices.pick([0, 1, -1, 0.5]) }),
      () => choices.pick(BUDGETS),
    );
  const settings = () => ({
    enabled: !choices.chance(15),
    reserveTokens: choices.pick(RESERVES),
    keepRecentTokens: choices.chance(5) ? undefined : budget(),
  });
  const path = pathTo(entries, count - 1 - choices.below(Math.min(count, 4)));
  const everything = entries.map((_, at) => at);
  const messages = entries.filter(({ message, type }) => message && type === 'message').map(({ message }) => message);
  const leafId = () => choices.pick([null, 'unknown', '', ...entries.map(({ id }) => id)]);
  return {
    entries: entries.map((entry) => write(entry, spelling)),
    messages: messages.map((message) => write(message, spelling)),
    path: choices.chance(25) || isTangled(path.map((at) => entries[at])) ? everything : path,
    leaves: [{}, ...choices.list(3, 40, () => ({ leafId: leafId() }))],
    cuts: [{ startIndex: 0, keepRecentTokens: budget() }, ...choices.list(3, 30, () => cut(choices, count, budget))],
    settings: [settings(), ...choices.list(3, 30, settings)],
    checks: choices.list(3, 30, () => ({ contextWindow: choices.pick(WINDOWS), settings: settings() })),
  };
}

/** Without an end the range extends to the last entry; a range may exceed the entries. */
function cut(choices, count, budget) {
  const startIndex = choices.chance(10) ? choices.pick([-1, count, count + 1]) : choices.below(count + 1);
  const endIndex = choices.chance(70) ? undefined : choices.below(count + 2);
  return { startIndex, endIndex, keepRecentTokens: budget() };
}

class EntryMaker {
  entries = [];

  constructor(choices) {
    this.choices = choices;
    this.maker = new MessageMaker(choices);
    // Missing or repeated ids change the path, so most sessions have none.
    this.oddIds = choices.chance(15);
  }

  add() {
    const { choices, entries } = this;
    const summaries = [this.compaction, this.branchSummary, this.contextEdit];
    const others = [this.customMessage, this.change, this.metadata];
    const make = choices.chance(30) ? choices.pick([...summaries, ...others]) : this.message;
    const isOdd = this.oddIds && choices.chance(15);
    const id = isOdd ? choices.pick([undefined, null, '', this.anyId()]) : idOf(entries.length);
    const second = String(entries.length).padStart(2, '0');
    entries.push({ id, parentId: this.parentId(), timestamp: `2026-09-01T10:00:${second}.000Z`, ...make.call(this) });
  }

  parentId() {
    const { choices, entries } = this;
    const last = entries.at(-1)?.id ?? null;
    if (!choices.chance(12)) return last;
    return choices.make(
      () => this.anyId() ?? null,
      () => 'unknown',
      () => null,
      () => undefined,
      () => '',
    );
  }

  /** The id of an earlier entry. */
  anyId() {
    return this.entries.length > 0 ? this.choices.pick(this.entries).id : undefined;
  }

  message() {
    const { choices, maker } = this;
    const isBroken = !maker.strict && choices.chance(2);
    return { type: 'message', message: isBroken ? choices.pick([undefined, null, {}]) : maker.message() };
  }

  compaction() {
    const { choices, entries, maker } = this;
    const ownId = idOf(entries.length);
    return {
      type: 'compaction',
      summary: maker.field(() => maker.text()),
      firstKeptEntryId: choices.chance(20)
        ? choices.pick(['unknown', undefined, null, '', ownId, idOf(entries.length + 1)])
        : choices.pick([entries.at(-1), entries.at(-2), entries.at(-4), entries[0]].map((entry) => entry?.id ?? ownId)),
      tokensBefore: choices.pick([1000, 0, undefined]),
      details: this.details(),
      fromHook: choices.pick([undefined, false, true]),
      systemMessage: choices.chance(10)
        ? choices.make(
            () => maker.system(),
            () => null,
          )
        : undefined,
      retainedTail: choices.chance(5) ? [maker.user()] : undefined,
    };
  }

  details() {
    const { choices } = this;
    const files = () => choices.list(4, 30, () => choices.pick(FILES));
    return choices.make(
      () => undefined,
      () => ({ readFiles: files(), modifiedFiles: files() }),
      () => choices.pick([null, {}, { readFiles: 'a.ts' }, { modifiedFiles: null }, 'text', []]),
    );
  }

  branchSummary() {
    const { choices, maker } = this;
    const summary = choices.make(
      () => maker.text(),
      () => '',
      () => maker.field(() => ''),
    );
    const [fromId, fromHook] = [choices.pick(['root', undefined]), choices.pick([undefined, true])];
    return { type: 'branch_summary', fromId, summary, details: this.details(), fromHook };
  }

  customMessage() {
    const details = this.choices.pick([undefined, { x: 1 }]);
    return { type: 'custom_message', customType: 'note', content: this.maker.customContent(), display: true, details };
  }

  change() {
    const { choices } = this;
    return choices.pick([
      { type: 'model_change', provider: 'google', modelId: 'g' },
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'thinking_level_change', thinkingLevel: 'off' },
    ]);
  }

  metadata() {
    const { choices } = this;
    return choices.make(
      () => ({ type: 'custom', customType: 'state', data: { x: 1 } }),
      () => ({ type: 'label', targetId: this.anyId(), label: choices.pick(['here', undefined]) }),
      () => ({ type: 'session_info', name: 'a session' }),
      () => ({ type: 'future_thing', message: { role: 'user', content: 'not read' } }),
      () => ({ type: 'usage', kind: 'compaction', usage: { input: 5 } }),
    );
  }

  contextEdit() {
    const { choices, maker } = this;
    const replacement = choices.make(
      () => null,
      () => ({ content: maker.customContent() }),
      () => maker.field(() => ({ content: '' })),
    );
    return { type: 'context_edit', targetId: choices.chance(10) ? 'unknown' : this.anyId(), replacement };
  }
}

function idOf(index) {
  return `e${String(index).padStart(7, '0')}`;
}

/** If repeated ids make a cycle of parents, pi follows it forever; the entries then become a chain. */
function untangled(entries) {
  if (!isTangled(entries)) return entries;
  return entries.map((entry, at) => ({ ...entry, id: idOf(at), parentId: at > 0 ? idOf(at - 1) : null }));
}

function isTangled(entries) {
  return entries.some((_, at) => pathTo(entries, at) === undefined);
}

/** The indices of the entries from the root to the one at `leaf`; `undefined` if no root is reached. */
function pathTo(entries, leaf) {
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  const path = [];
  for (let at = leaf; entries[at] !== undefined; ) {
    if (path.length >= entries.length) return undefined;
    path.unshift(at);
    const { parentId } = entries[at];
    at = parentId ? places.get(parentId) : undefined;
  }
  return path;
}

// Lists of items, as OpenAI's Responses API and its Agents SDK write them: an answer of the model is a run of items.

import { Flag, type Recorder } from '../../recorder.js';
import { hasText, someFrom } from './content.js';
import { type Item, type ItemKind, type Spelling, walkItem } from './item.js';
import { hasMembers, isPlace } from './state.js';

/** The newest compaction; the first item of the last answer if it is understood only with what follows; 1 if approval was asked for. */
export interface ItemsState {
  readonly compaction: number;
  waits: number;
  asks: number;
}

/** The kinds of the model's items: an answer is a run of them. */
const MODELS = new Set<ItemKind>(['reasoning', 'call', 'served', 'asked', 'reference', 'notice']);

/** The functions of a format whose messages are items. */
export function listOfItems(spelling: Spelling) {
  const { kindOf, encryptedIn, leavesOut } = spelling;
  return {
    walk(messages: readonly Item[], recorder: Recorder<ItemsState>, from = 0): void {
      const items = from === 0 ? messages : messages.slice(from);
      const kinds = items.map((item) => kindOf(item));
      const asks = kinds.includes('asked');
      const standsFor = related(items, kinds, spelling);
      const known = from === 0 ? undefined : recorder.state;
      const state = known ?? { compaction: leavesOut ? kinds.lastIndexOf('compaction') : -1, waits: -1, asks: 0 };
      recorder.state = state;
      const compaction = state.compaction - from;
      for (let at = 0; at < items.length; ) {
        const end = endOfAnswer(items, kinds, at);
        const ends = isModels(items[at], kinds[at]) && endsTurn(items, kinds, at, end, standsFor);
        for (let first = at; at < end; at += 1) {
          const inactive = at < compaction ? Flag.INACTIVE : Flag.NONE;
          const ended = ends && at === end - 1 ? Flag.ENDED : Flag.NONE;
          recorder.enter(items[at]);
          walkItem(items[at], kinds[at], inactive | ended | (at > first ? Flag.CONTINUES : Flag.NONE), spelling, recorder);
          for (const id of standsFor.get(at) ?? []) recorder.call(id, undefined, undefined);
        }
      }
      const last = groupBefore(messages, messages.length, kindOf);
      state.waits = dependsOnNext(messages, last, messages.length, kindOf) ? last : -1;
      if (asks) state.asks = 1;
    },

    isState(state: unknown, length: number): boolean {
      const isSound = hasMembers(state, 'compaction', 'waits', 'asks') && (state.asks === 0 || state.asks === 1);
      return isSound && isPlace(state.compaction, length) && isPlace(state.waits, length);
    },

    changedFrom(items: readonly Item[], kept: number, known: number, { compaction, waits, asks }: ItemsState): number {
      if (leavesOut && (compaction >= kept || someFrom(items, kept, (item) => kindOf(item) === 'compaction'))) return 0;
      if (waits !== -1 && waits < kept && items[waits] === undefined) return waits;
      if (kept < known && asks === 1) return 0;
      const together = groupBefore(items, kept, kindOf);
      // An approval may come long after it was asked for.
      if (someFrom(items, kept, (item) => kindOf(item) === 'allowed' && !isAsked(items, together, spelling, item))) return 0;
      if (dependsOnNext(items, together, kept, kindOf)) return together;
      // Whether an item ends or continues an answer depends on the items after it.
      const isNext = kept === known && !(kept < items.length && isModels(items[kept], kindOf(items[kept])));
      let first = kept;
      while (!isNext && first > 0 && isModels(items[first - 1], kindOf(items[first - 1]))) first -= 1;
      // A missing item could be one of the model's.
      return !isNext && first > 0 && items[first - 1] === undefined ? first - 1 : first;
    },

    /** The server's compaction is encrypted and cannot be summarized, so it stays before the summary. */
    isOpaque(item: Item): boolean {
      if (kindOf(item) !== 'compaction') return false;
      const encrypted = encryptedIn(item);
      return typeof encrypted === 'string' && encrypted !== '';
    },
  };
}

/** The beginnings of the ids of items that are no calls: reasoning and messages. */
const NO_CALLS = ['rs_', 'msg_'];
const NONE: ReadonlyMap<number, readonly unknown[]> = new Map();

/**
 * For which calls each reference stands, by its index. A request for approval that nobody answered, and that the session went on
 * after, becomes a notice in `kinds`: it is no call that waits.
 */
function related(items: readonly Item[], kinds: ItemKind[], { idOf, approvalOf }: Spelling): ReadonlyMap<number, readonly unknown[]> {
  if (!kinds.some((kind) => kind === 'asked' || kind === 'reference')) return NONE;
  const waits = unanswered(items, kinds, approvalOf);
  const standsFor = new Map<number, unknown[]>();
  for (let at = 0; at < items.length; ) {
    const end = isModels(items[at], kinds[at]) ? endOfAnswer(items, kinds, at) : at;
    let next = end;
    while (next < items.length && ANSWERS.has(kinds[next])) next += 1;
    for (let index = at; index < end && next < items.length; index += 1) {
      if (waits.has(index)) kinds[index] = 'notice';
    }
    const within = (from: number, to: number, kind: ItemKind) => [...kinds.keys()].slice(from, to).filter((index) => kinds[index] === kind);
    const references = within(at, end, 'reference');
    const calling = references.filter((index) => !NO_CALLS.some((beginning) => String(items[index].id).startsWith(beginning)));
    const known = new Set(within(at, end, 'call').map((index) => idOf(items[index])));
    const called = within(end, next, 'output').map((index) => idOf(items[index]));
    const places = calling.length > 0 ? calling : references;
    const made = places.length === 0 ? [] : called.filter((id) => typeof id === 'string' && !known.has(id));
    // Of more outputs than references, the last reference has the rest.
    made.forEach((id, nth) => {
      const place = places[Math.min(nth, places.length - 1)];
      standsFor.set(place, [...(standsFor.get(place) ?? []), id]);
    });
    at = Math.max(next, at + 1);
  }
  return standsFor;
}

/** The requests that nobody answered. An answer is that of the newest request before it with its id. */
function unanswered(items: readonly Item[], kinds: readonly ItemKind[], approvalOf: Spelling['approvalOf']): ReadonlySet<number> {
  const answered = new Set<unknown>();
  const waits = new Set<number>();
  for (let at = items.length - 1; at >= 0; at -= 1) {
    if (kinds[at] === 'allowed') answered.add(approvalOf(items[at]));
    else if (kinds[at] === 'asked' && !answered.delete(approvalOf(items[at]))) waits.add(at);
  }
  return waits;
}

/** What answers an item of the model. */
const ANSWERS = new Set<ItemKind>(['output', 'allowed']);

/** The first item of the last answer before `end` and what answers it. */
function groupBefore(items: readonly Item[], end: number, kindOf: Spelling['kindOf']): number {
  let first = end;
  while (first > 0 && items[first - 1] !== undefined && ANSWERS.has(kindOf(items[first - 1]))) first -= 1;
  while (first > 0 && items[first - 1] !== undefined && isModels(items[first - 1], kindOf(items[first - 1]))) first -= 1;
  return first;
}

/** Whether one of the items is understood only with what follows it. */
function dependsOnNext(items: readonly Item[], from: number, end: number, kindOf: Spelling['kindOf']): boolean {
  for (let at = from; at < end; at += 1) if (['asked', 'reference'].includes(kindOf(items[at]))) return true;
  return false;
}

/** Whether what `answer` approves was asked for in this answer, or behind it. */
function isAsked(items: readonly Item[], from: number, { kindOf, approvalOf }: Spelling, answer: Item): boolean {
  const id = approvalOf(answer);
  return someFrom(items, from, (item) => kindOf(item) === 'asked' && approvalOf(item) === id);
}

function isModels(item: Item, kind: ItemKind): boolean {
  return MODELS.has(kind) || (kind === 'message' && item.role === 'assistant');
}

/** The end of the answer that begins at `at`; every other item stands alone. */
function endOfAnswer(items: readonly Item[], kinds: readonly ItemKind[], at: number): number {
  let end = at + 1;
  if (!isModels(items[at], kinds[at])) return end;
  while (end < items.length && isModels(items[end], kinds[end])) end += 1;
  return end;
}

/** An answer with text and without calls ends the turn. */
function endsTurn(
  items: readonly Item[],
  kinds: readonly ItemKind[],
  at: number,
  end: number,
  standsFor: ReadonlyMap<number, unknown>,
): boolean {
  let speaks = false;
  for (let index = at; index < end; index += 1) {
    if (kinds[index] === 'call' || kinds[index] === 'asked' || standsFor.has(index)) return false;
    speaks ||= kinds[index] === 'message' && hasText(items[index].content);
  }
  return speaks;
}

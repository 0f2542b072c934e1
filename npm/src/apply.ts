import type { MessagePlan, Plan } from './generated/plan.js';
import type { LiveFormat, Pruning, SummarizingPlan } from './formats/format.js';
import { ACKNOWLEDGED, cleared, lead } from './references.js';
import { isOneOf } from './values.js';

/** What a recorder noted of messages that are to be changed. */
export interface RecordedMessages {
  readonly format: LiveFormat;
  /** the places of the plan's results: message, part and block of each in turn */
  readonly slots: readonly number[];
  /** the indices of the plan's messages in the array, if they differ in order */
  readonly places: readonly number[] | undefined;
  /** the anchor of each message: the id or name of its first call, or the first text if no user wrote it */
  readonly anchors: readonly (string | undefined)[];
}

/** A text that stands in the place of an output. */
export interface OutputText {
  readonly message: number;
  readonly part: number;
  readonly text: string;
}

/** What becomes of outputs. */
export interface OutputChanges {
  /** message and part of each output that is pruned or cut in turn */
  readonly pruned: Uint32Array | undefined;
  /** what remains of the outputs that are pruned, if that differs from output to output */
  readonly remains: readonly OutputText[] | undefined;
  /** what stays of the outputs that are cut */
  readonly previews: readonly OutputText[];
}

/** How outputs are cleared. */
export interface Clearing extends Pruning {
  /** whether a reference to the call follows the placeholder */
  readonly reference: boolean;
}

/** How a plan is carried out. */
export interface Carrying extends Clearing {
  readonly placeholder: string;
  readonly summary: string | undefined;
  /** the role of the summary's message, and whether the model answers it */
  readonly role: string;
  readonly answer: boolean;
}

/** The messages after a change, and where each comes from: its index before, or {@link MADE}. */
export interface ChangedMessages {
  readonly messages: unknown[];
  readonly sources: number[];
}

/** What becomes of a message; one that nobody can read stays where it is. */
type Fate = MessagePlan['fate'] | 'opaque';

/**
 * Carries a plan out on live messages. Returns a new array, in which every unchanged message is the very same object. It is the
 * counterpart of `Session::edits`.
 *
 * @param known the messages that the plan is of
 * @param since the messages that came after them, which stay
 */
export function applyToList(
  known: readonly unknown[],
  since: readonly unknown[],
  walked: RecordedMessages & OutputChanges,
  planOfKnown: Plan,
  options: Carrying,
): ChangedMessages {
  const { format, places } = walked;
  const { summary, now } = options;
  const pruned = [...pruneOutputs(known, walked, planOfKnown, options), ...since];
  if (summary === undefined || !planOfKnown.retain.applied) return { messages: pruned, sources: [...pruned.keys()] };
  if (format.append !== undefined) {
    const [first, later] = [pruned.slice(0, known.length), pruned.slice(known.length)];
    const appended = format.append(first, summary, planOfKnown, now, places ?? [...known.keys()]);
    const sources = [...appended.keys()].map((at) => (at < known.length ? at : MADE));
    return { messages: [...appended, ...later], sources: [...sources, ...since.map((_, at) => known.length + at)] };
  }
  const messages = since.length === 0 ? known : [...known, ...since];
  const plan: SummarizingPlan =
    since.length === 0 ? planOfKnown : { ...planOfKnown, messages: [...planOfKnown.messages, ...since.map(keptAsIs)] };
  const last = plan.messages.findLastIndex(({ fate }) => fate === 'summarized');
  const fates = pruned.map((message, index): Fate => {
    const { fate } = plan.messages[index];
    if (fate === 'inactive' && format.returns && index < last) return 'summarized';
    return fate === 'summarized' && format.isOpaque?.(message) ? 'opaque' : fate;
  });
  // The server ignores everything before its own compaction, so the summary goes after it.
  const opaque = fates.lastIndexOf('opaque');
  const first = fates.indexOf('summarized', opaque + 1);
  const place = first === -1 ? opaque : first;
  const told = summaryMessages(messages, walked, plan, { ...options, summary }, fates, opaque + 1);
  const sources = [...pruned.keys()].flatMap((index) => {
    const here = index === place ? told.map(() => MADE) : [];
    return fates[index] === 'summarized' ? here : [index, ...here];
  });
  let made = 0;
  const left = sources.map((source) => {
    if (source !== MADE) return pruned[source];
    made += 1;
    return told[made - 1];
  });
  return { messages: left, sources };
}

/** The source of a message that was made: it stands for others, and was not given. */
export const MADE = -1;

/** The roles of what the application says: a summary in front of it is in front of whoever speaks next. */
const OF_APPLICATION = ['system', 'developer'];

const keptAsIs = (): Pick<MessagePlan, 'fate' | 'parts'> => ({ fate: 'kept', parts: [] });

/** The summary as a message that can be recognized by its words or fields, and an answer to it where the roles have to be in turn. */
function summaryMessages(
  messages: readonly unknown[],
  { format, anchors }: RecordedMessages,
  plan: SummarizingPlan,
  { summary: text, role: wanted, answer: isAnswered, now }: Carrying & { readonly summary: string },
  fates: readonly Fate[],
  from: number,
): (object | undefined)[] {
  const first = fates.indexOf('summarized', from);
  const end = fates.findLastIndex((fate) => fate !== 'inactive') + 1;
  const behind = [...messages.keys()].slice(first === -1 ? from : first, end).filter((index) => fates[index] !== 'summarized');
  const next = behind.find((index) => fates[index] !== 'inactive' && !isOneOf(OF_APPLICATION, roleOf(messages[index])));
  const isInARow = wanted === 'user' && next !== undefined && roleOf(messages[next]) === 'user';
  const answer = isInARow && (isAnswered || format.alternates === true) ? format.answer?.(ACKNOWLEDGED) : undefined;
  const anchored = behind.map((index) => anchors[index]).find((anchor) => anchor !== undefined);
  // Without an anchor that could prove it, it is recognized by its own words.
  const ownOrNext = anchored ?? text;
  const anchor = answer === undefined ? ownOrNext : ACKNOWLEDGED;
  // Its own words prove nothing but in a message of the user, where nobody gains by them.
  const role = anchored === undefined ? 'user' : wanted;
  const standsFor = plan.messages.filter(({ fate }) => fate === 'summarized').length;
  const kept = behind.length + (answer === undefined ? 0 : 1);
  const summary = format.summary?.({ text, marked: `${lead(standsFor, kept, anchor)}${text}`, kept, plan, now, messages, role });
  return answer === undefined ? [summary] : [summary, answer];
}

function roleOf(message: unknown): unknown {
  return (message as { readonly role?: unknown } | null | undefined)?.role;
}

function pruneOutputs(
  messages: readonly unknown[],
  { format, slots, places, pruned, previews, remains }: RecordedMessages & OutputChanges,
  plan: Plan,
  options: Carrying,
): unknown[] {
  const changed = [...messages];
  const { placeholder, reference } = options;
  const clear = (id: unknown) => (reference ? cleared(placeholder, id) : placeholder);
  const change = (message: number, made: (before: unknown) => unknown) => {
    const at = places === undefined ? message : places[message];
    changed[at] = made(changed[at]);
  };
  // Outputs that are cut are newer than all that are pruned.
  if (pruned !== undefined && remains === undefined) {
    const cleared = pruned.subarray(0, pruned.length - previews.length * 2);
    eachOf(cleared, slots, (message, blocks) => change(message, (before) => format.prune(before, blocks, clear, options)));
  }
  if (remains !== undefined) clearOutputs(changed, { format, slots, places }, [...remains].reverse(), options);
  // The last comes first, because a format may remove blocks that belong to an output and stand behind it.
  for (const { message, part, text } of [...previews].reverse()) {
    const shown = () => text;
    eachOf([message, part], slots, (at, blocks) =>
      change(at, (before) =>
        format.preview === undefined ? format.prune(before, blocks, shown, options) : format.preview(before, blocks, shown),
      ),
    );
  }
  const { free } = format;
  if (!options.freeBytes || free === undefined) return changed;
  const freed = plan.messages.flatMap(({ parts }, message) =>
    parts.flatMap(({ fate }, part) => (fate === 'already_pruned' ? [message, part] : [])),
  );
  eachOf(freed, slots, (message, blocks) => change(message, (before) => free(before, blocks, clear(undefined))));
  return changed;
}

/**
 * Clears single outputs in `changed`, each with a placeholder of its own. The last comes first, because a format may remove blocks
 * that belong to an output and stand behind it.
 */
export function clearOutputs(
  changed: unknown[],
  { format, slots, places }: Omit<RecordedMessages, 'anchors'>,
  outputs: readonly OutputText[],
  options: Clearing,
): void {
  for (const { message, part, text } of outputs) {
    const clear = (id: unknown) => (options.reference ? cleared(text, id) : text);
    eachOf([message, part], slots, (index, blocks) => {
      const at = places?.[index] ?? index;
      changed[at] = format.prune(changed[at], blocks, clear, options);
    });
  }
}

/** Calls `use` with each affected message and the blocks of its affected parts. Parts and slots are in order. */
function eachOf(parts: ArrayLike<number>, slots: readonly number[], use: (message: number, blocks: readonly number[]) => void): void {
  let blocks: number[] = [];
  let slot = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const [message, part] = [parts[at], parts[at + 1]];
    while (slot < slots.length && (slots[slot] < message || (slots[slot] === message && slots[slot + 1] < part))) slot += 3;
    if (slots[slot] === message && slots[slot + 1] === part) blocks.push(slots[slot + 2]);
    if (parts[at + 2] === message) continue;
    if (blocks.length > 0) use(message, blocks);
    blocks = [];
  }
}

import { ACKNOWLEDGED, cleared, lead } from './references.js';

/**
 * Carries a plan out on live messages. Returns a new array, in which every unchanged message is the very same object, and where
 * each message comes from: its index, or -1 if it was made. It is the counterpart of `Session::edits`.
 *
 * @param known the messages that the plan is of
 * @param since the messages that came after them, which stay
 * @param walked.slots the places of the plan's results: message, part and block of each in turn
 * @param walked.places the indices of the plan's messages in the array, if they differ in order
 * @param walked.pruned message and part of each output that is pruned or cut in turn
 * @param walked.remains what remains of the outputs that are pruned, if
 *   that differs from output to output
 * @param walked.previews what stays of the outputs that are cut
 * @param walked.anchors the anchor of each message: the id or name of its first call, or the first text if no user wrote it
 */
export function applyToList(
  known: unknown[],
  since: readonly unknown[],
  walked: {
    format: import('./formats/table.js').Format;
    slots: number[];
    places: number[] | undefined;
    pruned: Uint32Array | undefined;
    remains: { message: number; part: number; text: string }[] | undefined;
    previews: { message: number; part: number; text: string }[];
    anchors: string[];
  },
  planOfKnown: import('../types/plan.js').Plan,
  options: {
    placeholder: string;
    reference: boolean;
    summary: string | undefined;
    role: string;
    answer: boolean;
    now: number;
    freeBytes: boolean;
  },
) {
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
  const plan = since.length === 0 ? planOfKnown : { ...planOfKnown, messages: [...planOfKnown.messages, ...since.map(keptAsIs)] };
  const last = plan.messages.findLastIndex(({ fate }) => fate === 'summarized');
  const fates = pruned.map((message, index) => {
    const { fate } = plan.messages[index];
    if (fate === 'inactive' && format.returns && index < last) return 'summarized';
    return fate === 'summarized' && format.isOpaque?.(message) ? 'opaque' : fate;
  });
  // The server ignores everything before its own compaction, so the summary goes after it.
  const opaque = fates.lastIndexOf('opaque');
  const first = fates.indexOf('summarized', opaque + 1);
  const place = first === -1 ? opaque : first;
  const told = summaryMessages(messages, walked, plan, options, fates, opaque + 1);
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

const keptAsIs = () => ({ fate: 'kept', parts: [] });

/** The summary as a message that can be recognized by its words or fields, and an answer to it where the roles have to be in turn. */
function summaryMessages(messages, { format, anchors }, plan, { summary: text, role: wanted, answer: isAnswered, now }, fates, from) {
  const first = fates.indexOf('summarized', from);
  const end = fates.findLastIndex((fate) => fate !== 'inactive') + 1;
  const behind = [...messages.keys()].slice(first === -1 ? from : first, end).filter((index) => fates[index] !== 'summarized');
  const next = behind.find((index) => fates[index] !== 'inactive' && !OF_APPLICATION.includes(messages[index]?.role));
  const isInARow = wanted === 'user' && messages[next]?.role === 'user';
  const answer = isInARow && (isAnswered || format.alternates === true) ? format.answer(ACKNOWLEDGED) : undefined;
  const anchored = behind.find((index) => anchors[index] !== undefined);
  // Without an anchor that could prove it, it is recognized by its own words.
  const ownOrNext = anchored === undefined ? text : anchors[anchored];
  const anchor = answer === undefined ? ownOrNext : ACKNOWLEDGED;
  // Its own words prove nothing but in a message of the user, where nobody gains by them.
  const role = anchored === undefined ? 'user' : wanted;
  const standsFor = plan.messages.filter(({ fate }) => fate === 'summarized').length;
  const kept = behind.length + (answer === undefined ? 0 : 1);
  const summary = format.summary({ text, marked: `${lead(standsFor, kept, anchor)}${text}`, kept, plan, now, messages, role });
  return answer === undefined ? [summary] : [summary, answer];
}

function pruneOutputs(messages, { format, slots, places, pruned, previews, remains }, plan, options) {
  const changed = [...messages];
  const { placeholder, reference } = options;
  const clear = (id) => (reference ? cleared(placeholder, id) : placeholder);
  const change = (how, message, blocks, what) => {
    const at = places === undefined ? message : places[message];
    changed[at] = how(changed[at], blocks, what, options);
  };
  // Outputs that are cut are newer than all that are pruned.
  if (pruned !== undefined && remains === undefined) {
    const cleared = pruned.subarray(0, pruned.length - previews.length * 2);
    eachOf(cleared, slots, (message, blocks) => change(format.prune, message, blocks, clear));
  }
  if (remains !== undefined) clearOutputs(changed, { format, slots, places }, [...remains].reverse(), options);
  // The last comes first, because a format may remove blocks that belong to an output and stand behind it.
  for (const { message, part, text } of [...previews].reverse()) {
    eachOf([message, part], slots, (at, blocks) => change(format.preview ?? format.prune, at, blocks, () => text));
  }
  if (!options.freeBytes || format.free === undefined) return changed;
  const freed = plan.messages.flatMap(({ parts }, message) =>
    parts.flatMap(({ fate }, part) => (fate === 'already_pruned' ? [message, part] : [])),
  );
  eachOf(freed, slots, (message, blocks) => change(format.free, message, blocks, placeholder));
  return changed;
}

/**
 * Clears single outputs in `changed`, each with a placeholder of its own. The last comes first, because a format may remove blocks
 * that belong to an output and stand behind it.
 */
export function clearOutputs(changed, { format, slots, places }, outputs, options) {
  for (const { message, part, text } of outputs) {
    const clear = (id) => (options.reference ? cleared(text, id) : text);
    eachOf([message, part], slots, (index, blocks) => {
      const at = places?.[index] ?? index;
      changed[at] = format.prune(changed[at], blocks, clear, options);
    });
  }
}

/** Calls `use` with each affected message and the blocks of its affected parts. Parts and slots are in order. */
function eachOf(parts, slots, use) {
  let blocks = [];
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

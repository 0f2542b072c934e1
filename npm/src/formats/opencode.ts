import { copyOfList, withMembers } from '../copy.js';
import { EbblineError } from '../errors.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../recorder.js';
import { isCleared } from '../references.js';
import { type TypedBlock } from './common/chat.js';
import { element, elements, someFrom } from './common/content.js';
import { signatureOf } from './common/provider-metadata.js';
import { isPlace } from './common/state.js';
import { usageOf } from './common/usage.js';
import type { LiveFormat } from './format.js';
import { type Message, type Outline, type Tokens, answeredMarker, infoOf, outlineOf, sentInOrder } from './opencode/order.js';
import { appended } from './opencode/record.js';
import { isNewer, isRow } from './opencode/rows.js';
import { isObject } from '../values.js';

interface Part extends TypedBlock, File {
  readonly synthetic?: unknown;
  readonly ignored?: unknown;
  readonly metadata?: unknown;
  readonly callID?: unknown;
  readonly tool?: unknown;
  readonly state?: ToolState | null;
}

interface File {
  readonly mime?: unknown;
  readonly url?: unknown;
  readonly filename?: unknown;
}

/** Call and result of a tool. */
interface ToolState {
  readonly status?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly time?: unknown;
  readonly attachments?: unknown;
}

/** A message with outputs that are pruned. */
interface PrunedMessage {
  readonly parts: readonly (Part & { readonly state: ToolState & { readonly time: object } })[];
}

/** The first row and the first message with parts, the first message that decides about others, and the newest compaction. */
interface State {
  row: number;
  parts: number;
  compaction: number;
  marker: { readonly at: number; readonly id: string | undefined } | undefined;
}

/** What the model gets instead of a compaction marker, a task for another agent, and a cleared output. */
const MARKER = 'What did we do so far?';
const SUBTASK = 'The following tool was executed by the user';
const CLEARED = '[Old tool result content cleared]';

/** OpenCode's messages, `{info, parts}`, as its SDK gives them; the counterpart of `format/opencode/`. */
export const opencode: LiveFormat = {
  name: 'opencode',
  signs: [
    { words: 'info and parts', keys: ['parts'], shows: ({ info, parts }: Message) => info !== undefined && parts !== undefined },
    { words: 'rows of messages and parts', keys: ['data', 'session_id', 'sessionID'], shows: isRow },
    { words: 'messages with a type and content', keys: ['time'], shows: isNewer },
  ],

  /** Walks the messages in the order in which OpenCode sends them; messages that it does not send come first. */
  walk(messages: readonly (Message | null | undefined)[], recorder: Recorder<State>, from = 0) {
    recorder.injected = Turn.SYNTHETIC;
    const state = (recorder.state ??= { row: -1, parts: -1, compaction: -1, marker: undefined });
    refuseRows(messages, from, state);
    if (from > 0) {
      for (let at = from; at < messages.length; at += 1) walkSent(messages[at], at, outlineOf(messages[at]).id, state, recorder);
      return;
    }
    const outlines = Array.from(messages, outlineOf);
    const sent = sentInOrder(outlines);
    // Records that grow are not made in another order.
    if (recorder.starts === undefined) recorder.places = [];
    const isSent = new Set(sent);
    for (let at = 0; at < messages.length; at += 1) {
      if (!isSent.has(at)) walkMessage(messages[at], at, Flag.INACTIVE, false, recorder);
    }
    const marker = answeredMarker(outlines);
    state.compaction = outlines.findIndex(concernsOthers);
    state.marker = marker === -1 ? undefined : { at: marker, id: outlines[marker].id };
    let newest = 0;
    sent.forEach((at, place) => {
      walkSent(messages[at], at, outlines[at].id, state, recorder, at < newest ? Flag.CONTINUES : Flag.NONE);
      newest = Math.max(newest, at);
      // The tail of a summary: the messages after it that existed before it.
      const last = outlines[at].isSummary ? sent.findLastIndex((other) => other < at) : -1;
      if (last > place && !saysNothing(messages[at])) recorder.keptBehind(last - place);
    });
  },

  isState(state: Partial<State> | undefined, length) {
    const { row, parts, compaction, marker, ...rest } = state ?? {};
    const isMarker = marker === undefined || (isPlace(marker?.at, length) && ['undefined', 'string'].includes(typeof marker.id));
    return Object.keys(rest).length === 0 && isMarker && [row, parts, compaction].every((place) => isPlace(place, length));
  },

  changedFrom(messages: readonly (Message | null | undefined)[], kept, known, { row, compaction }: State) {
    if (someFrom(messages, kept, (message) => concernsOthers(outlineOf(message)))) return 0;
    return kept < known && (row !== -1 || compaction !== -1) ? 0 : kept;
  },

  /** Sets OpenCode's own mark; the output stays unless bytes are to be freed. */
  prune(message: PrunedMessage, blocks, clear, { now, freeBytes }) {
    const parts = copyOfList(message.parts);
    for (const at of blocks) {
      const state = freeBytes ? freed(parts[at].state, clear(undefined)) : parts[at].state;
      // OpenCode treats a time of 0 as not set.
      const time = withMembers(state.time, { compacted: Math.max(now, 1) });
      parts[at] = withMembers(parts[at], { state: withMembers(state, { time }) });
    }
    return withMembers(message, { parts });
  },

  /** An output that is cut is no pruned output: what is left of it is sent. */
  preview(message: PrunedMessage, blocks, shown) {
    const parts = copyOfList(message.parts);
    for (const at of blocks) parts[at] = withMembers(parts[at], { state: freed(parts[at].state, shown()) });
    return withMembers(message, { parts });
  },

  free(message: PrunedMessage, blocks, placeholder) {
    const parts = copyOfList(message.parts);
    for (const at of blocks) parts[at] = withMembers(parts[at], { state: freed(parts[at].state, placeholder) });
    return withMembers(message, { parts });
  },

  hasSummaryField: true,

  append: appended,
};

/** Whether a message decides which others are sent, and where. */
function concernsOthers({ isMarker, isSummary }: Outline): boolean {
  return isMarker || isSummary;
}

/**
 * `order` makes a message continue the one sent before it: if it began a tail, the tail would include the last
 * compaction, which follows it in the array.
 */
function walkSent(
  message: Message | null | undefined,
  at: number,
  id: string | undefined,
  { marker }: State,
  recorder: Recorder,
  order: number = Flag.NONE,
): void {
  // Usage reported before a compaction describes the context that it replaced, even in its tail.
  const isCurrent = marker === undefined || !(isBefore(id, marker.id) || at < marker.at);
  walkMessage(message, at, order | (saysNothing(message) ? Flag.INACTIVE : Flag.NONE), isCurrent, recorder);
}

/** Whether an id was made before another. One that is missing was not. */
function isBefore(id: string | undefined, other: string | undefined): boolean {
  return id !== undefined && other !== undefined && id < other;
}

/** Refuses rows, which are only recognized; `state` remembers the first row and the first message with parts. */
function refuseRows(messages: readonly (Message | null | undefined)[], from: number, state: State): void {
  if (state.parts >= from) state.parts = -1;
  for (let at = from; at < messages.length; at += 1) {
    if (isNewer(messages[at])) refuse();
    if (state.row === -1 && isRow(messages[at])) state.row = at;
    if (state.parts === -1 && messages[at]?.parts !== undefined) state.parts = at;
  }
  if (state.row !== -1 && state.parts === -1) refuse();
}

function refuse(): never {
  const wanted = 'pass `{info, parts}`, or the rows as text';
  throw new EbblineError('unsupported_format', `these are rows of OpenCode, or messages of its second core: ${wanted}`);
}

function freed<Output extends ToolState>(state: Output, placeholder: string): Output {
  const { output, attachments } = state;
  const isThere = output !== undefined && output !== placeholder && !isFreed(state);
  return withMembers(state, {
    ...(isThere && { output: placeholder }),
    ...(elements(attachments).length > 0 && { attachments: [] }),
  });
}

/** Whether OpenCode's mark is on an output. */
function isCompacted(time: unknown): boolean {
  return isObject(time) && Boolean(time.compacted);
}

/** Whether an output was freed before: OpenCode's mark is on it, and its text has a reference to no call. */
function isFreed({ output, time }: ToolState): boolean {
  return output === CLEARED || (isCompacted(time) && typeof output === 'string' && isCleared(output, ''));
}

/** A failed answer contains nothing that can be sent, unless it was aborted halfway. */
function saysNothing(message: Message | null | undefined): boolean {
  const info = infoOf(message);
  if (info?.role !== 'assistant' || !info.error) return false;
  const isSilent = (part: Part | null | undefined) => part?.type === 'step-start' || part?.type === 'reasoning';
  const hasWords = !elements<Part>(message?.parts).every(isSilent);
  return !(info.error.name === 'MessageAbortedError' && hasWords);
}

function walkMessage(message: Message | null | undefined, index: number, activity: number, isCurrent: boolean, recorder: Recorder): void {
  const info = infoOf(message);
  const parts = elements<Part>(message?.parts);
  const role = info?.role;
  let isSummary = false;
  recorder.places?.push(index);
  recorder.enter(message);
  if (role === 'user') {
    const isTyped = parts.some((part) => part?.type === 'text' && !part.synthetic);
    recorder.begin(Role.USER, isTyped ? Turn.PERSON : Turn.SYNTHETIC, activity | Flag.PRUNE_FIELD);
  } else if (info && role === 'assistant') {
    isSummary = Boolean(info.summary);
    const hasEnded = (info.finish ?? null) !== null;
    const flags = activity | (hasEnded ? Flag.ENDED : 0) | (isSummary ? Flag.SUMMARY : 0);
    // The summary's own request had another context than the session.
    const isReported = isCurrent && !isSummary && (info.error ?? null) === null;
    recorder.begin(Role.ASSISTANT, Turn.NO, flags | Flag.PRUNE_FIELD, isReported ? reported(info.tokens) : 0);
  } else {
    recorder.begin(Role.OTHER, Turn.NO, activity | Flag.INACTIVE | Flag.PRUNE_FIELD);
  }
  for (let at = 0; at < parts.length; at += 1) walkPart(element(parts[at]), at, role === 'user', isSummary, recorder);
}

function reported(tokens: Tokens | null | undefined): number {
  const { total, input, output, reasoning, cache } = tokens ?? {};
  return usageOf(total, input, output, reasoning, cache?.read, cache?.write);
}

function walkPart(part: Part | null | undefined, at: number, isUser: boolean, isSummary: boolean, recorder: Recorder) {
  if (part === null || part === undefined) return;
  switch (part.type) {
    case 'text':
      // Shown to the user but not sent to the model.
      if (isUser && part.ignored) return;
      recorder.text(isSummary ? Kind.SUMMARY : Kind.TEXT, part.text);
      if (isUser && part.synthetic) recorder.saysAs('added');
      return recorder.sign(signatureOf(part.metadata));
    case 'reasoning':
      recorder.text(Kind.THINKING, part.text);
      return recorder.sign(signatureOf(part.metadata));
    case 'tool':
      return walkTool(part, at, recorder);
  }
  if (!isUser) return;
  if (part.type === 'file') walkFile(part, 0, recorder);
  else if (part.type === 'compaction') addWords(MARKER, recorder);
  else if (part.type === 'subtask') addWords(SUBTASK, recorder);
}

/** Words that OpenCode sends and no message contains: a summary does not quote them. */
function addWords(words: string, recorder: Recorder): void {
  recorder.text(Kind.OTHER, words);
  recorder.says();
}

/** Text files and directories are sent as separate text parts, not as files. */
function walkFile(file: File | null | undefined, call: number, recorder: Recorder): void {
  const mime = file?.mime;
  if (mime === 'text/plain' || mime === 'application/x-directory') return;
  const isImage = typeof mime === 'string' && mime.startsWith('image/');
  recorder.media(isImage ? Kind.IMAGE : Kind.FILE, file?.url, call, file);
  if (typeof file?.filename === 'string') recorder.says(file.filename);
}

/** A tool part is call and result in one; only a completed one has a prunable output. */
function walkTool(part: Part, at: number, recorder: Recorder) {
  const { callID: id, tool: name, state } = part;
  recorder.call(id, name, state?.input);
  if (state === undefined) return;
  recorder.sign(signatureOf(part.metadata));
  if (state?.status === 'error') recorder.resultOf(id, name, Output.ERROR, state.error);
  if (state?.status !== 'completed') return;
  const time = isObject(state.time) ? state.time : undefined;
  const isCleared = isCompacted(time);
  // Without a time there is no place for the mark, so the output has to stay.
  const output = time === undefined ? Output.SEALED : isCleared ? Output.PRUNED : Output.ORDINARY;
  const block = time === undefined ? undefined : at;
  const call = recorder.resultOf(id, name, output, isCleared ? CLEARED : state.output, block);
  if (isCleared && typeof state.output === 'string' && !isFreed(state)) recorder.before(id, state.output);
  if (isCleared) return recorder.says();
  for (const attachment of elements<File>(state.attachments)) walkFile(attachment, call, recorder);
}

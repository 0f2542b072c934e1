import { copyOfList, withMembers } from '../copy.js';
import { EbblineError } from '../errors.js';
import { Flag, Kind, Output, type Recorder, Role, Turn, wellFormed } from '../recorder.js';
import { type TypedBlock } from './common/chat.js';
import { elements, isSaid, someFrom } from './common/content.js';
import { itemOf, signatureOf } from './common/provider-metadata.js';
import { clearedAs, saidIn } from './common/structure.js';
import type { LiveFormat } from './format.js';
import { type MediaPart, mediaKind, mediaOf, walkResult } from './vercel-model.js';
import { hasJson, isObject } from '../values.js';

interface Message {
  readonly id?: unknown;
  readonly role?: unknown;
  readonly type?: unknown;
  readonly content?: unknown;
  readonly createdAt?: unknown;
  readonly threadId?: unknown;
  readonly resourceId?: unknown;
}

/** The content of a message; that of an older one is a text, which then stands in `content`. */
interface Content {
  readonly format?: unknown;
  readonly parts?: unknown;
  readonly content?: unknown;
  readonly reasoning?: unknown;
  readonly toolInvocations?: unknown;
  readonly experimental_attachments?: unknown;
  readonly metadata?: { readonly signal?: { readonly type?: unknown } | null } | null;
}

interface Part extends TypedBlock, MediaPart {
  readonly filename?: unknown;
  readonly reasoning?: unknown;
  readonly details?: unknown;
  readonly providerMetadata?: { readonly mastra?: MastraData | null } | null;
  readonly providerExecuted?: unknown;
  readonly toolInvocation?: Invocation;
}

/** What a tool said that the model gets in the place of its result. */
interface MastraData {
  readonly modelOutput?: unknown;
}

interface Invocation {
  readonly state?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly args?: unknown;
  readonly rawInput?: unknown;
  readonly result?: unknown;
  readonly errorText?: unknown;
  readonly isError?: unknown;
  readonly approval?: { readonly reason?: unknown } | null;
}

interface Detail extends TypedBlock {
  readonly signature?: unknown;
  readonly data?: unknown;
}

/** A part and a content with outputs that are pruned. */
interface PrunedPart extends Part {
  readonly toolInvocation: Invocation;
}
interface PrunedContent {
  readonly parts?: readonly PrunedPart[];
  readonly toolInvocations: readonly Invocation[];
}

type Clear = (id: unknown) => string;

/** The text that the model gets for a call that the user refused without a reason. */
const DENIED = 'Tool call was not approved by the user';
/** The parts that are sent. */
const SENT = new Set<unknown>(['text', 'reasoning', 'file', 'tool-invocation']);
/** The parts beside which the text of `content.content` is sent, too. */
const BESIDE = new Set<unknown>(['reasoning', 'file', 'source', 'source-document', 'data-tool-call-suspended', 'data-tool-call-approval']);
const OF_SUMMARY = 'compaction-';

/** Messages of a Mastra store; the counterpart of `format/mastra/`. */
export const mastra: LiveFormat = {
  name: 'mastra',
  signs: [{ words: 'content with format and parts', holds: ({ format, parts }: Content) => format !== undefined && parts !== undefined }],

  walk(messages: readonly (Message | null | undefined)[], recorder, from = 0) {
    refuseOthers(messages, from);
    for (let at = from; at < messages.length; at += 1) {
      recorder.enter(messages[at]);
      walkMessage(messages[at], recorder);
    }
  },

  prune(message: Message & { readonly content: PrunedContent }, blocks, clear, { freeBytes }) {
    const { content } = message;
    const changes: { parts?: PrunedPart[]; toolInvocations?: Invocation[] } = {};
    const parts = Array.isArray(content.parts) ? (content.parts as readonly PrunedPart[]) : [];
    // Blocks behind the parts are invocations beside them.
    const inParts = blocks.filter((at) => at < parts.length);
    const beside = blocks.filter((at) => at >= parts.length).map((at) => at - parts.length);
    if (inParts.length > 0) {
      const pruned = copyOfList(parts);
      for (const at of inParts) pruned[at] = prunePart(parts[at], clear, freeBytes);
      changes.parts = pruned;
    }
    if (freeBytes && Array.isArray(content.toolInvocations)) beside.push(...copiesOf(parts, content.toolInvocations, inParts));
    if (beside.length > 0) {
      const pruned = copyOfList(content.toolInvocations);
      for (const at of beside) pruned[at] = pruneInvocation(content.toolInvocations[at], clear);
      changes.toolInvocations = pruned;
    }
    return withMembers(message, { content: withMembers(content, changes) });
  },

  // A list of Mastra's sorts its messages by time, and its stores keep them by id and thread: the summary has those of the first
  // message that it replaces. An earlier summary gives its id on.
  summary({ marked, plan, messages }) {
    const replaced = messages[plan.messages.findIndex(({ fate }) => fate === 'summarized')] as Message | null | undefined;
    const { id, createdAt, threadId, resourceId } = replaced ?? {};
    const own = typeof id === 'string' && id !== '' ? id : String(plan.messages.length);
    const summary: Record<string, unknown> = { id: own.startsWith(OF_SUMMARY) ? own : `${OF_SUMMARY}${own}`, role: 'user' };
    for (const [name, value] of Object.entries({ createdAt, threadId, resourceId })) if (hasJson(value)) summary[name] = value;
    return { ...summary, content: { format: 2, parts: [{ type: 'text', text: marked }] } };
  },
};

/** Refuses messages of the model beside those of a store: their calls would be read as nothing. */
function refuseOthers(messages: readonly (Message | null | undefined)[], from: number): void {
  for (let at = from; at < messages.length; at += 1) {
    if (!Array.isArray(messages[at]?.content)) continue;
    throw new EbblineError('invalid_message', `message ${at} has a list as its content, unlike the messages of a Mastra store beside it`);
  }
}

function prunePart(part: PrunedPart, clear: Clear, freeBytes: boolean): PrunedPart {
  const { toolInvocation } = part;
  if (!isTold(part)) return withMembers(part, { toolInvocation: pruneInvocation(toolInvocation, clear) });
  const { providerMetadata } = part;
  const modelOutput = { type: 'text', value: clear(toolInvocation.toolCallId) };
  const mastraData = withMembers(providerMetadata?.mastra ?? {}, { modelOutput });
  const changes: Record<string, unknown> = { providerMetadata: withMembers(providerMetadata ?? {}, { mastra: mastraData }) };
  if (freeBytes && hasJson(toolInvocation.result)) changes.toolInvocation = pruneInvocation(toolInvocation, clear);
  return withMembers(part, changes);
}

function pruneInvocation(invocation: Invocation, clear: Clear): Invocation {
  const text = clear(invocation.toolCallId);
  const { state, errorText, result } = invocation;
  return withMembers(
    invocation,
    state === 'output-error' ? { errorText: clearedAs(errorText, text) } : { result: clearedAs(result, text) },
  );
}

/** The copies of invocations in the parts that are stored beside them. */
function copiesOf(parts: readonly Part[], toolInvocations: readonly Invocation[], blocks: readonly number[]): number[] {
  const ids = new Set(blocks.map((at) => idOf(parts[at].toolInvocation)));
  ids.delete(undefined);
  const isCopy = (invocation: Invocation) => ids.has(idOf(invocation)) && hasJson(invocation.result);
  return [...toolInvocations.keys()].filter((at) => isCopy(toolInvocations[at]));
}

function idOf(invocation: Invocation | undefined): string | undefined {
  const id = invocation?.toolCallId;
  return typeof id === 'string' ? wellFormed(id) : undefined;
}

function walkMessage(message: Message | null | undefined, recorder: Recorder) {
  const content = contentOf(message);
  const { role } = message ?? {};
  switch (role) {
    case 'system':
      recorder.begin(Role.SYSTEM);
      return walkSaid(content, recorder);
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(firstText(content));
      return walkSaid(content, recorder);
    case 'signal':
      // What the application or the user says while the agent works; the model gets it as a message of the user.
      recorder.begin(Role.USER, isUsers(message ?? {}, content) ? Turn.PERSON : Turn.CONTEXT);
      return walkSaid(content, recorder);
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(content) ? Flag.ENDED : Flag.NONE);
      return walkAnswer(content, recorder);
    default:
      recorder.begin(Role.OTHER);
      walkAnswer(content, recorder);
  }
}

/** The content of a message; older ones have a text. */
function contentOf(message: Message | null | undefined): Content {
  const content = message?.content ?? undefined;
  return isObject(content) ? content : { content };
}

function firstText({ parts, content }: Content): unknown {
  const text = elements<Part>(parts)[0]?.text;
  return typeof text === 'string' ? text : content;
}

function isUsers({ type }: Message, { metadata }: Content): boolean {
  const told = metadata?.signal?.type;
  const kind = typeof told === 'string' ? told : type;
  return kind === 'user' || kind === 'user-message';
}

/** Whether the answer ends with text; after calls, another step would follow. */
function hasEnded(content: Content): boolean {
  if (isBare(content)) return isSaid(content.content);
  const last = elements<Part>(content.parts).findLast((part) => SENT.has(part?.type));
  return last?.type === 'text' && isSaid(last.text);
}

/** Whether the text beside the parts is sent: whether no part but calls, thinking and files is there. */
function isBare({ parts }: Content): boolean {
  return !someFrom(elements<Part>(parts), 0, (part) => typeof part === 'object' && part !== null && !isBeside(part.type));
}

function isBeside(type: unknown): boolean {
  return BESIDE.has(type) || (typeof type === 'string' && type.startsWith('tool-'));
}

/** A message of the system consists of its texts, one of the user of its texts and files. */
function walkSaid(content: Content, recorder: Recorder): void {
  walkFilesBeside(content, recorder);
  for (const part of elements<Part>(content.parts)) if (part?.type === 'text' || part?.type === 'file') walkPart(part, 0, recorder);
  walkTextBeside(content, recorder);
}

function walkAnswer(content: Content, recorder: Recorder): void {
  const parts = elements<Part>(content.parts);
  if (!someFrom(parts, 0, (part) => part?.type === 'tool-invocation')) {
    elements<Invocation>(content.toolInvocations).forEach((invocation, at) => walkInvocation(invocation, {}, parts.length + at, recorder));
  }
  const thinks = someFrom(parts, 0, (part) => part?.type === 'reasoning');
  if (!thinks && typeof content.reasoning === 'string' && content.reasoning !== '') recorder.text(Kind.THINKING, content.reasoning);
  walkFilesBeside(content, recorder);
  parts.forEach((part, at) => walkPart(part, at, recorder));
  walkTextBeside(content, recorder);
}

function walkFilesBeside({ parts, experimental_attachments }: Content, recorder: Recorder): void {
  if (someFrom(elements<Part>(parts), 0, (part) => part?.type === 'file')) return;
  for (const file of elements<MediaPart>(experimental_attachments)) recorder.data(mediaKind(file), mediaOf(file), 0, file);
}

function walkTextBeside(content: Content, recorder: Recorder): void {
  if (!isBare(content)) return;
  if (typeof content.content === 'string') recorder.text(Kind.TEXT, content.content);
}

function walkPart(part: Part | null | undefined, at: number, recorder: Recorder) {
  if (part === null || part === undefined) return undefined;
  const metadata = part.providerMetadata;
  switch (part.type) {
    case 'text':
      recorder.text(Kind.TEXT, part.text);
      return recorder.sign(signatureOf(metadata));
    case 'file':
      recorder.data(mediaKind(part), mediaOf(part), 0, part);
      if (typeof part.filename === 'string') recorder.says(part.filename);
      return undefined;
    case 'reasoning':
      return walkReasoning(part, recorder);
    case 'tool-invocation':
      return walkInvocation(part.toolInvocation, part, at, recorder);
  }
  // Sources, data, errors and step markers are not sent.
  return undefined;
}

/** Thinking: its text, or those of its details; what the provider signed or encrypted belongs to the last. */
function walkReasoning(part: Part, recorder: Recorder): void {
  const details = elements<Detail>(part.details);
  const said = typeof part.reasoning === 'string' && part.reasoning !== '' ? [part.reasoning] : textsOf(details);
  if (said.length === 0) recorder.text(Kind.THINKING, undefined);
  for (const text of said) recorder.text(Kind.THINKING, text);
  recorder.sign(signatureOf(part.providerMetadata));
  recorder.sign(itemOf(part.providerMetadata));
  for (const detail of details) {
    recorder.sign(detail?.signature);
    recorder.sign(detail?.data);
  }
}

function textsOf(details: readonly (Detail | null | undefined)[]): string[] {
  return details.flatMap((detail) => (typeof detail?.text === 'string' && detail.text !== '' ? [detail.text] : []));
}

/** Call and result in one. While its arguments are being streamed, it is neither. */
function walkInvocation(invocation: Invocation | null | undefined, part: Part, at: number, recorder: Recorder): void {
  const { state, toolCallId: id, toolName: name, args, rawInput, result, errorText, isError, approval } = invocation ?? {};
  if (state === 'partial-call') return;
  recorder.call(id, name, args ?? rawInput ?? undefined);
  recorder.sign(signatureOf(part.providerMetadata));
  const byProvider = Boolean(part.providerExecuted);
  if (state === 'result') {
    if (isTold(part)) walkResult({ toolCallId: id, toolName: name, output: toldIn(part) }, at, false, recorder);
    else addResult(id, name, result, Boolean(isError), byProvider ? undefined : at, recorder);
  } else if (state === 'output-error') {
    addResult(id, name, errorText, true, byProvider ? undefined : at, recorder);
  } else if (state === 'output-denied') {
    // The model gets the refusal instead of a result. It is short, and its text is the user's.
    const reason = approval?.reason;
    const isReason = typeof reason === 'string';
    recorder.resultOf(id, name, Output.SEALED, isReason ? reason : DENIED);
    if (!isReason) recorder.says();
  }
}

/** Adds a result. The provider's own output is sent back unchanged. */
function addResult(id: unknown, name: unknown, whole: unknown, hasFailed: boolean, at: number | undefined, recorder: Recorder): void {
  const value = saidIn(whole);
  const output = at === undefined ? Output.SEALED : recorder.outputOf(value, id, hasFailed);
  recorder.resultOf(id, name, output, value, at);
  if (typeof value !== 'string') recorder.setNativeLength(value);
}

/** Whether the tool said what the model gets in the place of its result. */
function isTold(part: Part): boolean {
  return part.toolInvocation?.state === 'result' && !part.providerExecuted && (toldIn(part) ?? undefined) !== undefined;
}

function toldIn(part: Part): unknown {
  return part.providerMetadata?.mastra?.modelOutput;
}

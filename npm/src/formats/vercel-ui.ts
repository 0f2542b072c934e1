import { copyOfList, withMembers } from '../copy.js';
import { Flag, Kind, Output, type Recorder, Role, Turn, wellFormed } from '../recorder.js';
import { type TypedBlock, at } from './common/chat.js';
import { either, elements, isSaid } from './common/content.js';
import { itemOf, signatureOf } from './common/provider-metadata.js';
import { clearedAs, saidIn } from './common/structure.js';
import { usageOf } from './common/usage.js';
import type { LiveFormat } from './format.js';
import { type MediaPart, mediaKind, mediaOf } from './vercel-model.js';
import { hasJson, isObject, isOneOf } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly parts?: unknown;
  readonly content?: unknown;
  readonly toolInvocations?: unknown;
  readonly experimental_attachments?: unknown;
  readonly metadata?: { readonly usage?: Usage | null; readonly totalUsage?: Usage | null } | null;
}

interface Usage {
  readonly totalTokens?: unknown;
  readonly inputTokens?: unknown;
  readonly outputTokens?: unknown;
}

interface Part extends TypedBlock, MediaPart {
  readonly filename?: unknown;
  readonly reasoning?: unknown;
  readonly details?: unknown;
  readonly providerMetadata?: unknown;
  readonly callProviderMetadata?: unknown;
  readonly providerExecuted?: unknown;
  readonly toolInvocation?: Invocation;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly state?: unknown;
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly output?: unknown;
  readonly errorText?: unknown;
  readonly approval?: { readonly reason?: unknown } | null;
}

/** A call of version 4, with its result. */
interface Invocation {
  readonly state?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly args?: unknown;
  readonly result?: unknown;
}

interface Detail {
  readonly signature?: unknown;
  readonly data?: unknown;
}

/** A message with outputs that are pruned. */
interface PrunedMessage {
  readonly parts?: readonly Part[];
  readonly toolInvocations: readonly Invocation[];
}

type Clear = (id: unknown) => string;

/** The text that the model gets for a call that the user refused without a reason. */
const DENIED = 'Tool call execution denied.';
const SENT = new Set<unknown>(['text', 'reasoning', 'file', 'dynamic-tool']);
/** The types of parts, and how other types begin. */
const PARTS = new Set<unknown>([...SENT, 'reasoning-file', 'custom', 'step-start', 'source', 'source-url', 'source-document']);
const BEGINNINGS = ['tool-', 'data-'];
const ROLES = ['system', 'user', 'assistant', 'data', 'tool'];

/** UI messages of the Vercel AI SDK; the counterpart of `format/vercel_ui/`. */
export const vercelUi: LiveFormat = {
  name: 'vercel_ui',
  signs: [
    {
      words: 'role and parts with a type',
      keys: ['parts'],
      shows: ({ role, parts }: Message) => role !== undefined && elements<Part>(parts).some(isPart),
    },
    {
      words: 'role and toolInvocations',
      keys: ['toolInvocations'],
      shows: ({ role, toolInvocations }: Message) => role !== undefined && toolInvocations !== undefined,
    },
  ],

  // A message has parts, or as of older versions a content.
  faultOf(message: unknown) {
    if (!isObject(message)) return { at: 'message' };
    if (!isOneOf(ROLES, message.role)) return { at: 'role' };
    const { parts, content, toolInvocations } = message;
    const isSaid = Array.isArray(parts) || Array.isArray(content) || typeof content === 'string' || toolInvocations !== undefined;
    if (!isSaid) return { at: 'content' };
    return Array.isArray(parts) ? at('block', parts, isRight) : undefined;
  },

  walk(messages: readonly (Message | null | undefined)[], recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, recorder);
    }
  },

  prune(message: PrunedMessage, blocks, clear, { freeBytes }) {
    // In a message of version 4 from before messages had parts, a block is one of its invocations.
    if (!Array.isArray(message.parts)) {
      return withMembers(message, { toolInvocations: cleared(message.toolInvocations, blocks, clear) });
    }
    const parts = copyOfList(message.parts);
    for (const at of blocks) parts[at] = prunePart(parts[at], clear);
    const changes: Record<string, unknown> = { parts };
    if (freeBytes && Array.isArray(message.toolInvocations)) {
      changes.toolInvocations = cleared(message.toolInvocations, copiesOf(message.parts, message.toolInvocations, blocks), clear);
    }
    return withMembers(message, changes);
  },

  summary({ marked, plan }) {
    const parts = [{ type: 'text', text: marked }];
    return { id: `compaction-${plan.messages.length}`, role: 'user', parts };
  },
};

function isPart(part: Part | null | undefined): boolean {
  const type = part?.type;
  return type === 'text' || PARTS.has(type) || (typeof type === 'string' && BEGINNINGS.some((beginning) => type.startsWith(beginning)));
}

/** Types of tomorrow are no fault. A text or a call that is not where this format has it would be read as nothing. */
function isRight(part: Part | null | undefined): boolean {
  const type = part?.type;
  return type === 'text' ? part?.text !== undefined : typeof type !== 'string' || !type.startsWith('tool') || isPart(part);
}

function cleared(invocations: readonly Invocation[], blocks: readonly number[], clear: Clear): readonly Invocation[] {
  const next = copyOfList(invocations);
  for (const at of blocks) next[at] = withMembers(next[at], { result: clearedAs(next[at].result, clear(next[at].toolCallId)) });
  return next;
}

function prunePart(part: Part, clear: Clear): Part {
  if (isInvocation(part)) {
    const { toolInvocation } = part;
    const result = clearedAs(toolInvocation.result, clear(toolInvocation.toolCallId));
    return withMembers(part, { toolInvocation: withMembers(toolInvocation, { result }) });
  }
  const text = clear(part.toolCallId);
  return withMembers(
    part,
    part.state === 'output-error' ? { errorText: clearedAs(part.errorText, text) } : { output: clearedAs(part.output, text) },
  );
}

/** The copies of its parts that a message of version 4 stores. */
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

function walkMessage(message: Message | null | undefined, recorder: Recorder): void {
  const role = begin(message, recorder);
  if (role === undefined || message === null || message === undefined) return;
  if (Array.isArray(message.parts)) {
    message.parts.forEach((part: Part | null | undefined, at) => walkPart(part, at, role, recorder));
  } else {
    walkWithoutParts(message, role, recorder);
  }
  if (role !== Role.USER) return;
  for (const file of elements<MediaPart>(message.experimental_attachments)) recorder.data(mediaKind(file), mediaOf(file), 0, file);
}

/** Begins the message; returns `undefined` for one that is not sent. */
function begin(message: Message | null | undefined, recorder: Recorder): number | undefined {
  switch (message?.role) {
    case 'system':
      recorder.begin(Role.SYSTEM);
      return Role.SYSTEM;
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(either(elements<Part>(message.parts)[0]?.text, message.content));
      return Role.USER;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(message) ? Flag.ENDED : Flag.NONE, reported(message));
      return Role.ASSISTANT;
    case 'data':
      // Version 4 let applications stream data between the messages; it is not sent.
      recorder.begin(Role.OTHER, Turn.NO, Flag.INACTIVE);
      return undefined;
    default:
      recorder.begin(Role.OTHER);
      return Role.OTHER;
  }
}

/** Whether the answer ends with text; after calls, another step would follow. */
function hasEnded({ parts, content }: Message): boolean {
  if (!Array.isArray(parts)) return isSaid(content);
  const last: Part | null | undefined = parts.findLast((part: Part | null | undefined) => SENT.has(part?.type) || isTool(part));
  return last?.type === 'text' && isSaid(last.text);
}

function isTool(part: Part | null | undefined): boolean {
  return typeof part?.type === 'string' && part.type.startsWith('tool-');
}

/** For an answer of several steps, the usage may be the sum, which describes no context. */
function reported({ parts, metadata }: Message): number {
  const steps = elements<Part>(parts).filter((part) => part?.type === 'step-start').length;
  if (steps > 1) return 0;
  const usage = metadata?.usage ?? metadata?.totalUsage;
  return usageOf(usage?.totalTokens, usage?.inputTokens, usage?.outputTokens);
}

/** A message of version 4 from before messages had parts: calls, then text. */
function walkWithoutParts(message: Message, role: number, recorder: Recorder): void {
  if (role === Role.ASSISTANT) {
    elements<Invocation>(message.toolInvocations).forEach((invocation, at) => walkInvocation(invocation, at, recorder));
  }
  if (typeof message.content === 'string') recorder.text(Kind.TEXT, message.content);
}

function walkPart(part: Part | null | undefined, at: number, role: number, recorder: Recorder): void {
  if (part === null || part === undefined) return;
  const { type } = part;
  if (type === 'text') {
    recorder.text(Kind.TEXT, part.text);
    recorder.sign(signatureOf(part.providerMetadata));
    return;
  }
  // A system message consists of its texts, a user message of its texts and files.
  if (role === Role.SYSTEM) return;
  if (type === 'file') {
    recorder.data(mediaKind(part), part.url ?? mediaOf(part), 0, part);
    if (typeof part.filename === 'string') recorder.says(part.filename);
  }
  if (role === Role.USER) return;
  if (type === 'reasoning') walkReasoning(part, recorder);
  else if (isInvocation(part)) walkInvocation(part.toolInvocation, at, recorder);
  else if (type === 'dynamic-tool') walkTool(part, part.toolName, at, recorder);
  else if (typeof type === 'string' && isTool(part)) walkTool(part, type.slice('tool-'.length), at, recorder);
}

function isInvocation(part: Part): part is Part & { readonly toolInvocation: Invocation } {
  return part.type === 'tool-invocation' && hasJson(part.toolInvocation);
}

function walkReasoning(part: Part, recorder: Recorder): void {
  recorder.text(Kind.THINKING, typeof part.text === 'string' ? part.text : part.reasoning);
  recorder.sign(signatureOf(part.providerMetadata));
  recorder.sign(itemOf(part.providerMetadata));
  for (const detail of elements<Detail>(part.details)) {
    recorder.sign(detail?.signature);
    recorder.sign(detail?.data);
  }
}

/** A tool part is call and result in one. While its input is being streamed, it is neither. */
function walkTool(part: Part, name: unknown, at: number, recorder: Recorder): void {
  const { state, toolCallId: id } = part;
  if (state === 'input-streaming') return;
  recorder.call(id, name, part.input ?? (state === 'output-error' ? part.rawInput : undefined));
  recorder.sign(signatureOf(part.callProviderMetadata));
  const byProvider = Boolean(part.providerExecuted);
  if (state === 'output-available') {
    addResult(id, name, recorder.outputOf(saidIn(part.output), id, false), part.output, at, byProvider, recorder);
  } else if (state === 'output-error') {
    addResult(id, name, recorder.outputOf(part.errorText, id, true), part.errorText, at, byProvider, recorder);
  } else if (state === 'output-denied' && !byProvider) {
    // The model gets the refusal instead of a result. It is short, and its text is the user's.
    const reason = part.approval?.reason;
    const isSaid = typeof reason === 'string';
    recorder.resultOf(id, name, Output.SEALED, isSaid ? reason : DENIED);
    if (!isSaid) recorder.says();
  }
}

function addResult(id: unknown, name: unknown, output: number, whole: unknown, at: number, byProvider: boolean, recorder: Recorder): void {
  const value = saidIn(whole);
  // The provider's own output is sent back unchanged.
  if (byProvider) recorder.resultOf(id, name, Output.SEALED, value);
  else recorder.resultOf(id, name, output, value, at);
  if (typeof value !== 'string') recorder.setNativeLength(value);
}

/** A tool invocation of version 4. */
function walkInvocation(invocation: Invocation | null | undefined, at: number, recorder: Recorder): void {
  if (invocation?.state === 'partial-call') return;
  const { toolCallId: id, toolName: name, args, result } = invocation ?? {};
  recorder.call(id, name, args);
  if (hasJson(result)) addResult(id, name, recorder.outputOf(saidIn(result), id, false), result, at, false, recorder);
}

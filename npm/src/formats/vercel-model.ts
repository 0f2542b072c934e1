import { copyOfList, withMembers } from '../copy.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../recorder.js';
import { type TypedBlock, faultAmong, isTyped, namesCallIn } from './common/chat.js';
import { either, element, elements, isSaid, soleText } from './common/content.js';
import { itemOf, signatureOf } from './common/provider-metadata.js';
import { telling } from './common/telling.js';
import type { LiveFormat } from './format.js';
import { type Members, hasJson, isObject, isOneOf } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

interface Part extends TypedBlock, MediaPart, ResultPart {
  readonly providerOptions?: unknown;
  readonly providerExecuted?: unknown;
  readonly signature?: unknown;
  readonly image?: unknown;
  readonly input?: unknown;
  readonly args?: unknown;
}

/** A result of a tool: `output` in all versions but 4. */
export interface ResultPart {
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly output?: unknown;
  readonly result?: unknown;
  readonly isError?: unknown;
  readonly experimental_content?: unknown;
}

/** An image or a file. */
export interface MediaPart {
  readonly type?: unknown;
  readonly mediaType?: unknown;
  readonly mimeType?: unknown;
  readonly contentType?: unknown;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly fileId?: unknown;
}

/** The text that providers get for a call that the user refused without a reason. */
const DENIED = 'Tool execution denied.';

const ROLES = ['system', 'user', 'assistant', 'tool'];
/** The parts of a content. */
const PARTS = [
  ...['reasoning', 'redacted-reasoning', 'reasoning-file', 'image', 'file', 'source', 'custom'],
  ...['tool-call', 'tool-result', 'tool-error', 'tool-approval-request', 'tool-approval-response'],
];

const OF_CALLS = ['tool-call', 'tool-result', 'tool-error'];

/** Model messages of the Vercel AI SDK; the counterpart of `format/vercel_model/`. */
export const vercelModel: LiveFormat = {
  name: 'vercel_model',
  signs: [
    { words: 'blocks tool-call and tool-result', blocks: ['tool-call', 'tool-result'] },
    // Without calls, only the data of images and files distinguishes them from OpenAI's.
    {
      words: 'blocks with image, data or providerOptions',
      blocksWith: {
        text: hasOptions,
        reasoning: hasOptions,
        image: ({ image }: Part) => image !== undefined,
        file: ({ data }: Part) => data !== undefined,
      },
    },
  ],

  faultOf: (message) => faultAmong(message, ROLES, isPart),

  walk(messages: readonly (Message | null | undefined)[], recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, recorder);
    }
  },

  prune(message: Message & { readonly content: readonly ResultPart[] }, blocks, cleared) {
    const content = copyOfList(message.content);
    for (const at of blocks) content[at] = withMembers(content[at], pruned(content[at], cleared(content[at].toolCallId)));
    return withMembers(message, { content });
  },

  summary({ marked, plan }) {
    const { role, content } = telling(marked, plan, { providerOptions: { ebbline: { summary: true } } });
    // The prompt of a language model, which middleware and processors see, has no texts but parts.
    return { role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content };
  },

  answer(text) {
    return { role: 'assistant', content: [{ type: 'text', text }] };
  },
};

function isPart(part: Members | null | undefined): boolean {
  return isTyped(part, PARTS) && (!isOneOf(OF_CALLS, part?.type) || (isObject(part) && namesCallIn('toolCallId', part)));
}

function hasOptions({ providerOptions }: Part): boolean {
  return providerOptions !== undefined;
}

/** A text is a valid replacement of any output. */
function pruned({ output, result }: ResultPart, placeholder: string): Record<string, unknown> {
  const isBare = !hasJson(output) && hasJson(result);
  return isBare ? { result: placeholder } : { output: { type: 'text', value: placeholder } };
}

function walkMessage(message: Message | null | undefined, recorder: Recorder) {
  const content = message?.content;
  const role = begin(message?.role, content, recorder);
  if (typeof content === 'string') return recorder.text(Kind.TEXT, content);
  const parts = elements<Part>(content);
  for (let at = 0; at < parts.length; at += 1) walkPart(element(parts[at]), at, role, recorder);
}

function begin(role: unknown, content: unknown, recorder: Recorder): unknown {
  switch (role) {
    case 'system':
      recorder.begin(Role.SYSTEM);
      break;
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(soleText(content));
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(content) ? Flag.ENDED : Flag.NONE);
      break;
    case 'tool':
      recorder.begin(Role.TOOL, Turn.NO, onlyPermits(content) ? Flag.CONTINUES : Flag.NONE);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  return role;
}

/**
 * Whether a tool message contains only the user's approvals of calls, and no results. It comes between calls and
 * results but separates nothing, because it is not sent.
 */
function onlyPermits(content: unknown): boolean {
  const parts = elements<Part>(content);
  return parts[0]?.type === 'tool-approval-response' && parts.every((part) => part?.type === 'tool-approval-response');
}

/** An answer with text and without open calls ends the turn. */
function hasEnded(content: unknown): boolean {
  if (typeof content === 'string') return isSaid(content);
  const parts = elements<Part>(content);
  let speaks = false;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    const type = part?.type;
    if (type === 'tool-call' && !part?.providerExecuted) return false;
    speaks ||= type === 'text' && isSaid(part?.text);
  }
  return speaks;
}

function walkPart(part: Part | null | undefined, at: number, role: unknown, recorder: Recorder) {
  if (part === null || part === undefined) return recorder.value(Kind.OTHER, part);
  const options = part.providerOptions;
  switch (part.type) {
    case 'text':
      recorder.text(Kind.TEXT, part.text);
      return recorder.sign(signatureOf(options));
    case 'reasoning':
      recorder.text(Kind.THINKING, part.text);
      recorder.sign(signatureOf(options));
      recorder.sign(itemOf(options));
      return recorder.sign(part.signature);
    case 'redacted-reasoning':
      // Content that the server encrypted is sent, but its number of tokens is unknown.
      recorder.text(Kind.THINKING, undefined);
      return recorder.sign(part.data);
    case 'image':
      return recorder.data(Kind.IMAGE, part.image);
    case 'file':
    case 'reasoning-file':
      return recorder.data(mediaKind(part), mediaOf(part), 0, part);
    case 'tool-call':
      recorder.call(part.toolCallId, part.toolName, either(part.input, part.args));
      return recorder.sign(signatureOf(options));
    case 'tool-result':
      return walkResult(part, at, role === 'assistant', recorder);
    case 'tool-approval-request':
    case 'tool-approval-response':
      // Between the SDK and the application; they are not sent to the model.
      return undefined;
    default:
      return recorder.value(Kind.OTHER, part);
  }
}

/**
 * A tool result: `output` with its type, or the bare `result` in version 4. The provider made a result that is inside
 * the answer.
 */
export function walkResult(part: ResultPart, at: number, byProvider: boolean, recorder: Recorder): void {
  const { type, value } = contentOf(part);
  // Version 4: blocks that some providers get instead of the result. Both cannot be pruned together.
  const instead = hasJson(part.output) ? undefined : (part.experimental_content ?? undefined);
  const blocks = type === 'content' ? value : instead;
  // The form of nearly all results.
  if (type === 'text' && typeof value === 'string' && !byProvider && instead === undefined) {
    const output = recorder.outputOf(value, part.toolCallId, Boolean(part.isError));
    recorder.resultOf(part.toolCallId, part.toolName, output, value, at);
    return;
  }
  const failed: unknown = type.startsWith('error-') || type === 'execution-denied' || part.isError;
  const media = elements<Part>(blocks).filter((inner) => inner?.type !== 'text' && inner?.type !== 'custom');
  // Media belong to a result by its id, so without an id they would stay.
  const isLoose = typeof part.toolCallId !== 'string' && media.length > 0;
  const isSealed = byProvider || instead !== undefined || isLoose;
  const said = type === 'content' ? soleText(elements(value)) : value;
  const output = isSealed ? Output.SEALED : recorder.outputOf(said, part.toolCallId, Boolean(failed));
  const block = isSealed ? undefined : at;
  if (!hasJson(blocks)) {
    walkValue(part, type, value, output, block, recorder);
    return;
  }
  const texts = elements<Part>(blocks).flatMap((inner) => (inner?.type === 'text' && typeof inner.text === 'string' ? [inner.text] : []));
  const call = recorder.result(part.toolCallId, part.toolName, output, texts, block);
  for (const inner of media) recorder.data(mediaKind(inner), mediaOf(inner), call, inner);
}

function contentOf({ output, result }: ResultPart): { type: string; value: unknown } {
  if (!isObject(output)) return { type: '', value: either(output, result) };
  const type = typeof output.type === 'string' ? output.type : '';
  return { type, value: type === 'execution-denied' ? (output.reason ?? DENIED) : output.value };
}

function walkValue(part: ResultPart, type: string, value: unknown, output: number, block: number | undefined, recorder: Recorder): void {
  const quoted = type === 'json' || type === 'error-json';
  recorder.resultOf(part.toolCallId, part.toolName, output, value, block, quoted);
  if (type === 'execution-denied' && ((part.output as Members).reason ?? undefined) === undefined) recorder.says();
  if (quoted || typeof value !== 'string') recorder.setNativeLength(value);
}

/** Whether a file is an image: by its type or else by its media type. */
export function mediaKind(part: MediaPart | null | undefined): number {
  const media = [part?.mediaType, part?.mimeType, part?.contentType].find((type) => typeof type === 'string');
  const isImage = typeof part?.type === 'string' && part.type.startsWith('image');
  return isImage || media?.startsWith('image/') ? Kind.IMAGE : Kind.FILE;
}

/** A file's data, its URL, or the provider's name for it. */
export function mediaOf(part: MediaPart | null | undefined): unknown {
  const data = part?.data;
  // In version 7 it may stand in an object that says what it is.
  const type = (data as Members | null | undefined)?.type;
  const told = type === 'data' || type === 'url' || type === 'text' ? (data as Members)[type] : undefined;
  return told ?? data ?? [part?.url, part?.fileId].find((name) => typeof name === 'string');
}

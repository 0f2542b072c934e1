import { withMembers } from '../copy.js';
import { GEMINI } from '../media.js';
import { Flag, Kind, Output, type Recorder, Role, Turn, wellFormed } from '../recorder.js';
import { at } from './common/chat.js';
import { element, elements, hasText } from './common/content.js';
import { type OpenCalls, answerCall, areOpenCalls, openCall } from './common/open-calls.js';
import { hasMembers } from './common/state.js';
import type { LiveFormat } from './format.js';
import { type Members, hasJson, isCount, isObject, isOneOf } from '../values.js';

interface Content {
  readonly role?: unknown;
  readonly parts?: unknown;
}

/** A part. A text may stand in its place, which has none of these members. */
interface Part {
  readonly [name: string]: unknown;
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thought?: unknown;
}

interface Media {
  readonly mimeType?: unknown;
  readonly mime_type?: unknown;
  readonly data?: unknown;
  readonly fileUri?: unknown;
  readonly file_uri?: unknown;
}

/** What pairs calls and results that have no ids. */
interface State {
  made: number;
  open: OpenCalls;
  modelSpoke: boolean;
}

/** The beginning of an output that Gemini CLI has masked: a preview and the path of the whole output. */
const MASKED = '<tool_output_masked>';
const SIGNATURE_KEYS = new Set(['thoughtSignature', 'thought_signature', 'thought']);

/** What a part may be beside a text, a call and a result. */
const OTHER_PARTS = [
  ...['inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'thought', 'thoughtSignature'],
  ...['inline_data', 'file_data', 'executable_code', 'code_execution_result', 'tool_call', 'tool_response', 'thought_signature'],
];

const ROLES = ['user', 'model', 'function', 'tool', 'system'];

/** Gemini API contents; the counterpart of `format/gemini_contents/`. */
export const geminiContents: LiveFormat = {
  name: 'gemini_contents',
  signs: [
    { words: 'role and parts without a type', keys: ['parts'], shows: ({ role, parts }: Content) => role !== undefined && areParts(parts) },
    // The role may be missing.
    { words: 'parts of text or functionCall', keys: ['parts'], shows: isWithoutRole },
  ],

  // A content has parts; an answer that was cut off may lack them. Parts of tomorrow are no fault, but types are.
  faultOf(message: unknown) {
    if (!isObject(message)) return { at: 'message' };
    const { role, parts, content, text } = message;
    if ((role ?? undefined) !== undefined && !isOneOf(ROLES, role)) return { at: 'role' };
    if ((parts ?? undefined) === undefined) {
      return role === 'model' && content === undefined && text === undefined ? undefined : { at: 'content' };
    }
    return Array.isArray(parts)
      ? at('block', parts, (part: Part | null | undefined) => part?.type === undefined || isPart(part))
      : undefined;
  },

  walk(messages: readonly (Content | null | undefined)[], recorder: Recorder<State>, from = 0) {
    const pairing = new Pairing((recorder.state ??= { made: 0, open: {}, modelSpoke: false }));
    for (let at = from; at < messages.length; at += 1) {
      recorder.enter(messages[at]);
      walkContent(messages[at], pairing, recorder);
    }
  },

  isState(state: unknown) {
    const isWhole = hasMembers(state, 'made', 'open', 'modelSpoke') && isCount(state.made);
    return isWhole && areOpenCalls(state.open) && typeof state.modelSpoke === 'boolean';
  },

  changedFrom(_messages, kept, known, { made }: State) {
    return kept < known && made > 0 ? 0 : kept;
  },

  prune(message: Content, blocks, clear) {
    const parts = [...partsOf(message.parts)];
    const gone = new Set<number>();
    for (const block of blocks) {
      const { at, paired } = placeOf(block);
      parts[at] = cleared(parts[at] as Part, paired, clear);
      for (let next = at + 1; paired && isBeside(parts[next]); next += 1) gone.add(next);
    }
    const left = parts.filter((_, at) => !gone.has(at));
    return withMembers(message, { parts: Array.isArray(message.parts) ? left : left[0] });
  },

  summary({ marked }) {
    return { role: 'user', parts: [{ text: marked }] };
  },

  answer(text) {
    return { role: 'model', parts: [{ text }] };
  },
};

function isWithoutRole({ role, parts }: Content): boolean {
  return role === undefined && elements<Part>(parts).some(isPart);
}

/** Whether a part is a text, a call or a result. This is asked of every part, so it goes without a list of keys. */
function isPart(part: Part | null | undefined): boolean {
  if (part === null || part === undefined) return false;
  if (part.text !== undefined || part.functionCall !== undefined || part.functionResponse !== undefined) return true;
  return part.function_call !== undefined || part.function_response !== undefined;
}

/** Whether these are the parts of a content: none, or at least one that is known. A single part may stand for a list. */
function areParts(parts: unknown): boolean {
  return Array.isArray(parts) ? parts.length === 0 || parts.some(isKnown) : isKnown(parts);
}

function isKnown(given: unknown): boolean {
  if (typeof given === 'string') return true;
  const part = given as Part | null | undefined;
  if (isPart(part)) return part?.type === undefined;
  return part?.type === undefined && OTHER_PARTS.some((key) => part?.[key] !== undefined);
}

/** The place of a result. One without a call keeps its media; this is encoded as a number below zero. */
function blockOf(at: number, paired: boolean): number {
  return paired ? at : -1 - at;
}

function placeOf(block: number): { at: number; paired: boolean } {
  return block < 0 ? { at: -1 - block, paired: false } : { at: block, paired: true };
}

function cleared(part: Part, paired: boolean, clear: (id: unknown) => string): Part {
  const key = isThere(part.functionResponse) ? 'functionResponse' : 'function_response';
  const result = part[key] as Members;
  const empty = paired && isThere(result.parts) ? { parts: [] } : {};
  const response = { output: clear(idOf(result)) };
  return withMembers(part, { [key]: withMembers(result, { response, ...empty }) });
}

function walkContent(content: Content | null | undefined, pairing: Pairing, recorder: Recorder): void {
  const parts = partsOf(content?.parts);
  const role = content?.role ?? undefined;
  if (role === 'model') {
    pairing.modelSpeaks();
    recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(parts) ? Flag.ENDED : Flag.NONE);
  } else if (role === 'user' || (role === undefined && isObject(content))) {
    pairing.userSpeaks();
    beginSpoken(parts, recorder);
  } else if (role === 'function' || role === 'tool') {
    pairing.userSpeaks();
    recorder.begin(Role.TOOL);
  } else {
    recorder.begin(role === 'system' ? Role.SYSTEM : Role.OTHER);
  }
  walkParts(parts, pairing, recorder);
}

/** The parts of a list, or the single part that replaces a list. */
function partsOf(parts: unknown): readonly (Part | null)[] {
  if (Array.isArray(parts)) return parts.map(element);
  return isThere(parts) ? [parts as Part] : [];
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function callIn(part: Part | null | undefined): Members | undefined {
  const call = part?.functionCall ?? part?.function_call;
  return isObject(call) ? call : undefined;
}

function responseIn(part: Part | null | undefined): Members | undefined {
  const response = part?.functionResponse ?? part?.function_response;
  return isObject(response) ? response : undefined;
}

function mediaIn(part: Part | null | undefined): Media | undefined {
  return (part?.inlineData ?? part?.inline_data ?? part?.fileData ?? part?.file_data ?? undefined) as Media | undefined;
}

function isMedia(part: Part | null | undefined): boolean {
  return mediaIn(part) !== undefined;
}

/** Media that follow a result belong to it. */
function isBeside(part: Part | null | undefined): boolean {
  return isMedia(part) && responseIn(part) === undefined;
}

function signatureOf(part: Part | null | undefined): unknown {
  return part?.thoughtSignature ?? part?.thought_signature ?? undefined;
}

/** The text of a part, which may be a bare string. */
function wordsOf(part: unknown): string | undefined {
  const words = typeof part === 'string' ? part : (part as Part | null | undefined)?.text;
  return typeof words === 'string' ? words : undefined;
}

/** An answer with text and without calls ends the turn. */
function hasEnded(parts: readonly (Part | null)[]): boolean {
  const says = (part: Part | null) => !part?.thought && hasText(wordsOf(part));
  return !parts.some((part) => callIn(part) !== undefined) && parts.some(says);
}

/** Begins a message of the user: results and their media, a summary, or the user's text. */
function beginSpoken(parts: readonly (Part | null)[], recorder: Recorder): void {
  const isResponse = (part: Part | null) => responseIn(part) !== undefined;
  if (parts.some(isResponse) && parts.every((part) => isResponse(part) || isMedia(part))) {
    recorder.begin(Role.TOOL);
  } else {
    recorder.begin(Role.USER, Turn.PERSON);
    recorder.checkSummary(wordsOf(parts[0]));
  }
}

/** Pairs calls and results without ids, by name and order, within the user's next turn. */
class Pairing {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  modelSpeaks(): void {
    if (!this.#state.modelSpoke) this.#state.open = {};
    this.#state.modelSpoke = true;
  }

  userSpeaks(): void {
    this.#state.modelSpoke = false;
  }

  /** The key of a call, in place of an id. */
  call(call: Members): string {
    const id = idOf(call);
    if (id !== undefined) return id;
    this.#state.made += 1;
    const key = `call without id ${this.#state.made}`;
    openCall(this.#state.open, nameOf(call), key);
    return key;
  }

  /** The key of the call that a result answers; `undefined` if it answers none. */
  result(response: Members): string | undefined {
    const id = idOf(response);
    if (id !== undefined) return id;
    return answerCall(this.#state.open, nameOf(response));
  }
}

/** An empty id counts as missing. */
function idOf({ id }: Members): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function nameOf({ name }: Members): string | undefined {
  return typeof name === 'string' ? wellFormed(name) : undefined;
}

function walkParts(parts: readonly (Part | null)[], pairing: Pairing, recorder: Recorder): void {
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    const response = responseIn(part);
    if (response === undefined) {
      walkPart(part, pairing, recorder);
    } else {
      const call = walkResponse(response, at, pairing, recorder);
      for (; isBeside(parts[at + 1]); at += 1) walkInner(parts[at + 1], call, recorder);
    }
    recorder.sign(signatureOf(part));
  }
}

function walkPart(part: Part | null, pairing: Pairing, recorder: Recorder): void {
  const call = callIn(part);
  const text = wordsOf(part);
  const media = mediaIn(part);
  if (call !== undefined) {
    recorder.call(pairing.call(call), call.name, call.args);
    if (idOf(call) === undefined) recorder.pairedByPlace();
  } else if (media !== undefined) {
    walkMedia(media, 0, recorder);
  } else if (text !== undefined) {
    recorder.text(part?.thought ? Kind.THINKING : Kind.TEXT, text);
  } else {
    walkOther(part, recorder);
  }
}

function walkOther(part: Part | null, recorder: Recorder): void {
  // Code that the model ran on the provider's side, and its output.
  const made = part?.executableCode ?? part?.executable_code ?? part?.codeExecutionResult ?? part?.code_execution_result;
  const isSignature = part !== null && signatureOf(part) !== undefined && keysOf(part).every((key) => SIGNATURE_KEYS.has(key));
  if (!isThere(made) && isSignature) recorder.text(Kind.THINKING, undefined);
  else recorder.value(Kind.OTHER, made ?? part);
}

function keysOf(object: Members): string[] {
  return Object.keys(object).filter((key) => hasJson(object[key]));
}

function walkMedia(media: Media, call: number, recorder: Recorder): void {
  const mime = media.mimeType ?? media.mime_type;
  const kind = typeof mime === 'string' && mime.startsWith('image/') ? Kind.IMAGE : Kind.FILE;
  recorder.media(kind, media.data ?? media.fileUri ?? media.file_uri ?? undefined, call, media, GEMINI);
}

/** Records a result and the media inside it; returns its call for the media after it. */
function walkResponse(response: Members, at: number, pairing: Pairing, recorder: Recorder): number {
  const value = response.response ?? undefined;
  const members = isObject(value) ? value : undefined;
  const keys = members === undefined ? [] : keysOf(members);
  const sole = keys.length === 1 && typeof members?.[keys[0]] === 'string' ? keys[0] : undefined;
  const said = sole === undefined ? value : members?.[sole];
  const key = pairing.result(response);
  const block = blockOf(at, key !== undefined);
  const call = recorder.resultOf(key, response.name, outputOf(said, sole, idOf(response), recorder), said, block);
  // The CLI measures the whole response.
  if (value !== undefined && sole !== 'output') recorder.setNativeLength(value);
  for (const inner of elements<Part>(response.parts)) walkInner(element(inner), call, recorder);
  return call;
}

function outputOf(said: unknown, sole: string | undefined, id: string | undefined, recorder: Recorder): number {
  if (typeof said !== 'string') return Output.ORDINARY;
  // The name of the file that contains a masked output includes the id of the call, which a tool is not told.
  const isMasked = id !== undefined && said.startsWith(MASKED) && wellFormed(said).includes(wellFormed(id));
  if (isMasked) return Output.PRUNED;
  return recorder.outputOf(said, id, sole === 'error');
}

function walkInner(part: Part | null | undefined, call: number, recorder: Recorder): void {
  const media = mediaIn(part);
  if (media !== undefined) walkMedia(media, call, recorder);
  else recorder.media(Kind.FILE, part, call);
}

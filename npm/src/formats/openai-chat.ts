import { withMembers } from '../copy.js';
import { OPENAI } from '../media.js';
import { Flag, Kind, type Recorder, Role, Turn, wellFormed } from '../recorder.js';
import { isOwn } from '../references.js';
import { NO_CONTENT, ROLES, type TypedBlock, faultOfChat } from './common/chat.js';
import { either, element, elements, hasText, soleText, textOrTexts } from './common/content.js';
import { type OpenCalls, answerCall, areOpenCalls, openCall } from './common/open-calls.js';
import { hasMembers } from './common/state.js';
import type { LiveFormat } from './format.js';
import type { Sign } from './signs.js';
import { isCount } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly refusal?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: FunctionCall | null;
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning_details?: unknown;
}

interface FunctionCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
}

interface Call {
  readonly id?: unknown;
  readonly function?: FunctionCall | null;
  readonly custom?: FunctionCall | null;
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } | null } | null;
}

interface ReasoningDetail {
  readonly text?: unknown;
  readonly summary?: unknown;
  readonly signature?: unknown;
  readonly data?: unknown;
}

interface Block extends TypedBlock {
  readonly refusal?: unknown;
  readonly image_url?: { readonly url?: unknown } | null;
  readonly file?: Media | null;
  readonly input_audio?: Media | null;
  readonly audio_url?: Media | null;
  readonly video_url?: Media | null;
  readonly input_video?: Media | null;
}

interface Media {
  readonly file_data?: unknown;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly file_id?: unknown;
}

/** How many calls without ids there are, and those that wait for results. */
interface State {
  made: number;
  readonly open: OpenCalls;
}

/** A plain chat has no other roles, and the blocks of its contents have types. */
const NO_PLAIN_CHAT: Sign = { words: 'no plain chat', unlessRoles: ROLES, unlessTyped: true };

/** OpenAI Chat Completions messages; the counterpart of `format/openai_chat/`. */
export const openaiChat: LiveFormat = {
  name: 'openai_chat',
  signs: [
    { words: 'role tool, tool_calls', roles: ['tool'], keys: ['tool_calls'], shows: ({ tool_calls }: Message) => tool_calls !== undefined },
  ],
  guess: { words: 'plain chat', without: [NO_PLAIN_CHAT, NO_CONTENT] },
  faultOf: faultOfChat,

  walk(messages: readonly (Message | null | undefined)[], recorder: Recorder<State>, from = 0) {
    const state = (recorder.state ??= { made: 0, open: {} });
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, state, recorder);
    }
  },

  isState(state: unknown) {
    return hasMembers(state, 'made', 'open') && isCount(state.made) && areOpenCalls(state.open);
  },

  changedFrom(_messages, kept, known, { made }: State) {
    return kept < known && made > 0 ? 0 : kept;
  },

  prune(message: Message, _blocks, cleared) {
    return withMembers(message, { content: cleared(hasNoId(message) ? undefined : message.tool_call_id) });
  },

  summaryRoles: ['user', 'system', 'developer', 'assistant'],

  summary({ marked, role }) {
    return { role, content: marked };
  },

  answer(text) {
    return { role: 'assistant', content: text };
  },

  refusable(message: Message | null | undefined) {
    const calls = message?.tool_calls;
    return Array.isArray(calls) && calls.length === 0 ? { emptyCalls: 1 } : {};
  },
};

/** Whether a message is a result of the deprecated kind. */
function hasNoId(message: Message): boolean {
  return message.role === 'function' && typeof message.tool_call_id !== 'string';
}

/** Calls of the deprecated kind have no ids: this is the key of one. */
function callOf(name: unknown, state: State): string | undefined {
  if (typeof name !== 'string') return undefined;
  state.made += 1;
  // No provider produces such an id.
  const id = `\0function ${state.made}`;
  openCall(state.open, wellFormed(name), id);
  return id;
}

/** A result answers the oldest open call with its name. */
function answeredBy(name: unknown, { open }: State): string | undefined {
  return typeof name === 'string' ? answerCall(open, wellFormed(name)) : undefined;
}

function walkMessage(message: Message | null | undefined, state: State, recorder: Recorder): void {
  const content = message?.content;
  switch (message?.role) {
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(content);
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(message, content) ? Flag.ENDED : Flag.NONE);
      recorder.checkSummary(content);
      break;
    case 'tool':
    case 'function': {
      recorder.begin(Role.TOOL);
      const id = hasNoId(message) ? answeredBy(message.name, state) : message.tool_call_id;
      // The placeholder replaces the whole content of a tool message: block 0 stands for the message.
      recorder.result(id, message.name, recorder.outputOf(soleText(content), isOwn(id) ? id : undefined, false), textOrTexts(content), 0);
      return;
    }
    case 'system':
    case 'developer':
      recorder.begin(Role.SYSTEM);
      recorder.checkSummary(content);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  if (message === null || message === undefined) return;
  walkThinking(message, recorder);
  walkContent(content, recorder);
  if (typeof message.refusal === 'string') recorder.text(Kind.TEXT, message.refusal);
  const calls = elements<Call>(message.tool_calls);
  for (let at = 0; at < calls.length; at += 1) {
    const call = calls[at];
    const made = either(call?.function, call?.custom);
    recorder.call(call?.id, made?.name, either(made?.arguments, made?.input));
    // Gemini's compatible endpoint stores a call's signature here.
    recorder.sign(call?.extra_content?.google?.thought_signature);
  }
  const made = message.function_call;
  if (made !== undefined && made !== null) recorder.call(callOf(made.name, state), made.name, made.arguments);
}

/** Thinking as a text (DeepSeek) or as details (OpenRouter), which also contain signatures or encrypted data. */
function walkThinking({ reasoning_content, reasoning, reasoning_details }: Message, recorder: Recorder): void {
  if (reasoning_content === undefined && reasoning === undefined && reasoning_details === undefined) return;
  const details = elements<ReasoningDetail>(reasoning_details);
  const sign = (detail: ReasoningDetail | null | undefined) => {
    recorder.sign(detail?.signature);
    recorder.sign(detail?.data);
  };
  const texts = [reasoning_content, reasoning].filter((thinking) => typeof thinking === 'string');
  for (const thinking of texts) {
    recorder.text(Kind.THINKING, thinking);
    details.forEach(sign);
  }
  if (texts.length > 0) return;
  for (const detail of details) {
    const text = typeof detail?.text === 'string' ? detail.text : detail?.summary;
    if (typeof text !== 'string' && typeof detail?.data !== 'string') continue;
    recorder.text(Kind.THINKING, text);
    sign(detail);
  }
}

/** An answer without calls ends the turn. */
function hasEnded(message: Message, content: unknown): boolean {
  const calls = elements(message.tool_calls).length > 0 || (message.function_call ?? null) !== null;
  return !calls && hasText(content);
}

function walkContent(content: unknown, recorder: Recorder) {
  if (typeof content === 'string') return recorder.text(Kind.TEXT, content);
  for (const block of elements<Block>(content)) walkBlock(block, recorder);
}

function walkBlock(block: Block | null | undefined, recorder: Recorder): void {
  switch (block?.type) {
    case 'image_url': {
      const image = block.image_url;
      recorder.text(Kind.IMAGE, typeof image?.url === 'string' ? image.url : image);
      break;
    }
    case 'input_audio':
    case 'audio_url':
    case 'file':
    case 'video_url':
    case 'input_video':
      recorder.media(Kind.FILE, block, 0, block, OPENAI, dataOf(block));
      break;
    case 'refusal':
      recorder.text(Kind.TEXT, block.refusal);
      break;
    default:
      if (typeof block?.text === 'string') recorder.text(Kind.TEXT, block.text);
      else recorder.value(Kind.OTHER, element(block));
  }
}

/** The data of a file or of audio, or its name. */
function dataOf(block: Block): unknown {
  const { file, input_audio, audio_url, video_url, input_video } = block;
  const holder = file ?? input_audio ?? audio_url ?? video_url ?? input_video;
  if (typeof holder === 'string') return holder;
  return holder?.file_data ?? holder?.data ?? holder?.url ?? holder?.file_id ?? undefined;
}

import { MOST_ELEMENTS } from '../../bounded-list.js';
import type { Sign } from '../signs.js';
import { type Members, isObject, isOneOf } from '../../values.js';

/**
 * What makes a message none of a format: the counterpart of `format/chat.rs`. A list is read as a format only if all its messages are
 * of that format; members that nobody knows are no fault.
 */
export type Fault = { readonly at: 'message' | 'role' | 'content' | 'answer' } | { readonly at: 'block' | 'call'; readonly index: number };

/** What an answer may have instead of a content. */
const INSTEAD = ['tool_calls', 'function_call', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'audio'];
/** Where other shapes have what a message says. */
const ELSEWHERE = ['parts', 'text', 'contents', 'items', 'blocks', 'body'];
/** What a result without a content may have. */
const OF_RESULT = ['role', 'content', 'tool_call_id', 'name', 'tool_name', 'id'];

/** No message is read as an empty one because what it says is in a member that nobody knows. */
export const NO_CONTENT: Sign = { words: 'no content', unlessContent: isWhole };

/** Whether a message needs no content: `content` is missing or `null`. */
function isWhole(message: Members): boolean {
  const { role, content } = message;
  // Only answers and results may be empty.
  if (content === null) return role === 'assistant' || role === 'function' || role === 'tool';
  if (role === 'tool') return Object.keys(message).every((key) => OF_RESULT.includes(key) || message[key] === undefined);
  const has = (name: string) => message[name] !== undefined;
  return role === 'assistant' && !ELSEWHERE.some(has) && INSTEAD.some((name) => (message[name] ?? undefined) !== undefined);
}

/** The fault of a message with a role and a content, which is a text or a list of blocks. */
export function faultAmong<Block>(
  message: unknown,
  roles: readonly string[],
  isBlock: (block: Block | null | undefined) => boolean,
): Fault | undefined {
  if (!isObject(message)) return { at: 'message' };
  const { role, content } = message;
  if (!isOneOf(roles, role)) return { at: 'role' };
  if (typeof content === 'string') return undefined;
  if (Array.isArray(content)) return at('block', content, isBlock);
  return (content === undefined || content === null) && isWhole(message) ? undefined : { at: 'content' };
}

/** The fault of the first element that is not as it has to be. */
export function at<Element>(kind: 'block' | 'call', list: readonly Element[], isRight: (element: Element) => boolean): Fault | undefined {
  // Its length is read once: a proxy may say another one each time.
  const { length } = list;
  if (length > MOST_ELEMENTS) return undefined;
  for (let index = 0; index < length; index += 1) if (!isRight(list[index])) return { at: kind, index };
  return undefined;
}

/** What is read of any block. */
export interface TypedBlock {
  readonly type?: unknown;
  readonly text?: unknown;
}

/** Whether a block says of what type it is, and has what a text of that type has. */
export function isTyped(block: TypedBlock | null | undefined, types: readonly string[]): boolean {
  const type = block?.type;
  return type === 'text' ? typeof block?.text === 'string' : isOneOf(types, type);
}

/** The members in which one shape or another says which call a block is about. */
const IDS = ['id', 'tool_use_id', 'toolUseId', 'toolUseID', 'tool_call_id', 'toolCallId', 'call_id', 'callId'];

/**
 * Whether a block says in the member `key` which call it is about. One that says it nowhere is damaged; one that says it elsewhere is of
 * another shape.
 */
export function namesCallIn(key: string, block: Members): boolean {
  return block[key] !== undefined || IDS.every((id) => block[id] === undefined);
}

/** The roles of a chat. */
export const ROLES = ['user', 'assistant', 'tool', 'system', 'developer', 'function'];
/** The blocks of its contents: those of the provider, and those that servers behind its format take besides. */
const BLOCKS = [
  ...['image_url', 'input_audio', 'file', 'refusal', 'audio_url', 'video_url', 'document_url', 'image', 'audio', 'video', 'document'],
  ...['thinking', 'reasoning', 'reference', 'input_text', 'output_text', 'input_image', 'input_file'],
];
const NAMES_OF_CALL = ['tool_call_id', 'name', 'tool_name', 'id'];

/** What is read of a call to tell whether it is one. */
interface ChatCall {
  readonly function?: unknown;
  readonly custom?: unknown;
}

/** The fault of a message of OpenAI Chat. */
export function faultOfChat(message: unknown): Fault | undefined {
  const fault = faultAmong(message, ROLES, (block: TypedBlock | null | undefined) => isTyped(block, BLOCKS));
  if (fault !== undefined) return fault;
  const chat = message as Members;
  if ((chat.role === 'tool' || chat.call_id !== undefined) && !namesCall(chat)) return { at: 'answer' };
  const calls = chat.tool_calls;
  return Array.isArray(calls)
    ? at('call', calls, (call: ChatCall | null | undefined) => isObject(call?.function) || isObject(call?.custom))
    : undefined;
}

/** Whether a result says which call it answers. Without anything else it may be of a server that has no ids. */
function namesCall(message: Members): boolean {
  // A message of another role may have an id of its own.
  const known = message.role === 'tool' ? NAMES_OF_CALL : ['tool_call_id'];
  return known.some((name) => message[name] !== undefined) || Object.keys(message).length <= 2;
}

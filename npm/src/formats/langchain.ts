import { withMembers } from '../copy.js';
import { Flag, Output, type Recorder, Role, Turn, wellFormed } from '../recorder.js';
import { elements, isSaid, someFrom } from './common/content.js';
import { hasMembers, isPlace } from './common/state.js';
import { usageOf } from './common/usage.js';
import type { LiveFormat } from './format.js';
import { type Block, mediaKind, mediaOf, textOf, textsIn, walkBlocks } from './langchain/blocks.js';
import { type CallsBody, hasCalls, idsOf, walkCalls, walkReasoningBeside } from './langchain/calls.js';
import { isObject } from '../values.js';

/** A message as it is stored: its members stand in `kwargs` or `data`, or in itself. */
interface Message {
  readonly [name: string]: unknown;
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly id?: unknown;
}

/** The members of a message. */
interface Body extends CallsBody {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly role?: unknown;
  readonly name?: unknown;
  readonly status?: unknown;
  readonly tool_call_id?: unknown;
  readonly usage_metadata?: Usage | null;
}

interface Usage {
  readonly total_tokens?: unknown;
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
}

/** An instance of one of LangChain's classes. */
interface Instance extends Body {
  readonly lc_kwargs?: object;
  readonly constructor: Function;
  toJSON(): unknown;
  getType?(): string;
  _getType(): string;
}

/** One of LangChain's classes. */
interface MessageClass {
  new (members: { content: unknown }): object;
  lc_name(): string;
  isInstance?(value: unknown): boolean | undefined;
}

type MessageKind = 'human' | 'ai' | 'system' | 'result' | 'chat' | 'remove';

/** A message without its envelope. */
interface Opened {
  readonly body: Body | null | undefined;
  readonly kind: MessageKind | undefined;
}

/** The newest message that removes others, -1 if there is none. */
interface State {
  readonly removal: number;
}

/** Used as an id, it removes all messages before. */
const REMOVE_ALL = '__remove_all__';
const KINDS = new Map<string | undefined, MessageKind>([
  ['human', 'human'],
  ['Human', 'human'],
  ['user', 'human'],
  ['ai', 'ai'],
  ['AI', 'ai'],
  ['assistant', 'ai'],
  ['system', 'system'],
  ['System', 'system'],
  ['developer', 'system'],
  ['tool', 'result'],
  ['Tool', 'result'],
  ['function', 'result'],
  ['Function', 'result'],
  ['chat', 'chat'],
  ['Chat', 'chat'],
  ['generic', 'chat'],
  ['remove', 'remove'],
  ['Remove', 'remove'],
]);

/** The members that a stored message is in. */
const STORED = ['lc', 'kwargs', 'data'];
const HUMAN_OR_AI = new Set<unknown>(['human', 'ai', 'AIMessageChunk']);

/** LangChain's messages, as instances of its classes or as plain objects; the counterpart of `format/langchain`. */
export const langchain: LiveFormat = {
  name: 'langchain',
  signs: [
    { words: 'lc', keys: ['lc'], shows: ({ lc }: Message) => lc !== undefined, isInstance },
    {
      words: 'type and data.content',
      keys: ['data'],
      shows: ({ type, data }: Message) => type !== undefined && (data as Body | null | undefined)?.content !== undefined,
    },
    {
      words: 'messages of type human and ai',
      keys: ['type', 'kwargs'],
      shows: ({ type, content, kwargs, id }: Message) =>
        (isContent(content) && HUMAN_OR_AI.has(type)) || (kwargs !== undefined && id !== undefined),
    },
  ],

  // A message says what it is by its class or its type, in one of the ways in which it is stored, and has a content.
  faultOf(message: unknown) {
    if (!isObject(message)) return { at: 'message' };
    if (STORED.some((name) => message[name] !== undefined) || isInstance(message)) return undefined;
    if (typeof message.type !== 'string' && typeof message.role !== 'string') return { at: 'role' };
    return message.type === 'remove' || isContent(message.content) ? undefined : { at: 'content' };
  },

  walk(messages: readonly (Message | null | undefined)[], recorder: Recorder<State>, from = 0) {
    const opened: Opened[] = [];
    for (let at = from; at < messages.length; at += 1) opened.push(open(messages[at]));
    const { inactive, replaced, removal } = removedFrom(opened);
    if (from === 0) recorder.state = { removal };
    opened.forEach((message, at) => {
      recorder.enter(message.body);
      walkMessage(message, inactive.has(at), at < replaced, recorder);
    });
  },

  isState(state: unknown, length) {
    return hasMembers(state, 'removal') && isPlace(state.removal, length);
  },

  changedFrom(messages: readonly (Message | null | undefined)[], kept, _known, { removal }: State) {
    return removal >= kept || someFrom(messages, kept, (message) => open(message).kind === 'remove') ? 0 : kept;
  },

  rewrite,

  prune(message: Message, _blocks, cleared) {
    const content = cleared(open(message).body?.tool_call_id);
    if (isInstance(message)) return rewrite(message, { content });
    for (const envelope of ['kwargs', 'data']) {
      const body = message[envelope];
      if (isObject(body)) return withMembers(message, { [envelope]: withMembers(body, { content }) });
    }
    return withMembers(message, { content });
  },

  instance(members, messages) {
    return messages.some(isInstance) ? Object.assign(instanceOf(messages, members.content), members) : undefined;
  },

  summary({ marked: content, messages }) {
    const first = messages[0] as Message | null | undefined;
    if (isInstance(first)) return instanceOf(messages, content);
    if (first?.kwargs !== undefined) return dumped(content, elements(first.id)[0] === 'langchain_core');
    if (first?.data !== undefined) return { type: 'human', data: { content, type: 'human' } };
    return { content, type: 'human' };
  },
};

/** Whether a value can be the content of a message. */
function isContent(content: unknown): boolean {
  return typeof content === 'string' || content === null || Array.isArray(content);
}

/** A copy of a message with other members. */
function rewrite(message: object, changes: Record<string, unknown>): object {
  if (!isInstance(message)) return withMembers(message, changes);
  // `JSON.stringify` writes the members that the constructor of an instance was given.
  return withMembers(message, { ...changes, lc_kwargs: { ...message.lc_kwargs, ...changes } });
}

/** Whether a message is an instance of one of LangChain's classes. */
function isInstance(value: unknown): value is Instance {
  const message = value as Message | null | undefined;
  return typeof message?.toJSON === 'function' && typeof (message.getType ?? message._getType) === 'function';
}

/** A message of the class of the user's messages or, if there is none, of a class derived from the others'. */
function instanceOf(messages: readonly unknown[], content: unknown): object {
  const classOf = (message: unknown) => (isInstance(message) ? classIn(message.constructor) : undefined);
  const human = messages.find((message) => classOf(message)?.lc_name() === 'HumanMessage');
  const Human = classOf(human);
  if (Human !== undefined) return new Human({ content });
  const Other = classOf(messages.find((message) => classOf(message) !== undefined));
  return Other === undefined ? { content, type: 'human' } : new (humanBeside(Other))({ content });
}

/** For the base class of all messages, the class of the user's messages. */
const humans = new WeakMap<MessageClass, MessageClass>();

/** LangChain's class of the user's messages, derived from the base class of all messages; it only adds `type`. */
function humanBeside(type: MessageClass): MessageClass {
  const Base = baseOf(type);
  const known = humans.get(Base);
  if (known !== undefined) return known;
  const Human: MessageClass = class HumanMessage extends Base {
    type = 'human';

    static lc_name() {
      return 'HumanMessage';
    }

    static isInstance(value: unknown): boolean | undefined {
      return super.isInstance?.(value) && (value as Message).type === 'human';
    }

    _getType() {
      return 'human';
    }
  };
  humans.set(Base, Human);
  return Human;
}

/** The base class of all messages. */
function baseOf(type: MessageClass): MessageClass {
  const above = type.lc_name() === 'BaseMessage' ? undefined : classIn(Object.getPrototypeOf(type));
  return above === undefined ? type : baseOf(above);
}

/** One of LangChain's classes; `undefined` for anything else. */
function classIn(value: unknown): MessageClass | undefined {
  const type = value as MessageClass | undefined;
  return typeof type === 'function' && typeof type.lc_name === 'function' ? type : undefined;
}

/** The classes of messages have another path in Python than in JavaScript, which loads only its own. */
function dumped(content: unknown, isJavaScript: boolean): object {
  const path = isJavaScript ? ['langchain_core'] : ['langchain', 'schema'];
  const kwargs = isJavaScript ? { content } : { content, type: 'human' };
  return { lc: 1, type: 'constructor', id: [...path, 'messages', 'HumanMessage'], kwargs };
}

/** A message without its envelope: its content and its kind. */
function open(message: Message | null | undefined): Opened {
  if (isInstance(message)) return { body: message, kind: kindNamed(message.getType?.() ?? message._getType()) };
  if (isObject(message?.kwargs)) {
    // The class is the last element of the constructor's path.
    const path = elements(message.id);
    return { body: message.kwargs, kind: kindNamed(named(path[path.length - 1], message.kwargs.type)) };
  }
  return { body: isObject(message?.data) ? message.data : message, kind: kindNamed(named(message?.type, message?.role)) };
}

function named(...names: readonly unknown[]): string | undefined {
  return names.find((name) => typeof name === 'string');
}

/** By the type (`ai`), the class (`AIMessageChunk`) or the role (`assistant`). */
function kindNamed(name: string | undefined): MessageKind | undefined {
  return KINDS.get(name?.replace(/Chunk$/u, '').replace(/Message$/u, ''));
}

/**
 * Messages that a later `RemoveMessage` names are no longer sent (`add_messages` of LangGraph), and usage reported
 * before it describes the context with them.
 */
function removedFrom(opened: readonly Opened[]): { inactive: ReadonlySet<number>; replaced: number; removal: number } {
  const inactive = new Set<number>();
  const removed = new Set<string | undefined>();
  let replaced = 0;
  let removal = -1;
  let all = false;
  for (let at = opened.length - 1; at >= 0; at -= 1) {
    const { body, kind } = opened[at];
    const id = typeof body?.id === 'string' ? wellFormed(body.id) : undefined;
    if (kind === 'remove') {
      replaced ||= at;
      removal = Math.max(removal, at);
      all ||= id === REMOVE_ALL;
      removed.add(id);
    } else if (all || (id !== undefined && removed.has(id))) {
      inactive.add(at);
    }
  }
  return { inactive, replaced, removal };
}

function walkMessage({ body, kind }: Opened, isInactive: boolean, isReplaced: boolean, recorder: Recorder) {
  // The application chooses the role of a chat message.
  const actual = kind === 'chat' && typeof body?.role === 'string' ? kindNamed(body.role) : kind;
  const flag = isInactive ? Flag.INACTIVE : Flag.NONE;
  const content = body?.content;
  switch (actual) {
    case 'human':
      if (body?.additional_kwargs?.lc_source === 'summarization') {
        recorder.begin(Role.USER, Turn.SYNTHETIC, flag | Flag.SUMMARY);
      } else {
        recorder.begin(Role.USER, Turn.PERSON, flag);
      }
      recorder.checkSummary(content);
      break;
    case 'ai':
      return walkAnswer(body ?? {}, flag, isReplaced, recorder);
    case 'system':
      recorder.begin(Role.SYSTEM, Turn.NO, flag);
      break;
    case 'result':
      recorder.begin(Role.TOOL, Turn.NO, flag);
      return walkResult(body ?? {}, recorder);
    case 'remove':
      return recorder.begin(Role.OTHER, Turn.NO, Flag.INACTIVE);
    default:
      recorder.begin(Role.OTHER, Turn.NO, flag);
  }
  walkBlocks(content, undefined, recorder);
}

function walkAnswer(body: Body, flag: number, isReplaced: boolean, recorder: Recorder): void {
  const { content, usage_metadata: usage } = body;
  const hasEnded = !hasCalls(body) && textsIn(content).some(isSaid);
  const reported = isReplaced ? 0 : usageOf(usage?.total_tokens, usage?.input_tokens, usage?.output_tokens);
  recorder.begin(Role.ASSISTANT, Turn.NO, flag | (hasEnded ? Flag.ENDED : Flag.NONE), reported);
  walkReasoningBeside(body, recorder);
  const made = walkBlocks(content, idsOf(body), recorder);
  walkCalls(body, made, recorder);
}

/** A tool message: its texts are one part; its images are separate parts of the same call. The artifact is for the
 * application. */
function walkResult(body: Body, recorder: Recorder): void {
  const { content } = body;
  const texts = textsIn(content);
  const isAll = elements(content).length <= 1;
  const media = elements<Block>(content).filter((block) => textOf(block) === undefined);
  // Media belong to a result by its id, so without an id they would stay.
  const stays = typeof body.tool_call_id !== 'string' && media.length > 0;
  const output = recorder.outputOf(isAll ? texts[0] : undefined, body.tool_call_id, body.status === 'error');
  // The placeholder replaces the whole content of a tool message: block 0 stands for the message.
  const block = stays ? undefined : 0;
  const call = recorder.result(body.tool_call_id, body.name, stays ? Output.SEALED : output, texts, block);
  for (const inside of media) recorder.data(mediaKind(inside), mediaOf(inside), call, inside);
}

import { withMembers } from '../copy.js';
import { Flag, Output, Role, Turn, wellFormed } from '../recorder.js';
import { elements, isSaid, someFrom } from './common/content.js';
import { mediaKind, mediaOf, textOf, textsIn, walkBlocks } from './langchain/blocks.js';
import { hasCalls, idsOf, walkCalls, walkReasoningBeside } from './langchain/calls.js';
import { hasMembers, isPlace } from './common/state.js';
import { usageOf } from './common/usage.js';

/** Used as an id, it removes all messages before. */
const REMOVE_ALL = '__remove_all__';
const KINDS = new Map(
  Object.entries({
    human: ['human', 'Human', 'user'],
    ai: ['ai', 'AI', 'assistant'],
    system: ['system', 'System', 'developer'],
    result: ['tool', 'Tool', 'function', 'Function'],
    chat: ['chat', 'Chat', 'generic'],
    remove: ['remove', 'Remove'],
  }).flatMap(([kind, names]) => names.map((name) => [name, kind])),
);

/** The members that a stored message is in. */
const STORED = ['lc', 'kwargs', 'data'];
const HUMAN_OR_AI = new Set(['human', 'ai', 'AIMessageChunk']);

/** LangChain's messages, as instances of its classes or as plain objects; the counterpart of `format/langchain`. */
export const langchain = {
  name: 'langchain',
  signs: [
    { words: 'lc', keys: ['lc'], shows: ({ lc }) => lc !== undefined, isInstance },
    {
      words: 'type and data.content',
      keys: ['data'],
      shows: ({ type, data }) => type !== undefined && (data ?? undefined)?.content !== undefined,
    },
    {
      words: 'messages of type human and ai',
      keys: ['type', 'kwargs'],
      shows: ({ type, content, kwargs, id }) => (isContent(content) && HUMAN_OR_AI.has(type)) || (kwargs !== undefined && id !== undefined),
    },
  ],

  // A message says what it is by its class or its type, in one of the ways in which it is stored, and has a content.
  faultOf(message) {
    if (!isObject(message)) return { at: 'message' };
    if (STORED.some((name) => message[name] !== undefined) || isInstance(message)) return undefined;
    if (typeof message.type !== 'string' && typeof message.role !== 'string') return { at: 'role' };
    return message.type === 'remove' || isContent(message.content) ? undefined : { at: 'content' };
  },

  walk(messages, recorder, from = 0) {
    const opened = [];
    for (let at = from; at < messages.length; at += 1) opened.push(open(messages[at]));
    const { inactive, replaced, removal } = removedFrom(opened);
    if (from === 0) recorder.state = { removal };
    opened.forEach((message, at) => {
      recorder.enter(message.body);
      walkMessage(message, inactive.has(at), at < replaced, recorder);
    });
  },

  isState(state, length) {
    return hasMembers(state, 'removal') && isPlace(state.removal, length);
  },

  changedFrom(messages, kept, _known, { removal }) {
    return removal >= kept || someFrom(messages, kept, (message) => open(message).kind === 'remove') ? 0 : kept;
  },

  rewrite,

  prune(message, _blocks, cleared) {
    const content = cleared(open(message).body?.tool_call_id);
    if (isInstance(message)) return rewrite(message, { content });
    const envelope = ['kwargs', 'data'].find((key) => isObject(message[key]));
    if (envelope === undefined) return withMembers(message, { content });
    return withMembers(message, { [envelope]: withMembers(message[envelope], { content }) });
  },

  instance(members, messages) {
    return messages.some(isInstance) ? Object.assign(instanceOf(messages, members.content), members) : undefined;
  },

  summary({ marked: content, messages }) {
    const [first] = messages;
    if (isInstance(first)) return instanceOf(messages, content);
    if (first?.kwargs !== undefined) return dumped(content, elements(first.id)[0] === 'langchain_core');
    if (first?.data !== undefined) return { type: 'human', data: { content, type: 'human' } };
    return { content, type: 'human' };
  },
};

/** Whether a value can be the content of a message. */
function isContent(content) {
  return typeof content === 'string' || content === null || Array.isArray(content);
}

/** A copy of a message with other members. */
function rewrite(message, changes) {
  if (!isInstance(message)) return withMembers(message, changes);
  // `JSON.stringify` writes the members that the constructor of an instance was given.
  return withMembers(message, { ...changes, lc_kwargs: { ...message.lc_kwargs, ...changes } });
}

/** Whether a message is an instance of one of LangChain's classes. */
function isInstance(message) {
  return typeof message?.toJSON === 'function' && typeof (message.getType ?? message._getType) === 'function';
}

/** A message of the class of the user's messages or, if there is none, of a class derived from the others'. */
function instanceOf(messages, content) {
  const human = messages.find((message) => isInstance(message) && nameOf(message.constructor) === 'HumanMessage');
  if (human !== undefined) return new human.constructor({ content });
  const other = messages.find((message) => isInstance(message) && nameOf(message.constructor) !== undefined);
  return other === undefined ? { content, type: 'human' } : new (humanBeside(other.constructor))({ content });
}

/** For the base class of all messages, the class of the user's messages. */
const humans = new WeakMap();

/** LangChain's class of the user's messages, derived from the base class of all messages; it only adds `type`. */
function humanBeside(type) {
  let Base = type;
  while (nameOf(Base) !== 'BaseMessage' && nameOf(Object.getPrototypeOf(Base)) !== undefined) Base = Object.getPrototypeOf(Base);
  let Human = humans.get(Base);
  if (Human === undefined) {
    Human = class HumanMessage extends Base {
      type = 'human';

      static lc_name() {
        return 'HumanMessage';
      }

      static isInstance(object) {
        return super.isInstance?.(object) && object.type === 'human';
      }

      _getType() {
        return 'human';
      }
    };
    humans.set(Base, Human);
  }
  return Human;
}

/** The name of one of LangChain's classes; `undefined` for anything else. */
function nameOf(type) {
  return typeof type === 'function' && typeof type.lc_name === 'function' ? type.lc_name() : undefined;
}

/** The classes of messages have another path in Python than in JavaScript, which loads only its own. */
function dumped(content, isJavaScript) {
  const path = isJavaScript ? ['langchain_core'] : ['langchain', 'schema'];
  const kwargs = isJavaScript ? { content } : { content, type: 'human' };
  return { lc: 1, type: 'constructor', id: [...path, 'messages', 'HumanMessage'], kwargs };
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message without its envelope: its content and its kind. */
function open(message) {
  if (isInstance(message)) return { body: message, kind: kindNamed(message.getType?.() ?? message._getType()) };
  if (isObject(message?.kwargs)) {
    // The class is the last element of the constructor's path.
    const path = elements(message.id);
    return { body: message.kwargs, kind: kindNamed(named(path[path.length - 1], message.kwargs.type)) };
  }
  return { body: isObject(message?.data) ? message.data : message, kind: kindNamed(named(message?.type, message?.role)) };
}

function named(...names) {
  return names.find((name) => typeof name === 'string');
}

/** By the type (`ai`), the class (`AIMessageChunk`) or the role (`assistant`). */
function kindNamed(name) {
  return KINDS.get(name?.replace(/Chunk$/u, '').replace(/Message$/u, ''));
}

/**
 * Messages that a later `RemoveMessage` names are no longer sent (`add_messages` of LangGraph), and usage reported
 * before it describes the context with them.
 */
function removedFrom(opened) {
  const inactive = new Set();
  const removed = new Set();
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

function walkMessage({ body, kind }, isInactive, isReplaced, recorder) {
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
      return walkAnswer(body, flag, isReplaced, recorder);
    case 'system':
      recorder.begin(Role.SYSTEM, Turn.NO, flag);
      break;
    case 'result':
      recorder.begin(Role.TOOL, Turn.NO, flag);
      return walkResult(body, recorder);
    case 'remove':
      return recorder.begin(Role.OTHER, Turn.NO, Flag.INACTIVE);
    default:
      recorder.begin(Role.OTHER, Turn.NO, flag);
  }
  walkBlocks(content, undefined, recorder);
}

function walkAnswer(body, flag, isReplaced, recorder) {
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
function walkResult(body, recorder) {
  const { content } = body;
  const texts = textsIn(content);
  const isAll = elements(content).length <= 1;
  const media = elements(content).filter((block) => textOf(block) === undefined);
  // Media belong to a result by its id, so without an id they would stay.
  const stays = typeof body.tool_call_id !== 'string' && media.length > 0;
  const output = recorder.outputOf(isAll ? texts[0] : undefined, body.tool_call_id, body.status === 'error');
  // The placeholder replaces the whole content of a tool message: block 0 stands for the message.
  const block = stays ? undefined : 0;
  const call = recorder.result(body.tool_call_id, body.name, stays ? Output.SEALED : output, texts, block);
  for (const inside of media) recorder.data(mediaKind(inside), mediaOf(inside), call, inside);
}

// Formats whose live messages are recognized but not walked.

import { type Fault, faultAmong } from './common/chat.js';
import type { RecognizedFormat } from './format.js';
import { type Members, isObject } from '../values.js';

/** What a message of another shape says where the format has nothing. */
const CONTENT: Fault = { at: 'content' };

/** What is read of a message, a thought, an event or a step. */
interface Message {
  readonly role?: unknown;
  readonly kind?: unknown;
  readonly parts?: unknown;
  readonly thought?: unknown;
  readonly source?: unknown;
  readonly step_id?: unknown;
  readonly action?: unknown;
  readonly observation?: unknown;
  readonly compaction_summary?: unknown;
  readonly author?: unknown;
  readonly invocation_id?: unknown;
  readonly invocationId?: unknown;
  readonly actions?: unknown;
  readonly content?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
  readonly conversations?: unknown;
  readonly requestor?: unknown;
  readonly turn_idx?: unknown;
  readonly tool_messages?: unknown;
  readonly tool_calls?: unknown;
}

/** Whether a message is a request or a response of Pydantic AI. */
function isPydantic({ kind, parts }: Message): boolean {
  return parts !== undefined && (kind === 'request' || kind === 'response');
}

/** TunaCode's messages: Pydantic AI's, its own thoughts, and plain messages. */
export const tunacode: RecognizedFormat = {
  name: 'tunacode',
  signs: [{ words: 'kind request and response among thoughts and plain messages', keys: ['parts'], shows: isPydantic }],
  beside: {
    words: 'thoughts and plain messages',
    keys: ['thought'],
    shows: ({ thought }: Message) => thought !== undefined,
    anyRole: true,
  },
};

/** Pydantic AI's messages. */
export const pydanticAi: RecognizedFormat = {
  name: 'pydantic_ai',
  signs: [{ words: 'kind request and response with parts', keys: ['parts'], shows: isPydantic }],
};

/** The events of OpenHands. */
export const openhands: RecognizedFormat = {
  name: 'openhands',
  signs: [{ words: 'action, observation or kind of event with source', keys: ['source'], shows: isEvent }],
};

function isEvent({ source, step_id, action, observation, kind }: Message): boolean {
  if (source === undefined || step_id !== undefined) return false;
  return action !== undefined || observation !== undefined || (typeof kind === 'string' && kind.endsWith('Event'));
}

/** The steps of a trajectory of Harbor. */
export const atif: RecognizedFormat = {
  name: 'atif',
  signs: [
    {
      words: 'step_id and source',
      keys: ['source'],
      shows: ({ source, step_id }: Message) => source !== undefined && step_id !== undefined,
    },
  ],
};

/** TinyAgent's messages. */
export const tinyagent: RecognizedFormat = {
  name: 'tinyagent',
  signs: [
    { words: 'role tool_result or block tool_call', roles: ['tool_result'], blocks: ['tool_call'] },
    // A summary may have replaced all calls.
    {
      words: 'compaction_summary',
      keys: ['compaction_summary'],
      shows: ({ role, compaction_summary }: Message) => role !== undefined && compaction_summary !== undefined,
    },
  ],
  faultOf: (message) => faultAmong(message, ['user', 'assistant', 'tool_result', 'system'], isTinyBlock),
};

/** What the blocks of TinyAgent have, by their types. */
const TINY_BLOCKS = new Map([
  ['text', ['text']],
  ['thinking', ['thinking']],
  ['tool_call', ['id', 'name', 'arguments', 'partial_json']],
]);

/** A block may omit its type, and a damaged one is nothing. */
function isTinyBlock(block: Members | null | undefined): boolean {
  const type = block?.type;
  if (typeof type !== 'string') return block === null || isObject(block);
  return type === 'image' || (TINY_BLOCKS.get(type) ?? []).some((name) => block?.[name] !== undefined);
}

/** The events of Google's ADK. */
export const googleAdk: RecognizedFormat = {
  name: 'google_adk',
  signs: [
    {
      words: 'events with an author and an invocation',
      keys: ['author'],
      shows: ({ author, invocation_id, invocationId = invocation_id, content, actions }: Message) =>
        author !== undefined && invocationId !== undefined && (content !== undefined || actions !== undefined),
    },
  ],
  // A content with parts is an object.
  faultOf: (event) => (isObject(event) && !isParts((event as Message).content) ? CONTENT : undefined),
};

function isParts(content: unknown): boolean {
  return typeof content !== 'string' && !Array.isArray(content);
}

/** Turns of ShareGPT. */
export const sharegpt: RecognizedFormat = {
  name: 'sharegpt',
  signs: [
    {
      words: 'from and value',
      keys: ['from', 'conversations'],
      shows: ({ from, value, conversations }: Message) => (from !== undefined && value !== undefined) || Array.isArray(conversations),
    },
  ],
};

/** Messages of tau2-bench. */
export const tau2: RecognizedFormat = {
  name: 'tau2',
  signs: [
    {
      words: 'calls with a requestor, and messages with a turn_idx',
      keys: ['requestor', 'turn_idx', 'tool_messages', 'tool_calls'],
      shows: isOfTau2,
    },
  ],
};

function isOfTau2(message: Message): boolean {
  const { role, requestor, turn_idx, tool_messages, tool_calls } = message;
  if (typeof role !== 'string') return false;
  const hasOne = (list: unknown) => Array.isArray(list) && list.some((one) => isObject(one) && (one as Message).requestor !== undefined);
  return requestor !== undefined || turn_idx !== undefined || hasOne(tool_messages) || hasOne(tool_calls);
}

/** A format whose messages have a role and a list with this name; .NET begins both with a capital letter. */
function messagesWith(name: string, words: string, list: string): RecognizedFormat {
  const capital = list[0].toUpperCase() + list.slice(1);
  const shows = (message: Members) =>
    (message.role !== undefined && message[list] !== undefined) || (message.Role !== undefined && message[capital] !== undefined);
  return {
    name,
    signs: [{ words, keys: [list, capital], shows }],
    // Read as one of these, a message of another shape would be an empty one.
    faultOf: (message) =>
      isObject(message) && (message as Members).content !== undefined && !shows(message as Members) ? CONTENT : undefined,
  };
}

/** Messages of Microsoft's Agent Framework. */
export const agentFramework = messagesWith('agent_framework', 'role and contents', 'contents');

/** Messages of Semantic Kernel. */
export const semanticKernel = messagesWith('semantic_kernel', 'role and items of a content', 'items');

/** Messages of AutoGen's model clients. */
export const autogen: RecognizedFormat = {
  name: 'autogen',
  signs: [{ words: "messages of AutoGen's types", types: ['UserMessage', 'AssistantMessage', 'FunctionExecutionResultMessage'] }],
};

/** Messages of Amp's threads. */
export const amp: RecognizedFormat = {
  name: 'amp',
  signs: [
    {
      words: 'results with a toolUseID and a run',
      blocksWith: {
        tool_result: ({ toolUseID, run }: { toolUseID?: unknown; run?: unknown }) => toolUseID !== undefined && run !== undefined,
      },
    },
  ],
  faultOf: (message) => (isObject(message) && typeof (message as Message).content === 'string' ? CONTENT : undefined),
};

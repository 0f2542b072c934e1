// The messages of a recorded life as each library takes them, and what is left of them when it gives them back.
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/**
 * @typedef {{ kind: 'text' | 'reasoning' | 'call' | 'result', text: string, id?: string, name?: string }} Piece
 * @typedef {{ role: 'user' | 'assistant' | 'tool', pieces: Piece[] }} Message
 * @typedef {Piece & { role: string }} Left
 * @typedef {object} Wire
 * @property {(messages: Message[]) => any[]} write
 * @property {(messages: any[]) => Left[]} read
 * @property {boolean} [joins] whether a message has one text
 * @property {boolean} [reasons] whether the messages have a place for reasoning
 */

const words = (pieces) => pieces.filter(({ kind }) => kind === 'text').map(({ text }) => text);
const calls = (pieces) => pieces.filter(({ kind }) => kind === 'call');
/** Arguments as an object: those that are no JSON are one string. */
function argumentsOf(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {}
  return { input: text };
}
/** What a piece says when it is written and read back. */
export const saidBy = ({ kind, text }) => (kind === 'call' ? JSON.stringify(argumentsOf(text)) : text);

/** @param {any} content */
const joined = (content) => (typeof content === 'string' ? content : (content ?? []).map((block) => block.text ?? '').join('\n'));

/** @type {Wire} OpenAI's chat messages. */
export const CHAT = {
  joins: true,
  write: (messages) =>
    messages.flatMap(
      /** @returns {any[]} */ ({ role, pieces }) => {
        if (role === 'tool') return pieces.map(({ id, name, text }) => ({ role, tool_call_id: id, name, content: text }));
        const content = words(pieces).join('\n');
        const made = calls(pieces).map(({ id, name, text }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(argumentsOf(text)) },
        }));
        return [{ role, content, ...(made.length > 0 && { tool_calls: made }) }];
      },
    ),
  read: (messages) =>
    messages.flatMap(({ role, content, tool_calls: made, tool_call_id: id }) => {
      if (role === 'tool') return [{ role, kind: 'result', id, text: joined(content) }];
      const text = joined(content);
      const called = (made ?? []).map((call) => ({ role, kind: 'call', id: call.id, text: call.function.arguments }));
      return [...(text === '' ? [] : [{ role, kind: 'text', text }]), ...called];
    }),
};

/** @type {Wire} The AI SDK's. */
export const AI_SDK = {
  reasons: true,
  write: (messages) =>
    messages.map(({ role, pieces }) => ({
      role,
      content: pieces.map(({ kind, id, name, text }) => {
        if (kind === 'call') return { type: 'tool-call', toolCallId: id, toolName: name, input: argumentsOf(text) };
        if (kind === 'result') return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: text } };
        return { type: kind, text };
      }),
    })),
  read: (messages) =>
    messages.flatMap(({ role, content }) =>
      content.map((part) => {
        if (part.type === 'tool-call') return { role, kind: 'call', id: part.toolCallId, text: JSON.stringify(part.input) };
        if (part.type === 'tool-result') return { role, kind: 'result', id: part.toolCallId, text: part.output.value };
        return { role, kind: part.type, text: part.text };
      }),
    ),
};

const ROLES = { human: 'user', ai: 'assistant', tool: 'tool', system: 'system' };
let numbered = 0;

/** @type {Wire} LangChain's. */
export const LANGCHAIN = {
  joins: true,
  write: (messages) => {
    const made = messages.flatMap(
      /** @returns {any[]} */ ({ role, pieces }) => {
        if (role === 'tool') return pieces.map(({ id, name, text }) => new ToolMessage({ content: text, tool_call_id: id ?? '', name }));
        const content = words(pieces).join('\n');
        if (role === 'user') return [new HumanMessage(content)];
        const tool_calls = calls(pieces).map(({ id, name, text }) => ({
          id,
          name: name ?? '',
          args: argumentsOf(text),
          type: /** @type {const} */ ('tool_call'),
        }));
        return [new AIMessage({ content, tool_calls })];
      },
    );
    return made.map((message) => Object.assign(message, { id: `m${(numbered += 1)}` }));
  },
  read: (messages) =>
    messages.flatMap((message) => {
      const role = ROLES[message.getType()];
      const text = joined(message.content);
      if (role === 'tool') return [{ role, kind: 'result', id: message.tool_call_id, text }];
      const called = (message.tool_calls ?? []).map(({ id, args }) => ({ role, kind: 'call', id, text: JSON.stringify(args) }));
      return [...(text === '' ? [] : [{ role, kind: 'text', text }]), ...called];
    }),
};

/** @type {Wire} Gemini's contents. */
export const GEMINI = {
  write: (messages) =>
    messages.map(({ role, pieces }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: pieces.map(({ kind, id, name, text }) => {
        if (kind === 'call') return { functionCall: { id, name, args: argumentsOf(text) } };
        if (kind === 'result') return { functionResponse: { id, name, response: { output: text } } };
        return { text };
      }),
    })),
  read: (contents) =>
    contents.flatMap(({ role: speaker, parts }) =>
      parts.map(({ text, functionCall: call, functionResponse: result }) => {
        if (call !== undefined) return { role: 'assistant', kind: 'call', id: call.id, text: JSON.stringify(call.args) };
        if (result !== undefined) return { role: 'tool', kind: 'result', id: result.id, text: result.response.output };
        return { role: speaker === 'model' ? 'assistant' : 'user', kind: 'text', text };
      }),
    ),
};

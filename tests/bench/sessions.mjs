// One session in the message format of every contender: the same content, generated from a seed.
//
// A session is first a list of plain entries. `shapes` convert them to messages; converting twice gives new objects
// with the same strings, as if the session had been read again.

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

import { loadCorpus, logUniform, pieceOf, randomOf } from './corpus.mjs';

const SEED = 3;
/** The share of tool results with letters outside Latin-1. */
const WIDE = 0.28;
/** How often each tool is called. */
const TOOLS = [
  ['bash', 0.32],
  ['read', 0.28],
  ['grep', 0.1],
  ['edit', 0.2],
  ['write', 0.1],
];
const NARROW = ['code', 'code', 'prose', 'json', 'log'];

/**
 * @typedef {{ role: 'user', text: string }} UserEntry
 * @typedef {{ role: 'assistant', text: string, thinking: string, calls: Call[], tokens: number }} AssistantEntry
 * @typedef {{ role: 'tool', id: string, name: string, text: string }} ToolEntry
 * @typedef {{ id: string, name: string, given: string[] }} Call
 * @typedef {UserEntry | AssistantEntry | ToolEntry} Entry
 */

/** An endless generator of entries. */
export function* entries(seed = SEED) {
  const random = randomOf(seed);
  const corpus = loadCorpus();
  let calls = 0;
  let characters = 0;
  const textOf = (kind, least, most) => {
    const text = pieceOf(corpus[kind], random, logUniform(random, least, most));
    characters += text.length;
    return text;
  };
  for (;;) {
    yield { role: 'user', text: textOf('prose', 60, 4_000) };
    const steps = 3 + Math.floor(random() * 12);
    for (let step = 0; step < steps; step += 1) {
      const made = [];
      for (let call = random() < 0.15 ? 2 : 1; call > 0; call -= 1) {
        calls += 1;
        const name = toolBy(random());
        made.push({ id: `call_${calls.toString(36).padStart(9, '0')}`, name, given: givenTo(name, textOf) });
      }
      const text = textOf('prose', 60, 4_000);
      const thinking = textOf('prose', 200, 12_000);
      yield { role: 'assistant', text, thinking, calls: made, tokens: Math.ceil(characters / 4) };
      for (const { id, name } of made) {
        const kind = random() < WIDE ? 'wide' : NARROW[Math.floor(random() * NARROW.length)];
        yield { role: 'tool', id, name, text: textOf(kind, 200, 40_000) };
      }
    }
    yield { role: 'assistant', text: textOf('prose', 200, 4_000), thinking: '', calls: [], tokens: Math.ceil(characters / 4) };
  }
}

/** The first `count` entries of a session. */
export function take(source, count) {
  const taken = [];
  while (taken.length < count) taken.push(source.next().value);
  return taken;
}

/** The size of a session: bytes of UTF-8, and the shares of tool results and of arguments. */
export function weigh(session) {
  const bytes = { results: 0, given: 0, rest: 0 };
  let wide = 0;
  let results = 0;
  for (const entry of session) {
    const size = (text) => Buffer.byteLength(text);
    if (entry.role === 'tool') {
      bytes.results += size(entry.text);
      results += 1;
      if (/[^\0-\xff]/u.test(entry.text)) wide += 1;
      continue;
    }
    bytes.rest += size(entry.text) + size(entry.thinking ?? '');
    for (const call of entry.calls ?? []) bytes.given += size(JSON.stringify(argumentsOf(call)));
  }
  const total = bytes.results + bytes.given + bytes.rest;
  return { bytes: total, results: bytes.results / total, given: bytes.given / total, wide: wide / Math.max(results, 1) };
}

function toolBy(chance) {
  let rest = chance;
  for (const [name, share] of TOOLS) {
    rest -= share;
    if (rest < 0) return name;
  }
  return 'bash';
}

function givenTo(name, textOf) {
  switch (name) {
    case 'edit':
      return [textOf('code', 20, 60), textOf('code', 100, 6_000), textOf('code', 100, 6_000)];
    case 'write':
      return [textOf('code', 20, 60), textOf('code', 500, 30_000)];
    default:
      return [textOf('code', 20, 500)];
  }
}

/** The arguments of a call, as a new object. */
export function argumentsOf({ name, given }) {
  switch (name) {
    case 'edit':
      return { path: given[0], edits: [{ oldText: given[1], newText: given[2] }] };
    case 'write':
      return { path: given[0], content: given[1] };
    case 'read':
      return { path: given[0], offset: 1, limit: 2_000 };
    case 'grep':
      return { pattern: given[0], path: 'src', glob: '**/*.ts', ignoreCase: false };
    default:
      return { command: given[0], timeout: 120 };
  }
}

/** Converts an entry to a message of each contender. */
export const shapes = {
  /** pi's messages, without reported usage. */
  pi: (entry) => piMessage(entry, undefined),
  /** pi's messages, with reported usage. */
  piUsage: (entry) => piMessage(entry, entry.tokens),
  /** Messages of the AI SDK. */
  ai: aiMessage,
  /** Instances of LangChain's message classes. */
  langchain: langchainMessage,
};

function piMessage(entry, tokens) {
  switch (entry.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: entry.text }], timestamp: 0 };
    case 'tool':
      return {
        role: 'toolResult',
        toolCallId: entry.id,
        toolName: entry.name,
        content: [{ type: 'text', text: entry.text }],
        isError: false,
        timestamp: 0,
      };
    default: {
      const content = [];
      if (entry.thinking !== '') content.push({ type: 'thinking', thinking: entry.thinking });
      content.push({ type: 'text', text: entry.text });
      for (const call of entry.calls) {
        content.push({ type: 'toolCall', id: call.id, name: call.name, arguments: argumentsOf(call) });
      }
      const usage = tokens && { input: 0, output: 0, cacheRead: tokens, cacheWrite: 0, totalTokens: tokens };
      return { role: 'assistant', content, usage, stopReason: entry.calls.length > 0 ? 'toolUse' : 'stop', timestamp: 0 };
    }
  }
}

function aiMessage(entry) {
  switch (entry.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: entry.text }] };
    case 'tool': {
      const output = { type: 'text', value: entry.text };
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: entry.id, toolName: entry.name, output }] };
    }
    default: {
      const content = [];
      if (entry.thinking !== '') content.push({ type: 'reasoning', text: entry.thinking });
      content.push({ type: 'text', text: entry.text });
      for (const call of entry.calls) {
        content.push({ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: argumentsOf(call) });
      }
      return { role: 'assistant', content };
    }
  }
}

function langchainMessage(entry) {
  switch (entry.role) {
    case 'user':
      return new HumanMessage({ content: entry.text });
    case 'tool':
      return new ToolMessage({ content: entry.text, tool_call_id: entry.id, name: entry.name });
    default: {
      const tool_calls = entry.calls.map((call) => ({ id: call.id, name: call.name, args: argumentsOf(call), type: 'tool_call' }));
      return new AIMessage({ content: [{ type: 'text', text: entry.thinking + entry.text }], tool_calls });
    }
  }
}

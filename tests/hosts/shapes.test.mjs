// What stands in the place of an output has the shape that its reader looks into: stored chats of the AI SDK are compacted, live and as text, and
// their own library makes model messages of them, with the tools of an MCP server and tools that write the model's output themselves.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createMCPClient } from '@ai-sdk/mcp';
import * as ai6 from 'ai';
import * as ai7 from 'ai7';
import { z } from 'zod';

import { ebbline } from './adapter.mjs';

const { compact, createCompactor, plan, validate } = ebbline;
const LONG = 'The ledger was read, and no line of it rounds. '.repeat(60);
const OPTIONS = { model: { context: 12_000, output: 1_000 } };

/** The tools of an MCP server that answers in this process. */
async function toolsOfServer() {
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'tickets', version: '1' } },
    'tools/list': { tools: ['tickets', 'rows'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } })) },
  };
  const transport = {
    start: async () => {},
    close: async () => {},
    async send({ id, method }) {
      if (id !== undefined) queueMicrotask(() => this.onmessage({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
    },
  };
  return (await createMCPClient({ transport: /** @type {any} */ (transport) })).tools();
}

/** Outputs by the shape that their reader looks into, and the reader where it is the application's. */
const OUTPUTS = {
  'a text': { tool: 'read', output: () => LONG },
  'the result of an MCP tool': {
    tool: 'tickets',
    output: (at) => ({
      content: [
        { type: 'text', text: `${at} ${LONG}` },
        { type: 'resource_link', uri: `file:///t${at}`, name: 't' },
      ],
      isError: false,
    }),
  },
  'an MCP result with structured content': {
    tool: 'tickets',
    output: (at) => ({ content: [{ type: 'text', text: LONG }], structuredContent: { rows: [LONG, at] } }),
  },
  'the structured content alone': { tool: 'rows', output: (at) => ({ rows: [{ at, text: LONG }], total: 1 }) },
  'an object that its tool looks into': {
    tool: 'find',
    output: (at) => ({ found: [LONG], at }),
    toModelOutput: ({ output }) => ({ type: 'text', value: output.found.map((text) => text.trim()).join() }),
  },
  'an output with a schema': {
    tool: 'report',
    output: (at) => ({
      status: 'ok',
      rows: [
        { at, text: LONG },
        { at: at + 1, text: LONG },
      ],
      note: LONG,
      total: 2,
      day: '2026-11-26',
    }),
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.status}: ${output.rows[0].text}, ${output.total.toFixed(1)}` }),
    outputSchema: z.object({
      status: z.enum(['ok', 'bad']),
      rows: z.array(z.object({ at: z.number(), text: z.string() })).min(1),
      note: z.string(),
      total: z.number(),
      day: z.iso.date(),
    }),
  },
  'a list that its tool goes through': {
    tool: 'list',
    output: () => [
      { type: 'text', text: LONG },
      { type: 'text', text: 'end' },
    ],
    toModelOutput: ({ output }) => ({ type: 'content', value: output.map(({ type, text }) => ({ type, text })) }),
  },
};

function chatOf(tool, output, isDynamic) {
  const chat = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Read all of it.' }] }];
  for (let at = 0; at < 24; at += 1) {
    const named = isDynamic ? { type: 'dynamic-tool', toolName: tool } : { type: `tool-${tool}` };
    const part = { ...named, toolCallId: `c${at}`, state: 'output-available', input: { at }, output: output(at) };
    const parts = [{ type: 'step-start' }, part, { type: 'text', text: `Read ${at}.`, state: 'done' }];
    chat.push({ id: `a${at}`, role: 'assistant', parts }, { id: `u${at}`, role: 'user', parts: [{ type: 'text', text: 'next' }] });
  }
  return chat;
}

const shapeOf = (value) => (Array.isArray(value) ? 'list' : typeof value);
const outputsIn = (messages) => messages.flatMap(({ parts }) => parts.filter((part) => 'output' in part).map(({ output }) => output));
const mcpTools = await toolsOfServer();

for (const [name, { tool, output, toModelOutput, outputSchema }] of Object.entries(OUTPUTS)) {
  for (const isDynamic of [false, true]) {
    test(`${name}${isDynamic ? ', of a dynamic tool' : ''} keeps its shape, live and as text, and its library reads what is left`, async () => {
      const chat = chatOf(tool, output, isDynamic);
      const live = compact(chat, { ...OPTIONS, force: true, now: 0 }).messages;
      const { text } = compact(JSON.stringify(chat), { ...OPTIONS, force: true, now: 0 });
      assert.deepEqual(JSON.parse(text), live);
      const kept = await createCompactor(OPTIONS).prepare(chat);
      for (const view of [live, kept]) {
        // The newest may be cut to head and tail.
        const changed = outputsIn(view).filter((left) => JSON.stringify(left).includes(' [ref '));
        assert.ok(changed.length > 5, `${changed.length} outputs were cleared`);
        assert.deepEqual([...new Set(changed.map(shapeOf))], [shapeOf(output(0))]);
        assert.ok(validate(view).valid);
        // What is cleared is known as cleared.
        const parts = plan(view, OPTIONS).messages.flatMap((message) => message.parts);
        assert.equal(parts.filter(({ fate }) => fate === 'already_pruned').length, changed.length);
        for (const ai of [ai6, ai7]) {
          const own = toModelOutput && { [tool]: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object' }), toModelOutput }) };
          const model = await ai.convertToModelMessages(view, { tools: { ...mcpTools, ...own } });
          assert.ok(model.length > view.length / 2);
          if (outputSchema === undefined) continue;
          const tools = { [tool]: { ...own[tool], outputSchema } };
          await ai.validateUIMessages({ messages: view, tools });
        }
      }
    });
  }
}

test('every stored chat of the fixtures becomes model messages once it is pruned', async () => {
  const text = readFileSync(new URL('../formats/vercel_ui/vercel-ui.json', import.meta.url), 'utf8');
  const stored = JSON.parse(text);
  const chat = Array.isArray(stored) ? stored : stored.messages;
  const set = { 'prune.protect': 0, 'prune.minimum': 0, 'prune.protectedTurns': 0, 'prune.placeholder': '-' };
  const { messages, applied } = compact(chat, { set, force: true });
  assert.ok(applied.pruned > 0);
  for (const ai of [ai6, ai7]) await ai.convertToModelMessages(messages, { tools: mcpTools });
});

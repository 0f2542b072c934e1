// The thinking of a running turn stays under `prune.thinking`, signed or not: DeepSeek and Kimi refuse calls without it, as Anthropic does.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { compact, createCompactor } = ebbline;
const STEPS = 30;
const thought = (at) => `Step ${at} may be where it rounds. `.repeat(60);
const output = (at) => `Line ${at} of the ledger. `.repeat(120);
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: {} };

/** A step of each format, with the thinking that a provider without signatures gives. */
const FORMATS = {
  vercel_model: (at) => [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: thought(at) },
        { type: 'tool-call', toolCallId: `c${at}`, toolName: 'read', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: `c${at}`, toolName: 'read', output: { type: 'text', value: output(at) } }],
    },
  ],
  anthropic_messages: (at) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: thought(at), signature: '' },
        { type: 'tool_use', id: `c${at}`, name: 'read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: output(at) }] },
  ],
  gemini_contents: (at) => [
    {
      role: 'model',
      parts: [{ text: thought(at), thought: true }, { functionCall: { id: `c${at}`, name: 'read', args: {} } }],
    },
    { role: 'user', parts: [{ functionResponse: { id: `c${at}`, name: 'read', response: { output: output(at) } } }] },
  ],
  bedrock_converse: (at) => [
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: thought(at) } } },
        { toolUse: { toolUseId: `c${at}`, name: 'read', input: {} } },
      ],
    },
    { role: 'user', content: [{ toolResult: { toolUseId: `c${at}`, content: [{ text: output(at) }] } }] },
  ],
  pi: (at) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: thought(at) },
        { type: 'toolCall', id: `c${at}`, name: 'read', arguments: {} },
      ],
      api: 'openai-completions',
      provider: 'deepseek',
      model: 'deepseek-reasoner',
      usage,
      stopReason: 'toolUse',
      timestamp: 1,
    },
    {
      role: 'toolResult',
      toolCallId: `c${at}`,
      toolName: 'read',
      content: [{ type: 'text', text: output(at) }],
      isError: false,
      timestamp: 1,
    },
  ],
};
const asked = {
  gemini_contents: (text) => ({ role: 'user', parts: [{ text }] }),
  bedrock_converse: (text) => ({ role: 'user', content: [{ text }] }),
  pi: (content) => ({ role: 'user', content, timestamp: 1 }),
};
const saidBy = {
  gemini_contents: (text) => ({ role: 'model', parts: [{ text }] }),
  bedrock_converse: (text) => ({ role: 'assistant', content: [{ text }] }),
  pi: (text) => ({ ...FORMATS.pi(0)[0], content: [{ type: 'text', text }], stopReason: 'stop' }),
};

const thoughtsIn = (messages) => (JSON.stringify(messages).match(/may be where it rounds\. Step/g) ?? []).length / 59;

for (const [format, step] of Object.entries(FORMATS)) {
  const says = asked[format] ?? ((content) => ({ role: 'user', content }));
  const answers = saidBy[format] ?? ((text) => ({ role: 'assistant', content: [{ type: 'text', text }] }));
  const turn = (from) => [says('Mend it.'), ...Array.from({ length: STEPS }, (_, at) => step(from + at)).flat()];
  const options = { format, model: { context: 30_000, output: 2_000 }, set: { 'prune.thinking': 2 } };

  test(`${format}: no call of the running turn is sent without its thinking, and turns that ended lose theirs`, async () => {
    const running = turn(0);
    assert.equal(thoughtsIn(await createCompactor(options).prepare(running)), STEPS);
    const text = compact(JSON.stringify(running), { ...options, force: true }).text;
    assert.equal(thoughtsIn(JSON.parse(text)), STEPS);
    const later = [...turn(0), answers('It is mended.'), ...turn(STEPS)];
    assert.equal(thoughtsIn(compact(later, { ...options, force: true, set: { ...options.set, 'retain.enabled': false } }).messages), STEPS);
  });
}

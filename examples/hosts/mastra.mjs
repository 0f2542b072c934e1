// A Mastra agent whose threads stay inside the context window.

import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { createCompactor } from 'ebbline';
import { ebblineProcessor } from 'ebbline/mastra';
import { z } from 'zod';

const events = [];
const compacting = ebblineProcessor(({ threadId }) =>
  createCompactor({
    model: { context: 16_000, output: 1_000 },
    summarize: async () => 'The agent reads parts until it finds the fault. Parts so far are sound.',
    onEvent: ({ type }) => events.push(`${threadId}: ${type}`),
  }),
);

const agent = new Agent({
  id: 'fixer',
  name: 'fixer',
  instructions: 'Find the fault.',
  model: scriptedModel({ steps: 60, window: 60_000 }),
  memory: new MockMemory({ options: { lastMessages: 1_000 } }),
  tools: {
    read: createTool({
      id: 'read',
      description: 'Reads a part.',
      inputSchema: z.object({ part: z.number() }),
      execute: async ({ part }) => `line of part ${part}\n`.repeat(100),
    }),
  },
  inputProcessors: [compacting],
  errorProcessors: [compacting],
  maxProcessorRetries: 1,
});

for (const thread of ['monday', 'tuesday']) {
  const { steps } = await agent.generate('Where is the fault?', { maxSteps: 100, memory: { thread, resource: 'mara' } });
  console.log(`${thread}: ${steps.at(-1).text} It took ${steps.length} requests.`);
}
console.log(`both threads were compacted: ${events.includes('monday: compacted') && events.includes('tuesday: compacted')}`);
console.log(`a request was refused: ${events.some((event) => event.endsWith('overflow'))}`);
console.log(`a pruned output is still there: ${compacting.compactor('monday').recall('call_1').startsWith('line of part 1')}`);

/** A model that calls the tool `steps` times in each run. It takes `window` characters. */
function scriptedModel({ steps, window }) {
  const answer = ({ prompt }) => {
    const size = JSON.stringify(prompt).length;
    if (size > window) throw Object.assign(new Error(`prompt is too long: ${size} > ${window}`), { statusCode: 400 });
    const call = prompt.filter(({ role }) => role === 'assistant').length + 1;
    const isLast = call > steps;
    const input = JSON.stringify({ part: call });
    return {
      content: [
        isLast ? { type: 'text', text: 'It is in part 7.' } : { type: 'tool-call', toolCallId: `call_${call}`, toolName: 'read', input },
      ],
      finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
      usage: { inputTokens: { total: Math.ceil(size / 4) }, outputTokens: { total: 20 } },
      warnings: [],
    };
  };
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (options) => answer(options),
  };
}

// It prints:
// → monday: It is in part 7. It took 61 requests.
// → tuesday: It is in part 7. It took 61 requests.
// → both threads were compacted: true
// → a request was refused: false
// → a pruned output is still there: true

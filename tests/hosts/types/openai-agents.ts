import { Agent, MemorySession, type Model, OpenAIProvider, Runner, run } from '@openai/agents';

import { createCompactor } from 'ebbline';
import { compacting, compactingRun } from 'ebbline/openai-agents';

declare const model: Model;

export async function ask(prompt: string): Promise<string | undefined> {
  const compactor = createCompactor({ model: { context: 200_000 } });
  const agent = new Agent({ name: 'Reader', model: compacting(model, compactor) });
  const runner = new Runner({ modelProvider: compacting(new OpenAIProvider(), compactor) });
  await runner.run(agent, prompt, { stream: true, ...compactingRun(compactor) });
  const { finalOutput } = await run(agent, prompt, compactingRun(compactor, { session: new MemorySession() }));
  return finalOutput;
}

// @ts-expect-error a name is no model
compacting('gpt-6', createCompactor());
// @ts-expect-error no session
compactingRun(createCompactor(), { session: {} });

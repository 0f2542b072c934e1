// Compiled, never run: the processor against the types of the real package.

import { Agent } from '@mastra/core/agent';
import type { ErrorProcessor, InputProcessor } from '@mastra/core/processors';
import { createCompactor, type Compactor } from 'ebbline';
import { ebblineProcessor, type EbblineProcessor, type MastraRun } from 'ebbline/mastra';

const compacting: EbblineProcessor = ebblineProcessor(({ threadId, resourceId }: MastraRun) => {
  const named: string | undefined = threadId ?? resourceId;
  return createCompactor({ model: { context: named === undefined ? 8_000 : 200_000 } });
});

const input: InputProcessor = compacting;
const error: ErrorProcessor = compacting;
export const agent = new Agent({
  id: 'fixer',
  name: 'fixer',
  instructions: 'Mend what is broken.',
  model: 'openai/gpt-5',
  inputProcessors: [compacting, input],
  errorProcessors: [compacting, error],
});

export const known: Compactor | undefined = compacting.compactor('t1');
export const forgotten: boolean = ebblineProcessor(() => createCompactor(), { limit: 10 }).forget('t1');

// @ts-expect-error one compactor cannot serve all threads
ebblineProcessor(createCompactor());
// @ts-expect-error the function must return a compactor
ebblineProcessor(() => ({}));
// @ts-expect-error
ebblineProcessor(() => createCompactor(), { limit: 'many' });

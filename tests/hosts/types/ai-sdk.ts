// The types of `ebbline/ai-sdk` with those of the real packages.

import * as ai6 from 'ai';
import * as ai7 from 'ai7';
import { Session, createCompactor } from 'ebbline';
import type { CompactorRecord } from 'ebbline';
import { compactionMiddleware, onStepFinish, prepareStep, prepareUIMessages, resumeCompactor } from 'ebbline/ai-sdk';
import { load } from 'ebbline/tokenizers/o200k';
import { z } from 'zod';

const compactor = createCompactor({ model: { context: 200_000 } });

export async function sdk6(model: ai6.LanguageModel, base: Parameters<typeof ai6.wrapLanguageModel>[0]['model']) {
  const tools = { read: ai6.tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => `line ${at}` }) };
  const settings = { model, tools, prompt: 'Mend it.' };
  await ai6.generateText({ ...settings, prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) });
  ai6.streamText({
    ...settings,
    prepareStep: prepareStep(compactor),
    onStepFinish: onStepFinish(compactor, ({ text }) => console.log(text)),
  });
  new ai6.ToolLoopAgent({ model, tools, prepareStep: prepareStep(compactor) });
  await ai6.generateText({
    ...settings,
    prepareStep: prepareStep(compactor, ({ stepNumber, messages }) =>
      stepNumber > 3 ? { activeTools: [], messages: messages.slice(1) } : {},
    ),
  });
  const wrapped = ai6.wrapLanguageModel({ model: base, middleware: compactionMiddleware(compactor) });
  ai6.wrapLanguageModel({ model: base, middleware: [compactionMiddleware(compactor, { specificationVersion: 'v3' })] });
  return ai6.generateText({ ...settings, model: wrapped });
}

export async function sdk7(model: ai7.LanguageModel, base: Parameters<typeof ai7.wrapLanguageModel>[0]['model']) {
  const tools = { read: ai7.tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => `line ${at}` }) };
  const settings = { model, tools, prompt: 'Mend it.' };
  await ai7.generateText({ ...settings, prepareStep: prepareStep(compactor), onStepEnd: onStepFinish(compactor) });
  ai7.streamText({ ...settings, prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) });
  new ai7.ToolLoopAgent({ model, tools, prepareStep: prepareStep(compactor) });
  await ai7.generateText({
    ...settings,
    prepareStep: prepareStep(compactor, ({ stepNumber, messages }) =>
      stepNumber > 3 ? { activeTools: [], messages: messages.slice(1) } : {},
    ),
  });
  await ai7.generateText({
    ...settings,
    prepareStep: prepareStep(compactor, async ({ stepNumber }) => (stepNumber > 3 ? undefined : { toolChoice: 'none' as const })),
  });
  new ai7.ToolLoopAgent({ model, tools, prepareStep: prepareStep(compactor, ({ messages }) => ({ messages })) });
  const wrapped = ai7.wrapLanguageModel({ model: base, middleware: compactionMiddleware(compactor, { specificationVersion: 'v4' }) });
  ai7.wrapLanguageModel({ model: base, middleware: [compactionMiddleware(compactor)] });
  return ai7.generateText({ ...settings, model: wrapped });
}

export async function chat(stored: ai6.UIMessage[], record: CompactorRecord | null) {
  const resumed = await resumeCompactor((record) => createCompactor({ model: { context: 200_000 }, record }), record, stored);
  const view: ai6.UIMessage[] = await prepareUIMessages(resumed, stored);
  return ai6.convertToModelMessages(view);
}

export async function chat7(stored: ai7.UIMessage<{ at: number }>[]) {
  return ai7.convertToModelMessages(await prepareUIMessages(compactor, stored));
}

// @ts-expect-error the compactor is missing
prepareStep();
// @ts-expect-error there is no such version
compactionMiddleware(compactor, { specificationVersion: 'v2' });
// @ts-expect-error these are no UI messages
prepareUIMessages(compactor, [{ role: 'user', content: 'Hello' }]);

export async function disposed(messages: ai7.ModelMessage[]): Promise<ai7.ModelMessage[]> {
  using kept = createCompactor({ model: { context: 200_000 }, warn: false });
  using session = new Session<ai7.ModelMessage>();
  using counted = await load();
  session.push(messages);
  counted.count('Hello');
  return kept.prepare(messages);
}

import type { Summarize } from '../../compactor-options.js';
import type { ModelRequest } from '../../requested-summary.js';
import type { PiMessage } from './cut.js';
import type { Model, OpenSession } from './open-session.js';

/** A message that is sent to a model. */
type LLMMessage = Extract<PiMessage, { role: 'user' | 'assistant' }>;

/** Writes summaries with the model of the session. */
export function summarizeWith(session: OpenSession): Summarize {
  return async ({ system, messages, maxTokens }, { signal }) => {
    const { model, modelRegistry } = session.ctx;
    if (model === undefined) throw new Error('pi has no model that could write a summary');
    const context = { systemPrompt: system, messages: messages.map((message) => messageOf(message, model)) };
    const answer = await modelRegistry.complete(model, context, { maxTokens, signal, cacheRetention: 'none' });
    if (answer.stopReason === 'error' || answer.stopReason === 'aborted') throw new Error(answer.errorMessage ?? answer.stopReason);
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return { text, truncated: answer.stopReason === 'length' };
  };
}

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

function messageOf({ role, content }: ModelRequest['messages'][number], { api, provider, id }: Model): LLMMessage {
  const message = { content: [{ type: 'text' as const, text: content }], timestamp: Date.now() };
  if (role !== 'assistant') return { role, ...message };
  return { role, ...message, api, provider, model: id, usage: { ...NONE, totalTokens: 0, cost: NONE }, stopReason: 'stop' };
}

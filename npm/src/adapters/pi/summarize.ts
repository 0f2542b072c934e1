/** Writes summaries with the model of the session. */
export function summarizeWith(session) {
  return async ({ system, messages, maxTokens }, { signal }) => {
    const { model, modelRegistry } = session.ctx;
    const context = { systemPrompt: system, messages: messages.map((message) => messageOf(message, model)) };
    const answer = await modelRegistry.complete(model, context, { maxTokens, signal, cacheRetention: 'none' });
    if (answer.stopReason === 'error' || answer.stopReason === 'aborted') throw new Error(answer.errorMessage ?? answer.stopReason);
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    return { text, truncated: answer.stopReason === 'length' };
  };
}

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

function messageOf({ role, content }, { api, provider, id }) {
  const message = { role, content: [{ type: 'text', text: content }], timestamp: Date.now() };
  if (role !== 'assistant') return message;
  return { ...message, api, provider, model: id, usage: { ...NONE, totalTokens: 0, cost: NONE }, stopReason: 'stop' };
}

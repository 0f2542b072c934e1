// What is left of a session, read from the messages of each library.

/**
 * @typedef {object} Left one message that is left
 * @property {string} role
 * @property {string[]} calls the ids of its calls
 * @property {string[]} results the ids of the calls that it answers
 * @property {string[]} signed its signatures, each with the text that it was given for
 */

/** @returns {Left[]} */
export function ofAiSdk(messages) {
  return messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [] : content;
    const ids = (type) => parts.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId);
    const signed = parts.flatMap(({ type, text, providerOptions }) =>
      type === 'reasoning' ? [`${providerOptions?.anthropic?.signature} ${text}`] : [],
    );
    return { role, calls: ids('tool-call'), results: ids('tool-result'), signed };
  });
}

const ROLES = { system: 'system', human: 'user', ai: 'assistant', tool: 'tool' };

/** @returns {Left[]} */
export function ofLangChain(messages) {
  return messages.map((message) => {
    const blocks = Array.isArray(message.content) ? message.content : [];
    const signed = blocks.flatMap(({ type, thinking, signature }) => (type === 'thinking' ? [`${signature} ${thinking}`] : []));
    return {
      role: ROLES[message.getType()],
      calls: (message.tool_calls ?? []).map(({ id }) => id),
      results: message.tool_call_id === undefined ? [] : [message.tool_call_id],
      signed,
    };
  });
}

/** @returns {Left[]} */
export function ofOpenAiAgents(items) {
  return items.map(({ type, role, callId, providerData, content }) => ({
    role: role ?? (type === 'function_call_result' ? 'tool' : 'assistant'),
    calls: type === 'function_call' ? [callId] : [],
    results: type === 'function_call_result' ? [callId] : [],
    signed: type === 'reasoning' ? [`${providerData?.encrypted_content} ${content[0].text}`] : [],
  }));
}

/** How many calls have no result behind them before anybody else speaks, and how many results have no call there. */
export function orphansIn(left) {
  let orphans = 0;
  let open = new Set();
  for (const { role, calls, results } of left) {
    for (const id of results) orphans += open.delete(id) ? 0 : 1;
    // Calls of one answer may be several items.
    if (role !== 'tool' && calls.length === 0) {
      orphans += open.size;
      open = new Set();
    }
    for (const id of calls) open.add(id);
  }
  return orphans + open.size;
}

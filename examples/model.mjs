// A model with a script, so that the examples run without a network: it calls a tool a few times and then answers, and it
// sums up when it is asked to. Put your provider's client in its place.

/** The history an agent has after `turns` turns: a question, a call, a long output, an answer. */
export function history(turns, outputLength = 4_000) {
  return Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Where is the fault in part ${turn}?` },
    { role: 'assistant', content: null, tool_calls: [call(`call_${turn}`, turn)] },
    { role: 'tool', tool_call_id: `call_${turn}`, content: `line of part ${turn}\n`.repeat(outputLength / 20) },
    { role: 'assistant', content: `Part ${turn} is sound.` },
  ]).flat();
}

/** What a provider answers to a request; `window` is how many characters it takes. */
export function scriptedModel({ steps, window = Infinity }) {
  let step = 0;
  return async (messages) => {
    if (JSON.stringify(messages).length > window) {
      throw Object.assign(new Error("This model's maximum context length is 8192 tokens. Please reduce the length of the messages."), {
        status: 400,
        code: 'context_length_exceeded',
      });
    }
    step += 1;
    if (step > steps) return { role: 'assistant', content: 'Done: the fault is in part 7.' };
    return { role: 'assistant', content: null, tool_calls: [call(`step_${step}`, step)] };
  };
}

/** The model that writes summaries: it gets a system prompt and messages, and answers with text. */
export async function summarize({ system, messages }) {
  const asked = `${system}${messages.map(({ content }) => content).join('')}`;
  return `## Goal\nFind the fault.\n\n## Progress\nParts were read; the request had ${asked.length > 0 ? 'a' : 'no'} transcript.`;
}

/** Carries a tool call out. */
export function runTool({ id, function: { arguments: given } }) {
  return { role: 'tool', tool_call_id: id, content: `line of part ${JSON.parse(given).part}\n`.repeat(300) };
}

function call(id, part) {
  return { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ part }) } };
}

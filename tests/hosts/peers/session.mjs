// Sessions of an agent for the comparison with other libraries, and what they look like in the messages of each.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';

import { randomOf } from '../server/random.mjs';

export const SYSTEM = 'You are a coding agent. Never push to the main branch.';
const AREAS = ['login', 'invoice', 'search', 'upload', 'backup', 'export'];
const TURNS = 6;

/**
 * A session with calls at the same time that are answered in another order, and signed thinking. It ends with a request of the user, or inside
 * a turn of tools.
 *
 * @typedef {{ role: 'user', text: string } | { role: 'assistant', thinking: { text: string, signature: string }, text: string, calls: Call[] }
 *   | { role: 'tool', results: { id: string, name: string, output: string }[] }} Said
 * @typedef {{ id: string, name: string, args: object }} Call
 */
export function sessionOf(seed) {
  const random = randomOf(seed);
  const { below, pick } = random;
  const endsInside = seed % 2 === 0;
  const goal = `Mend the ${pick(AREAS)} test that fails since run ${below(10_000)}, and leave the migrations alone.`;
  /** @type {Said[]} */
  const said = [{ role: 'user', text: goal }];
  let newest = goal;
  let made = 0;
  const answer = (count) => {
    const calls = Array.from({ length: count }, () => ({
      id: `call_${seed}_${(made += 1)}`,
      name: pick(['read', 'run']),
      args: { path: `src/${pick(AREAS)}/${below(999)}.ts` },
    }));
    const thinking = {
      text: `The ${pick(AREAS)} module comes first. `.repeat(1 + below(4)).trim(),
      signature: `signed-${seed}-${said.length}`,
    };
    said.push({ role: 'assistant', thinking, text: `I look at ${pick(AREAS)}.`, calls });
    if (count === 0) return;
    const lines = () => `${below(999)}: const ${pick(AREAS)} = load(${below(99)});\n`.repeat(20 + below(120));
    said.push({ role: 'tool', results: random.shuffled(calls.map(({ id, name }) => ({ id, name, output: lines() }))) });
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const steps = 4 + below(6);
    for (let step = 0; step < steps; step += 1) answer(pick([1, 1, 2, 3, 4]));
    if (turn === TURNS - 1 && endsInside) break;
    answer(0);
    newest = `Now the ${pick(AREAS)} test of run ${below(10_000)} as well, with the same care.`;
    said.push({ role: 'user', text: newest });
  }
  return { said, goal, newest };
}

/** The messages of the AI SDK, and of its language models, which Mastra takes. */
export function forAiSdk({ said }, { asParts }) {
  return [{ role: 'system', content: SYSTEM }, ...said.map((message) => aiSdkMessage(message, asParts))];
}

function aiSdkMessage(message, asParts) {
  if (message.role === 'user') return { role: 'user', content: asParts ? [{ type: 'text', text: message.text }] : message.text };
  if (message.role === 'tool') {
    const content = message.results.map(({ id, name, output }) => {
      return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: output } };
    });
    return { role: 'tool', content };
  }
  const { thinking, text, calls } = message;
  const signed = { anthropic: { signature: thinking.signature } };
  return {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: thinking.text, providerOptions: signed },
      { type: 'text', text },
      ...calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
    ],
  };
}

/** The messages of LangChain, each with its id, as its agents give them. */
export function forLangChain({ said }) {
  const messages = said.flatMap((message) => {
    if (message.role === 'user') return [new HumanMessage(message.text)];
    if (message.role === 'tool') {
      return message.results.map(({ id, name, output }) => new ToolMessage({ content: output, tool_call_id: id, name }));
    }
    const { thinking, text, calls } = message;
    const blocks = [
      { type: 'thinking', thinking: thinking.text, signature: thinking.signature },
      { type: 'text', text },
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ];
    return [new AIMessage({ content: blocks, tool_calls: calls.map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' })) })];
  });
  return [new SystemMessage(SYSTEM), ...messages].map((message, at) => Object.assign(message, { id: `m${at}` }));
}

/** The items of the OpenAI Agents SDK. Its instructions are no item. */
export function forOpenAiAgents({ said }) {
  return said.flatMap((message, at) => {
    if (message.role === 'user') return [{ type: 'message', role: 'user', content: message.text }];
    if (message.role === 'tool') {
      return message.results.map(({ id, name, output }) => {
        return { type: 'function_call_result', callId: id, name, status: 'completed', output: { type: 'text', text: output } };
      });
    }
    const { thinking, text, calls } = message;
    const content = [{ type: 'input_text', text: thinking.text }];
    return [
      { type: 'reasoning', id: `rs_${at}`, content, providerData: { encrypted_content: thinking.signature } },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
      ...calls.map(({ id, name, args }) => ({
        type: 'function_call',
        callId: id,
        name,
        status: 'completed',
        arguments: JSON.stringify(args),
      })),
    ];
  });
}

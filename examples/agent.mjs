// An agent with a compactor: it keeps its whole history, and sends what the compactor gives it.

import { createCompactor } from 'ebbline';

import { history, runTool, scriptedModel, summarize } from './model.mjs';

// The provider takes 40,000 characters. The window is set too large, as it happens with a new model.
const model = scriptedModel({ steps: 60, window: 40_000 });
const compactor = createCompactor({
  model: { context: 20_000, output: 2_000 },
  summarize: summarize,
  onEvent: ({ type }) => events.push(type),
});
const events = [];
const messages = history(3);

for (;;) {
  const view = await compactor.prepare(messages);
  const answer = await model(view).catch(async (error) => model(await compactor.recover(error, messages)));
  const results = (answer.tool_calls ?? []).map(runTool);
  messages.push(answer, ...results);
  if (results.length === 0) break;
}

const { sent, history: all } = compactor.contextUsage();
console.log(messages.at(-1).content);
console.log(`the history has ${all} messages, and ${sent} are sent`);
console.log(
  `compacted: ${events.includes('compacted')}, refused by the provider: ${events.filter((type) => type === 'overflow').length > 0}`,
);
console.log(`a pruned output is still there: ${compactor.recall('call_0').startsWith('line of part 0')}`);
compactor.free();

// It prints:
// → Done: the fault is in part 7.
// → the history has 132 messages, and 85 are sent
// → compacted: true, refused by the provider: true
// → a pruned output is still there: true

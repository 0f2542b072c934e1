// An agent's loop with a Session: before every request it asks whether something is to be done, which costs microseconds.

import { Session, finishSummary, plan } from 'ebbline';

import { history, runTool, scriptedModel, summarize } from './model.mjs';

const options = { model: { context: 16_000, output: 2_000 } };
const model = scriptedModel({ steps: 30 });
let messages = history(3);
let pruned = 0;

/** @type {Session<any>} */
const session = new Session(options);
session.push(messages);
for (;;) {
  if (session.check().verdict !== 'noop') {
    const requested = session.summaryRequest();
    const summary = requested && finishSummary(requested, await summarize(requested.request));
    const { messages: next, applied } = session.apply({ summary, handle: requested?.handle });
    messages = next; // the session goes on with these
    pruned += applied.pruned;
  }
  const answer = await model(messages);
  const results = (answer.tool_calls ?? []).map(runTool);
  messages.push(answer, ...results);
  session.push([answer, ...results]);
  if (results.length === 0) break;
}
session.free(); // or `using session = …` where the runtime has it

console.log(messages.at(-1).content);
console.log(`old outputs gave way: ${pruned > 0}`);
console.log(`the last request had at most 16,000 tokens: ${plan(messages, options).tokensBefore <= 16_000}`);

// It prints:
// → Done: the fault is in part 7.
// → old outputs gave way: true
// → the last request had at most 16,000 tokens: true

// An agent's loop with a Session: before every request it asks whether something is to be done, which costs microseconds.

import { Session, finishSummary, summaryRequest } from 'ebbline';

import { history, runTool, scriptedModel, summarise } from './model.mjs';

const options = { model: { context: 16_000, output: 2_000 } };
const model = scriptedModel({ steps: 30 });
let messages = history(3);
let compactions = 0;

const session = new Session(options);
session.push(messages);
for (;;) {
  if (session.check().verdict !== 'noop') {
    const requested = summaryRequest(messages, options);
    const summary = requested && finishSummary(requested, await summarise(requested.request));
    messages = session.apply({ summary }).messages; // the session goes on with these
    compactions += 1;
  }
  const answer = await model(messages);
  const results = (answer.tool_calls ?? []).map(runTool);
  messages.push(answer, ...results);
  session.push([answer, ...results]);
  if (results.length === 0) break;
}
session.free(); // or `using session = …` where the runtime has it

console.log(messages.at(-1).content);
console.log(`compacted on the way: ${compactions > 0}`);
console.log(`of the ${3 * 4 + 61} messages there were, fewer are left: ${messages.length < 3 * 4 + 61}`);

// It prints:
// → Done: the fault is in part 7.
// → compacted on the way: true
// → of the 73 messages there were, fewer are left: true

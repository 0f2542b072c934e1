// Recover from a full context: the provider refuses, the error is recognized, a forced compaction makes room, and the same
// request is sent again.

import { classifyError, compact, finishSummary, summaryRequest } from 'ebbline';

import { history, scriptedModel, summarize } from './model.mjs';

// The window is set too large on purpose, so that the plan sees no need.
const options = { model: { context: 200_000, output: 4_000 } };
const model = scriptedModel({ steps: 0, window: 24_000 });
let messages = history(10);

async function send() {
  try {
    return await model(messages);
  } catch (error) {
    const { kind } = classifyError(error);
    console.log(`refused: ${kind}`);
    if (kind !== 'context_overflow') throw error;
    const forced = { ...options, force: true };
    const requested = summaryRequest(messages, forced);
    const summary = requested && finishSummary(requested, await summarize(requested.request));
    messages = compact(messages, { ...forced, summary }).messages;
    return model(messages);
  }
}

const answer = await send();
console.log(answer.content);

// It prints:
// → refused: context_overflow
// → Done: the fault is in part 7.

// Real sessions under a provider whose tokenizer counts more than the estimate: no request exceeds the window, with reports of usage or
// without. The sessions are not part of the project.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ebbline, sharedFolder } from './package.mjs';
import { tokenizers } from './tokenizers/packaged.mjs';

const { createCompactor, plan } = ebbline;
const folder = join(sharedFolder, 'sessions');
const rows = existsSync(folder) ? readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1) : [];
const files = rows.map((row) => row.split('\t')).filter(([file]) => !file.startsWith('extra/'));
const tokenizer = await (await tokenizers('o200k')).load();

/** How the files of a system hold the messages that it sends, and in which format these are. */
const SENT = {
  anthropic_messages: [(text) => messagesOf(JSON.parse(text)), 'anthropic_messages'],
  claude_code: [
    (text) => linesOf(text).flatMap(({ message, type }) => (['user', 'assistant'].includes(type) ? [message] : [])),
    'anthropic_messages',
  ],
  codex: [(text) => linesOf(text).flatMap(({ type, payload }) => (type === 'response_item' ? [payload] : [])), 'openai_responses'],
  openai_responses: [(text) => messagesOf(JSON.parse(text)), 'openai_responses'],
  openai_chat: [(text) => messagesOf(JSON.parse(text)), 'openai_chat'],
  opencode: [(text) => messagesOf(JSON.parse(text)), 'opencode'],
  pi: [(text) => linesOf(text).flatMap(({ type, message }) => (type === 'message' ? [message] : [])), 'pi'],
  gemini_contents: [(text) => messagesOf(JSON.parse(text)), 'gemini_contents'],
  langchain: [(text) => messagesOf(JSON.parse(text)), 'langchain'],
  vercel_model: [(text) => messagesOf(JSON.parse(text)), 'vercel_model'],
};
const linesOf = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const messagesOf = (read) => (Array.isArray(read) ? read : (read.messages ?? read.contents ?? read.input ?? read.output ?? []));

/** The sessions of each format, one behind the other: few of them are long enough to fill a window. */
function lives() {
  const lives = {};
  for (const [file, named] of files) {
    const [read, format] = SENT[named] ?? [];
    if (read !== undefined) (lives[format] ??= []).push(...read(readFileSync(join(folder, file), 'utf8')).map(unreported));
  }
  return lives;
}

/** A message without what its provider reported: this provider counts otherwise. */
function unreported(message) {
  const { usage, usage_metadata, response_metadata, ...rest } = message;
  if (rest.info?.tokens) rest.info = { ...rest.info, tokens: undefined };
  return rest;
}

/** Whether a request was sent in front of this message. */
function isAnswered(message, before) {
  const isOfModel = ({ role, type, info }) => ['assistant', 'model'].includes(role ?? info?.role) || ['ai', 'function_call'].includes(type);
  return isOfModel(message) && !isOfModel(before ?? message);
}

/** The sizes of all requests of a life, as a provider counts them that has so many tokens for one of `o200k_base`. */
async function sizesOf(history, format, { context, times, reports, beside }) {
  const compactor = createCompactor({ format, model: { context, output: 8_000 }, summarize: 'deterministic', warn: false });
  // What is no text costs what it costs by any tokenizer.
  const countTokens = (text) => Math.ceil(tokenizer.count(text) * times);
  const sizes = [];
  for (const [at, message] of history.entries()) {
    if (!isAnswered(message, history[at - 1])) continue;
    const sent = await compactor.prepare(history.slice(0, at));
    sizes.push(plan(sent, { format, countTokens }).tokensBefore + beside);
    if (reports) compactor.usage({ prompt_tokens: sizes.at(-1) });
  }
  const compactions = compactor.record.changes.length;
  compactor.free();
  return { sizes, compactions };
}

for (const context of [64_000, 200_000]) {
  for (const { times, reports, beside } of [
    { times: 1.35, reports: false, beside: 0 },
    { times: 1.35, reports: true, beside: 3_000 },
    { times: 1.6, reports: true, beside: 3_000 },
  ]) {
    const how = reports ? 'after the first report' : 'without reports';
    test(`${times} times o200k_base in a window of ${context}: no request exceeds it ${how}`, { skip: files.length === 0 }, async () => {
      let all = 0;
      for (const [format, history] of Object.entries(lives())) {
        const { sizes, compactions } = await sizesOf(history, format, { context, times, reports, beside });
        const over = sizes.filter((size, at) => size > context && (at > 0 || !reports));
        assert.deepEqual(over, [], `${format}: of ${sizes.length} requests`);
        all += compactions;
      }
      assert.ok(all > 4, `${all} compactions`);
    });
  }
}

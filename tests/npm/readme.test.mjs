// The recipes of the documents for JavaScript, as printed. Names that a recipe does not define are defined here. If a comment states
// the value of an expression, that value is checked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { transform } from 'esbuild';

import { cliPath, ebbline, fixture, packageFolder, temporaryFolder } from './package.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** A project that has the package installed. */
const folder = temporaryFolder('ebbline-readme-');
mkdirSync(join(folder, 'node_modules'));
symlinkSync(packageFolder, join(folder, 'node_modules/ebbline'));
// What a recipe writes is written there.
process.chdir(folder);

const OVERFLOW = 'prompt is too long: 213462 tokens > 200000 maximum';

/** A long day with a tool: forty answers of `said` words with an output of `words` words each, then two more turns. */
function longSession({ said, words, tokens }) {
  const steps = (from, count, size) =>
    Array.from({ length: count }, (_, at) => [
      {
        role: 'assistant',
        content: said === 0 ? null : 'word '.repeat(said),
        tool_calls: [{ id: `c${from + at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${from + at}`, content: 'word '.repeat(size) },
    ]).flat();
  const list = [
    { role: 'user', content: 'Round the sums.' },
    ...steps(0, 40, words),
    { role: 'user', content: 'And the yen?' },
    ...steps(40, 8, 2_000),
    { role: 'user', content: 'Go on.' },
    ...steps(48, 2, 2_000),
    { role: 'assistant', content: 'Done.' },
  ];
  const missing = tokens - ebbline.plan(list, { profile: 'opencode@2026-01' }).tokensBefore;
  assert.ok(missing > 0, `${missing} tokens`);
  return [...list, { role: 'user', content: 'x'.repeat(4 * missing) }];
}

/** The names that the reader of a recipe has. */
function readersOwn(session) {
  const messages = longSession(session);
  const asked = [];
  let sent = 0;
  return {
    messages,
    asked,
    options: { model: { context: 200_000, output: 32_000 } },
    text: fixture('pi-v3.jsonl'),
    newMessage: { role: 'user', content: 'One more.' },
    knownTokens: 150_000,
    summary: 'So far: all sums are rounded.',
    tokenizer: { count: (text) => Math.ceil(text.length / 4) },
    askYourModel: async (request) => {
      assert.deepEqual(Object.keys(request).sort(), ['maxTokens', 'messages', 'system']);
      asked.push(request);
      return { text: '## Goal\nRound the sums.', truncated: false };
    },
    send: async (list) => {
      assert.ok(ebbline.validate(list).valid);
      if (++sent === 1) throw Object.assign(new Error(OVERFLOW), { status: 400 });
      return { role: 'assistant', content: 'Here you are.' };
    },
    same: assert.deepEqual,
  };
}

/** The fenced blocks of a document in a language. */
function blocks(path, language) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , code]) => code);
}

/** Converts `expression; // "value"` to an assertion. */
function asserting(code) {
  return code.replaceAll(/^(?!const|import)([^;\n/]+);\s*\/\/ ("[^"]*"|\[\]|true|\d[\d_]*)(?=$|[,: ])/gm, 'same($1, $2); //');
}

async function runRecipe(code, name, session) {
  const own = readersOwn(session);
  Object.assign(globalThis, own);
  // Node 20 has no `using` yet.
  const { code: plain } = await transform(asserting(code), { format: 'esm', target: 'node20' });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, plain);
  await import(pathToFileURL(path).href);
  const { asked, messages: before } = own;
  const { messages } = /** @type {any} */ (globalThis);
  for (const key of Object.keys(own)) delete globalThis[key];
  return { asked, before, messages };
}

const DOCUMENTS = ['docs/start.md', 'docs/javascript.md', 'docs/command-line.md'];
/** A session that must be summarized, and one that is only pruned. */
const TALK = { said: 4_000, words: 500, tokens: 320_000 };
const WORK = { said: 0, words: 2_300, tokens: 153_200 };

for (const path of DOCUMENTS) {
  blocks(path, 'js').forEach((code, at) => {
    const [first] = code.split('\n').filter((line) => !/^(import|\s*$)/.test(line));
    test(`${path}, recipe ${at + 1}: ${first}`, async () => {
      const { asked, before, messages } = await runRecipe(
        code,
        `${path.replaceAll('/', '-')}-${at}`,
        code.includes('await askYourModel') ? TALK : WORK,
      );
      assert.ok(ebbline.validate(messages).valid);
      // After a summary, the session continues with the result, so nothing is requested twice.
      if (!code.includes('await askYourModel')) return;
      assert.ok(asked.length >= 1 && asked.length <= 2, `${asked.length} summaries`);
      assert.notEqual(messages, before, 'the result is not thrown away');
      assert.ok(messages.length < before.length && messages.includes(before.at(-1)));
      const { verdict } = ebbline.plan(messages, { model: { context: 200_000, output: 32_000 } });
      assert.equal(verdict, 'noop');
      assert.match(code, /model: \{ context: /, 'a recipe names the limits of the model');
    });
  });

  blocks(path, 'sh').forEach((code, at) => {
    const [first] = code.split('\n');
    // `cargo xtask test` itself runs the commands for installing and building.
    if (/^(cargo|npm|RUSTFLAGS)\b/.test(first)) return;
    test(`${path}, commands ${at + 1}: ${first}`, () => {
      const place = mkdtempSync(join(folder, 'shell-'));
      for (const name of ['session.jsonl', 'other.json']) writeFileSync(join(place, name), fixture('pi-v3.jsonl'));
      const npx = `npx() { [ "$1" = ebbline ] || exit 9; shift; "$NODE" "$CLI" "$@"; }`;
      const env = { ...process.env, NODE: process.execPath, CLI: cliPath };
      const input = fixture('pi-v3.jsonl');
      const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', `${npx}\n${code}`], { cwd: place, env, input, encoding: 'utf8' });
      assert.equal(status, 0, `${stdout}\n${stderr}`);
      for (const line of code.split('\n').filter((line) => line !== '')) assert.match(line, /^npx ebbline /);
    });
  });
}

test('every recipe is found', () => {
  const counts = DOCUMENTS.map((path) => [blocks(path, 'js').length, blocks(path, 'sh').length]);
  assert.deepEqual(counts, [
    [3, 3],
    [10, 1],
    [0, 2],
  ]);
});

// `ebbline probe` as docs/probe.md shows it: the documented curl against a server of OpenAI's protocol, in budgets and resumed, and its
// query over the answers, where EBBLINE_DUCKDB names a Python with the package of tests/python/duckdb.txt.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { made } from '../commands/made.mjs';
import { run } from './command.mjs';
import { temporaryFolder } from './package.mjs';

const KEY = 'sk-of-the-loopback';
const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');
const folder = temporaryFolder('ebbline-probe-');
const answers = () =>
  readFileSync(join(folder, 'answers.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
// Later answers name one path each that only an early output had.
const session = JSON.parse(made('needed')).slice(0, -1);
const later = [3, 8, 13].flatMap((at) => [
  { role: 'user', content: `And the one of step ${at}?` },
  { role: 'assistant', content: `That is config/${at}/listen${at}.toml.` },
]);
writeFileSync(join(folder, 'session.json'), JSON.stringify([...session, ...later]));

let asked = 0;
const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  const { model, messages } = JSON.parse(Buffer.concat(chunks).toString());
  const says = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.url !== '/v1/chat/completions') return says(404, { error: { message: `nothing is at ${request.url}` } });
  if (request.headers.authorization !== `Bearer ${KEY}`) return says(401, { error: { message: 'Incorrect API key provided.' } });
  asked += 1;
  const message = { role: 'assistant', content: messages.at(-1).content.includes('RECALL') ? 'RECALL c0' : 'UNKNOWN' };
  const usage = { prompt_tokens: messages.length, completion_tokens: 2, total_tokens: messages.length + 2 };
  says(200, { id: 'c', object: 'chat.completion', model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
after(() => server.close());

/** The command of the page, at this server. */
const [, documented] = /--with \\\n\s+'([^\n]+)'/.exec(page) ?? [];
const address = /** @type {import('node:net').AddressInfo} */ (server.address());
const command = documented?.replace('https://api.openai.com', `http://127.0.0.1:${address.port}`);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const skip = !hasCurl && 'there is no curl here';
const probe = (words, key = KEY) => {
  const all = `probe session.json --context 8000 --policies ebbline@2,opencode@2026-01 --questions 3 --model m-1 ${words}`
    .trim()
    .split(' ');
  return run([...all, '--with', command], { cwd: folder, env: { OPENAI_API_KEY: key } });
};

test('a run goes on, however small its budget, until every answer is there', { skip }, async () => {
  for (const [budget, code, most] of /** @type {const} */ ([
    ['--requests 4', 3, 4],
    ['--tokens 20000', 3, Infinity],
    ['', 0, Infinity],
  ])) {
    const before = asked;
    const ended = await probe(`-o answers.jsonl ${budget}`);
    assert.equal(ended.code, code, ended.errors);
    assert.ok(asked > before && asked - before <= most, `${asked - before} requests`);
  }
  // Three questions to two policies, each without and with recall.
  assert.equal(answers().length, 12);
  const keys = new Set(answers().map(({ policy, recall, question }) => `${policy} ${recall} ${question}`));
  assert.equal(keys.size, 12);
  assert.equal(
    asked,
    answers().reduce((sum, { requests }) => sum + requests, 0),
  );
  assert.ok(answers().every(({ model, counted_tokens: counted }) => model === 'm-1' && counted > 0));
  const before = asked;
  assert.equal((await probe('-o answers.jsonl')).code, 0);
  assert.equal(asked, before, 'what is there is asked again');
  assert.ok(!readFileSync(join(folder, 'answers.jsonl'), 'utf8').includes(KEY));
});

test('a budget that no question fits into says so', { skip }, async () => {
  const { code, errors } = await probe('--tokens 100 -o none.jsonl');
  assert.equal(code, 3, errors);
  assert.match(errors, /the budget of 100 tokens is reached: 12 of 12 answers are missing; the next question alone has [\d,]+ tokens/);
});

test('what the server says about a wrong key is said', { skip }, async () => {
  const { code, errors } = await probe('', 'sk-wrong');
  assert.equal(code, 1, errors);
  assert.match(errors, /the server answered with an error: Incorrect API key provided\./);
});

const python = process.env.EBBLINE_DUCKDB;
test('the query of the page answers', { skip: skip || (!python && 'EBBLINE_DUCKDB names no Python with duckdb') }, () => {
  const [, query] = /```sql\n([^`]+)```/.exec(page) ?? [];
  writeFileSync(join(folder, 'query.sql'), query);
  const script = fileURLToPath(new URL('../python/queries.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync(python, [script, 'query.sql'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { columns, rows } = JSON.parse(stdout)['query.sql'];
  assert.deepEqual(columns, ['policy', 'recall', 'kind', 'left', 'in_context', 'asked', 'share', 'tokens']);
  assert.equal(
    rows.reduce((sum, row) => sum + row[columns.indexOf('asked')], 0),
    answers().length,
  );
});

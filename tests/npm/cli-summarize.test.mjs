// `summarize`: a command of the user's answers the request for a summary.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { assertSentence, ended, run, start } from './command.mjs';
import { ebbline, fixture, temporaryFolder } from './package.mjs';

const folder = temporaryFolder('ebbline-summarize-');

const SESSION = fixture('openai-chat.json');
const HOW = ['--force', '--set', 'retain.keep=60'];
const OPTIONS = { force: true, set: { 'retain.keep': 60 } };
const ANSWER = '## Goal\nMend the sums.\n';

const inFolder = (name) => join(folder, name);

function file(name, content) {
  writeFileSync(inFolder(name), content);
  return inFolder(name);
}

/** Runs `summarize` on a copy of the session, which it would overwrite. */
async function summarized(command, args = []) {
  const path = file('session.json', SESSION);
  const end = await run(['summarize', path, ...HOW, '--with', command, '-o', path, ...args]);
  return { ...end, written: readFileSync(path, 'utf8') };
}

/** A command that is a program for Node. */
function program(name, code) {
  return `"${process.execPath}" "${file(name, code)}"`;
}

test('the command gets the request and gives the summary', async () => {
  const saved = inFolder('request.json');
  const command = program(
    'model.cjs',
    `
    const fs = require('node:fs');
    fs.writeFileSync(${JSON.stringify(saved)}, fs.readFileSync(0));
    process.stdout.write(${JSON.stringify(ANSWER)});
  `,
  );
  const { code, out, errors, written } = await summarized(command);
  assert.equal(code, 0, errors);
  const requested = ebbline.summaryRequest(SESSION, OPTIONS);
  assert.deepEqual(JSON.parse(readFileSync(saved, 'utf8')), requested.request);
  const summary = ebbline.finishSummary(requested, ANSWER);
  assert.equal(written, ebbline.compact(SESSION, { ...OPTIONS, summary }).text);
  assert.equal(out, '');
  assert.match(errors, /session\.json: .*\d+ messages summarized/);
  // What the summary has, and not what the plan assumed before there was one.
  const after = ebbline.plan(written, { set: OPTIONS.set }).tokensBefore;
  const { tokensAfter, summaryAllowance } = ebbline.plan(SESSION, OPTIONS);
  const own = after - (tokensAfter - summaryAllowance);
  assert.ok(own < summaryAllowance);
  assert.match(errors, new RegExp(`→ ${after} tokens \\(.*, ${own} of them for the summary\\)`));
});

test('without -o the session goes to standard output, and with --json the report', async () => {
  const path = file('plain.json', SESSION);
  const command = "echo 'Mend the sums.'";
  const { code, out } = await run(['summarize', path, ...HOW, '--with', command]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).length < JSON.parse(SESSION).length, true);
  const { out: report } = await run(['summarize', path, ...HOW, '--with', command, '--json', '-o', inFolder('out.json')]);
  assert.ok(JSON.parse(report).applied.summarized > 0);
  assert.equal(JSON.parse(report).tokensAfter, ebbline.plan(readFileSync(inFolder('out.json'), 'utf8'), { set: OPTIONS.set }).tokensBefore);
});

test('a refused answer is asked for once more, with what was wrong', async () => {
  const count = inFolder('count');
  const command = program(
    'second.cjs',
    `
    const fs = require('node:fs');
    const round = fs.existsSync(${JSON.stringify(count)}) ? 2 : 1;
    fs.writeFileSync(${JSON.stringify(count)}, fs.readFileSync(0));
    if (round === 2) process.stdout.write(${JSON.stringify(ANSWER)});
  `,
  );
  const { code, errors, written } = await summarized(command);
  assert.equal(code, 0, errors);
  assert.match(errors, /session\.json: the answer is refused: .*; asked again\n/);
  assert.match(readFileSync(count, 'utf8'), /Your answer contains no summary\. Write the summary that was asked for/);
  assert.notEqual(written, SESSION);
});

test('the second request has the budget of the first, however long the refused answer was', async () => {
  for (const refused of ['word after word '.repeat(30_000), '']) {
    const asked = inFolder(`asked-${refused.length}`);
    const command = program(
      'long.cjs',
      `
      const fs = require('node:fs');
      const round = fs.existsSync(${JSON.stringify(`${asked}-1`)}) ? 2 : 1;
      fs.writeFileSync(${JSON.stringify(asked)} + '-' + round, fs.readFileSync(0));
      process.stdout.write(round === 2 ? ${JSON.stringify(ANSWER)} : ${JSON.stringify(refused.slice(0, 16))}.repeat(${refused.length / 16}));
    `,
    );
    const budget = 3_000;
    const { code, errors } = await summarized(command, ['--budget', String(budget)]);
    assert.equal(code, 0, errors);
    const [first, second] = [1, 2].map((round) => JSON.parse(readFileSync(`${asked}-${round}`, 'utf8')));
    const tokens = ({ system, messages }) => ebbline.plan([{ role: 'system', content: system }, ...messages]).tokensBefore;
    assert.ok(tokens(second) <= budget, `${tokens(second)} tokens after ${refused.length} characters, ${tokens(first)} before`);
    assert.ok(tokens(second) > tokens(first));
    assert.match(second.messages.at(-1).content, /Write /);
    assert.equal(second.messages.length, refused === '' ? first.messages.length : first.messages.length + 2);
  }
});

test('a silent command is asked twice, then the session stays', async () => {
  const { code, errors, written } = await summarized('true');
  assert.deepEqual([code, written], [1, SESSION], errors);
  assert.match(errors, /session\.json: 2 answers of the command were refused, and nothing was written: /);
});

for (const [what, command, said] of [
  ['that fails', 'echo half a summary; exit 3', /the command ended with exit code 3, and nothing was written/],
  ['that does not exist', 'no-such-command-here 2>/dev/null', /exit code 127: the shell found no such command, and nothing was written/],
  ['that is ended', 'kill -KILL $$', /the command was ended by SIGKILL, and nothing was written/],
  ['whose answer is no text', "printf '\\377'", /the answer of the command cannot be read: the text is not UTF-8/],
]) {
  test(`a command ${what} is one sentence, and the session stays`, async () => {
    const end = await summarized(command);
    assertSentence(end, 1, said);
    assert.equal(end.written, SESSION);
  });
}

test('a command that hangs is ended with all that it started', async () => {
  const pid = inFolder('pid');
  const begun = Date.now();
  const end = await summarized(`sleep 60 & echo $! > ${pid}; wait`, ['--timeout', '1']);
  assertSentence(end, 1, /the command gave no answer within 1 s, and nothing was written/);
  assert.equal(end.written, SESSION);
  assert.ok(Date.now() - begun < 20_000);
  await assertGone(Number(readFileSync(pid, 'utf8')));
});

test('Ctrl-C ends the command and leaves the file as it was', async () => {
  const path = file('interrupted.json', SESSION);
  const pid = inFolder('pid-interrupted');
  const child = start(['summarize', path, ...HOW, '--with', `sleep 60 & echo $! > ${pid}; wait`, '-o', path]);
  const end = ended(child);
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await setTimeout(20);
  child.kill('SIGINT');
  assertSentence(await end, 130, /interrupted; nothing was written/);
  assert.equal(readFileSync(path, 'utf8'), SESSION);
  await assertGone(Number(readFileSync(pid, 'utf8')));
});

/** Asserts that a process ends; one whose parent has not taken notice yet has ended, too. */
async function assertGone(pid) {
  const isRunning = () => {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  for (let tries = 0; isRunning() && tries < 200; tries += 1) await setTimeout(20);
  assert.equal(isRunning(), false);
}

test('if nothing is to be summarized, the command is not run', async () => {
  const path = file('small.json', fixture('plain-chat.json'));
  const { code, errors } = await run(['summarize', path, '--with', `touch ${inFolder('ran')}`, '-o', inFolder('small-out.json')]);
  assert.equal(code, 0);
  assert.match(errors, /nothing is to be summarized, so the command was not run\n/);
  assert.equal(existsSync(inFolder('ran')), false);
  assert.equal(readFileSync(inFolder('small-out.json'), 'utf8'), fixture('plain-chat.json'));
});

test('a record goes back behind it', async () => {
  const path = file('recorded.json', SESSION);
  const record = inFolder('recorded.record');
  const { code } = await run(['summarize', path, ...HOW, '--with', "echo 'Mend the sums.'", '-o', path, '--record', record]);
  assert.equal(code, 0);
  assert.equal((await run(['undo', path, '--record', record])).out, SESSION);
});

test('mistakes end with a sentence', async () => {
  assertSentence(await run(['summarize', 'openai-chat.json']), 2, /summarize needs --with 'COMMAND'/);
  assertSentence(await run(['summarize', 'openai-chat.json', '--with', ' ']), 2, /summarize needs --with/);
  assertSentence(await run(['summarize', 'openai-chat.json', '--with', 'cat', '--timeout', '0']), 2, /--timeout must be from 1 to/);
  assertSentence(await run(['summarize', 'openai-chat.json', '--with', 'cat', '--json']), 2, /summarize --json needs -o OUT/);
  assertSentence(await run(['summarize', '--with', 'cat', 'a', 'b']), 2, /summarize takes one FILE at a time/);
});

test('a command is not run for what takes no summary, and nothing advises one', async () => {
  for (const [name, content, says] of [
    ['atif.json', fixture('atif.json'), 'ATIF has no place for a summary'],
    ['amp.json', fixture('amp.json'), 'server'],
  ]) {
    const trace = inFolder(`asked-${name}`);
    const path = file(name, content);
    const how = ['--force', '--set', 'retain.keep=1', '-o', inFolder(`out-${name}`)];
    const asked = await run(['summarize', path, ...how, '--with', `echo asked > "${trace}"`]);
    assert.equal(asked.code, 1, asked.errors);
    assert.ok(asked.errors.includes(says) && asked.errors.includes('the command was not run'), asked.errors);
    assert.ok(!existsSync(trace) && !existsSync(inFolder(`out-${name}`)));
    for (const command of ['plan', 'compact']) {
      const { out, errors } = await run([command, path, ...how.slice(0, command === 'plan' ? 3 : how.length)]);
      assert.doesNotMatch(out + errors, /--summary|use summarize/);
      if (command === 'compact') assert.ok(errors.includes(says), errors);
    }
  }
});

// An output that is larger than the room for it keeps its head and tail, and nothing that the model has not seen is summarized.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from './command.mjs';
import { ebbline } from './package.mjs';

const { Session, compact, plan, summaryRequest, validate } = ebbline;

const OPTIONS = { profile: 'ebbline@2', model: { context: 32_000 } };
const THRESHOLD = 27_200;
const NOTE = /\n\[([\d,]+) of ([\d,]+) characters are left out here\. To see them, call the tool again with a narrower request\.\]\n/;

/** Lines of a log, of `length` characters together. */
function log(length, name = 'job') {
  let text = '';
  for (let line = 0; text.length < length; line += 1)
    text += `${name} ${line}: ${(line * 7919) % 10_007} rows were read, nothing was wrong\n`;
  return text.slice(0, length);
}

const call = (id, args = '{"path":"log"}') => ({ id, type: 'function', function: { name: 'read', arguments: args } });
const calls = (...ids) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) });
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const REQUEST = { role: 'user', content: 'Find out why the nightly job failed.' };

const sizeOf = (messages) => plan(messages, { profile: 'ebbline@2' }).tokensBefore;
const figure = (text) => Number(text.replaceAll(',', ''));

/** Checks that a text is head and tail of an output with a true note between them. */
function isPreview(shown, whole) {
  const found = NOTE.exec(shown);
  assert.ok(found, shown.slice(0, 200));
  const head = shown.slice(0, found.index);
  const tail = shown.slice(found.index + found[0].length);
  assert.ok(head.length > 500 && whole.startsWith(head));
  assert.ok(tail.length > 500 && whole.endsWith(tail));
  assert.equal(figure(found[1]), whole.length - head.length - tail.length);
  assert.equal(figure(found[2]), whole.length);
  return head.length + tail.length;
}

test('one output of 150,000 characters: the next request fits, and no summary is asked for', () => {
  const output = log(150_000);
  const messages = [REQUEST, calls('c1'), result('c1', output)];
  const { messages: sent, plan: planned, summaryNeeded, applied } = compact(messages, OPTIONS);
  assert.deepEqual([planned.verdict, planned.reason, planned.fits, summaryNeeded], ['prune', 'too_large', true, false]);
  assert.deepEqual(applied, { pruned: 1, summarized: 0 });
  assert.equal(summaryRequest(messages, OPTIONS), undefined);
  assert.equal(sent[0], REQUEST);
  assert.equal(sent[1], messages[1]);
  assert.ok(isPreview(sent[2].content, output) > 15_000);
  assert.ok(sizeOf(sent) <= planned.tokensAfter && planned.tokensAfter <= THRESHOLD, `${sizeOf(sent)}`);
  const part = planned.messages[2].parts[0];
  assert.deepEqual([part.fate, part.reason], ['pruned', 'too_large']);
  assert.ok(part.preview.head > 7_000 && part.preview.tail > 7_000);
  assert.equal(planned.messages[1].parts[0].preview, undefined);
  assert.equal(messages[2].content, output, 'the input is not changed');
  const again = plan(sent, OPTIONS);
  assert.deepEqual([again.verdict, again.fits], ['noop', true]);
  assert.equal(compact(sent, OPTIONS).messages[2], sent[2]);
});

test('three parallel outputs are cut to a common size; a small one beside them stays', () => {
  const outputs = ['a', 'b', 'c'].map((name) => log(60_000, name));
  const messages = [REQUEST, calls('a', 'b', 'c', 'd'), ...outputs.map((output, at) => result('abc'[at], output)), result('d', 'ok')];
  const { messages: sent, plan: planned, summaryNeeded } = compact(messages, OPTIONS);
  assert.deepEqual([planned.verdict, planned.reason, planned.fits, summaryNeeded], ['prune', 'too_large', true, false]);
  assert.equal(planned.prune.outputs, 3);
  const kept = outputs.map((output, at) => isPreview(sent[2 + at].content, output));
  assert.ok(Math.max(...kept) < Math.min(...kept) * 1.3, `${kept}`);
  assert.equal(sent[5], messages[5]);
  assert.ok(sizeOf(sent) <= THRESHOLD);
  assert.equal(plan(sent, OPTIONS).verdict, 'noop');
});

test('a loop over a server that refuses what is too large', () => {
  let summaries = 0;
  let refused = 0;
  let messages = [REQUEST];
  for (let step = 0; step < 60; step += 1) {
    const { messages: sent, plan: planned, summaryNeeded } = compact(messages, OPTIONS);
    if (summaryNeeded) summaries += 1;
    assert.equal(planned.fits, true, `step ${step}`);
    assert.deepEqual(validate(sent).violations, []);
    if (sizeOf(sent) > 32_000) refused += 1;
    const unanswered = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
    assert.equal(unanswered.length, sent.length - sent.findLastIndex(({ role }) => role === 'assistant') - 1);
    messages = [...sent, calls(`s${step}`), result(`s${step}`, log([900, 4_000, 150_000, 12_000][step % 4], `step ${step}`))];
  }
  assert.deepEqual({ summaries, refused }, { summaries: 0, refused: 0 });
});

test('with a history that fills the window itself, the summary stands for what the model has seen alone', () => {
  const history = Array.from({ length: 45 }, (_, at) => [
    { role: 'user', content: `Question ${at}: ${'why is that so '.repeat(60)}` },
    { role: 'assistant', content: `Answer ${at}: ${'because it was written that way '.repeat(60)}` },
  ]).flat();
  const messages = [...history, REQUEST, calls('c1'), result('c1', log(150_000))];
  for (const force of [false, true]) {
    const summary = 'They talked about why things are so.';
    const { messages: sent, plan: planned } = compact(messages, { ...OPTIONS, force, summary });
    assert.deepEqual([planned.verdict, planned.fits], ['prune_then_summarize', true]);
    assert.deepEqual(sent.slice(-2, -1), [messages.at(-2)]);
    assert.ok(isPreview(sent.at(-1).content, log(150_000)) > 8_000);
    assert.ok(sizeOf(sent) <= THRESHOLD);
    assert.ok(planned.retain.boundary <= messages.length - 2);
  }
});

test('a session checks, plans and applies alike, and counts what stays', () => {
  const session = new Session(OPTIONS);
  const messages = [REQUEST, calls('c1'), result('c1', log(150_000))];
  session.push(messages.slice(0, 2));
  assert.equal(session.check().verdict, 'noop');
  session.push(messages.slice(2));
  const { messages: _, ...planned } = plan(messages, OPTIONS);
  assert.deepEqual(session.check(), planned);
  assert.deepEqual(session.plan().messages, plan(messages, OPTIONS).messages);
  const done = session.apply();
  assert.deepEqual(done.messages, compact(messages, OPTIONS).messages);
  assert.equal(session.check().verdict, 'noop');
  assert.equal(session.check().tokensBefore, sizeOf(done.messages));
  // Once it has been answered, it is an output like any other.
  session.push([{ role: 'assistant', content: 'It failed.' }, { role: 'user', content: 'Go on.' }, calls('c2'), result('c2', log(90_000))]);
  const next = session.check();
  assert.deepEqual([next.verdict, next.fits], ['prune', true]);
});

test('what the provider reported corrects the room', () => {
  const steps = Array.from({ length: 12 }, (_, at) => [
    { ...calls(`u${at}`), usage: undefined },
    result(`u${at}`, log(2_000, `step ${at}`)),
  ]).flat();
  const bare = [REQUEST, ...steps, calls('big'), result('big', log(150_000))];
  for (const overhead of [0, 6_000]) {
    const { messages: sent, plan: planned } = compact(bare, { ...OPTIONS, overhead });
    assert.equal(planned.fits, true);
    assert.ok(sizeOf(sent) + overhead <= THRESHOLD);
    assert.match(sent.at(-1).content, NOTE);
  }
});

test('blocks are joined, other blocks are named, and what is no text is not cut', () => {
  const texts = [log(80_000, 'a'), log(80_000, 'b')];
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] };
  const blocks = (content) => [REQUEST, use, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] }];
  const joined = compact(blocks(texts.map((text) => ({ type: 'text', text }))), OPTIONS).messages[2].content[0].content;
  isPreview(joined, texts.join('\n'));
  const named = compact(blocks([{ type: 'text', text: texts.join('') }, image, image]), OPTIONS).messages[2].content[0].content;
  assert.match(named, /of 160,000 characters and 2 images or files are left out here\./);
  const images = blocks(Array.from({ length: 40 }, () => image));
  const untouched = compact(images, OPTIONS);
  assert.equal(untouched.messages[2], images[2]);
  assert.equal(untouched.plan.fits, false);
});

test('an output of a protected tool is neither cut nor summarized', () => {
  const skill = { role: 'assistant', content: null, tool_calls: [{ ...call('c1'), function: { name: 'skill', arguments: '{}' } }] };
  const messages = [REQUEST, { role: 'assistant', content: 'Yes. '.repeat(3_000) }, REQUEST, skill, result('c1', log(150_000))];
  const { messages: sent, plan: planned } = compact(messages, { ...OPTIONS, summary: 'They said yes.' });
  assert.deepEqual(sent.slice(-2), messages.slice(-2));
  assert.equal(planned.fits, false);
});

test('a function that counts tokens has the last word', () => {
  // It counts twice as much in the head.
  const countTokens = (text) => Math.ceil(text.length / 4) + (text.match(/X/g)?.length ?? 0);
  const output = `${'X'.repeat(20_000)}${'y'.repeat(130_000)}`;
  const messages = [REQUEST, calls('c1'), result('c1', output)];
  const { messages: sent, plan: planned } = compact(messages, { ...OPTIONS, countTokens });
  assert.equal(planned.reason, 'too_large');
  assert.ok(plan(sent, { ...OPTIONS, countTokens }).tokensBefore <= planned.tokensAfter);
  assert.equal(plan(sent, { ...OPTIONS, countTokens }).verdict, 'noop');
});

test('text and live messages give the same bytes; unpaired surrogates become what the engine reads them as', () => {
  const output = `${'😀'.repeat(20_000)}${log(60_000)}\ud800${'漢字'.repeat(20_000)}`;
  const messages = [REQUEST, calls('c1'), result('c1', output)];
  const live = compact(messages, OPTIONS).messages;
  const text = compact(JSON.stringify(messages), OPTIONS).text;
  assert.deepEqual(JSON.parse(text), live);
  assert.ok(live[2].content.isWellFormed());
});

test('a file, by the command line', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'ebbline-large-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [from, to] = ['session.json', 'compacted.json'].map((name) => join(folder, name));
  const messages = [REQUEST, calls('c1'), result('c1', log(150_000))];
  writeFileSync(from, JSON.stringify(messages));
  const window = ['--context', '32000'];
  assert.match((await run(['plan', from, ...window])).out, /larger than the room for it/);
  const { code, err } = await run(['compact', from, '-o', to, ...window]);
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(readFileSync(to, 'utf8')), compact(messages, OPTIONS).messages);
  assert.match((await run(['plan', to, ...window])).out, /Nothing to do/);
});

// Replays through the package: what a request sends is what `plan` and `compact` would make of it, texts and live messages have
// the same life, and options that make no sense are refused with a sentence.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { commandOf } from './command.mjs';
import { ebbline, fixtureFolder } from './package.mjs';

const { Session, audit, compare, compact, replay } = ebbline;

/** One prompt and so many calls with results. */
function life(calls, size) {
  const messages = [{ role: 'user', content: 'fix the login test' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${call}`;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"src/file${call}.ts"}` } }],
    });
    messages.push({ role: 'tool', tool_call_id: id, content: `${call}: ${'x '.repeat(size / 2)}` });
  }
  messages.push({ role: 'assistant', content: 'done' });
  return messages;
}

const model = { context: 32_000, output: 2_000 };

test('an amount that no number holds exactly is rounded, as in JSON', () => {
  const overhead = Number.MAX_SAFE_INTEGER;
  const { requests, total } = replay(JSON.stringify(life(3, 400)), { overhead });
  assert.ok(total.fresh + total.cached + total.written > overhead);
  for (const value of [total, ...requests].flatMap(Object.values)) assert.ok(!['bigint', 'undefined'].includes(typeof value));
});

test('live messages and their text have the same life', () => {
  const messages = life(60, 4_000);
  for (const profile of ['ebbline@1', 'pi@1.5', 'opencode@2026-06']) {
    const live = replay(messages, { profile, model, overhead: 1_000 });
    assert.deepEqual(replay(JSON.stringify(messages), { profile, model, overhead: 1_000 }), live);
    assert.equal(live.requests.length, 62);
    assert.equal(live.known, 'whole');
    for (const { charge, tokens, unchanged } of live.requests.slice(0, -1)) {
      assert.equal(charge.fresh + charge.cached + charge.written, tokens + 1_000);
      assert.ok(unchanged <= tokens);
    }
  }
});

test('a replay decides what a session decides that is kept through the same life', () => {
  const messages = life(120, 3_000);
  const options = { profile: 'opencode@2026-01', model: { context: 200_000, output: 8_000 } };
  const set = { 'prune.protect': 8_000, 'prune.minimum': 6_000, 'prune.onlyWhenFull': false, 'prune.downTo': 0, 'prune.protectedTurns': 0 };
  const lived = replay(messages, { ...options, set, usage: 'nothing' });
  assert.ok(lived.compactions.length > 5);
  const session = new Session({ format: 'openai_chat', ...options, set });
  let request = 0;
  for (const message of messages) {
    if (message.role === 'assistant') {
      const { verdict, prune, tokensAfter } = session.check();
      const { compaction, tokens } = lived.requests[request];
      assert.equal(compaction !== null, verdict !== 'noop', `request ${request}`);
      assert.equal(tokens, tokensAfter, `request ${request}`);
      if (compaction !== null) assert.deepEqual(lived.compactions[compaction].prune, prune);
      if (compaction !== null) session.apply();
      request += 1;
    }
    session.push(message);
  }
  session.free();
});

test('several policies are compared over the same life', () => {
  const messages = life(100, 4_000);
  const policies = ['ebbline@1', { profile: 'pi@1.5', set: { 'retain.keep': 4_000 } }, { profile: 'pi@1.5', model: { context: 200_000 } }];
  const [ours, pi, wide] = compare(messages, policies, { model, overhead: 500 });
  assert.deepEqual([ours.profile, pi.profile], ['ebbline@1', 'pi@1.5*']);
  assert.ok(pi.summaries > wide.summaries && pi.peak < wide.peak);
  for (const outcome of [ours, pi, wide]) assert.equal(outcome.requests, 101);
  assert.equal(wide.ofNothing, 1);
  const prices = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
  const [paid] = compare(messages, ['ebbline@1'], { model, overhead: 500, prices });
  assert.equal(paid.money, (ours.cost * 3) / 1e6);
});

test('more policies are compared than are kept ready', () => {
  const many = Array.from({ length: 100 }, (_, at) => ({ profile: 'pi@1.5', set: { 'retain.keep': 1_000 + at } }));
  const outcomes = compare(life(3, 40), many, { model });
  assert.deepEqual([outcomes.length, new Set(outcomes.map(({ cost }) => cost)).size], [100, 1]);
});

test('a replay changes nothing that it is given', () => {
  const messages = life(30, 4_000);
  const before = structuredClone(messages);
  replay(messages, { model });
  assert.deepEqual(messages, before);
  assert.equal(compact(messages, { model }).messages[0], messages[0]);
});

test('what makes no sense is refused with a sentence', () => {
  const messages = life(2, 100);
  /** @type {[() => unknown, string][]} */
  const refused = [
    [() => replay(messages, { usage: 'guess' }), 'the option usage must be one of estimate, recorded, nothing'],
    [() => replay(messages, { rates: { cache: 0.1 } }), 'the option rates has no member cache: it has cached, written, output'],
    [() => replay(messages, { rates: { cached: -1 } }), 'the option rates.cached must be a number of 0 or more'],
    [
      () => replay(messages, { prices: { input: 0, output: 1 } }),
      'the option prices needs input and output, in money for a million tokens',
    ],
    [
      () => replay(messages, { rates: {}, prices: { input: 1, output: 1 } }),
      'pass rates or prices, not both: rates are multiples of the price of an input token',
    ],
    [
      () => replay(messages, { force: true }),
      'there is no option "force"; there are profile, policy, model, set, format, strict, conversation, overhead, usage, moments, rates, prices, cache, loss, cacheCheck, carried',
    ],
    [() => compare(messages, [], {}), 'compare needs a list of policies: names of profiles, or options such as { profile, set }'],
    [() => compare(messages, 'pi@1.5', {}), 'compare needs a list of policies: names of profiles, or options such as { profile, set }'],
    [() => compare(messages, [undefined], {}), 'the options must be an object'],
    [() => compare(messages, new Array(257).fill('pi@1.5'), {}), 'compare takes at most 256 policies at once'],
  ];
  for (const [call, sentence] of refused) {
    assert.throws(call, { name: 'EbblineError', code: 'invalid_option', message: sentence });
  }
});

test('the command line shows a life, and compares profiles', () => {
  const file = join(fixtureFolder, 'life.json');
  writeFileSync(file, JSON.stringify(life(80, 4_000)));
  const run = (...args) => {
    const [program, ...rest] = commandOf(args);
    return spawnSync(program, rest, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', COLUMNS: '80' } });
  };
  const shown = run('replay', '--context', '32000', '--output-limit', '2000', file);
  assert.equal(shown.stderr, '');
  assert.match(shown.stdout, /81 requests/);
  assert.match(shown.stdout, /cost [\d,]+ fresh input tokens/);
  assert.match(shown.stdout, /█/);
  for (const line of shown.stdout.split('\n').slice(6)) assert.ok([...line].length <= 80, line);
  const json = run('replay', '--json', '--context', '32000', '--output-limit', '2000', file);
  assert.equal(JSON.parse(json.stdout).schema, 'ebbline.replay/1');
  const csv = run('replay', '--csv', file).stdout.trim().split('\n');
  assert.equal(csv.length, 83);
  assert.equal(
    csv[0],
    'request,message,tokens,unchanged,output,compaction,fits,overWindow,fresh,cached,written,summaryInput,summaryOutput,broken',
  );
  const compared = run('compare', '--policies', 'ebbline@1,pi@1.5', '--context', '32000', file);
  assert.match(compared.stdout, /ebbline@1 .*\n.*pi@1\.5/);
  assert.equal(compared.stderr, '');
  assert.equal(run('replay', file).stderr, 'ebbline: without --context, a window of 200,000 tokens is assumed\n');
  const wrong = run('compare', '--rates', '1,2', file);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--rates must be three numbers/);
});

test('what is lost is measured by words', () => {
  const messages = life(60, 4_000);
  messages[2].content += ' the port is 48213, says config/ports.toml';
  messages.push({ role: 'user', content: 'which port?' }, { role: 'assistant', content: 'It is 48213, from config/ports.toml.' });
  const text = JSON.stringify(messages);
  const { loss, compactions } = replay(text, { profile: 'pi@1.5', model, loss: true });
  assert.ok(compactions.length > 0);
  assert.equal(loss.references.reReferenced, 1);
  const [found] = loss.worst.filter(({ kind }) => kind === 're_reference');
  assert.deepEqual([found.message, found.usedIn, found.words.includes('config/ports.toml')], [2, messages.length - 1, true]);
  const [never, often] = compare(text, [{ profile: 'pi@1.5', model: { context: 2_000_000 } }, 'pi@1.5'], { model, loss: true });
  assert.deepEqual([never.loss.departedOutputs, often.loss.references.reReferenced, often.loss.worst], [0, 1, []]);
  assert.throws(() => replay(messages, { model, loss: true }), { code: 'invalid_option', message: /^loss is measured by words/ });
});

test('the rules of a cache are put beside the reads that were reported', () => {
  const usage = (read, written) => ({
    input_tokens: 10,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 5,
  });
  const answer = (text, reported) => ({ role: 'assistant', content: [{ type: 'text', text }], usage: reported });
  const ask = (text) => ({ role: 'user', content: text });
  const messages = [
    ask('one'),
    answer('first', usage(0, 5_000)),
    ask('two'),
    answer('second', usage(5_000, 300)),
    ask('three'),
    answer('third', usage(0, 6_000)),
  ];
  const text = JSON.stringify(messages);
  const { cacheCheck } = replay(text, { model, cacheCheck: true });
  const reads = cacheCheck.requests.map(({ message, predicted, reported }) => [message, predicted, reported]);
  assert.deepEqual(reads, [
    [3, 5_010, 5_000],
    [5, 5_310, 0],
  ]);
  assert.deepEqual([cacheCheck.missed, cacheCheck.unexpected, cacheCheck.reported], [1, 0, 5_000]);
  assert.equal(replay(text, { model }).cacheCheck, undefined);
  assert.equal(replay(JSON.stringify(life(4, 400)), { model, cacheCheck: true }).cacheCheck, null);
  assert.throws(() => replay(messages, { model, cacheCheck: true }), {
    code: 'invalid_option',
    message: /^the cache is checked by what a session file reports/,
  });
  assert.throws(() => compare(text, ['pi@1.5'], { cacheCheck: true }), {
    code: 'invalid_option',
    message: /^cacheCheck is an option of replay/,
  });
  const file = join(fixtureFolder, 'reported.json');
  writeFileSync(file, text);
  const [program, ...args] = commandOf(['replay', '--context', '32000', '--cache-check', file]);
  const shown = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  assert.match(shown.stdout, /cache reads of 2 requests: predicted 10,320, reported 5,000; median error 50 %/);
});

test('a policy may decide when its system does', () => {
  const messages = life(60, 4_000);
  const [every, system] = ['every_request', 'system'].map((moments) => replay(messages, { profile: 'pi@0.58', model, moments }));
  assert.ok(every.compactions.length > system.compactions.length, 'pi 0.58 compacts between runs only');
  assert.throws(() => replay(messages, { moments: 'sometimes' }), {
    code: 'invalid_option',
    message: 'the option moments must be one of every_request, system',
  });
});

test('an audit reads the compactions that a file records', () => {
  const line = (value) => `${JSON.stringify(value)}\n`;
  const said = (role, content, timestamp) => line({ type: 'message', message: { role, content, timestamp } });
  const text =
    line({ type: 'session', version: 1, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/a' }) +
    said('user', 'From now on, never touch the file config/ports.toml.', 1) +
    said('assistant', [{ type: 'text', text: 'I will not.' }], 2) +
    line({ type: 'compaction', summary: 'The user wants a fix.', firstKeptEntryIndex: 3, tokensBefore: 9 }) +
    said('user', 'Go on.', 3) +
    said('assistant', [{ type: 'text', text: 'Done.' }], 4);
  const { orders, worst, compactions } = audit(text);
  assert.deepEqual([compactions, orders.given, orders.lost], [1, 1, 1]);
  assert.equal(worst[0].kind, 'lost_order');
  assert.throws(() => audit([{ role: 'user', content: 'hello' }]), { code: 'invalid_option', message: /pass its text or bytes/ });
});

// The command line, run as a person or a program runs it. `UPDATE_SNAPSHOTS=1` writes the tables again.

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { asThePackage, run } from './command.mjs';
import { ebbline, fixture, fixtureFolder, fixtures, manifest, temporaryFolder } from './package.mjs';
import { matchesSnapshot } from './snapshot.mjs';

const folder = temporaryFolder('ebbline-cli-');

const EAGER = [
  'prune.protect=200',
  'prune.minimum=10',
  'prune.protectedTurns=1',
  'prune.onlyWhenFull=false',
  'prune.downTo=0',
  'retain.keep=300',
].flatMap((knob) => ['--set', knob]);

test('help, version and the profiles', async () => {
  for (const args of [['--help'], ['-h'], ['plan', '--help']]) {
    const { code, out } = await run(args);
    assert.equal(code, 0);
    matchesSnapshot('help', asThePackage(out));
  }
  assert.equal((await run(['--version'])).out, `${manifest.version}\n`);
  const { out } = await run(['profiles', '--json']);
  assert.deepEqual(out.trim().split('\n').map(JSON.parse), ebbline.profiles());
  assert.match((await run(['profiles'])).out, /^ebbline@3\n {2}Our own/);
});

test('detect names the format of several files', async () => {
  const { code, out } = await run(['detect', '--json', ...fixtures]);
  assert.equal(code, 0);
  const found = out.trim().split('\n').map(JSON.parse);
  assert.deepEqual(
    found.map(({ file }) => file),
    fixtures,
  );
  for (const { file, ...detection } of found) assert.deepEqual(detection, ebbline.detect(fixture(file)));
  assert.match((await run(['detect', 'pi-v1.jsonl'])).out, /^pi-v1\.jsonl: pi \(pi\); a session header/);
});

test('plan --json prints the plan, one line a file', async () => {
  const { code, out } = await run([
    'plan',
    '--json',
    '--profile',
    'opencode@2026-01',
    '--context',
    '100_000',
    '--set',
    'retain.cut=anywhere',
    'opencode.json',
    'plain-chat.json',
  ]);
  assert.equal(code, 0);
  const plans = out.trim().split('\n').map(JSON.parse);
  const options = { profile: 'opencode@2026-01', model: { context: 100_000 }, set: { 'retain.cut': 'anywhere' } };
  assert.deepEqual(
    plans,
    ['opencode.json', 'plain-chat.json'].map((file) => ebbline.plan(fixture(file), options)),
  );
});

test('where summarizing cannot fire, a table says why', async () => {
  const cases = [
    [['--set', 'model.context=0'], 'the context window is not known, so summarizing never fires'],
    [
      ['--set', 'model.context=20000', '--set', 'trigger.enabled=false', '--set', 'trigger.floor=0', '--set', 'trigger.reserve=20000'],
      'the policy never summarizes by itself',
    ],
    [['--profile', 'opencode@2026-01'], 'the profile triggers on reported usage alone, and none was reported'],
  ];
  for (const [args, words] of cases) {
    const { out } = await run(['plan', 'plain-chat.json', ...args]);
    assert.ok(out.includes(`Nothing to do: ${words}.`), out);
  }
});

for (const [name, args] of Object.entries({
  'plan-nothing': ['plan', 'tunacode-0.2.json'],
  'plan-prune': ['plan', 'openai-chat.json', ...EAGER],
  'plan-summarize': ['plan', 'anthropic-messages.json', '--context', '3_000', ...EAGER],
  'plan-inactive': ['plan', 'pi-v3.jsonl', '--profile', 'ebbline@1', '--set', 'prune.protect=100', '--set', 'prune.minimum=1'],
  'plan-force': ['plan', 'tunacode-0.1.json', '--profile', 'tunacode@0.2', '--force'],
})) {
  test(`the table of ${name}`, async () => {
    const { code, out, errors } = await run(args);
    assert.deepEqual([code, errors], [0, '']);
    assert.ok(
      out
        .split('\n')
        .slice(4)
        .every((line) => [...line].length <= 100),
      'no row is wider than the terminal',
    );
    matchesSnapshot(name, out);
  });
}

test('a narrow table has no bars, and a wide one has room for every word', async () => {
  const narrow = (await run(['plan', 'openai-chat.json'], { env: { COLUMNS: '60' } })).out.split('\n').slice(4);
  assert.ok(narrow.every((line) => [...line].length <= 60));
  assert.ok(!narrow.join('').includes('█'));
  const wide = (await run(['plan', 'openai-chat.json', ...EAGER], { env: { COLUMNS: '200' } })).out.split('\n').slice(4);
  assert.ok(wide.every((line) => [...line].length <= 200));
  assert.ok(!wide.join('').includes('…'));
});

test('colors are for terminals, unless they are asked for', async () => {
  const colored = async (args, env) => (await run(['plan', 'openai-chat.json', ...EAGER, ...args], { env })).out.includes('\u001b[');
  assert.equal(await colored([]), false, 'a pipe is no terminal');
  assert.equal(await colored(['--color', 'always']), true);
  assert.equal(await colored(['--color', 'never']), false);
  const plain = (await run(['plan', 'openai-chat.json', ...EAGER])).out;
  const painted = (await run(['plan', 'openai-chat.json', ...EAGER, '--color', 'always'])).out;
  assert.equal(painted.replaceAll(/\u001b\[\d*m/g, ''), plain);
});

test('a session cannot steer the terminal', async () => {
  const text = JSON.stringify([
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: '\u001b[2Jevil\n\u202e', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
  ]);
  const { out } = await run(['plan', '-'], { input: text });
  assert.ok(!/[\u0000-\u0009\u000b-\u001f\u202e]/.test(out));
  assert.match(out, /evil/);
});

const BROKEN = [
  { role: 'user', content: 'Run the tests and read the log.' },
  { role: 'tool', tool_call_id: 'c0', name: 'old\n', content: 'x' },
  { role: 'assistant', tool_calls: ['c1', 'c2'].map((id) => ({ id, function: { name: 'bash', arguments: '{}' } })) },
  { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  { role: 'assistant', content: null },
]
  .map((message) => JSON.stringify(message))
  .join('\n');

test('a policy that does not prune speaks of no protection boundary', async () => {
  const { out } = await run(['plan', '--profile', 'pi@1.5', 'openai-chat.json']);
  assert.match(out, /pruning is off/);
  assert.doesNotMatch(out, /protection boundary|beyond the boundary|newest outputs|newest turns/);
});

test('validate lists what a session breaks, with the line', async () => {
  const { code, out, errors } = await run(['validate', '-', 'openai-chat.json'], { input: BROKEN });
  assert.deepEqual([code, errors], [1, '']);
  matchesSnapshot('validate', out);
  assert.equal((await run(['validate', 'openai-chat.json', 'pi-v3.jsonl'])).code, 0);
});

test('validate lists the calls that wait for their results', async () => {
  const waiting = JSON.stringify([
    { role: 'user', content: 'Run it.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } }] },
  ]);
  const { code, out } = await run(['validate', '--except', 'call_without_result', '-'], { input: waiting });
  assert.equal(code, 0);
  assert.match(out, /valid, 1 call without a result yet\n/);
  assert.match(out, /message 1: {2}the call of bash has no result yet: .* \(pending\)/);
});

test('validate --json prints what was found, one line a file', async () => {
  const { code, out } = await run(['validate', '--json', '--also', 'last_role', '--except', 'empty_message', '-'], { input: BROKEN });
  const { file, ...found } = JSON.parse(out);
  assert.deepEqual([code, file], [1, '-']);
  assert.deepEqual(found, ebbline.validate(BROKEN, { also: ['last_role'], except: ['empty_message'] }));
  const rules = found.violations.map(({ rule, line }) => `${rule}@${line}`);
  assert.deepEqual(rules, ['result_without_call@2', 'call_without_result@3', 'last_role@5']);
});

test('compact writes the session and nothing else', async () => {
  for (const name of fixtures) {
    const { code, bytes, errors } = await run(['compact', name]);
    assert.equal(code, 0);
    assert.deepEqual(bytes, readFileSync(join(fixtureFolder, name)), 'nothing is to be done: byte for byte');
    assert.match(errors, /nothing changed/);
  }
  const done = await run(['compact', '-', ...EAGER, '--set', 'retain.enabled=false'], { input: fixture('openai-chat.json') });
  const set = {
    'prune.protect': 200,
    'prune.minimum': 10,
    'prune.onlyWhenFull': false,
    'prune.downTo': 0,
    'prune.protectedTurns': 1,
    'retain.enabled': false,
  };
  assert.equal(done.out, ebbline.compact(fixture('openai-chat.json'), { set }).text);
  assert.match(done.errors, /standard input: 4 outputs pruned/);
});

test('the name of a file means nothing: a document may be called .jsonl, and lines .json', async () => {
  const indented = (name) => JSON.stringify(JSON.parse(fixture(name)), null, 2);
  for (const [wrong, text, format] of [
    ['document.jsonl', indented('opencode.json'), 'opencode'],
    ['list.jsonl', indented('openai-chat.json'), 'openai_chat'],
    ['lines.json', fixture('pi-v3.jsonl'), 'pi'],
    ['lines.md', fixture('openai-chat.jsonl'), 'openai_chat'],
  ]) {
    const path = join(folder, wrong);
    writeFileSync(path, text);
    const { file, ...detection } = JSON.parse((await run(['detect', '--json', path])).out);
    assert.equal(detection.format, format, file);
    assert.deepEqual(detection, ebbline.detect(text));
    assert.equal((await run(['compact', path])).out, text);
  }
});

test('compact -o writes a file, and --json says what was done', async () => {
  const out = join(folder, 'out.json');
  const { code, out: report } = await run(['compact', 'openai-chat.json', '-o', out, '--json', '--context', '1000', ...EAGER]);
  assert.equal(code, 0);
  const { applied, summaryNeeded, plan, file } = JSON.parse(report);
  assert.deepEqual([file, applied.summarized, summaryNeeded, plan.verdict], ['openai-chat.json', 0, true, 'prune_then_summarize']);
  const size = statSync(out).size;
  assert.ok(size > 0 && size < fixture('openai-chat.json').length);
});

test('compact --summary takes the summary from a file or from standard input', async () => {
  const summary = join(folder, 'summary.txt');
  writeFileSync(summary, 'The checkout was one cent off.');
  const args = ['compact', 'openai-chat.json', '--context', '1000', ...EAGER, '--summary'];
  const fromFile = await run([...args, summary]);
  const fromStdin = await run([...args, '-'], { input: 'The checkout was one cent off.' });
  assert.equal(fromFile.out, fromStdin.out);
  assert.match(fromFile.out, /\[Compaction summary: [^\]]*\] \[ref [a-p]{8}\]\\n\\nThe checkout was one cent off\./);
  assert.match(fromFile.errors, /messages summarized/);
  assert.match((await run(args.slice(0, -1))).errors, /pass the summary with --summary FILE/);
});

test('summary-request prints what to ask a model, and makes the summary of its answer', async () => {
  const args = ['summary-request', 'pi-v3.jsonl', '--force', '--set', 'retain.keep=60', '--focus', 'the yen'];
  const { code, out, errors } = await run(args);
  assert.deepEqual([code, errors], [0, '']);
  matchesSnapshot('summary-request', out);
  const [line] = (await run([...args, '--json', '--budget', '2_000'])).out.trim().split('\n').map(JSON.parse);
  const options = { force: true, set: { 'retain.keep': 60 }, focus: 'the yen', budgetTokens: 2_000 };
  assert.deepEqual(line, { file: 'pi-v3.jsonl', ...ebbline.summaryRequest(fixture('pi-v3.jsonl'), options) });

  const made = await run([...args, '--answer', '-'], { input: '## Goal\nRound.\n' });
  const listed = made.out.match(/<identifiers>\nOnly what this summary replaces named these: .*NumberFormat.*\n<\/identifiers>/)?.[0];
  const files = `<read-files>\nsrc/checkout.ts\nsrc/currency.ts\n</read-files>\n\n${listed}`;
  assert.deepEqual([made.code, made.out, made.errors], [0, `## Goal\nRound.\n\n${files}\n`, '']);
  const unusual = await run([...args, '--answer', '-'], { input: 'Sorry.' });
  assert.deepEqual([unusual.code, unusual.out], [0, `Sorry.\n\n${files}\n`]);
  assert.match(unusual.errors, /none of the headings/);
  const refused = await run([...args, '--answer', '-'], { input: '## Goal\n(none)' });
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.errors, /has no content/);
});

/** Arguments, standard input, exit code, output. @type {Record<string, [string[], string, number, RegExp]>} */
const ENDS = {
  'no command': [[], '', 2, /there is no command\nTry/],
  'an unknown command': [
    ['shrink'],
    '',
    2,
    /shrink; there are detect, plan, inspect, compact, summarize, undo, recall, repair, validate, summary-request, profiles/,
  ],
  'no file': [['plan'], '', 2, /needs a FILE/],
  'two files to compact': [['compact', 'a', 'b'], '', 2, /one FILE/],
  'two files to summarize': [['summary-request', 'a', 'b'], '', 2, /summary-request takes one FILE/],
  'session and answer from the same pipe': [['summary-request', '-', '--answer', '-'], '', 2, /both/],
  'a budget that is no number': [['summary-request', 'openai-chat.json', '--budget', 'small'], '', 2, /--budget must be/],
  'a budget that is too small': [
    ['summary-request', 'openai-chat.json', '--force', ...EAGER, '--budget', '100'],
    '',
    1,
    /needs \d+ tokens, but its budget is 100/,
  ],
  'nothing to summarize': [['summary-request', 'openai-chat.json'], '', 0, /nothing is to be summarized/],
  'an unknown option': [['plan', '--protect', '5', 'x'], '', 2, /there is no option --protect/],
  'an option of another command': [['detect', '--profile', 'x', 'y'], '', 2, /there is no option --profile/],
  'an unknown profile': [['plan', '--profile', 'x', 'openai-chat.json'], '', 2, /no profile "x"/],
  'an unknown format': [['plan', '--format', 'x', 'openai-chat.json'], '', 2, /no format "x"/],
  'an unknown rule': [['validate', '--also', 'x', 'openai-chat.json'], '', 2, /no rule "x"; there are result_without_call/],
  'an unknown knob': [['plan', '--set', 'prune.protcet=1', 'openai-chat.json'], '', 2, /no knob "prune\.protcet"/],
  'a knob without a value': [['plan', '--set', 'prune.protect', 'openai-chat.json'], '', 2, /prune\.protect=30000/],
  'a context that is no number': [['plan', '--context', 'large', 'openai-chat.json'], '', 2, /number of tokens, not large/],
  'a color that is none': [['plan', '--color', 'red', 'openai-chat.json'], '', 2, /--color must be/],
  'a report where the session goes': [['compact', '--json', 'openai-chat.json'], '', 2, /needs -o OUT/],
  'session and summary from the same pipe': [['compact', '-', '--summary', '-'], '', 2, /both/],
  'a missing file': [['plan', 'missing.json'], '', 1, /cannot read missing\.json: there is no such file/],
  'a folder': [['plan', '.'], '', 1, /it is a folder/],
  'nothing on standard input': [['plan', '-'], '', 1, /standard input: there is nothing to read/],
  'no session': [['detect', '-'], '{"a":1}', 1, /an object with a/],
  'a format that is not read': [
    ['plan', '-'],
    '{"$schemaVersion":"1.0","original_input":"a","model_responses":[]}',
    1,
    /looks like OpenAI Agents RunState/,
  ],
  'a file that cannot be written': [['compact', 'openai-chat.json', '-o', 'no/such/folder/x'], '', 1, /cannot write/],
  'one bad file among good ones': [['detect', 'missing.json', 'openai-chat.json'], '', 1, /missing\.json/],
  'work to do, when asked': [['plan', '--check', 'openai-chat.json', ...EAGER], '', 3, /^$/],
  'nothing to do, when asked': [['plan', '--check', 'openai-chat.json'], '', 0, /^$/],
};

for (const [what, [args, input, exit, said]] of Object.entries(ENDS)) {
  test(`${what}: exit code ${exit}`, async () => {
    const { code, errors, out } = await run(args, { input });
    assert.equal(code, exit, errors);
    assert.match(errors, said);
    assert.ok(!errors.includes('    at '), 'no stack trace');
    if (args.length > 2 && args[1] === 'missing.json') assert.match(out, /openai-chat\.json: OpenAI Chat/);
  });
}

test('a reader that has seen enough is no error', async () => {
  const long = JSON.stringify(
    Array.from({ length: 20_000 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `message ${at}` })),
  );
  const { code, signal, errors } = await run(['plan', '-'], { input: long, read: 1 });
  assert.deepEqual([code, signal, errors], [0, null, '']);
});

test('64 times the session does not take 100 times as long', async () => {
  const messages = JSON.parse(fixture('openai-chat.json')).map((message) =>
    typeof message.content === 'string' ? { ...message, content: message.content.repeat(20) } : message,
  );
  const path = join(folder, 'large.json');
  // Processor time, which other programs do not affect; the minimum of three, because garbage collection may occur in
  // one.
  const planning = async (times) => {
    writeFileSync(path, JSON.stringify(Array.from({ length: times }, () => messages).flat()));
    const spent = [];
    for (let round = 0; round < 3; round += 1) {
      const { code, errors } = await run(['plan', path], { through: 'TIMEFORMAT=%U; time "$@" > /dev/null' });
      assert.equal(code, 0, errors);
      spent.push(Number(errors));
    }
    return { size: statSync(path).size, seconds: Math.min(...spent) };
  };
  const [few, many] = [await planning(1), await planning(64)];
  assert.ok(many.size > 60 * few.size);
  assert.ok(many.seconds < 100 * Math.max(few.seconds, 0.01), `${few.seconds} s, then ${many.seconds} s`);
});

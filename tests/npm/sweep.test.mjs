// Sweeps through the package and the command line: sums over sessions, the frontier, folders, threads, charts, Ctrl-C.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertSentence, ended, run, start } from './command.mjs';
import { ebbline, fixture, fixtureFolder, temporaryFolder } from './package.mjs';
import { parsed } from './xml.mjs';

const { compare, sweep } = ebbline;

const folder = temporaryFolder('ebbline-sweep-');

/** Calls whose outputs name a file each; at the end the assistant needs the first. */
function life(calls, size, name = 'part') {
  const messages = [{ role: 'user', content: 'Where is the port set?' }];
  for (let call = 0; call < calls; call += 1) {
    const id = `call_${call}`;
    const asked = { name: 'read', arguments: JSON.stringify({ path: `src/${name}${call}.ts` }) };
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: asked }] });
    messages.push({ role: 'tool', tool_call_id: id, content: `config/${name}/${call}/listen.toml ${'x '.repeat(size / 2)}` });
  }
  messages.push({ role: 'assistant', content: `It is in config/${name}/0/listen.toml.` });
  return JSON.stringify(messages);
}

const SESSIONS = [life(60, 4_000), life(4, 400, 'few'), life(90, 2_000, 'many')];
const GRID = {
  policy: 'pi@1.5',
  set: { 'prune.enabled': [true, false], 'retain.keep': [2_000, 10_000] },
  policies: ['ebbline@2'],
  windows: [200_000, 32_000],
};

/** A folder with sessions in two formats, also deeper down, and with files that are no sessions. */
function corpus(name, sessions = SESSIONS) {
  const place = join(folder, name);
  mkdirSync(join(place, 'deep/er'), { recursive: true });
  sessions.forEach((text, at) => writeFileSync(join(place, at % 2 === 0 ? '' : 'deep', `life-${at}.json`), text));
  for (const compacted of ['claude-code-compacted.jsonl', 'pi-v3.jsonl'])
    cpSync(join(fixtureFolder, compacted), join(place, 'deep/er', compacted));
  writeFileSync(join(place, 'photo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
  writeFileSync(join(place, 'deep/notes.md'), '# Notes\n');
  writeFileSync(join(place, 'deep/empty.json'), '');
  return place;
}
const JUNK = 3;

test('a point is the sum of what compare says of each session', () => {
  const { schema, sessions, points } = sweep(SESSIONS, GRID, { overhead: 500 });
  assert.deepEqual([schema, sessions, points.length], ['ebbline.sweep/1', 3, 10]);
  assert.deepEqual(
    points.map(({ profile, window, set }) => [profile, window, Object.values(set)]),
    [200_000, 32_000].flatMap((window) => [
      ...[true, false].flatMap((enabled) => [2_000, 10_000].map((keep) => ['pi@1.5*', window, [enabled, keep]])),
      ['ebbline@2', window, []],
    ]),
  );
  const policies = points.map(({ profile, window, set }) => ({
    profile: profile.replace('*', ''),
    set: { ...set, 'model.context': window },
  }));
  const outcomes = SESSIONS.map((text) => compare(text, policies, { overhead: 500, loss: true }));
  points.forEach((point, at) => {
    const of = outcomes.map((each) => each[at]);
    const sum = (figure) => of.reduce((sum, outcome) => sum + figure(outcome), 0);
    const expected = {
      requests: sum(({ requests }) => requests),
      prunes: sum(({ prunes }) => prunes),
      summaries: sum(({ summaries }) => summaries),
      outputs: sum(({ outputs }) => outputs),
      unfit: sum(({ unfit }) => unfit),
      overWindow: sum(({ overWindow }) => overWindow),
      cost: sum(({ cost }) => cost),
      without: sum(({ without }) => without),
      ofNothing: sum(({ cost }) => cost) / sum(({ without }) => without),
      departedOutputs: sum(({ loss }) => loss.departedOutputs),
      neededAgain: sum(({ loss }) => loss.references.reReferenced),
      neededAgainPruned: sum(({ loss }) => loss.references.pruned),
      readAgain: sum(({ loss }) => loss.reReads.exact),
      peak: Math.max(...of.map(({ peak }) => peak)),
      threshold: of[0].threshold,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(point[name], value, `${name} of ${at}`);
  });
  assert.ok(points.some(({ neededAgain }) => neededAgain > 0));
  assert.ok(points.some(({ neededAgain, neededAgainPruned }) => neededAgain > neededAgainPruned));
});

test('a point is beaten by one of its window that is better in something and worse in nothing', () => {
  const { points } = sweep(SESSIONS, GRID);
  const merits = ({ ofNothing, neededAgain, overWindow }) => [ofNothing, neededAgain, overWindow];
  const beats = (one, other) =>
    one.window === other.window &&
    merits(one).every((merit, at) => merit <= merits(other)[at]) &&
    merits(one).some((merit, at) => merit < merits(other)[at]);
  for (const point of points) {
    assert.equal(point.onFrontier, !points.some((other) => beats(other, point)));
    assert.equal(point.beatenBy === null, point.onFrontier);
    if (point.beatenBy !== null) assert.ok(points[point.beatenBy].onFrontier && beats(points[point.beatenBy], point));
  }
  assert.ok(points.some(({ onFrontier }) => onFrontier) && points.some(({ onFrontier }) => !onFrontier));
});

test('what summaries carry is an assumption, and what placeholders name is none', () => {
  const needed = (policy, carried) => sweep(SESSIONS, { policy, windows: [32_000] }, { carried }).points[0].neededAgain;
  const all = (policy) => ['nothing', 'by_rule', 1_800].map((carried) => needed(policy, carried));
  const [nothing, byRule, names] = all('pi@1.5');
  assert.ok(nothing > 0 && byRule <= nothing && names < nothing, `${nothing} ${byRule} ${names}`);
  assert.equal(needed('pi@1.5', undefined), nothing);
  const lost = ['ebbline@2', 'ebbline@3'].map((policy) => needed(policy, 'nothing'));
  assert.ok(lost[1] < lost[0], lost.join(' '));
  assert.throws(() => needed('pi@1.5', 'everything'), {
    code: 'invalid_option',
    message: /^the option carried must be one of nothing, by_rule, a number/,
  });
});

test('what is no grid is refused with a sentence', () => {
  const many = (count) => Array.from({ length: count }, (_, at) => at);
  /** @type {[unknown, unknown, string, string?][]} */
  const refused = [
    ['text', {}, 'sweep needs a list of sessions, each as its text or its bytes'],
    [[[]], {}, 'sweep measures loss by words: pass each session as a text, such as JSON.stringify(messages)'],
    [[], undefined, 'a grid must be an object'],
    [[], [], 'a grid must be an object'],
    [[], { window: 1 }, 'a grid has no member window: it has policy, set, windows, policies'],
    [[], { windows: [0] }, "a grid's windows must be whole numbers of 1 or more, in tokens"],
    [[], { windows: 1 }, "a grid's windows must be a list"],
    [[], { set: { 'prune.protect': 3 } }, 'a grid\'s set["prune.protect"] must be a list'],
    [[], { set: { 'prune.protect': [] } }, 'a grid needs a policy, and each knob on it a value'],
    [
      [],
      { policies: [], set: { 'prune.protect': many(40), 'prune.minimum': many(40) } },
      'a grid has at most 1000 points, and this one has 1600 (40 × 40)',
    ],
    [[], { set: { 'prune.protcet': [1] } }, 'there is no knob "prune.protcet"; did you mean', 'invalid_policy'],
    [[], { policy: 'pi@9' }, 'there is no profile "pi@9"', 'unknown_profile'],
  ];
  for (const [sessions, grid, sentence, code = 'invalid_option'] of refused) {
    assert.throws(
      () => sweep(/** @type {any} */ (sessions), /** @type {any} */ (grid)),
      (/** @type {any} */ error) => error.name === 'EbblineError' && error.code === code && error.message.startsWith(sentence),
      sentence,
    );
  }
  assert.deepEqual(
    sweep([], { policies: ['pi@1.5'] }).points.map(({ profile, onFrontier }) => [profile, onFrontier]),
    [['pi@1.5', true]],
  );
});

const SWEEP = ['sweep', '--policy', 'pi@1.5', '--set', 'prune.enabled=true,false', '--set', 'retain.keep=2000,10000'];
const WINDOWS = ['--policies', 'ebbline@2', '--window', '200_000,32000'];

test('a folder means every session below it, and what is none is counted', async () => {
  const place = corpus('folder');
  symlinkSync(place, join(place, 'round'));
  const { code, out, errors } = await run([...SWEEP, ...WINDOWS, '--json', place]);
  assert.equal(errors, `ebbline: ${JUNK} files skipped: no format recognizes them (--strict makes this an error)\n`);
  assert.equal(code, 0);
  const texts = ['deep/er/claude-code-compacted.jsonl', 'deep/er/pi-v3.jsonl', 'deep/life-1.json', 'life-0.json', 'life-2.json'];
  const expected = sweep(
    texts.map((name) => readFileSync(join(place, name), 'utf8')),
    GRID,
  );
  assert.deepEqual(JSON.parse(out), expected);
  const strict = await run([...SWEEP, '--strict', '--window', '32000', '--json', join(place, 'deep/notes.md'), place]);
  assert.equal(strict.code, 1);
  assert.equal(strict.errors.match(/: no format recognizes it\n/g)?.length, JUNK);
  // A file that is named must be a session.
  assertSentence(await run([...SWEEP, '--window', '32000', join(place, 'deep/notes.md')]), 1, /notes\.md: /);
});

test('however many threads there are, the output is the same', async () => {
  const place = corpus('threads', [...SESSIONS, ...SESSIONS, life(3, 50), life(150, 900)]);
  for (const args of [
    [...SWEEP, ...WINDOWS],
    [...SWEEP, ...WINDOWS, '--json'],
    [...SWEEP, ...WINDOWS, '--csv'],
    ['compare', '--context', '32000', '--policies', 'pi@1.5,ebbline@1', '--loss', '--json'],
    ['compare', '--context', '32000', '--policies', 'pi@1.5,ebbline@1', '--csv'],
    ['compare', '--context', '32000', '--policies', 'pi@1.5,ebbline@1'],
    ['audit', '--json'],
    ['audit'],
  ]) {
    const [one, two] = await Promise.all(['1', '2'].map((jobs) => run([...args, '--jobs', jobs, place])));
    assert.deepEqual([one.code, two.code], [0, 0], one.errors);
    assert.ok(one.out.length > 100);
    assert.equal(two.out, one.out);
    assert.equal(two.errors, one.errors);
  }
});

test('compare tells of every file, in the order of their names', async () => {
  const place = corpus('compared');
  const lines = (await run(['compare', '--context', '32000', '--policies', 'pi@1.5', '--json', place])).out.trim().split('\n');
  const names = lines.map((line) => JSON.parse(line).file.slice(place.length + 1));
  assert.deepEqual(names, ['deep/er/claude-code-compacted.jsonl', 'deep/er/pi-v3.jsonl', 'deep/life-1.json', 'life-0.json', 'life-2.json']);
  const csv = (await run(['compare', '--context', '32000', '--policies', 'pi@1.5,ebbline@2', '--csv', place])).out.trim().split('\n');
  assert.equal(csv.length, 1 + 5 * 2);
  assert.match(csv[0], /^file,profile,window,threshold,requests,.*,overWindow,/);
  const shown = (await run(['compare', '--context', '32000', '--policies', 'pi@1.5,ebbline@2', place])).out;
  assert.match(shown, /profile +window +threshold +cost .*over window/);
  assert.match(shown, /pi@1\.5 +32,000 +15,616 /);
  assertSentence(await run(['compare', '--context', '32000', '--policies', 'pi@9', place]), 2, /there is no profile "pi@9"/);
});

test('an audit begins with what is worst', async () => {
  const place = corpus('audited');
  const { out, code } = await run(['audit', '--json', '--check', place]);
  const audits = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(audits.length, 5);
  assert.equal(audits[0].file, join(place, 'deep/er/claude-code-compacted.jsonl'));
  assert.ok(audits[0].compactions > 0);
  const losses = audits.map(({ worst }) => worst.length);
  assert.equal(code, losses.some((count) => count > 0) ? 3 : 0);
  const shown = await run(['audit', place]);
  assert.ok(shown.out.startsWith(join(place, 'deep/er/claude-code-compacted.jsonl')), shown.out);
  assert.match(shown.out, /\d files? records? no compaction\n$/);
});

test('the page of a sweep has a chart, a table and a place for every point', async () => {
  const place = corpus('page');
  const { out } = await run([...SWEEP, ...WINDOWS, place], { env: { COLUMNS: '80' } });
  assert.match(out, /^5 sessions, \d+ requests, 10 points\n/);
  assert.match(out, /\nwindow 200,000\n[^]*\nwindow 32,000\n/);
  assert.match(out, /[●■] on the frontier/);
  assert.match(out, /[│┤] *.*●/);
  const rows = out.split('\n').filter((line) => /^[●○■□] +\d+ +(pi|ebbline)@/.test(line));
  assert.equal(rows.length, 10);
  for (const row of rows) assert.equal(/#\d+/.test(row), /^[○□]/.test(row), row);
  for (const line of out.split('\n').filter((line) => /[│┤└]/.test(line))) assert.ok([...line].length <= 80, line);
  assert.doesNotMatch(out, /\u001b/);
  assert.match((await run([...SWEEP, ...WINDOWS, '--color', 'always', place])).out, /\u001b\[32m/);
});

test('a spreadsheet has a row for every point, and a column for every knob', async () => {
  const { out } = await run([...SWEEP, ...WINDOWS, '--csv', corpus('csv')]);
  const [titles, ...rows] = out
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  assert.deepEqual(titles.slice(0, 5), ['point', 'profile', 'prune.enabled', 'retain.keep', 'window']);
  assert.equal(rows.length, 10);
  for (const row of rows) assert.equal(row.length, titles.length);
  assert.deepEqual(rows[0].slice(0, 5), ['1', 'pi@1.5*', 'true', '2000', '200000']);
  assert.deepEqual(rows[4].slice(0, 5), ['5', 'ebbline@2', '', '', '200000']);
});

test('a grid may come from a file, and the flags say the same', async () => {
  const file = join(folder, 'grid.json');
  writeFileSync(file, JSON.stringify(GRID));
  const place = corpus('grid');
  const [from, flags, others] = await Promise.all([
    run(['sweep', '--grid', file, '--json', place]),
    run([...SWEEP, ...WINDOWS, '--json', place]),
    run(['sweep', '--profile', 'pi@1.5', ...SWEEP.slice(3), '--policies', 'ebbline@2', '--context', '200000,32000', '--json', place]),
  ]);
  assert.equal(from.out, flags.out);
  assert.equal(others.out, flags.out);
  const list = await run([
    'sweep',
    '--set',
    'prune.protectedTools=[["skill"],["skill","task"]]',
    '--window',
    '9000',
    '--json',
    join(place, 'life-0.json'),
  ]);
  assert.deepEqual(
    JSON.parse(list.out).points.map(({ set }) => set['prune.protectedTools'].length),
    [1, 2],
  );
  const all = await run(['sweep', '--window', '32000', '--json', join(place, 'life-0.json')]);
  assert.deepEqual(
    JSON.parse(all.out).points.map(({ profile }) => profile),
    ebbline.profiles().map(({ name }) => name),
  );
  const assumed = await run(['sweep', '--policy', 'pi@1.5', join(place, 'life-0.json')]);
  assert.match(assumed.errors, /^ebbline: without --window, a window of [\d,]+ tokens is assumed\n$/);
  writeFileSync(file, '{"set": ');
  /** @type {[string[], number, RegExp][]} */
  const refused = [
    [['--grid', file], 1, /grid\.json holds no grid: /],
    [['--grid', file, '--window', '9000'], 2, /nothing else of a grid can be given beside it/],
    [['--policy', 'pi@1.5', '--profile', 'pi@1.5'], 2, /--policy and --profile are the same: give one/],
    [['--set', 'prune.protect'], 2, /must be a path and a value/],
    [['--window', '1,x'], 2, /--window must be a number of tokens, not x/],
    [['--jobs', '0'], 2, /--jobs must be 1 or more/],
    [['--set', 'prune.protect=1,x', '--window', '9000'], 2, /prune\.protect/],
  ];
  for (const [args, exit, said] of refused) assertSentence(await run(['sweep', ...args, place]), exit, said);
});

test('a chart in a file is well-formed, says what it shows, and needs nothing else', async () => {
  const place = corpus('charts');
  writeFileSync(join(place, 'a <b> & "c".json'), SESSIONS[0]);
  const svg = join(folder, 'chart.svg');
  const about = (name) => {
    const elements = parsed(readFileSync(name, 'utf8'));
    const [root, title, desc] = elements;
    assert.deepEqual([root.name, title.name, desc.name], ['svg', 'title', 'desc']);
    assert.ok(title.text.length > 5 && desc.text.length > 40);
    assert.equal(root.attributes['aria-labelledby'], `${title.attributes.id} ${desc.attributes.id}`);
    assert.match(elements.find(({ name }) => name === 'style').text, /prefers-color-scheme:dark/);
    assert.ok(elements.every(({ attributes }) => attributes.href === undefined && attributes.src === undefined));
    assert.doesNotMatch(readFileSync(name, 'utf8'), /NaN|Infinity|undefined|null|url\(|@import|<script/);
    return elements;
  };
  assert.equal((await run([...SWEEP, ...WINDOWS, '--svg', svg, place])).code, 0);
  const elements = about(svg);
  const points = elements.filter(({ name, attributes }) => ['circle', 'rect'].includes(name) && /^(best|beaten)$/.test(attributes.class));
  assert.ok(points.length >= 10);
  assert.equal(elements.filter(({ name, text }) => name === 'text' && text.startsWith('Cost against loss in a window of')).length, 2);
  const text = elements.map((element) => element.text).join('\n');
  assert.match(text, /ebbline@2/);
  assert.match(text, /retain\.keep=2000/);
  const replayed = ['replay', '--profile', 'pi@1.5', '--context', '32000', '--svg', svg];
  assert.equal((await run([...replayed, join(place, 'a <b> & "c".json')])).code, 0);
  const replay = about(svg);
  assert.match(replay[1].text, /a &lt;b&gt; &amp; &quot;c&quot;\.json under pi@1\.5$/);
  assert.ok(replay.some(({ attributes }) => attributes.class === 'fires'));
  assert.ok(replay.some(({ attributes }) => attributes.class === 'event summary'));
  // Sessions in which nothing happens have charts, too.
  const nothing = join(folder, 'nothing.json');
  writeFileSync(nothing, JSON.stringify([{ role: 'user', content: 'hello' }]));
  for (const args of [replayed, [...SWEEP, ...WINDOWS, '--svg', svg]]) {
    assert.equal((await run([...args, nothing])).code, 0);
    about(svg);
  }
  assertSentence(await run([...replayed, nothing, nothing]), 2, /replay --svg takes one FILE/);
  assertSentence(await run([...SWEEP, ...WINDOWS, '--svg', join(folder, 'no/such/chart.svg'), nothing]), 1, /cannot write/);
});

test('Ctrl-C leaves what is done', async () => {
  const place = join(folder, 'interrupted');
  mkdirSync(place);
  const count = 40;
  const text = life(200, 4_000);
  for (let at = 0; at < count; at += 1) writeFileSync(join(place, `${String(at).padStart(2, '0')}.json`), text);
  const policies = 'pi@1.5,ebbline@1,ebbline@2,opencode@2026-06';
  const child = start(['compare', '--context', '32000', '--policies', policies, '--loss', '--json', '--jobs', '2', place]);
  child.stdout.once('data', () => child.kill('SIGINT'));
  const { code, signal, out, errors } = await ended(child);
  assert.deepEqual([code, signal], [130, null], errors);
  const [, missing] = /^ebbline: interrupted: (\d+) of 40 files (?:is|are) missing from these results\n$/.exec(errors) ?? [];
  const files = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).file);
  assert.equal(files.length + Number(missing), count);
  assert.ok(Number(missing) > 0 && files.length > 0);
  assert.deepEqual(files, files.toSorted());
});

test('files that cannot be read, and folders without any', async () => {
  const place = corpus('faults');
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { code, out, errors } = await run(['audit', '--json', join(place, 'none.json'), empty, join(place, 'life-0.json'), '-'], {
    input: fixture('claude-code-compacted.jsonl'),
  });
  assert.equal(code, 1);
  assert.match(errors, /none\.json: there is no such file or folder\n/);
  assert.match(errors, /empty holds no file\n/);
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).file),
    ['-', join(place, 'life-0.json')],
  );
  assert.deepEqual(readdirSync(empty), []);
});

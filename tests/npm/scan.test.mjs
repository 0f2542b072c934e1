// What only the native command line has: scan, rows of sessions and requests in JSON Lines and Parquet, long work that is
// interrupted and continued, a bound of memory. It runs where EBBLINE_COMMAND names that program, and the queries of
// examples/duckdb where EBBLINE_DUCKDB names a Python with the package of tests/python/duckdb.txt.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { ended, isNative, run, start } from './command.mjs';
import { fixtureFolder, fixtures, temporaryFolder } from './package.mjs';

const folder = temporaryFolder('ebbline-scan-');
const inFolder = (...names) => join(folder, ...names);
const rows = inFolder('rows.jsonl');
const native = (what, body) => test(what, { skip: !isNative && 'EBBLINE_COMMAND names no native command line' }, body);
const python = process.env.EBBLINE_DUCKDB;
const queries = join(dirname(fileURLToPath(import.meta.url)), '../../examples/duckdb');
const POLICIES = ['--policies', 'pi@1.5,ebbline@2'];

/** Where agents keep sessions; each gets the fixtures with its names. @type {[agent: string, place: string, names: RegExp][]} */
const PLACES = [
  ['Claude Code', '.claude/projects/-w', /^claude-code.*\.jsonl$/u],
  ['Codex', '.codex/sessions/2026/01/31', /^codex.*\.jsonl$/u],
  ['pi', '.pi/agent/sessions/--w--', /^pi-v3\.jsonl$/u],
  ['Gemini CLI', '.gemini/tmp/0a1b/chats', /^gemini-cli.*\.jsonl?$/u],
  ['TunaCode', '.local/share/tunacode/sessions', /^tunacode.*\.json$/u],
  ['Copilot CLI', '.copilot/session-state/0a1b', /^copilot-cli\.jsonl$/u],
];

/** A home folder with the sessions of agents, and much that is none. */
function home() {
  const path = inFolder('home');
  const counts = {};
  for (const [agent, place, names] of PLACES) {
    mkdirSync(join(path, place), { recursive: true });
    const own = fixtures.filter((name) => names.test(basename(name)));
    for (const name of own) {
      const called = agent === 'Copilot CLI' ? 'events.jsonl' : basename(name);
      copyFileSync(join(fixtureFolder, name), join(path, place, called));
    }
    counts[agent] = own.length;
  }
  mkdirSync(join(path, 'work'), { recursive: true });
  writeFileSync(join(path, 'work/package.json'), '{}');
  writeFileSync(join(path, '.gemini/tmp/0a1b/logs.json'), '[]');
  return { path, counts };
}

const read = (path) => readFileSync(path, 'utf8');
const parsed = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What a folder holds, with the times of its files. */
function contents(path) {
  const names = readdirSync(path, { recursive: true }).sort();
  return names.map((name) => [name, statSync(join(path, name)).mtimeMs]);
}

native('scan finds the sessions of every agent in a home folder, and only reads', async () => {
  const { path, counts } = home();
  const before = contents(path);
  const { code, out, errors } = await run(['scan', '--json', ...POLICIES], { env: { HOME: path } });
  assert.equal(code, 0, errors);
  const { agents, policies, skipped, errors: faults, files } = JSON.parse(out);
  const found = Object.fromEntries(agents.map(({ agent, sessions }) => [agent, sessions]));
  for (const [agent, count] of Object.entries(counts)) {
    // Files of other tools in an agent's form have their own format in brackets.
    const own = Object.entries(found).filter(([name]) => name === agent || name.startsWith(`${agent} (`));
    assert.equal(
      own.reduce((sum, [, sessions]) => sum + sessions, 0),
      count,
      `${agent} in ${JSON.stringify(found)}`,
    );
  }
  assert.deepEqual([faults, skipped], [[], 0]);
  assert.equal(
    files,
    Object.values(counts).reduce((sum, count) => sum + count),
  );
  assert.deepEqual(
    policies.map(({ profile }) => profile),
    ['none', 'pi@1.5', 'ebbline@2'],
  );
  assert.equal(policies[0].ofNothing, 1);
  const { out: page } = await run(['scan', path, ...POLICIES]);
  assert.match(page, /^agent +sessions +requests +size\nClaude Code +/u);
  assert.match(page, /\nnone +200,000 +100\.0 % +0 /u);
  assert.match(page, /\n\d+ files, [\d.]+ kB, in [\d.]+ s \([\d.]+ .?B\/s\)\n$/u);
  assert.deepEqual(contents(path), before);
});

const stores = join(dirname(fileURLToPath(import.meta.url)), '../../crates/ebbline-cli/tests/stores');

/** Writes files, and the folders above them. @param {Record<string, string>} files */
function write(at, files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), content);
  }
}

const fixture = (name) =>
  read(
    join(
      fixtureFolder,
      fixtures.find((path) => basename(path) === name),
    ),
  );

/** A home folder whose agents keep sessions in databases, in many files and compressed; where each session is. */
function homeOfStores(name) {
  const path = inFolder(name);
  const data = join(path, '.local/share');
  for (const [folder, files] of Object.entries({ opencode: ['opencode.db', 'opencode.db-wal'], kilo: ['kilo.db'] })) {
    mkdirSync(join(data, folder), { recursive: true });
    for (const file of files) copyFileSync(join(stores, file), join(data, folder, file));
  }
  // What OpenCode has taken over into its database, and what it has not.
  const { info, messages } = JSON.parse(fixture('opencode.json'));
  for (const id of ['ses_1', info.id]) {
    const files = { [`session/p/${id}.json`]: JSON.stringify({ ...info, id }) };
    for (const message of messages) {
      files[`message/${id}/${message.info.id}.json`] = JSON.stringify(message.info, null, 2);
      for (const part of message.parts) files[`part/${message.info.id}/${part.id}.json`] = JSON.stringify(part, null, 2);
    }
    write(join(data, 'opencode/storage'), files);
  }
  const lines = fixture('openhands-v1.jsonl').trimEnd().split('\n');
  lines.forEach((line, at) => {
    const number = String(at).padStart(5, '0');
    write(join(path, '.openhands/conversations/c1'), { [`events/event-${number}-0a.json`]: line, 'base_state.json': '{}' });
  });
  JSON.parse(fixture('openhands-v0.json')).forEach((event, at) => {
    write(join(path, '.openhands/sessions/s1'), { [`events/${at}.json`]: JSON.stringify(event), 'event_cache/0-25.json': '[]' });
  });
  const rollout = 'rollout-2026-01-01T00-00-00-0a1b.jsonl.zst';
  mkdirSync(join(path, '.codex/sessions/2026/01/01'), { recursive: true });
  copyFileSync(join(stores, rollout), join(path, '.codex/sessions/2026/01/01', rollout));
  const kilo = Object.keys(JSON.parse(read(join(stores, 'kilo.expected.json'))));
  const names = {
    OpenCode: [
      ...['ses_1', 'ses_2'].map((id) => `.local/share/opencode/opencode.db/${id}`),
      `.local/share/opencode/storage/session/p/${info.id}.json`,
    ],
    'Kilo (OpenCode)': kilo.map((id) => `.local/share/kilo/kilo.db/${id}`),
    OpenHands: ['.openhands/conversations/c1/events', '.openhands/sessions/s1/events'],
    Codex: [join('.codex/sessions/2026/01/01', rollout)],
  };
  return { path, names };
}

native('scan finds sessions in databases, in many files and compressed', async () => {
  const { path, names } = homeOfStores('stores');
  const before = contents(path);
  const { code, out, errors } = await run(['scan', '--json', '--policies', 'none', '--rows', rows], { env: { HOME: path } });
  const { agents, errors: faults } = JSON.parse(out);
  assert.deepEqual(
    Object.fromEntries(agents.map(({ agent, sessions }) => [agent, sessions])),
    Object.fromEntries(Object.entries(names).map(([agent, own]) => [agent, own.length])),
    errors,
  );
  const found = parsed(read(rows)).map(({ file }) => file.slice(path.length + 1));
  assert.deepEqual(found.sort(), Object.values(names).flat().sort());
  // What the engine does not read is said, with the way out.
  assert.equal(code, 1);
  assert.deepEqual(
    faults.map((fault) => [fault.code, fault.count]),
    [['unsupported_format', 1]],
  );
  assert.match(faults[0].first, /opencode\.db\/ses_newer: .*second core.*opencode export/u);
  assert.deepEqual(contents(path), before);
  // The same in any folder, and for every command that takes folders.
  const audited = await run(['audit', join(path, '.local'), join(path, '.openhands'), join(path, '.codex'), '--rows', rows]);
  assert.equal(audited.code, 1);
  assert.equal(parsed(read(rows)).length, found.length);
});

native('a session of a store is read by its name as its export is', async () => {
  const { path, names } = homeOfStores('named');
  const measured = async (file) => {
    const { code, out, errors } = await run(['inspect', '--json', file]);
    assert.equal(code, 0, errors);
    const { format, messages, tokens, roles } = JSON.parse(out);
    return { format, messages, tokens, roles };
  };
  const exports = JSON.parse(read(join(stores, 'opencode.expected.json')));
  for (const [id, session] of Object.entries(exports)) {
    writeFileSync(inFolder('export.json'), JSON.stringify(session));
    assert.deepEqual(await measured(join(path, '.local/share/opencode/opencode.db', id)), await measured(inFolder('export.json')));
  }
  for (const [at, name] of [
    [join(path, names.OpenCode[2]), 'opencode.json'],
    [join(path, '.openhands/conversations/c1'), 'openhands-v1.jsonl'],
    [join(path, '.openhands/sessions/s1/events'), 'openhands-v0.json'],
  ]) {
    writeFileSync(inFolder(name), fixture(name));
    assert.deepEqual(await measured(at), await measured(inFolder(name)), name);
  }
  const rollout = join(path, names.Codex[0]);
  const plan = await run(['plan', rollout]);
  assert.deepEqual([plan.code, plan.errors], [0, '']);
  const whole = await run(['plan', join(path, '.local/share/opencode/opencode.db')]);
  assert.equal(whole.code, 1);
  assert.match(whole.errors, /opencode\.db is a database of 3 sessions: name one of them, such as .*opencode\.db\/ses_1$/mu);
  const none = await run(['inspect', join(path, '.local/share/opencode/opencode.db/ses_9')]);
  assert.deepEqual([none.code, /opencode\.db holds no session ses_9$/mu.test(none.errors)], [1, true]);
  const compressed = await run(['compact', rollout, '-o', rollout]);
  assert.equal(compressed.code, 2);
  assert.match(compressed.errors, /a session is written without compression: name it .*\.jsonl, not .*\.jsonl\.zst/u);
});

native('damaged stores stop nothing', async () => {
  const { path, names } = homeOfStores('damaged');
  const rollout = join(path, names.Codex[0]);
  writeFileSync(rollout, readFileSync(rollout).subarray(0, 200));
  const kilo = join(path, '.local/share/kilo/kilo.db');
  writeFileSync(kilo, readFileSync(kilo).subarray(0, 5_000));
  const event = join(path, '.openhands/sessions/s1/events/0.json');
  writeFileSync(event, read(event).slice(0, -20));
  const { code, out } = await run(['scan', '--json', '--policies', 'none'], { env: { HOME: path } });
  const { agents, errors } = JSON.parse(out);
  assert.equal(code, 1);
  const sessions = Object.fromEntries(agents.map(({ agent, sessions }) => [agent, sessions]));
  // An event that is torn is left out, as a torn line is.
  assert.deepEqual(sessions, { OpenCode: 3, OpenHands: 2 });
  assert.deepEqual(
    errors.map((fault) => [fault.code, fault.count]),
    [
      ['damaged', 2],
      ['unsupported_format', 1],
    ],
  );
  assert.match(errors[0].first, /(?:kilo\.db|jsonl\.zst) is damaged: /u);
});

native('scan looks through any other folder by the names of files, and says where nothing is', async () => {
  const { code, out } = await run(['scan', '--json', '--policies', 'none', fixtureFolder]);
  const { agents, files } = JSON.parse(out);
  assert.ok(code < 2 && agents.length > 15 && files > 25, out);
  mkdirSync(inFolder('empty'));
  const nothing = await run(['scan'], { env: { HOME: inFolder('empty') } });
  assert.deepEqual([nothing.code, nothing.out], [0, '']);
  assert.match(nothing.errors, /^ebbline: there is no session of .*Claude Code, .*Codex, .*\n/u);
});

native('rows are the same whatever writes them, and add up to the summary', async () => {
  for (const [command, ...options] of [['scan', ...POLICIES], ['compare', '--loss', ...POLICIES], ['replay'], ['sweep'], ['audit']]) {
    const { code, errors, out } = await run([command, fixtureFolder, '--rows', rows, ...options]);
    assert.ok(code < 2, errors);
    const written = parsed(read(rows));
    assert.match(errors, new RegExp(`; ${written.length.toLocaleString('en-US')} rows in `, 'u'), command);
    assert.ok(out.length > 0 && out.length < 10_000, command);
    const names = JSON.stringify(Object.keys(written[0]));
    for (const row of written) {
      assert.equal(JSON.stringify(Object.keys(row)), names);
      assert.ok(Object.values(row).every((cell) => typeof cell !== 'object' || cell === null));
      assert.equal(row.bytes, statSync(row.file).size);
    }
    const one = await run([command, fixtureFolder, '--rows', inFolder('one.jsonl'), '--jobs', '1', ...options]);
    assert.equal(one.code, code);
    assert.equal(read(inFolder('one.jsonl')), read(rows), command);
  }
  await run(['scan', fixtureFolder, '--rows', rows, '--rows-of', 'requests', ...POLICIES]);
  const requests = parsed(read(rows));
  await run(['scan', fixtureFolder, '--rows', rows, ...POLICIES]);
  for (const session of parsed(read(rows))) {
    const own = requests.filter(({ file, profile }) => file === session.file && profile === session.profile);
    assert.equal(own.length, session.requests);
    for (const name of ['cached', 'written', 'fresh', 'output', 'broken']) {
      assert.equal(
        own.reduce((sum, row) => sum + row[name], 0),
        session[name],
        `${name} of ${session.file}`,
      );
    }
  }
});

native('what is interrupted goes on where it stopped', async () => {
  const all = ['compare', fixtureFolder, ...POLICIES, '--rows', rows];
  await run(all);
  const whole = read(rows);
  for (const share of [0.3, 0.7]) {
    // As after a crash: in the middle of a line.
    writeFileSync(rows, whole.slice(0, whole.length * share));
    const { errors } = await run([...all, '--resume']);
    assert.match(errors, /^ebbline: \d+ files of \d+ have their rows in .*rows\.jsonl already$/mu);
    assert.equal(read(rows), whole);
  }
  // Not even the first row is whole, or there is no file yet.
  writeFileSync(rows, whole.slice(0, 20));
  await run([...all, '--resume']);
  assert.equal(read(rows), whole);
  const other = await run(['audit', fixtureFolder, '--rows', rows, '--resume']);
  assert.equal(other.code, 1);
  assert.match(other.errors, /^ebbline: line 1 of .* is no row of this command: --resume continues the rows of the same command$/mu);
  assert.equal(read(rows), whole);
});

native('Ctrl-C leaves whole rows and says how to go on', async (t) => {
  const pipe = inFolder('pipe.jsonl');
  if (spawnSync('mkfifo', [pipe]).status !== 0) return t.skip('there are no named pipes');
  const done = join(fixtureFolder, fixtures[0]);
  for (const name of ['cut.jsonl', 'cut.parquet']) {
    const file = inFolder(name);
    // Nobody writes to the pipe: the program waits for it.
    const child = start(['audit', done, pipe, '--rows', file, '--jobs', '2']);
    const end = ended(child);
    await new Promise((resolve) => setTimeout(resolve, 400));
    child.kill('SIGINT');
    const { code, errors } = await end;
    assert.equal(code, 130, errors);
    assert.match(errors, /; 1 row in .*\nebbline: interrupted: 1 of 2 files is missing from these results\n/u);
    assert.equal(/the same command and --resume goes on with them/u.test(errors), name.endsWith('l'));
    if (name.endsWith('l')) assert.equal(parsed(read(file)).length, 1);
    else assert.equal(read(file).slice(0, 4), 'PAR1');
    assert.ok(!existsSync(`${file}.part`));
  }
});

native('a file that cannot be read stops nothing; errors are counted by code, with the first of each', async () => {
  const mixed = inFolder('mixed');
  mkdirSync(mixed);
  copyFileSync(join(fixtureFolder, fixtures[0]), join(mixed, 'a.json'));
  for (const name of ['b.jsonl', 'c.jsonl']) writeFileSync(join(mixed, name), '[{"role":"user","content":7}]');
  writeFileSync(join(mixed, 'd.md'), '# Notes');
  writeFileSync(join(mixed, 'e.jsonl'), '{"role":"user"');
  const { code, errors } = await run(['audit', mixed, inFolder('no-such.jsonl'), '--rows', rows]);
  assert.equal(code, 1);
  assert.match(errors, /^ebbline: \d errors?\nerror +files +the first of them\n/mu);
  assert.match(errors, /^unreadable +1 +cannot read .*no-such\.jsonl: there is no such file or folder$/mu);
  assert.match(errors, /files skipped: no format recognizes them/u);
  assert.equal(parsed(read(rows)).length, 1);
  // Its own file is no input.
  const own = join(mixed, 'rows.jsonl');
  for (let time = 0; time < 2; time += 1) {
    const { errors: said } = await run(['audit', mixed, '--rows', own]);
    assert.match(said, /; 1 row in /u);
  }
  const named = await run(['audit', own, '--rows', own]);
  assert.equal(named.code, 2);
  assert.match(named.errors, /--rows would replace .*rows\.jsonl, which is to be read/u);
});

native('files in work stay within a bound of memory', async () => {
  const large = inFolder('large.jsonl');
  const small = fixtures.map((name) => join(fixtureFolder, name)).find((path) => statSync(path).size < 4_000);
  writeFileSync(large, `{"role":"user","content":"${'a'.repeat(500_000)}"}\n{"role":"assistant","content":"b"}\n`);
  const { code, errors } = await run(['audit', small, large, '--max-memory', '1.1MB', '--rows', rows]);
  assert.equal(code, 1);
  assert.match(
    errors,
    /^too_much_memory +1 +.*large\.jsonl: it has 1 MB, and to work on it takes up to \d MB: more than --max-memory allows/mu,
  );
  assert.equal(parsed(read(rows)).length, 1);
  const enough = await run(['audit', small, large, '--max-memory', '10MB', '--rows', rows]);
  assert.deepEqual([enough.code, parsed(read(rows)).length], [0, 2], enough.errors);
});

native('mistakes on the command line are said before anything is done', async () => {
  /** @type {[args: string[], said: RegExp][]} */
  const mistakes = [
    [['audit', 'x', '--resume'], /--resume needs --rows FILE/u],
    [['scan', '--rows', 'x.csv'], /ends in \.jsonl, \.ndjson or \.parquet, not x\.csv/u],
    [['audit', 'x', '--rows', 'x.jsonl', '--rows-of', 'requests'], /audit has rows of sessions only/u],
    [['scan', '--rows', 'x.parquet', '--resume'], /--resume needs rows in JSON Lines/u],
    [['scan', '--max-memory', 'much'], /--max-memory must be a size such as 500MB/u],
    [['scan', '--policies', 'pi@9'], /pi@9/u],
  ];
  for (const [args, said] of mistakes) {
    const { code, errors } = await run(args, { env: { HOME: folder } });
    assert.equal(code, 2, errors);
    assert.match(errors, said);
  }
});

const skip = (!isNative && 'EBBLINE_COMMAND names no native command line') || (!python && 'EBBLINE_DUCKDB names no Python with duckdb');
test('DuckDB queries rows as they are, in both forms', { skip }, async () => {
  const at = inFolder('duckdb');
  mkdirSync(at);
  const write = (args, name) => run([...args, '--rows', join(at, name)]);
  for (const form of ['jsonl', 'parquet']) {
    await write(['scan', fixtureFolder, ...POLICIES], `sessions.${form}`);
    await write(['scan', fixtureFolder, '--rows-of', 'requests', ...POLICIES], `requests.${form}`);
    await write(['audit', fixtureFolder], `losses.${form}`);
  }
  const files = readdirSync(queries).filter((name) => name.endsWith('.sql'));
  for (const name of files) copyFileSync(join(queries, name), join(at, name));
  for (const table of ['sessions', 'requests', 'losses']) {
    const differ = (one, other) => `(FROM '${table}.${one}' EXCEPT FROM '${table}.${other}')`;
    writeFileSync(
      join(at, `same-${table}.sql`),
      `SELECT count(*), (SELECT count(*) FROM '${table}.jsonl') FROM (${differ('jsonl', 'parquet')} UNION ALL ${differ('parquet', 'jsonl')})`,
    );
    writeFileSync(join(at, `types-${table}.sql`), `DESCRIBE FROM '${table}.parquet'`);
  }
  const script = join(dirname(fileURLToPath(import.meta.url)), '../python/queries.py');
  const all = readdirSync(at).filter((name) => name.endsWith('.sql'));
  const { status, stdout, stderr } = spawnSync(python, [script, ...all], { cwd: at, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const answers = JSON.parse(stdout);
  for (const name of files) assert.ok(answers[name].rows.length > 0, `${name} answers nothing`);
  for (const table of ['sessions', 'requests', 'losses']) {
    const [[differing, count]] = answers[`same-${table}.sql`].rows;
    assert.ok(differing === 0 && count > 20, `${table}: ${differing} of ${count} rows differ`);
    const types = new Set(answers[`types-${table}.sql`].rows.map(([, type]) => type));
    assert.ok(
      [...types].every((type) => ['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN'].includes(type)),
      [...types].join(),
    );
  }
  const profiles = answers['policies.sql'].rows.map(([profile]) => profile);
  assert.deepEqual(profiles.sort(), ['ebbline@2', 'none', 'pi@1.5']);
});

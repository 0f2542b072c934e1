// The command line loses nothing: whatever happens while it writes, the file is completely the old one or the new one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { assertSentence, ended, run, start } from './command.mjs';
import { fixture, fixtureFolder, temporaryFolder } from './package.mjs';

const folder = temporaryFolder('ebbline-files-');

/** How a file is replaced is looked at, so the policy reads no more of it than it has to. */
const EAGER = [
  'prune.names=0',
  'prune.protect=200',
  'prune.minimum=10',
  'prune.protectedTurns=1',
  'prune.onlyWhenFull=false',
  'prune.downTo=0',
  'retain.enabled=false',
].flatMap((knob) => ['--set', knob]);
const SMALL = fixture('openai-chat.json');
/** The result for a small session. */
let small;
/** A large session and its result: nearly as large, so that writing takes some time. */
let large;
let done;

before(async () => {
  small = (await run(['compact', 'openai-chat.json', ...EAGER])).out;
  assert.notEqual(small, SMALL);
  const messages = JSON.parse(SMALL);
  const talk = { role: 'user', content: 'word '.repeat(10_000) };
  large = JSON.stringify([...Array.from({ length: 1_200 }, () => talk), ...messages]);
  assert.ok(large.length > 60_000_000);
  const out = join(folder, 'large.json');
  writeFileSync(out, large);
  done = (await run(['compact', out, ...EAGER])).out;
  assert.ok(done !== large && done.length > 60_000_000);
});

/** A folder with only the session in it. */
function session(text = SMALL) {
  const place = mkdtempSync(join(folder, 'place-'));
  const path = join(place, 'session.json');
  writeFileSync(path, text);
  return { place, path, others: () => readdirSync(place).filter((name) => name !== 'session.json') };
}

/** Starts to compact a session in place, and waits until a share of the new file is written. */
async function writing({ place, path, others }, share) {
  const child = start(['compact', path, '-o', path, ...EAGER], { cwd: place });
  const end = ended(child);
  let isOver = false;
  void end.then(() => (isOver = true));
  while (!isOver) {
    const [name] = others();
    const size = name === undefined ? -1 : (statSync(join(place, name), { throwIfNoEntry: false })?.size ?? -1);
    if (size >= share * done.length) break;
    await sleep(0);
  }
  return { child, end };
}

test('killed at any moment, the file is the old session or the new one', async () => {
  let partly = 0;
  for (const share of [0, 0.01, 0.2, 0.4, 0.6, 0.8, 0.99]) {
    const there = session(large);
    const { child, end } = await writing(there, share);
    child.kill('SIGKILL');
    await end;
    const text = readFileSync(there.path, 'utf8');
    assert.ok(text === large || text === done, `killed after ${share}: ${text.length} of ${large.length} bytes`);
    partly += there.others().length;
    rmSync(there.place, { recursive: true });
  }
  assert.ok(partly > 0, 'it was killed at least once while it wrote');
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  test(`${signal} while it writes leaves nothing behind`, async () => {
    // Beside other work, the file may be there before the signal is.
    for (let tries = 1; ; tries += 1) {
      const there = session(large);
      const { child, end } = await writing(there, 0.1);
      child.kill(signal);
      const { signal: ended } = await end;
      const isLate = readFileSync(there.path, 'utf8') === done;
      if (!isLate) {
        assert.equal(ended, signal);
        assert.deepEqual(there.others(), []);
        assert.equal(readFileSync(there.path, 'utf8'), large);
      }
      rmSync(there.place, { recursive: true });
      if (!isLate) break;
      assert.ok(tries < 20, 'every signal came too late');
    }
  });
}

test('where a file may not grow so large, the old session stays', async () => {
  const there = session(large);
  const end = await run(['compact', there.path, '-o', there.path, ...EAGER], { through: 'ulimit -f 20000; "$@"' });
  assertSentence(end, 1, /cannot write .*session\.json: it would be larger than a file may be/);
  assert.equal(readFileSync(there.path, 'utf8'), large);
  assert.deepEqual(there.others(), []);
  rmSync(there.place, { recursive: true });
});

const TMPFS = 'set -e; mount -t tmpfs -o size=12m tmpfs "$PLACE"; cp "$SESSION" "$PLACE/session.json"; cd "$PLACE"';
/** A separate file system, which disappears with the shell. */
const inTmpfs = (script, place, path) =>
  run(['compact', 'session.json', '-o', 'session.json', ...EAGER], {
    env: { PLACE: place, SESSION: path },
    through: `exec unshare --mount --map-root-user bash -c '${TMPFS}; ${script}' bash "$@"`,
  });

test('where no space is left, the old session stays', async (t) => {
  const there = session(JSON.stringify(JSON.parse(large).slice(-170)));
  const mounted = mkdtempSync(join(folder, 'tmpfs-'));
  if ((await inTmpfs('true', mounted, there.path)).code !== 0) return t.skip('this system mounts nothing');
  const script = 'set +e; "$@" || echo "ended with $?"; cmp session.json "$SESSION" && echo same; ls -A';
  const { out, errors } = await inTmpfs(script, mounted, there.path);
  assert.equal(out, 'ended with 1\nsame\nsession.json\n', errors);
  assert.equal(errors, 'ebbline: cannot write session.json: no space is left\n');
});

test('standard output that takes only a part is an error, not half a session', async () => {
  const path = join(folder, 'printed.json');
  const end = await run(['compact', join(folder, 'large.json'), ...EAGER], {
    env: { OUT: path },
    through: 'ulimit -f 20000; "$@" > "$OUT"',
  });
  assertSentence(end, 1, /cannot write standard output: it would be larger than a file may be/);
  rmSync(path);
});

test('mode and owner stay, and nothing is left beside the file', async () => {
  const there = session();
  for (const mode of [0o600, 0o640, 0o444, 0o777]) {
    chmodSync(there.path, mode);
    if (process.getuid() === 0) chownSync(there.path, 1234, 4321);
    const { code, errors } = await run(['compact', there.path, '-o', there.path]);
    // Only root may write a read-only file; other users get an error.
    if (mode === 0o444 && process.getuid() !== 0) assert.match(errors, /cannot write .*: it is not allowed/);
    else assert.equal(code, 0, errors);
    const found = statSync(there.path);
    assert.equal(found.mode & 0o7777, mode);
    if (process.getuid() === 0) assert.deepEqual([found.uid, found.gid], [1234, 4321]);
    assert.deepEqual(there.others(), []);
  }
});

test('a new file gets the mode that any new file gets', async () => {
  const { place } = session();
  await run(['compact', 'session.json', '-o', 'new.json'], { cwd: place, through: 'umask 027; "$@"' });
  assert.equal(statSync(join(place, 'new.json')).mode & 0o7777, 0o640);
});

test('a link stays a link: what it points to is replaced', async () => {
  const { place, path } = session();
  mkdirSync(join(place, 'a'));
  symlinkSync('../session.json', join(place, 'a/first'));
  symlinkSync('a/first', join(place, 'second'));
  symlinkSync('a', join(place, 'folder'));
  for (const link of ['second', 'folder/first', 'a/first']) {
    writeFileSync(path, SMALL);
    assert.equal((await run(['compact', link, '-o', link, ...EAGER], { cwd: place })).code, 0);
    assert.equal(readFileSync(path, 'utf8'), small);
  }
  assert.deepEqual([readlinkSync(join(place, 'second')), readlinkSync(join(place, 'a/first'))], ['a/first', '../session.json']);
  assert.deepEqual(readdirSync(join(place, 'a')), ['first']);
});

test('a link to what is not there yet makes it, and links that go round are refused', async () => {
  const { place } = session();
  symlinkSync('later.json', join(place, 'link'));
  assert.equal((await run(['compact', 'session.json', '-o', 'link', ...EAGER], { cwd: place })).code, 0);
  assert.equal(readFileSync(join(place, 'later.json'), 'utf8'), small);
  assert.ok(lstatSync(join(place, 'link')).isSymbolicLink());
  symlinkSync('round', join(place, 'round'));
  assertSentence(
    await run(['compact', 'session.json', '-o', 'round'], { cwd: place }),
    1,
    /cannot write round: its links go round in a circle/,
  );
});

test('another hard link keeps the old session, as the help says', async () => {
  const { place, path } = session();
  linkSync(path, join(place, 'other.json'));
  assert.equal((await run(['compact', path, '-o', path, ...EAGER])).code, 0);
  assert.deepEqual([readFileSync(path, 'utf8'), readFileSync(join(place, 'other.json'), 'utf8')], [small, SMALL]);
  assert.match((await run(['--help'])).out, /other hard links to it keep the old session/);
});

test('where no file can be made beside it, the sentence says so', async () => {
  const { path } = session();
  // Nobody can create files in /proc, not even root, but some of its files are writable.
  const end = await run(['compact', path, '-o', '/proc/self/comm']);
  assertSentence(end, 1, /cannot write \/proc\/self\/comm: no file can be made beside it, in \/proc\/\d+: /);
});

test('-o - is standard output, by whatever name', async () => {
  const { place, others } = session();
  for (const name of ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
    const { code, out, errors } = await run(['compact', 'session.json', '-o', name, ...EAGER], { cwd: place });
    assert.deepEqual([code, out], [0, small], errors);
    assert.deepEqual(others(), [], name);
  }
  assertSentence(await run(['compact', '--json', '-o', '-', 'openai-chat.json']), 2, /needs -o OUT/);
  assertSentence(await run(['compact', '-o', '', 'openai-chat.json']), 2, /-o needs the name of a file/);
});

test('pipes and devices are written to as they are', async () => {
  const { place } = session();
  assert.equal(spawnSync('mkfifo', [join(place, 'fifo')]).status, 0);
  const piped = await run(['compact', 'session.json', '-o', 'fifo', ...EAGER], { cwd: place, through: 'cat fifo & "$@"; wait' });
  assert.deepEqual([piped.code, piped.out], [0, small]);
  assert.ok(lstatSync(join(place, 'fifo')).isFIFO());
  assertSentence(
    await run(['compact', 'session.json', '-o', '/dev/full'], { cwd: place }),
    1,
    /cannot write \/dev\/full: no space is left/,
  );
  assert.equal((await run(['compact', 'session.json', '-o', '/dev/null'], { cwd: place })).code, 0);
  assert.ok(existsSync('/dev/null') && !statSync('/dev/null').isFile());
});

test('what a descriptor is open on is added to, not cut', async () => {
  const { place } = session();
  const log = join(place, 'log');
  writeFileSync(log, 'before\n');
  const { code, errors } = await run(['compact', 'session.json', '-o', '/dev/fd/3', ...EAGER], { cwd: place, through: '"$@" 3>>log' });
  assert.equal(code, 0, errors);
  assert.equal(readFileSync(log, 'utf8'), `before\n${small}`);
});

test('a reader that closes the pipe is no fault, and the exit code is that of the plan', async () => {
  const path = join(folder, 'large.json');
  for (const args of [
    ['compact', path, ...EAGER],
    ['compact', path, '-o', '-', ...EAGER],
    ['plan', '--json', path],
  ]) {
    const { code, signal, errors } = await run(args, { read: 1 });
    assert.deepEqual([code, signal, errors.replace(/^ebbline: .*tokens.*\n$/, '')], [0, null, '']);
  }
  const { out, errors } = await run(['plan', '--check', 'openai-chat.json', ...EAGER], {
    through: '"$@" | head -1; echo "${PIPESTATUS[0]}"',
  });
  assert.match(out, /^openai-chat\.json .*\n3\n$/);
  assert.equal(errors, '');
});

const SUMMARIZED = ['--force', '--set', 'retain.keep=60', '--summary', '-'];
/** @type {Record<string, [string[], RegExp]>} */
const TIMED = {
  'pi-v3.jsonl': [SUMMARIZED, /"timestamp":"(2026-01-31T11:00:00\.000Z)"/],
  'opencode.json': [
    ['--profile', 'ebbline@1', '--set', 'prune.protect=0', '--set', 'prune.minimum=0', '--set', 'prune.protectedTurns=0'],
    /"compacted":\s*(1769857200000)/,
  ],
};

for (const [name, [how, written]] of Object.entries(TIMED)) {
  test(`${name}: the same session gives the same bytes, and --now sets the moment`, async () => {
    const compacted = (...args) => run(['compact', name, ...how, ...args], { input: 'So far.' });
    const first = await compacted();
    assert.notEqual(first.out, fixture(name));
    await sleep(5);
    assert.deepEqual(await compacted(), first, 'the clock is not read');
    const texts = [];
    for (const now of ['2026-01-31T11:00:00Z', '2026-01-31T12:00:00+01:00', '1769857200000'])
      texts.push((await compacted('--now', now)).out);
    assert.match(texts[0], written);
    assert.doesNotMatch(first.out, written);
    assert.ok(texts.every((text) => text === texts[0]));
  });
}

test('a moment without its zone, or none at all, is refused', async () => {
  for (const now of ['2026-01-31T12:00:00', 'yesterday', '-5', '1e3', '99999999999999999', '', '2026-13-01']) {
    assertSentence(await run(['compact', `--now=${now}`, 'openai-chat.json']), 2, /--now must be milliseconds since 1970/);
  }
});

test('the sessions of the fixtures are as they were', () => {
  assert.equal(readFileSync(join(fixtureFolder, 'openai-chat.json'), 'utf8'), SMALL);
});

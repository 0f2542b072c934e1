// The command line reports every fault in one sentence: what is wrong, where, and what was probably meant.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { asThePackage, assertSentence, ended, run, start } from './command.mjs';
import { fixture, inTurn, packageFolder, temporaryFolder } from './package.mjs';
import { matchesSnapshot } from './snapshot.mjs';

const folder = temporaryFolder('ebbline-faults-');

const COMMANDS = ['detect', 'plan', 'inspect', 'compact', 'validate', 'summary-request'];
const SESSION = fixture('openai-chat.json');

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const GARBAGE = {
  'nothing at all': '',
  'white space': ' \n\t\n',
  'a byte order mark': '\ufeff',
  zeros: Buffer.alloc(4096),
  'bytes of every value': Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167 + (at >> 8)) & 255)),
  'a program': Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0'),
  'half a document': SESSION.slice(0, 1000),
  'arrays in arrays in arrays': '['.repeat(300_000),
  'objects in objects in objects': '{"a":'.repeat(300_000),
  'a number without end': `[${'9'.repeat(100_000)}]`,
  'a number': '1e999',
  null: 'null',
  'a list of nulls': '[null,null]',
  'messages that are none': '[{"role":{"role":[]},"content":{"content":1e999}},{"role":null}]',
  'members that JavaScript has': '[{"__proto__":{"role":"user"},"constructor":"x","role":"user","content":"toString"}]',
};

/** Each command, with arguments that would let it continue. */
const TRIES = [
  ['detect', '--json'],
  ['plan'],
  ['plan', '--json', '--format', 'pi'],
  ['compact', '--force'],
  ['compact', '--json', '-o', join(folder, 'out')],
  ['validate'],
  ['validate', '--json', '--format', 'openai_chat'],
  ['inspect'],
  ['inspect', '--json', '--format', 'claude_code'],
  ['repair'],
  ['repair', '--json', '--format', 'anthropic_messages', '-o', join(folder, 'mended')],
  ['summarize', '--force', '--with', 'echo So far.'],
  ['summary-request', '--force', '--format', 'anthropic_messages'],
];

for (const [turn, [what, content]] of Object.entries(GARBAGE).entries()) {
  test(`${what}: every command ends with a sentence or a result`, async () => {
    const path = file('garbage', content);
    const tried = async (args) => {
      const { code, signal, errors } = await run([...args, path]);
      assert.ok([0, 1, 2].includes(code), `${args.join(' ')}: ${code} ${signal} ${errors}`);
      if (args[0] !== 'repair') assert.match(errors, /^(ebbline: [^\n]+\n){0,2}$/, args.join(' '));
      if (code !== 0 && !['validate', 'repair'].includes(args[0])) assert.match(errors, /^ebbline: /, args.join(' '));
    };
    await Promise.all(inTurn(TRIES, turn).map(tried));
  });
}

test('options of any kind end with a sentence', async () => {
  const path = file('session.json', SESSION);
  const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
  for (const args of [
    ['--context', '9'.repeat(400)],
    ['--context', '9007199254740993'],
    ['--known-tokens', '9007199254740992'],
    ['--output-limit', '-1'],
    ['--conversation', '4294967296'],
    ['--conversation', '1.5'],
    ['--set', 'prune.protect=1e999'],
    ['--set', 'prune.protect=-1'],
    ['--set', 'prune.protect=18446744073709551616'],
    ['--set', `prune.protect=${deep}`],
    ['--set', '__proto__=1'],
    ['--set', 'constructor.name=1'],
    ['--set', '=1'],
    ['--set', ''],
    ['--set', 'prune=[]'],
    ['--set', 'estimator.perToken=0'],
    ['--set', 'prune.protect=1000000%'],
    ['--profile', ''],
    ['--profile', '\u001b[2J'],
    ['--format', '__proto__'],
    ['--format', 'x'.repeat(100_000)],
    ['--color'],
    ['--'],
    ['--force=1'],
    ['-x'],
    ['--', '--json'],
  ]) {
    const { code, errors } = await run(['plan', path, ...args]);
    assert.ok([0, 1, 2].includes(code), `${args}: ${code}`);
    assert.match(errors, code === 0 ? /^$/ : /^ebbline: [^\n\u001b]+\n(Try `ebbline --help`\.\n)?$/, String(args).slice(0, 100));
  }
});

test('a number that is too large is named with the option it was given to', async () => {
  assertSentence(await run(['plan', '--known-tokens', '9007199254740992', 'x']), 2, /--known-tokens must be .* at most 9007199254740991/);
  assertSentence(await run(['plan', '--set', 'prune.protect=1e999', 'openai-chat.json']), 2, /prune\.protect cannot be "?1e999/);
});

test('what cannot be read is said why', async () => {
  assertSentence(await run(['plan', '.']), 1, /cannot read \.: it is a folder/);
  assertSentence(await run(['plan', 'no/such/file']), 1, /cannot read no\/such\/file: there is no such file/);
  assertSentence(await run(['plan', 'openai-chat.json/x']), 1, /cannot read .*: a part of its path is no folder/);
  assertSentence(await run(['plan', 'x'.repeat(300)]), 1, /its name is too long/);
  // Nobody can read its first page, not even root.
  assertSentence(await run(['plan', '/proc/self/mem']), 1, /cannot read \/proc\/self\/mem: the device failed/);
  assertSentence(await run(['plan', '-'], { through: '"$@" < /' }), 1, /cannot read standard input: it is a folder/);
  assertSentence(await run(['plan', '-'], { through: '"$@" <&-' }), 1, /standard input: there is nothing to read/);
});

test('a file that may not be read', {
  skip: process.getuid() === 0 && spawnSync('setpriv', ['--reuid=65534', 'true']).status !== 0,
}, async () => {
  const path = file('secret.json', SESSION);
  const script = process.getuid() === 0 ? 'chmod 0 "$SECRET"; exec setpriv --reuid=65534 --clear-groups "$@"' : 'chmod 0 "$SECRET"; "$@"';
  // The package and Node may be in folders that other users cannot enter; then the program does not even start.
  const end = await run(['plan', path], { env: { SECRET: path }, through: script });
  if (end.errors.startsWith('ebbline: ')) assertSentence(end, 1, /cannot read .*secret\.json: it is not allowed/);
});

test('a file that vanishes, and a folder that does', async () => {
  const place = join(folder, 'vanishing');
  mkdirSync(place);
  const gone = join(place, 'gone.json');
  writeFileSync(gone, SESSION);
  const reading = start(['detect', '-', gone]);
  rmSync(gone);
  assertSentence({ ...(await ended(reading, SESSION)) }, 1, /cannot read .*gone\.json: there is no such file/);
  const compacting = start(['compact', '-', '-o', join(place, 'out.json')]);
  rmdirSync(place);
  assertSentence(await ended(compacting, SESSION), 1, /cannot write .*out\.json: there is no such file or folder/);
});

for (const command of [
  ['plan'],
  ['plan', '--json'],
  ['compact'],
  ['validate'],
  ['detect'],
  ['inspect'],
  ['repair'],
  ['summary-request', '--force', '--set', 'retain.keep=60'],
]) {
  test(`${command.join(' ')} into a full device is one sentence`, async () => {
    const end = await run([...command, 'openai-chat.json'], { through: '"$@" > /dev/full' });
    assertSentence(end, 1, /cannot write standard output: no space is left/);
  });
}

test('the help into a full device, and nobody to hear of it', async () => {
  assertSentence(await run(['--help'], { through: '"$@" > /dev/full' }), 1, /cannot write standard output: no space is left/);
  const { code, errors } = await run(['plan', 'openai-chat.json'], { through: '"$@" > /dev/full 2> /dev/full' });
  assert.deepEqual([code, errors], [1, '']);
});

test('a package that is damaged ends with a sentence and an exit code of its own', async () => {
  const copy = join(folder, 'damaged');
  cpSync(packageFolder, copy, { recursive: true });
  rmSync(join(copy, 'dist/cli.wasm'));
  const end = await run(['plan', 'openai-chat.json'], { cli: join(copy, 'dist/cli.js') });
  assertSentence(end, 4, /a fault of ebbline itself: Error: ENOENT: no such file or directory, open '.*cli\.wasm'; please report it/);
});

test('bytes that are no text are refused with their place, wherever they stand', async () => {
  const bytes = Buffer.from('## Goal\nRound the sums\xff.', 'latin1');
  const path = file('latin1.txt', bytes);
  const forced = ['openai-chat.json', '--force', '--set', 'retain.keep=60'];
  const place = /cannot read .*(latin1\.txt|standard input): the text is not UTF-8 \(line 2, byte 22\)/;
  assertSentence(await run(['compact', ...forced, '--summary', path]), 1, place);
  assertSentence(await run(['compact', ...forced, '--summary', '-'], { input: bytes }), 1, place);
  assertSentence(await run(['summary-request', ...forced, '--answer', path]), 1, place);
  assertSentence(await run(['summary-request', ...forced, '--answer', '-'], { input: bytes }), 1, place);
  const session = Buffer.concat([Buffer.from('[\n{"role":"user","content":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}]')]);
  for (const command of COMMANDS) {
    assertSentence(await run([command, '-'], { input: session }), 1, /standard input: the text is not UTF-8 \(line 2, byte 28\)/);
  }
});

test('a byte order mark is no part of a summary', async () => {
  const [plain, marked] = ['', '\ufeff'].map((mark, at) => file(`summary${at}.txt`, `${mark}So far.`));
  const compacted = async (path) =>
    (await run(['compact', 'openai-chat.json', '--force', '--set', 'retain.keep=60', '--summary', path])).out;
  assert.equal(await compacted(marked), await compacted(plain));
});

test('a summary that shows nothing is a mistake', async () => {
  for (const text of ['', '\u0085\n', '\ufeff \u200b\u2060']) {
    const path = file('blank.txt', text);
    const end = await run(['compact', 'openai-chat.json', '--force', '--set', 'retain.keep=60', '--summary', path]);
    assertSentence(end, 1, /blank\.txt holds no summary: it is empty, or only white space/);
    assert.equal(end.out, '');
  }
});

test('a name that is nearly right is answered with the right one', async () => {
  const asked = [
    ['plna', 'x'],
    ['sumary-request', 'x'],
    ['shrink', 'x'],
    ['plan', '--profil', 'x', 'y'],
    ['compact', '--free-byte', 'x'],
    ['compact', '--summery=x', 'y'],
    ['plan', '--protect', '5', 'x'],
    ['plan', '--profile', 'opencode@2026-6', 'plain-chat.json'],
    ['plan', '--profile', 'PI@1.5', 'plain-chat.json'],
    ['plan', '--set', 'prune.protcet=1', 'plain-chat.json'],
    ['plan', '--set', 'keep=1', 'plain-chat.json'],
    ['plan', '--format', 'openai-chat', 'plain-chat.json'],
    ['plan', '--format', 'claude', 'plain-chat.json'],
    ['validate', '--also', 'last_rol', 'plain-chat.json'],
  ];
  const said = await Promise.all(asked.map(async (args) => `$ ebbline ${args.join(' ')}\n${(await run(args)).errors}`));
  matchesSnapshot('did-you-mean', asThePackage(said.join('\n')));
});

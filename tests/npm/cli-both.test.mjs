// Both command lines on the same cases: the same bytes on standard output and standard error, the same files, the same exit
// codes. It runs where EBBLINE_COMMAND names the native one. What differs, and may, stands in `command.mjs`.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { asThePackage, isNative, run } from './command.mjs';
import { fixtureFolder, fixtures } from './package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ebbline-both-'));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name) => join(folder, name);

function file(name, content) {
  writeFileSync(inFolder(name), content);
  return inFolder(name);
}

const SUMMARY = file('summary.txt', '## Goal\nMend what was asked for.\n');
const ANSWER = file('answer.txt', '<think>Short.</think>Mend it; it is all fine now.\n');
const OUT = inFolder('out');
const RECORD = inFolder('record');

const knobs = (...settings) => settings.flatMap((setting) => ['--set', setting]);
const PRUNES = knobs('prune.protect=0', 'prune.minimum=0', 'prune.minimumTurns=0', 'prune.protectedTurns=0', 'prune.downTo=0');
const ALL = ['--force', ...PRUNES, ...knobs('prune.onlyWhenFull=false', 'retain.keep=60')];
const SOME = knobs('prune.protect=200', 'prune.minimum=10', 'prune.onlyWhenFull=false', 'retain.keep=300');

/** What a command line says and writes. */
async function told(args, how) {
  for (const path of [OUT, RECORD]) rmSync(path, { force: true });
  const { code, signal, out, errors } = await run(args, how);
  const written = [OUT, RECORD].map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : undefined));
  return { code, signal, out: asThePackage(out), errors: asThePackage(errors), written };
}

async function same(args, how = {}) {
  const ofPackage = await told(args, { ...how, isNative: false });
  assert.deepEqual(await told(args, how), ofPackage, args.join(' ').slice(0, 200));
  return ofPackage;
}

const both = (what, body) => test(what, { skip: !isNative && 'EBBLINE_COMMAND names no native command line' }, body);

/** With EBBLINE_LONG=1 every fixture is asked in every way. */
const IS_LONG = process.env.EBBLINE_LONG === '1';
/** A command asks one of this many fixtures in one of its ways, in turn: two processes an asking add up. */
const ONE_WAY = IS_LONG ? 1 : 4;
/** A command asks one of this many fixtures in all of its ways. */
const ALL_WAYS = IS_LONG ? 1 : 20;
/** Records are undone of one of this many fixtures. */
const UNDONE = IS_LONG ? 1 : 6;

/** What is asked of the fixtures. */
const ASKED = {
  detect: [[], ['--json']],
  plan: [[], ['--json'], ['--color', 'always', '--context', '3000', ...SOME], ['--force', '--profile', 'tunacode@0.2']],
  inspect: [[], ['--json', '--profile', 'pi@1.5'], ['--color', 'always']],
  validate: [[], ['--json', '--also', 'last_role', '--also', 'empty_text']],
  repair: [[], ['--also', 'alternation', '--also', 'empty_text', '--json', '-o', OUT]],
  compact: [ALL, ['-o', OUT, '--record', RECORD, '--free-bytes', '--json', '--summary', SUMMARY, '--now', '2026-01-31T12:00Z', ...ALL]],
  'summary-request': [ALL, ['--json', '--focus', 'the "yen"', ...ALL], ['--answer', ANSWER, ...ALL]],
  summarize: [['--with', 'echo So it was mended.', '-o', OUT, '--record', RECORD, ...ALL]],
};

for (const [place, [command, ways]] of Object.entries(ASKED).entries()) {
  both(`${command}: the fixtures`, async () => {
    for (const [index, name] of fixtures.entries()) {
      const turn = index + place;
      if (turn % ALL_WAYS === 0) for (const way of ways) await same([command, name, ...way]);
      else if (turn % ONE_WAY === 0) await same([command, name, ...ways[(turn / ONE_WAY) % ways.length]]);
    }
  });
}

both('a record of either is undone by both, and an output recalled', async () => {
  for (const name of fixtures.filter((_, index) => index % UNDONE === 0)) {
    const { code, written } = await same(['compact', name, ...ALL, '-o', OUT, '--record', RECORD]);
    assert.equal(code, 0);
    const [now, record] = [Buffer.from(written[0], 'latin1'), Buffer.from(written[1], 'latin1')];
    const [session, by] = [file('now', now), file('by', record)];
    await same(['undo', session, '--record', by]);
    const grown = file('grown', Buffer.concat([now, Buffer.from('\n{"role":"user","content":"And \xff now?"}\n', 'latin1')]));
    await same(['undo', grown, '--record', by, '--json', '-o', OUT]);
    await same(['undo', name, '--record', by]);
    const { largest } = JSON.parse((await run(['inspect', '--json', name])).out);
    for (const { id } of largest.slice(0, 2)) {
      await same(['recall', session, id ?? 'none']);
      await same(['recall', session, id ?? 'none', '--json', '--record', by]);
    }
  }
});

const OPTIONS = [
  ['--context', '9'.repeat(400)],
  ['--context', '9007199254740993'],
  ['--context', '1_000,000'],
  ['--output-limit', '-1'],
  ['--conversation', '4294967296'],
  ['--conversation', '1.5'],
  ['--overhead', '5'],
  ['--overhead', '9999999'],
  ['--idle', '300000'],
  ['--known-tokens', '0'],
  ['--strict'],
  ['--check'],
  ['--format', 'pi'],
  ['--format', '__proto__'],
  ['--format', 'x'.repeat(10_000)],
  ['--profile', ''],
  ['--profile', '\u001b[2J'],
  ['--profile', 'x', '--format', 'y'],
  ['--color'],
  ['--color', 'red'],
  ['--force=1'],
  ['--force', '--json'],
  ['--profil=x'],
  ['--set', '--json'],
  ['-x'],
  ['-hV'],
  ['-Vx'],
  ['--'],
  ['--', '--json'],
  ...[
    '',
    '=1',
    'prune=[]',
    'prune.protcet=1',
    'prune.protect',
    'prune.protect=1e999',
    'prune.protect=-1',
    'prune.protect=-0',
    'prune.protect= 3e4 ',
    'prune.protect=18446744073709551616',
    'prune.protect=1000000%',
    'prune.protect=[1e999, 1.50]',
    'prune.protect={"b":1,"1":2,"b":3}',
    'prune.protect=\ufeff1',
    'prune.protectedTools=["a",1]',
    'prune.protectedTools=a, b',
    'trigger.fires=sometimes',
    'estimator.perToken=0',
    'retain.keep=10%',
    '__proto__=1',
  ].map((setting) => ['--set', setting]),
];

both('options of any kind', async () => {
  for (const args of OPTIONS) await same(['plan', 'openai-chat.json', ...args]);
  for (const columns of ['20', '60', '71', '72', '200', 'wide']) {
    await same(['plan', 'openai-chat.json', ...SOME], { env: { COLUMNS: columns } });
  }
});

both('mistakes', async () => {
  for (const args of [
    [],
    ['--help'],
    ['--version'],
    ['profiles'],
    ['profiles', '--json'],
    ['profiles', 'x'],
    ['shrink'],
    ['plna', 'x'],
    ['plan'],
    ['plan', '.'],
    ['plan', 'missing.json', 'openai-chat.json/x', 'openai-chat.json', 'x'.repeat(300)],
    ['detect', '--profile', 'x', 'y'],
    ['detect', '/proc/self/mem'],
    ['validate', '--also', 'last_rol', 'openai-chat.json'],
    ['compact'],
    ['compact', 'a', 'b'],
    ['compact', '-', '--summary', '-'],
    ['compact', '--json', 'a'],
    ['compact', '-o', '', 'a'],
    ['compact', 'a', '--record', 'a'],
    ['compact', 'a', '--record', '-'],
    ['compact', 'openai-chat.json', '-o', 'no/such/folder/x'],
    ['compact', 'openai-chat.json', '--summary', 'missing'],
    ['undo', 'a'],
    ['undo', '-', '--record', '-'],
    ['undo', 'openai-chat.json', '--record', 'openai-chat.json'],
    ['recall'],
    ['recall', 'a'],
    ['recall', 'missing', 'x'],
    ['recall', SUMMARY, 'x'],
    ['recall', 'openai-chat.json', 'no-such'],
    ['repair', '--json', 'a'],
    ['summary-request', '-', '--answer', '-'],
    ['summary-request', 'openai-chat.json', ...ALL, '--budget', '100'],
    ['summarize', 'a'],
    ['summarize', 'a', '--with', ' '],
    ['summarize', 'openai-chat.json', '--with', 'cat', '--timeout', '0'],
    ['summarize', 'openai-chat.json', '--with', 'exit 3', ...ALL],
    ['summarize', 'openai-chat.json', '--with', "echo 'I cannot do that.'", ...ALL],
    ...['yesterday', '', '2026-02-31', '2026-13-01', '2026-01-31T24:00Z', '2026-01-31T12:00:00.5+23:59'].map((now) => [
      'compact',
      'openai-chat.json',
      `--now=${now}`,
    ]),
  ]) {
    await same(args);
  }
});

both('texts of any kind', async () => {
  const message = (text) => `{"role":"user","content":${text}}`;
  for (const input of [
    '',
    ' \n',
    '\ufeff',
    'null',
    '[null,null]',
    '[1e21,-0,1e999]',
    `[${message('"\\ud800 \\u0000 \\u2028 \u2028 é😀"')},${message('"\\u001b[2J\\n"')}]`,
    `${message('"a"')}\n{"role":"us\n${message('"b"')}\n`,
    Buffer.from(`${message('"caf\xe9"')}\n${message('"b"')}\n`, 'latin1'),
    Buffer.from(`[${message('"caf\xe9"')}]`, 'latin1'),
    '['.repeat(5_000),
  ]) {
    for (const args of [['detect'], ['plan', ...ALL], ['plan', '--json'], ['inspect'], ['inspect', '--json'], ['validate'], ['repair']])
      await same([...args, '-'], { input });
    await same(['summary-request', '-', '--json', '--force', ...knobs('retain.keep=1')], { input });
  }
});

/** A folder with sessions of several formats, and with a file that is none; the text in it is the test's own. */
function corpus() {
  const place = inFolder('corpus');
  mkdirSync(join(place, 'deep/er'), { recursive: true });
  const names = ['claude-code-compacted.jsonl', 'pi-v3.jsonl', 'codex-legacy.jsonl', 'openai-chat.json'];
  names.forEach((name, at) => cpSync(join(fixtureFolder, name), join(place, ['', 'deep', 'deep/er'][at % 3], name)));
  const messages = [{ role: 'user', content: 'Where is the port set?' }];
  for (let call = 0; call < 40; call += 1) {
    const asked = { name: 'read', arguments: `{"path":"f${call % 7}"}` };
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${call}`, type: 'function', function: asked }] });
    messages.push({ role: 'tool', tool_call_id: `c${call}`, content: `config/${call}/listen.toml ${'x '.repeat(100 + 37 * (call % 11))}` });
  }
  messages.push({ role: 'assistant', content: 'It is in config/0/listen.toml.' });
  writeFileSync(join(place, 'a <b> & "c".json'), JSON.stringify(messages));
  writeFileSync(join(place, 'notes.md'), '# Notes\n');
  return place;
}

const GRID = ['--policy', 'pi@1.5', '--set', 'prune.protect=300,3000', '--set', 'prune.minimum=10', '--set', 'retain.keep=500,10%'];

both('replay, compare, sweep and audit over a folder', async () => {
  const place = corpus();
  const long = join(place, 'a <b> & "c".json');
  await same(['replay', long, '--context', '9000', '--profile', 'pi@1.5', '--svg', OUT, '--color', 'always', '--cache-check']);
  await same(['sweep', place, ...GRID, '--policies', 'ebbline@2', '--window', '6000,9000', '--svg', OUT]);
  await same(['sweep', place, ...GRID, '--window', '9000'], { env: { COLUMNS: '50' } });
  for (const args of [
    ['replay', long, '--context', '9000', '--moments', 'system', '--rates', '0.3, 0x1,', '--csv'],
    ['replay', join(place, 'claude-code-compacted.jsonl'), long, '--json', '--cache-check', '--cache-lives', '5'],
    ['compare', place, '--context', '9000', '--loss'],
    ['compare', place, '--context', '9000', '--loss', '--json', '--jobs', '2'],
    ['compare', place, long, '--context', '9000', '--set', 'prune.protect=200', '--policies', 'pi@1.5,ebbline@2', '--csv'],
    ['sweep', place, ...GRID, '--color', 'always', '--jobs', '1', '--strict'],
    ['sweep', place, ...GRID, '--context', '9000', '--json'],
    ['sweep', place, ...GRID, '--context', '9000', '--csv'],
    ['sweep', place, '--grid', file('grid.json', '{"policies":[{"profile":"pi@1.5","set":{"retain.keep":50}}],"windows":[9000]}')],
    // Figures that JavaScript cannot represent, and costs that differ by the rounding of a sum.
    ['sweep', join(place, 'deep/er'), '--overhead', '9007199254740991'],
    ['audit', place, '--check'],
    ['audit', place, '--json', '--jobs', '3'],
    ['audit', join(place, 'claude-code-compacted.jsonl')],
  ]) {
    await same(args);
  }
});

both('mistakes over a folder', async () => {
  const place = corpus();
  const long = join(place, 'a <b> & "c".json');
  for (const args of [
    ['compare'],
    ['compare', place, '--profile', 'pi@1.5'],
    ['compare', place, '--policies', 'pi@9'],
    ['compare', place, '--format', 'nope'],
    ['compare', place, '--usage', 'guessed'],
    ['audit', 'missing', place, inFolder('corpus/notes.md')],
    ['sweep', long, '--policy', 'a', '--profile', 'b'],
    ['sweep', long, '--window', '0'],
    ['sweep', long, '--set', 'prune.protcet=1'],
    ['sweep', long, '--grid', file('grid.json', '{"polic":1}')],
    ['sweep', long, '--svg', '-'],
    ['replay', long, long, '--svg', 'x.svg'],
    ['replay', 'missing', '--rates', '1,2'],
    ['replay', long, '--cache-lives', '9007199254740991'],
  ]) {
    await same(args);
  }
});

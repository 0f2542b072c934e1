// A session file that somebody writes to while a command works on it: nothing that came since is lost.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from './command.mjs';
import { temporaryFolder } from './package.mjs';

const folder = temporaryFolder('ebbline-live-file-');

const line = (role, content) => `${JSON.stringify({ role, content })}\n`;
const SESSION = Array.from({ length: 20 }, (_, at) =>
  line(at % 2 === 0 ? 'user' : 'assistant', `Step ${at} of the work. `.repeat(20)),
).join('');
const ALL = ['--force', '--context', '2000', '--set', 'retain.keep=60'];
const ANSWER = "echo '## Goal'; echo 'Mend step 3 of the work.'";

/** What happens to the file while the command for the summary runs, and what is said of it. */
/** @type {[string, RegExp][]} */
const CHANGES = [
  [`printf '{}\\n' >> FILE`, /it went from [\d,]+ to [\d,]+ bytes since it was read, and what came since would be lost/],
  ['cp FILE FILE.new; mv FILE.new FILE', /another file took its place since it was read/],
  ['rm FILE', /it is gone since it was read/],
  ['touch -t 203001010000 FILE', /it was written to since it was read/],
];

for (const [change, said] of CHANGES) {
  test(`a file is not replaced after: ${change}`, async () => {
    const name = join(folder, 'session.jsonl');
    const record = join(folder, 'record');
    writeFileSync(name, SESSION);
    rmSync(record, { force: true });
    const command = `${change.replaceAll('FILE', name)}; ${ANSWER}`;
    const { code, errors } = await run(['summarize', '--with', command, '-o', name, '--record', record, ...ALL, name]);
    assert.equal(code, 1, errors);
    assert.match(errors, said);
    assert.ok(!existsSync(record), 'no record of what was not written');
    if (existsSync(name)) assert.ok(readFileSync(name, 'utf8').startsWith(SESSION));
  });
}

test('a file that stays as it was is replaced, and another file may be written whatever happens', async () => {
  const name = join(folder, 'quiet.jsonl');
  writeFileSync(name, SESSION);
  utimesSync(name, 1_700_000_000, 1_700_000_000);
  const quiet = await run(['summarize', '--with', ANSWER, '-o', name, ...ALL, name]);
  assert.equal(quiet.code, 0, quiet.errors);
  assert.ok(readFileSync(name, 'utf8').length < SESSION.length);
  appendFileSync(name, line('user', 'Go on.'));
  const other = join(folder, 'other.jsonl');
  const away = await run(['summarize', '--with', `echo x >> ${name}; ${ANSWER}`, '-o', other, ...ALL, name]);
  assert.equal(away.code, 0, away.errors);
});

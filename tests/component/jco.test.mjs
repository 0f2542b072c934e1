// The component in Node, through jco: what it imports, and its answers beside those of the npm package. `cargo xtask test` builds it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { ebbline, fixture, lists } from '../npm/package.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const component = join(here, '../../target/component/ebbline.wasm');
const folder = mkdtempSync(join(tmpdir(), 'ebbline-component-'));
after(() => rmSync(folder, { recursive: true }));

const jco = (...words) => execFileSync(process.execPath, [join(here, 'node_modules/.bin/jco'), ...words], { encoding: 'utf8' });
jco('transpile', component, '--quiet', '--out-dir', folder);
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
const { api } = await import(pathToFileURL(join(folder, 'ebbline.js')).href);

const SMALL = { model: { context: 2_000, output: 200 } };

test('the component exports its interface and imports nothing', () => {
  const world = jco('wit', component);
  assert.match(world, /export ebbline:engine\/api@0\.1\.0;/);
  assert.doesNotMatch(world, /^\s*import /m);
});

test('its answers are those of the package', () => {
  for (const [name, format] of Object.entries(lists)) {
    const text = fixture(name);
    const options = { ...SMALL, format, now: 0 };
    const { view, plan } = api.compactMessages(text, JSON.stringify(options));
    const messages = JSON.parse(text);
    const expected = ebbline.compact(messages, options);
    assert.deepEqual(JSON.parse(plan), expected.plan, name);
    const sent = JSON.parse(view).map((entry) => (typeof entry === 'number' ? messages[entry] : entry.message));
    assert.deepEqual(sent, expected.messages, name);
  }
});

test('errors are typed', () => {
  assert.throws(
    () => api.plan('{"a": tru}', '{}'),
    ({ payload }) => payload.code === 'not_json' && payload.place.line === 1n && payload.place.byte === 6n,
  );
});

test('a session and a compactor remember what was decided', () => {
  const message = (role, content) => JSON.stringify([{ role, content }]);
  const session = api.Session.open(JSON.stringify(SMALL));
  assert.equal(session.push(message('user', 'hello')), 1);
  assert.equal(session.decide({ force: false }).verdict, 'noop');

  const compactor = api.Compactor.open(JSON.stringify(SMALL));
  assert.equal(compactor.prepare(0, message('user', 'Mend the test.'), '{}'), undefined);
  const request = compactor.prepare(
    1,
    JSON.stringify([
      { role: 'assistant', content: 'It fails. '.repeat(900) },
      { role: 'user', content: 'Go on.' },
    ]),
    JSON.stringify({ notes: 'The user is called Ada.' }),
  );
  assert.match(JSON.parse(request).messages[0].content, /The user is called Ada/);
  assert.equal(JSON.parse(request).messages[0].role, 'user');
  assert.equal(compactor.answer('## Goal\nMend the test.', false), undefined);
  const view = JSON.parse(compactor.view());
  assert.match(view[0].message.content, /## Goal\nMend the test\./);
  assert.equal(view.at(-1), 2);
  assert.equal(JSON.parse(compactor.events()).at(-1).type, 'compacted');
});

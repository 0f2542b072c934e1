// The words of the component beside those of the npm package: options have the same names and say the same, in WIT and in Python, too.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const at = (path) => new URL(`../../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');
const types = readdirSync(at('npm/src'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => read(`npm/src/${name}`))
  .join('\n');
const wit = read('crates/ebbline-component/wit/engine.wit');
const options = read('crates/ebbline-component/src/options.rs') + read('crates/ebbline-compactor/src/options/json.rs');
const python = read('python/src/ebbline/_compactor.py') + read('python/src/ebbline/_pins.py') + read('python/src/ebbline/_hooks.py');

/** The members of an interface of the package, with those that it takes from others. */
function membersOf(name) {
  const found = new RegExp(`export interface ${name}(?:<[^>]*>)?(?: extends ([\\w, ]+))? \\{\n(.*?)\n\\}`, 's').exec(types);
  assert.ok(found, `no interface ${name}`);
  const own = [...found[2].matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member);
  return [...(found[1]?.split(', ').flatMap(membersOf) ?? []), ...own];
}

/** The names that a list of options has. */
const taken = (name) => {
  const body = new RegExp(`const ${name}: &\\[&?(?:\\[&)?(?:'static )?&?str\\]?\\] = &\\[(.*?)\\];`, 's').exec(options)?.[1];
  assert.ok(body !== undefined, `no list ${name}`);
  const lists = [...body.matchAll(/\b([A-Z]{2,})\b/g)].flatMap(([, other]) => taken(other));
  return [...lists, ...[...body.matchAll(/"(\w+)"/g)].map(([, option]) => option)];
};

/** Comments as one line of text. */
const plain = (text) =>
  text
    .replaceAll(/^\s*(?:\/\/\/|\*|#)? ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('``', '`');

/** What a compactor of the component does not take, and why. */
const NOT_TAKEN = {
  summarize: 'it asks back: `summaries` says who writes them',
  onEvent: '`events`',
  now: 'an argument of each call',
  signal: '`cancel`',
  timeout: 'its caller has the clock',
  overlap: 'a component runs one call at a time',
  warn: 'it has no console: `notices`',
};
/** What only the component takes. */
const OWN = ['summaries', 'notices'];

test('a compactor takes the options of the package, by the same names', () => {
  const wanted = new Set(membersOf('CompactorOptions'));
  const found = new Set([...taken('POLICY'), ...taken('OWN')]);
  for (const name of wanted) assert.ok(found.has(name) !== name in NOT_TAKEN, `${name} is taken or is not, and the list says otherwise`);
  for (const name of found) assert.ok(wanted.has(name) || OWN.includes(name), `the package has no option ${name}`);
  const about = /resource compactor \{(.*?)open: static func/s.exec(wit)[1];
  for (const name of found) assert.match(about, new RegExp(`\`${name}\``), `engine.wit does not describe ${name}`);
});

test('whatever an option means is said in the same words', () => {
  for (const sentence of [
    'Outputs that are pinned are never cleared.',
    'If a summary replaces a message, its pinned parts stand behind the summary, and behind every later one',
    'when to compact even if the policy does not ask for it',
    'the agent goes on while a model writes a summary. The summary is taken over by a later',
    'messages that came in between stay. It is waited for only if the context would exceed the window.',
    'in at most 64 parts, each with a request of its own that fits.',
    'After a compaction, the context has to grow by an eighth first',
    'this one goes on where that one was. The first history must have the messages that the record concerns',
  ]) {
    for (const [where, text] of Object.entries({ types, wit, python })) {
      assert.ok(plain(text).toLowerCase().includes(sentence.toLowerCase()), `${where} does not say: ${sentence}`);
    }
  }
});

test('every event of the component is one of the package, or its own', () => {
  const own = ['notice'];
  const said = read('npm/src/compaction.ts');
  const events = read('crates/ebbline-compactor/src/event.rs').matchAll(/^ +Self::\w+(?:\(_\)| \{ \.\. \}) => "(\w+)",$/gm);
  const kinds = [...events].map(([, kind]) => kind);
  assert.ok(kinds.length >= 8, String(kinds));
  for (const kind of kinds) {
    assert.ok(own.includes(kind) || said.includes(`'${kind}'`), `the package has no event ${kind}`);
    assert.match(wit, new RegExp(`\`${kind}\``), `engine.wit does not name ${kind}`);
  }
});

test('a session takes what the package takes', () => {
  const wanted = new Set([
    ...membersOf('SessionOptions'),
    ...membersOf('PlanOptions'),
    'summary',
    'now',
    'freeBytes',
    'focus',
    'notes',
    'budgetTokens',
  ]);
  for (const name of taken('OF_SESSIONS')) {
    assert.ok(wanted.has(name) || membersOf('ValidateOptions').includes(name), `the package has no option ${name}`);
  }
});

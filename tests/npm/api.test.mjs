// The results of the public functions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import Ajv2020 from 'ajv/dist/2020.js';

import { fixtureFiles } from '../formats/fixtures.mjs';
import { ebbline, fixture, fixtures, lists, manifest, required, schemaFolder } from './package.mjs';

const { EbblineError, compact, detect, init, plan, policyFromSettings, profiles, read } = ebbline;

/** Prunes and summarizes even the small fixtures. */
const EAGER = {
  'prune.protect': 100,
  'prune.minimum': 1,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.preview': 0,
  'prune.protectedTurns': 1,
  'retain.keep': 60,
};
const FULL = { ...EAGER, 'model.context': 400, 'trigger.reserve': 0 };

const validators = Object.fromEntries(
  ['plan', 'policy'].map((name) => {
    const schema = JSON.parse(readFileSync(join(schemaFolder, `${name}.schema.json`), 'utf8'));
    return [name, new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)];
  }),
);

function assertValid(name, value, what) {
  const validate = validators[name];
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
}

test('import and require give the same functions and the same error class', () => {
  assert.equal(required.EbblineError, EbblineError);
  const names = [
    'audit',
    'classifyError',
    'compact',
    'compare',
    'compat',
    'detect',
    'finishSummary',
    'init',
    'plan',
    'policyFromSettings',
    'profiles',
    'read',
    'repair',
    'replay',
    'reviewSummary',
    'summaryRequest',
    'sweep',
    'validate',
  ];
  for (const name of names) assert.equal(required[name], ebbline[name], name);
  assert.deepEqual(
    Object.keys(ebbline)
      .filter((name) => name !== 'default')
      .sort(),
    Object.keys(required).sort(),
  );
});

test('init has nothing to load in Node, and refuses what says nothing about it', async () => {
  for (const options of [undefined, {}, { files: true, compat: true }, { engine: '/elsewhere.wasm', files: new URL('file:///x') }]) {
    assert.equal(await init(options), undefined);
  }
  const cases = [
    ['/ebbline.wasm', 'init takes an object'],
    [new URL('file:///x'), 'init takes an object'],
    [new Uint8Array(8), 'init takes an object'],
    [{ file: true }, 'there is no option "file"; did you mean "files"?'],
    [{ files: 1 }, 'the option files must be true, or where'],
    [null, 'init takes an object'],
  ];
  for (const [options, message] of cases) {
    await assert.rejects(
      () => init(options),
      (/** @type {any} */ error) => error.code === 'invalid_option' && error.message.startsWith(message),
    );
  }
});

test('every profile has a valid policy, and laid over any other it replaces it', () => {
  const [first, ...others] = profiles();
  assert.equal(first.name, 'ebbline@3');
  for (const { name, about, policy } of [first, ...others]) {
    assert.equal(policy.profile, name);
    assert.match(about, /\.$/);
    assertValid('policy', policy, name);
    const text = fixture('tunacode-0.1.json');
    assert.deepEqual(plan(text, { profile: 'tunacode@0.2', policy }), plan(text, { profile: name }));
  }
});

test('a policy in part, a model and single knobs are laid over the profile in this order', () => {
  const text = fixture('openai-chat.json');
  const planned = plan(text, {
    profile: 'pi@1.5',
    policy: { model: { context: 1, output: 2 }, trigger: { reserve: 3 } },
    model: { context: 50_000 },
    set: { 'trigger.reserve': 10_000 },
  });
  assert.deepEqual([planned.trigger.context, planned.trigger.threshold], [50_000, 40_000]);
  assert.equal(planned.profile, 'pi@1.5*');
  assert.equal(plan(text).profile, 'ebbline@3');
});

for (const name of fixtures) {
  test(`${name}: plans fit the schema, an idle one changes no byte, the second one does nothing`, () => {
    const text = fixture(name);
    for (const { name: profile } of profiles()) {
      for (const options of [{ profile }, { profile, set: EAGER }, { profile, set: FULL }, { profile, set: FULL, force: true }]) {
        assertValid('plan', plan(text, options), `${name}, ${JSON.stringify(options)}`);
      }
      const idle = { profile, set: { 'prune.enabled': false, 'retain.enabled': false } };
      assert.equal(compact(text, idle).text, text);
      const bytes = new TextEncoder().encode(text);
      assert.deepEqual(compact(bytes, idle).bytes, bytes);
    }
    for (const profile of ['ebbline@2', 'ebbline@3']) {
      const options = { profile, set: { ...EAGER, 'retain.enabled': false }, now: 1_795_300_000_000 };
      const once = compact(text, options);
      assert.equal(once.applied.pruned, once.plan.prune.applied ? once.plan.prune.outputs : 0);
      const again = compact(once.text, options);
      assert.equal(again.text, once.text);
      // A plan assumes the longest description.
      if (profile === 'ebbline@3') assert.ok(again.plan.tokensBefore <= once.plan.tokensAfter);
      else assert.equal(again.plan.tokensBefore, once.plan.tokensAfter);
    }
  });
}

test('thresholds may be shares of the window, and those of a model', () => {
  const text = fixture('openai-chat.json');
  const thresholdOf = (options) => plan(text, options).trigger.threshold;
  assert.equal(thresholdOf({ profile: 'pi@1.5', set: { 'trigger.reserve': '25%' }, model: { context: 100_000 } }), 75_000);
  const policy = { models: { 'local/tiny': { model: { context: 10_000 }, trigger: { reserve: 1_000 } } } };
  assert.equal(thresholdOf({ profile: 'pi@1.5', policy, model: { name: 'local/tiny' } }), 9_000);
  assert.equal(thresholdOf({ profile: 'pi@1.5', policy, model: { name: 'local/other' } }), 183_616);
  assert.throws(() => plan(text, { set: { 'retain.snap': '10%' } }), { code: 'invalid_policy' });
});

test('a system’s own settings make a policy', () => {
  const settings = { compaction: { reserveTokens: 30_000, keepRecentTokens: 10_000 } };
  const policy = policyFromSettings('pi@0.84', settings);
  assert.deepEqual([policy.trigger.reserve, policy.retain.keep], [30_000, 10_000]);
  const planned = plan(fixture('pi-v3.jsonl'), { policy });
  assert.deepEqual([planned.profile, planned.trigger.threshold], ['pi@0.84', 170_000]);
  const environment = { OPENCODE_DISABLE_PRUNE: '1', PATH: '/bin', UNSET: undefined };
  assert.equal(policyFromSettings('opencode@2026-01', '{}', { environment }).prune.enabled, false);
  assert.throws(() => policyFromSettings('pi@1.5', '{"compaction": {"enabled": 1}}'), {
    code: 'invalid_settings',
    message: 'the setting compaction.enabled must be true or false',
  });
});

test('without a summary old messages stay, and it is said that one is wanted', () => {
  const text = fixture('plain-chat.json');
  const options = { set: { 'retain.keep': 5, 'model.context': 10, 'trigger.reserve': 0 } };
  const without = compact(text, options);
  assert.equal(without.text, text);
  assert.deepEqual(without.applied, { pruned: 0, summarized: 0 });
  assert.ok(without.summaryNeeded);
  assert.ok(compact(text, { ...options, summary: ' \n' }).summaryNeeded, 'a blank summary is none');
  const { text: written, applied, summaryNeeded } = compact(text, { ...options, summary: 'Tides.' });
  assert.deepEqual([applied, summaryNeeded], [{ pruned: 0, summarized: 2 }, false]);
  const [first, ...rest] = JSON.parse(written);
  assert.equal(first.role, 'user');
  assert.match(first.content, /^\[Compaction summary: it stands for 2 earlier messages; .* \[ref [a-p]{8}\]\n\nTides\.$/u);
  assert.deepEqual(rest, JSON.parse(text).slice(2));
});

test('detect and read tell the format and what shows it', () => {
  for (const { name, format: expected } of fixtureFiles) {
    const found = detect(fixture(name));
    assert.deepEqual([found.format, found.supported], [expected, true], name);
    const report = read(fixture(name));
    assert.deepEqual([report.format, report.title, report.evidence], [found.format, found.title, found.evidence]);
    assert.equal(report.problems.length, 0);
    assert.ok(report.counts.messages >= 2, name);
  }
});

test('read tells messages, parts and entries', () => {
  const { counts, messages, entries } = read(fixture('pi-v3.jsonl'));
  assert.equal(messages.filter((message) => !message.active).length, counts.inactive + 1, 'the older summary beside the list');
  assert.equal(entries[0].type, 'session');
  assert.equal(entries.filter((entry) => entry.onBranch).length < entries.length, true);
  const call = messages.flatMap((message) => message.parts).find((part) => part.kind === 'tool_call');
  assert.deepEqual([call.toolName, call.length.utf16, call.call], ['bash', 26, 0]);
  const text = fixture('pi-v3.jsonl');
  for (const { bytes } of messages) {
    const line = Buffer.from(text)
      .subarray(...bytes)
      .toString();
    assert.ok(JSON.parse(line).type, line);
  }
});

test('read of live messages tells the same as of their text', () => {
  for (const name of Object.keys(lists)) {
    // Markers refer to a text; in a live array, the messages contain what they record.
    const { messages, markers: _markers, ...report } = read(fixture(name));
    const { messages: live, ...ofLive } = read(JSON.parse(fixture(name)));
    assert.deepEqual(ofLive, report, name);
    assert.deepEqual(
      live,
      messages.map(({ bytes, ...message }) => message),
      name,
    );
  }
});

test('an empty array is a session that has not begun', () => {
  const planned = plan([]);
  assert.deepEqual([planned.verdict, planned.reason, planned.messages], ['noop', 'empty', []]);
  assert.deepEqual(compact([]).messages, []);
  assertValid('plan', planned, 'the plan of an empty array');
});

test('what the provider reported counts instead of the estimate', () => {
  const options = { model: { context: 20_000 }, set: { 'trigger.reserve': 1_000 } };
  const text = fixture('plain-chat.json');
  assert.equal(plan(text, options).trigger.fires, false);
  const known = plan(text, { ...options, knownTokens: 19_001 });
  assert.deepEqual([known.trigger.fires, known.trigger.tokens], [true, 19_001]);
  assert.equal(known.verdict, 'refuse');
});

test('a byte order mark, carriage returns and spellings of numbers come out as they went in', () => {
  const text =
    '\ufeff[\r\n {"role": "user",  "content": "a\\u00e9\\/", "x": [1.0, 1E5, -0, 123456789012345678901234567890]},\r\n' +
    ' {"role":"tool","tool_call_id":"c","content":"012345678901234567890123456789012345678901234567890123456789"}]\r\n';
  const { text: written, applied } = compact(text, { set: { ...EAGER, 'prune.protect': 0, 'prune.protectedTurns': 0 } });
  assert.equal(applied.pruned, 1);
  assert.equal(written, text.replace('0123456789'.repeat(6), '[Old tool result content cleared] [ref kijdgfpc]'));
});

test('bytes come back as bytes of their own, whatever view they came in', () => {
  const text = fixture('openai-chat.json');
  const backing = new TextEncoder().encode(`##${text}##`);
  const view = backing.subarray(2, backing.length - 2);
  const { bytes } = compact(view, { set: { 'prune.enabled': false } });
  assert.equal(Buffer.from(bytes).toString(), text);
  assert.notEqual(bytes.buffer, backing.buffer);
  assert.deepEqual(plan(new DataView(view.buffer, view.byteOffset, view.byteLength)), plan(text));
});

test('another placeholder is written and recognized, with and without the reference to its call', () => {
  const set = { ...EAGER, 'retain.enabled': false, 'prune.placeholder': '[gone]', 'prune.shortOutputs': true };
  const once = compact(JSON.parse(fixture('openai-chat.json')), { set });
  assert.ok(once.applied.pruned > 0);
  assert.ok(once.messages.some((message) => /^\[gone\] \[ref [a-p]{8}\]$/u.test(message.content)));
  const bare = compact(JSON.parse(fixture('openai-chat.json')), { set: { ...set, 'prune.reference': false } });
  assert.ok(bare.messages.some((message) => message.content === '[gone]'));
  assert.equal(compact(once.messages, { set }).applied.pruned, 0);
  assert.equal(compact(JSON.stringify(once.messages), { set }).applied.pruned, 0);
});

test('the package says what it is', () => {
  assert.equal(manifest.name, 'ebbline');
  assert.notEqual(manifest.version, '0.0.0');
  assert.equal(manifest.dependencies, undefined);
});

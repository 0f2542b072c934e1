// Files of many conversations: one conversation is the session, and only this one is changed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { commandOf } from './command.mjs';
import { ebbline, fixture, fixtureFolder } from './package.mjs';

const { compact, detect, plan, read } = ebbline;
const EAGER = {
  profile: 'tunacode@2026-01',
  set: {
    'prune.protect': 0,
    'prune.minimum': 1,
    'prune.onlyWhenFull': false,
    'prune.downTo': 0,
    'prune.protectedTurns': 0,
    'prune.minimumTurns': 0,
  },
};
const TASKS = fixture('tau-bench.json');
const CONTAINERS = { 'tau-bench.json': 3, 'fine-tuning.jsonl': 3, 'openhands-output.jsonl': 2 };

for (const [name, count] of Object.entries(CONTAINERS)) {
  test(`${name} holds ${count} conversations`, () => {
    const text = fixture(name);
    assert.match(detect(text).evidence, new RegExp(`^${count} conversations, the first is read as the session: `));
    const all = Array.from({ length: count }, (_, conversation) => read(text, { conversation }));
    for (const report of all) {
      const { inactive, ...counts } = report.counts;
      const { inactive: ofFirst, ...first } = all[0].counts;
      assert.deepEqual(counts, first, 'counts are those of the file');
      assert.equal(inactive, report.messages.filter(({ active }) => !active).length);
    }
    const active = all.reduce((sum, { counts }) => sum + counts.messages - counts.inactive, 0);
    assert.equal(active, all[0].counts.messages, 'each message is active in one of them');
    const message = new RegExp(`no conversation ${count}: there are ${count} conversations, 0 to ${count - 1}`);
    assert.throws(() => read(text, { conversation: count }), { code: 'invalid_option', message });
  });
}

test('only the chosen conversation is pruned, and its calls are its own', () => {
  const given = JSON.parse(TASKS);
  for (const conversation of [0, 1]) {
    const { text, applied } = compact(TASKS, { ...EAGER, conversation });
    assert.ok(applied.pruned > 0);
    const tasks = JSON.parse(text);
    for (const [index, { traj }] of given.entries()) {
      const alone = JSON.parse(compact(JSON.stringify(traj), EAGER).text);
      assert.deepEqual(tasks[index].traj, index === conversation ? alone : traj);
    }
  }
});

test('only the chosen conversation is summarized', () => {
  const summary = 'What was said.';
  const options = {
    ...EAGER,
    force: true,
    summary,
    policy: { prune: { enabled: false }, retain: { enabled: true, keep: 1 } },
    profile: 'ebbline@1',
  };
  const tasks = JSON.parse(compact(TASKS, { ...options, conversation: 2 }).text);
  const given = JSON.parse(TASKS);
  assert.deepEqual(tasks.slice(0, 2), given.slice(0, 2));
  assert.ok(tasks[2].traj.some(({ content }) => content.startsWith('[Compaction summary: ') && content.endsWith(`]\n\n${summary}`)));
  assert.ok(tasks[2].traj.length < given[2].traj.length);
});

test('an array of conversations is refused with what to do instead', () => {
  const tasks = JSON.parse(TASKS);
  for (const [array, key, count] of [
    [tasks, 'traj', '3 conversations are'],
    [tasks.slice(0, 1), 'traj', '1 conversation is'],
    [[{ messages: [{ role: 'user', content: 'hi' }], tools: [] }], 'messages', '1 conversation is'],
    [[{ instance_id: 'a', history: [] }], 'history', '1 conversation is'],
  ]) {
    const message = `${count} no session: pass the array of one, as in plan(tasks[0].${key})`;
    for (const call of [plan, detect, read]) assert.throws(() => call(array), { code: 'no_messages', message });
    assert.throws(() => plan(array, { format: 'openai_chat' }), { code: 'no_messages', message });
  }
  assert.equal(plan(tasks[0].traj, { conversation: 0 }).messages.length, tasks[0].traj.length);
});

test('the command line chooses one', () => {
  const run = (args) => {
    const [program, ...rest] = commandOf([...args, join(fixtureFolder, 'tau-bench.json')]);
    return spawnSync(program, rest, { encoding: 'utf8' });
  };
  const { status, stdout } = run(['plan', '--json', '--conversation', '1']);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), plan(TASKS, { conversation: 1 }));
  for (const [number, error] of /** @type {[string, RegExp][]} */ ([
    ['3', /there is no conversation 3: there are 3 conversations, 0 to 2/],
    ['first', /--conversation must be a number, counted from 0, not first/],
  ])) {
    const refused = run(['plan', '--conversation', number]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, error);
  }
});

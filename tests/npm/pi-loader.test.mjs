// Two published versions of pi load compacted sessions with their own session managers.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Choices } from './differential/choices.mjs';
import { makeSession } from './differential/generate.mjs';
import { installedVersions } from './differential/real.mjs';
import { ebbline, fixture, sharedFolder, temporaryFolder } from './package.mjs';

const { compact } = ebbline;

const SUMMARY = '## Goal\nWhat was asked: “so far”.';
const CLEARED = [{ type: 'text', text: '[Old tool result content cleared]' }];
const EAGER = {
  'prune.reference': false,
  'prune.enabled': true,
  'prune.protect': 20,
  'prune.minimum': 0,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.preview': 0,
  'prune.protectedTurns': 0,
};
const KEEP_LITTLE = { 'retain.keep': 60, 'model.context': 100, 'trigger.reserve': 0 };
const WAYS = {
  pruned: { set: { ...EAGER, 'retain.enabled': false } },
  summarized: { profile: 'pi@0.58', set: { ...KEEP_LITTLE, 'prune.enabled': false }, summary: SUMMARY },
  'pruned and summarized': { set: { ...EAGER, ...KEEP_LITTLE }, summary: SUMMARY },
};
const RANDOM = 150;
const REAL = join(sharedFolder, 'sessions/pi');
const skip = !existsSync(REAL) && 'there are no sessions beside the project';

const folder = temporaryFolder('ebbline-pi-');

let written = 0;

/** What pi would send of a session, and its session manager. */
function load(pi, text) {
  written += 1;
  const file = join(folder, `${written}.jsonl`);
  writeFileSync(file, text);
  const manager = pi.SessionManager.open(file, folder);
  return { file, manager, messages: manager.buildSessionContext().messages };
}

function check(pi, name, text, options) {
  const done = compact(text, { format: 'pi', now: 1_795_300_000_000, ...options });
  const [before, now] = [load(pi, text).messages, load(pi, done.text)];
  const isSummarized = done.applied.summarized > 0;
  if (isSummarized) {
    assert.deepEqual([now.messages[0].role, now.messages[0].summary], ['compactionSummary', SUMMARY], name);
  }
  // If a compaction keeps messages from before an older one, pi 0.84 also sends the older summary, in its place.
  const isSpoken = ({ role }) => !isSummarized || role !== 'compactionSummary';
  const [kept, all] = [now.messages, before].map((messages) => messages.filter(isSpoken));
  const same = all.slice(all.length - kept.length);
  assert.ok(isSummarized || kept.length === all.length, `${name}: ${kept.length} of ${all.length}`);
  kept.forEach((message, at) => {
    const isCleared = message.role === 'toolResult' && JSON.stringify(message.content) === JSON.stringify(CLEARED);
    assert.deepEqual(isCleared ? { ...same[at], content: CLEARED } : same[at], message, `${name}, message ${at}`);
  });
  // After a torn line pi's own entry is lost too; a summary ends that line.
  if (done.text.endsWith('\n')) goOn(pi, name, now);
  return done.applied;
}

/** The session can be continued: an appended entry is there when it is opened again. */
function goOn(pi, name, { file, manager, messages }) {
  const message = { role: 'user', content: [{ type: 'text', text: 'go on' }], timestamp: 1_795_300_000_001 };
  manager.appendMessage(message);
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'done' }], stopReason: 'stop' };
  manager.appendMessage({ ...answer, timestamp: 1_795_300_000_002 });
  const again = pi.SessionManager.open(file, folder).buildSessionContext().messages;
  assert.deepEqual(again.slice(0, -1), [...messages, message], name);
}

function randomSession(seed) {
  const header = { type: 'session', version: 3, id: 'random', timestamp: '2026-09-01T09:59:59.000Z', cwd: '/home/mara' };
  // Some spellings take several lines.
  const entries = makeSession(Choices.from(seed)).entries.map((entry) => JSON.stringify(JSON.parse(entry)));
  return `${[JSON.stringify(header), ...entries].join('\n')}\n`;
}

/** pi cannot continue some random sessions, and loses the path behind an entry without an id. */
function canGoOn(pi, text) {
  try {
    goOn(pi, 'as it was', load(pi, text));
    return true;
  } catch {
    return false;
  }
}

/** The fixtures of pi: unchanged, and as after a crash. */
function* fixtures() {
  for (const name of ['pi-v1.jsonl', 'pi-v3.jsonl']) {
    yield [name, fixture(name)];
    yield [`${name}, torn`, fixture(name).slice(0, -30)];
  }
}

/** Sessions of pi beside the project. */
function* realSessions() {
  for (const name of readdirSync(REAL)) yield [name, readFileSync(join(REAL, name), 'utf8')];
}

const versions = new Map();
for (const [version, main] of installedVersions()) {
  versions.set(version, await import(new URL('core/session-manager.js', main).href));
}

assert.ok(versions.size > 0, 'no version of pi is installed');

for (const [version, pi] of versions) {
  for (const [way, options] of Object.entries(WAYS)) {
    const loads = (sessions) => {
      const applied = [...sessions].map(([name, text]) => check(pi, name, text, options));
      assert.ok(applied.some(({ pruned, summarized }) => pruned + summarized > 0));
    };
    test(`pi ${version} loads and continues sessions that were ${way}`, () => loads(fixtures()));
    test(`pi ${version} loads and continues real sessions that were ${way}`, { skip }, () => loads(realSessions()));

    test(`pi ${version} loads and continues ${RANDOM} random sessions that were ${way}`, () => {
      let changed = 0;
      for (let seed = 1; seed <= RANDOM; seed += 1) {
        const text = randomSession(seed);
        if (!canGoOn(pi, text)) continue;
        const { pruned, summarized } = check(pi, `seed ${seed}`, text, options);
        changed += pruned + summarized;
      }
      assert.ok(changed > 0);
    });
  }
}

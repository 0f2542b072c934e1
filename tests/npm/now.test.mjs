// Without `now`, what is written beside a summary is the newest moment that the session records.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture } from './package.mjs';

const { compact } = ebbline;

const FILES = [
  'claude-code.jsonl',
  'codex.jsonl',
  'pi-v3.jsonl',
  'gemini-cli.json',
  'gemini-cli.jsonl',
  'opencode.json',
  'copilot-cli.jsonl',
  'cline.json',
  'openhands-v0.json',
  'openhands-v1.jsonl',
];
const ASIDE = /"(?:lastUpdated|updated_at|updated|compacted)": *"?[^",}]*|^ {10}"timestamp": *"[^"]*"/gm;
const OPTIONS = { force: true, set: { 'retain.keep': 100 }, summary: 'All is well.' };

/** The same session with other moments: all move on by two days. Its moments are those of its messages and lines. */
function movedOn(text) {
  const ahead = (moment) => new Date(moment + 2 * 86_400_000).toISOString();
  const iso = text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) => ahead(Date.parse(moment)));
  return iso.replaceAll(/\b1[67]\d{11}\b/g, (moment) => String(Number(moment) + 2 * 86_400_000));
}

/** The moments in what a compaction wrote that the session does not hold, in milliseconds. */
const momentsOf = (text) => [
  ...[...text.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?/g)].map(([moment]) => Date.parse(`${moment}Z`)),
  ...[...text.matchAll(/\b1[67]\d{11}\b/g)].map(([moment]) => Number(moment)),
];

for (const file of FILES) {
  test(`what is written is as new as the session: ${file}`, () => {
    for (const session of [fixture(file), movedOn(fixture(file))]) {
      const { text } = compact(session, OPTIONS);
      const at = text.indexOf('All is well.');
      assert.notEqual(at, -1);
      const record = text.slice(Math.max(0, at - 1_500), at + 1_500);
      // When the file was written last, or a call ended, is no moment of a message.
      const newest = Math.max(...momentsOf(session.replaceAll(ASIDE, '')));
      const written = momentsOf(record).filter((moment) => moment >= newest - 1 && moment <= newest + 1_000);
      assert.ok(written.length > 0, `${new Date(newest).toISOString()} is not in ${record}`);
    }
  });
}

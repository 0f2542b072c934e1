// Every format opens in the playground, and is read, planned, shown and exported.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fixtureFiles } from '../formats/fixtures.mjs';
import { choose, onPage, press, shown, withBrowser } from './browser.mjs';

withBrowser();

const here = fileURLToPath(new URL('.', import.meta.url));
/** Real sessions beside the project, which are not part of it. */
const real = join(here, '../../../shared/sessions');

const fixture = (wanted) => readFileSync(fixtureFiles.find(({ name }) => name === wanted).path);

/** Files of each format: `[name, path]`. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => [entry.name, join(entry.parentPath ?? entry.path, entry.name)]);
}

/** Waits until the element has text. */
const told = (page, where, name) =>
  page
    .locator(where, { hasText: /\S/ })
    .waitFor()
    .catch((cause) => {
      throw new Error(`${where} says nothing of ${name}`, { cause });
    });

/** Opens a file, shows its first message, and exports it. */
async function opens(page, name, path) {
  await choose(page, name, readFileSync(path));
  await shown(page, name);
  // The plan and the message come from the worker, a moment after the file's name.
  await told(page, '#verdict', name);
  await page.locator('#list [role=option]').first().click();
  await told(page, '#inspector-text', name);
}

test('every fixture opens', () =>
  onPage(async (page) => {
    for (const { name, path } of fixtureFiles) await opens(page, name, path);
  }));

test('a session of another agent goes home in its own format', () =>
  onPage(async (page) => {
    await choose(page, 'claude-code.jsonl', fixture('claude-code.jsonl'));
    await shown(page, 'claude-code.jsonl');
    await press(page, 'Export');
    assert.equal(await page.isChecked('#export-environment'), true, 'what Claude Code reads comes first');
    await page.check('#export-session', { force: true });
    const beginning = page.locator('#export pre.file');
    await page.locator('#export .actions', { hasText: 'claude-code.compacted.jsonl' }).waitFor();
    assert.match(await beginning.innerText(), /parentUuid/);
    assert.equal(await page.locator('#free-bytes').isChecked(), false);
    await page.locator('#free-bytes').check();
    await beginning.waitFor();
  }));

test('a person may say what a file is, and is told when it cannot be that', () =>
  onPage(async (page) => {
    const plain = '[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]';
    await choose(page, 'plain.json', plain);
    await shown(page, 'plain.json');
    await page.click('#chip summary');
    await page.selectOption('#read-as', 'anthropic_messages');
    await page.locator('#chip .what', { hasText: 'Anthropic Messages' }).waitFor();
    await page.selectOption('#read-as', '');
    await page.locator('#chip .what', { hasText: 'OpenAI Chat' }).waitFor();

    await choose(page, 'pi.jsonl', fixture('pi-v3.jsonl'));
    await page.locator('#chip .what', { hasText: 'pi' }).waitFor();
    await page.selectOption('#read-as', 'opencode');
    await page.locator('#failed h2', { hasText: 'pi.jsonl' }).waitFor();
    assert.match(await page.locator('#failed').innerText(), /OpenCode was asked for, but this is pi/);
    await page.selectOption('#read-failed-as', '');
    await page.locator('#failed').waitFor({ state: 'detached' });
  }));

const formats = existsSync(real) ? readdirSync(real).filter((name) => name !== 'extra' && !name.includes('.')) : [];

test('real sessions open', { skip: formats.length === 0 && 'there are no sessions beside the project' }, () =>
  onPage(async (page) => {
    for (const format of formats) {
      for (const [name, path] of filesIn(join(real, format))) await opens(page, name, path);
    }
  }),
);

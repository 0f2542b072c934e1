import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, exported, onPage, plan, profile, pruneEarly, setKnob, shown, squeeze, verdict, withBrowser } from './browser.mjs';
import { prunable } from './fixtures.mjs';

withBrowser();

test('the exported session is the same but for what the plan says, and planned again it stays as it is', () =>
  onPage(async (page) => {
    const text = prunable();
    await pruneEarly(page);
    await choose(page, 'session.json', text);
    await shown(page, 'session.json');
    const { messages } = await plan(page);
    const file = await exported(page, 'session');
    assert.equal(file.name, 'session.compacted.json');
    const [before, after] = [text.split('\n'), file.text.split('\n')];
    assert.equal(after.length, before.length);
    messages.forEach(({ fate }, index) => {
      const [was, is] = [before[index + 1], after[index + 1]];
      if (fate === 'pruned') {
        const id = JSON.parse(was.replace(/,$/, '')).tool_call_id;
        const { content, ...rest } = JSON.parse(is.replace(/,$/, ''));
        assert.deepEqual(rest, { role: 'tool', tool_call_id: id });
        assert.match(content, /^\[Old tool result content cleared\] \[ref [a-p]{8}\]$/u);
      } else {
        assert.equal(is, was, `message ${index + 1} comes out byte for byte`);
      }
    });

    await choose(page, file.name, file.text);
    await shown(page, file.name);
    assert.match(await verdict(page), /Nothing to do/);
    assert.equal((await exported(page, 'session')).text, file.text);
  }));

test('where a summary is due, a stub stands in its place until a person gives one', () =>
  onPage(async (page) => {
    await squeeze(page);
    const { retain } = await plan(page);
    const stub = `[summary of ${retain.messages} messages goes here]`;
    assert.ok((await exported(page, 'session')).text.includes(stub));

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.fill('#summary', 'We fixed "rounding".');
    await page.locator('#export pre.file', { hasText: 'We fixed \\"rounding\\".' }).waitFor();
    assert.equal(await page.locator('#export .note').isVisible(), false);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    await page.keyboard.press('Escape');
    await page.setInputFiles('#file', await download.path());
    await page.locator('#chip .what', { hasText: /OpenAI Chat · \d\d messages/ }).waitFor();
    assert.match(await verdict(page), /Nothing to do/);
  }));

test('the policy goes home as data and as code', () =>
  onPage(async (page) => {
    await profile(page, 'opencode@2026-01');
    await setKnob(page, 'protect', 30_000);
    const policy = JSON.parse((await exported(page, 'policy')).text);
    assert.deepEqual([policy.profile, policy.prune.protect], ['opencode@2026-01*', 30_000]);
    const script = (await exported(page, 'javascript')).text;
    assert.match(script, /profile: "opencode@2026-01",\n {2}policy: \{\n {4}prune: \{ protect: 30000 \},\n {2}\},/);
    const rust = (await exported(page, 'rust')).text;
    assert.match(rust, /policy\.set\("prune\.protect", "30000"\)\?;/);
  }));

test('what is exported can be copied', () =>
  onPage(
    async (page) => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.check('#export-javascript', { force: true });
      await page.click('#copy');
      await page.locator('#export .actions', { hasText: 'Copied.' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, /^\/\/ npm install ebbline\nimport \{ createCompactor, plan \} from "ebbline"/);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

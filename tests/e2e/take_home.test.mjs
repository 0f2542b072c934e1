import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  allKnobs,
  choose,
  exported,
  onPage,
  planned,
  press,
  profile,
  setKnob,
  shown,
  turn,
  valuesOf,
  verdict,
  withBrowser,
} from './browser.mjs';
import { chat, prunable } from './fixtures.mjs';

withBrowser();

const run = promisify(execFile);
const ALPHABET = /^#[A-Za-z0-9_.-]+$/u;
const PERMISSIONS = { permissions: ['clipboard-read', 'clipboard-write'] };
const packageFolder = process.env.EBBLINE_PACKAGE ?? fileURLToPath(new URL('../../target/npm/ebbline', import.meta.url));
const noPackage = existsSync(packageFolder) ? false : 'the npm package is not built';
/** The Python package, as the component's tests have it: its sources, and an interpreter with what it needs. */
const pythonPath = fileURLToPath(new URL('../../python/src', import.meta.url));
const environment = { ...process.env, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: '1' };
const python = [process.env.EBBLINE_COMPONENT_PYTHON, 'python3', 'python'].find(
  (name) => name && spawnSync(name, ['-c', 'import ebbline; ebbline.profiles()'], { env: environment }).status === 0,
);
const noPython = python ? false : 'there is no Python with the package';
const openCode = process.env.EBBLINE_OPENCODE;

/** A project that has the package installed. */
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ebbline-take-home-'));
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(packageFolder, join(folder, 'node_modules/ebbline'));
  // As npm links a package's command.
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(packageFolder, 'dist/cli.js')}' "$@"\n`;
  await writeFile(join(folder, 'node_modules/.bin/ebbline'), command, { mode: 0o755 });
});
after(() => rm(folder, { recursive: true }));

const hash = (page) => page.evaluate(() => location.hash);

/** Waits until the address has another link than `before`. */
async function hashAfter(page, before) {
  await page.waitForFunction((before) => location.hash !== before, before);
  return hash(page);
}

/** The link of what is on screen. */
async function shared(page) {
  await press(page, 'Share');
  const link = new URL(await page.locator('#share pre').first().innerText()).hash;
  await page.keyboard.press('Escape');
  return link;
}

/** The settings and the place on screen. */
const state = async (page) => ({
  profile: await page.inputValue('#profile'),
  protect: Number(await page.inputValue('#protect-value')),
  keep: Number(await page.inputValue('#keep-value')),
  context: Number(await page.inputValue('#context-value')),
  title: await page.locator('#life-title').innerText(),
  message: await page.locator('#list [aria-selected=true]').getAttribute('id'),
});

/** Waits until the page shows `wanted`. */
async function shows(page, wanted) {
  await page.waitForFunction(
    ([title, ...values]) =>
      document.getElementById('life-title').innerText === title &&
      values.every(([id, value]) => Object(document.getElementById(id)).value === value),
    [
      wanted.title,
      ['profile', wanted.profile],
      ['protect-value', String(wanted.protect)],
      ['keep-value', String(wanted.keep)],
      ['context-value', String(wanted.context)],
    ],
  );
  await page.locator(`#${wanted.message}[aria-selected=true]`).waitFor();
  await planned(page);
  assert.deepEqual(await state(page), wanted);
}

/** Opens a link in another tab, and runs `body` there. */
async function inAnotherTab(page, link, body) {
  const other = await page.context().newPage();
  await other.goto(new URL(link, page.url()).href);
  await other.waitForSelector('html[data-open]');
  await body(other);
  await other.close();
}

/** Exports a picture, which has no text to show. */
async function picture(page, what, button) {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.check(`#export-${what}`, { force: true });
  await page.locator('#export img.file').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  const bytes = await readFile(await download.path());
  await page.keyboard.press('Escape');
  return { name: download.suggestedFilename(), bytes };
}

test('a policy goes home as configuration of each agent, which says what it leaves out', () =>
  onPage(async (page) => {
    await profile(page, 'ebbline@1');
    await setKnob(page, 'keep', 12_000);
    const pi = await exported(page, 'pi');
    assert.equal(pi.name, 'settings.json');
    assert.equal(JSON.parse(pi.text).compaction.keepRecentTokens, 12_000);
    const tuna = await exported(page, 'tunacode');
    assert.equal(JSON.parse(tuna.text).settings.keep_recent_tokens, 12_000);
    const open = await exported(page, 'opencode');
    assert.equal(open.name, 'opencode.jsonc');
    assert.match(open.text, /\/\/ Protect: 40,000 here, 40,000 there|\/\/ The context window belongs to the model/u);
    const bare = open.text.replace(/^\s*\/\/.*$/gmu, '');
    assert.equal(JSON.parse(bare).compaction.preserve_recent_tokens, 12_000);
    const shell = await exported(page, 'environment');
    assert.match(shell.text, /^# Nothing is set: this policy fires at 168,000 of 200,000 tokens, and Claude Code itself at about 83 %\./mu);
    await setKnob(page, 'reserve', 60_000);
    assert.match((await exported(page, 'environment')).text, /^export CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=70$/mu);

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.check('#export-pi', { force: true });
    await page.locator('#export .warning', { hasText: /^pi cannot prune\..* the pruning on screen is left out\.$/u }).waitFor();
  }));

test('the JavaScript runs as it is exported', { skip: noPackage }, () =>
  onPage(async (page) => {
    await profile(page, 'ebbline@1');
    await setKnob(page, 'protect', 30_000);
    const { text } = await exported(page, 'javascript');
    const { prune, tokensAfter } = JSON.parse((await exported(page, 'plan')).text);
    assert.equal(prune.applied, true);
    await writeFile(join(folder, 'session.json'), await sampleText(page));
    const code = [
      "import { readFileSync } from 'node:fs';",
      "const messages = JSON.parse(readFileSync('session.json', 'utf8'));",
      text,
      'console.log(JSON.stringify({ verdict, reason, count: view.length, tokens: plan(messages, options).tokensAfter }));',
    ];
    await writeFile(join(folder, 'compact.mjs'), code.join('\n'));
    const { stdout } = await run(process.execPath, ['compact.mjs'], { cwd: folder });
    const told = JSON.parse(stdout);
    assert.deepEqual([told.verdict, told.tokens], ['prune', tokensAfter]);
    assert.ok(told.count > 100);
  }),
);

test('the JavaScript compiles in strict TypeScript, whatever is turned', { skip: noPackage }, () =>
  onPage(async (page) => {
    await profile(page, 'opencode@2026-01');
    await setKnob(page, 'protect', 30_000);
    await turn(page, 'retain-enabled');
    for (const isForced of [false, true]) {
      if (isForced) await turn(page, 'force');
      const { text } = await exported(page, 'javascript');
      const messages = "declare const messages: { role: 'user'; content: string }[];";
      const uses = 'export const told: string[] = [verdict, reason, ...view.map((message) => message.role)];';
      await writeFile(join(folder, 'compact.mts'), [messages, text, uses].join('\n'));
      const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
      const strict = [
        '--strict',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
        '--noEmit',
        '--module',
        'nodenext',
        '--target',
        'es2022',
      ];
      await run(process.execPath, [compiler, ...strict, 'compact.mts'], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    }
  }),
);

test("pi's and OpenCode's own code read their files", () =>
  onPage(async (page) => {
    await profile(page, 'pi@1.5');
    await setKnob(page, 'keep', 12_000);
    await setKnob(page, 'reserve', 9_000);
    const { name, text } = await exported(page, 'pi');
    // The newer one needs Node 22.
    const isNew = Number.parseInt(process.versions.node, 10) >= 22;
    for (const scope of isNew ? ['@earendil-works', '@mariozechner'] : ['@mariozechner']) {
      const own = new URL(`../node_modules/${scope}/pi-coding-agent/dist/core/settings-manager.js`, import.meta.url);
      const home = await mkdtemp(join(folder, 'pi-'));
      await writeFile(join(home, name), text);
      const { SettingsManager } = await import(own.href);
      const settings = SettingsManager.create(home, home).getCompactionSettings();
      assert.deepEqual(settings, { enabled: true, reserveTokens: 9_000, keepRecentTokens: 12_000 }, scope);
    }
    await profile(page, 'opencode@2026-06');
    await setKnob(page, 'keep', 12_000);
    const open = await exported(page, 'opencode');
    if (!openCode) return;
    await writeFile(join(folder, open.name), open.text);
    const { stdout } = await run(openCode, ['debug', 'config'], { cwd: folder, env: { ...process.env, HOME: folder } });
    assert.equal(JSON.parse(stdout).compaction.preserve_recent_tokens, 12_000);
  }));

test("OpenClaw's and Hermes' plug-ins take their settings, which are the whole policy", { skip: noPackage || noPython }, () =>
  onPage(async (page) => {
    await profile(page, 'ebbline@1');
    await setKnob(page, 'protect', 30_000);
    const policy = JSON.parse((await exported(page, 'policy')).text);
    const claw = JSON.parse((await exported(page, 'openclaw')).text).plugins.entries.ebbline;
    assert.deepEqual(claw, { enabled: true, config: { profile: 'ebbline@1', set: { 'prune.protect': policy.prune.protect } } });
    // The plug-in itself, as the gateway loads it: what it does not take, it refuses with its place.
    const { default: plugin } = await import(join(packageFolder, 'dist/plugins/openclaw.js'));
    const register = (config) => {
      const told = [];
      const nothing = () => undefined;
      const engines = [];
      plugin.register({
        pluginConfig: config,
        logger: { info: (text) => told.push(text), warn: (text) => told.push(text), error: (text) => told.push(text) },
        runtime: { state: { resolveStateDir: () => folder } },
        session: { state: { registerSessionExtension: nothing } },
        registerContextEngine: (id, factory) => engines.push([id, factory()]),
        registerTool: nothing,
        registerCommand: nothing,
      });
      return engines.length;
    };
    assert.equal(register(claw.config), 1);
    assert.throws(() => register({ ...claw.config, set: { 'prune.protekt': 1 } }), /plugins\.entries\.ebbline\.config/u);

    const hermes = await exported(page, 'hermes');
    await writeFile(join(folder, hermes.name), hermes.text);
    // Hermes' own base class and one of its functions are all that the adapter needs of it here.
    await mkdir(join(folder, 'agent'), { recursive: true });
    await writeFile(join(folder, 'agent/context_engine.py'), 'class ContextEngine: pass\n');
    await writeFile(join(folder, 'agent/memory_manager.py'), 'def sanitize_context(text): return text\n');
    const program = [
      'import json, yaml',
      'from ebbline.adapters.hermes import _checked',
      `settings = yaml.safe_load(open(${JSON.stringify(hermes.name)}))["context"]`,
      '_checked(settings["ebbline"])',
      'print(json.dumps(settings))',
    ];
    const env = { ...environment, PYTHONPATH: `${pythonPath}:${folder}` };
    const { stdout } = await run(python, ['-c', program.join('\n')], { cwd: folder, env });
    const settings = { profile: 'ebbline@1', set: { 'prune.protect': 30_000 } };
    assert.deepEqual(JSON.parse(stdout), { engine: 'ebbline', ebbline: settings });
  }),
);

test('the Python is Python, and does what the page does', { skip: noPython }, () =>
  onPage(async (page) => {
    await profile(page, 'ebbline@1');
    await setKnob(page, 'protect', 30_000);
    const { name, text } = await exported(page, 'python');
    const { tokensAfter } = JSON.parse((await exported(page, 'plan')).text);
    await writeFile(join(folder, name), text);
    await run(python, ['-m', 'py_compile', name], { cwd: folder, env: environment });
    await writeFile(join(folder, 'session.json'), await sampleText(page));
    const program = 'import compact; compact.compact("session.json", "out.json"); print(compact.plan("session.json").tokens_after)';
    const { stdout } = await run(python, ['-c', program], { cwd: folder, env: environment });
    assert.equal(Number(stdout), tokensAfter);
    assert.ok(JSON.parse(await readFile(join(folder, 'out.json'), 'utf8')).length > 100);
  }),
);

test('the command line runs as it is exported', { skip: noPackage }, () =>
  onPage(async (page) => {
    await profile(page, 'ebbline@1');
    const { text } = await exported(page, 'command');
    const { tokensAfter } = JSON.parse((await exported(page, 'plan')).text);
    await writeFile(join(folder, 'bug-hunt.json'), await sampleText(page));
    await writeFile(join(folder, 'compact.sh'), text);
    await run('sh', ['compact.sh'], { cwd: folder });
    const { stdout } = await run(
      process.execPath,
      [join(packageFolder, 'dist/cli.js'), 'plan', '--json', '--profile', 'ebbline@1', 'bug-hunt.compacted.json'],
      { cwd: folder },
    );
    const { verdict, tokensBefore } = JSON.parse(stdout);
    assert.deepEqual([verdict, tokensBefore], ['noop', tokensAfter]);
  }),
);

test('a report lists what changes, and Markdown can be pasted without any text of the session', () =>
  onPage(async (page) => {
    const text = prunable();
    await profile(page, 'ebbline@1');
    await choose(page, 'private-name.json', text);
    await shown(page, 'private-name.json');
    const plan = JSON.parse((await exported(page, 'plan')).text);
    const report = JSON.parse((await exported(page, 'report')).text);
    assert.equal(report.schema, 'ebbline.report/1');
    assert.deepEqual(
      report.changes.map(({ index, fate }) => [index, fate]),
      plan.messages.map(({ fate }, index) => [index, fate]).filter(([, fate]) => fate === 'pruned' || fate === 'summarized'),
    );
    const markdown = (await exported(page, 'markdown')).text;
    assert.match(markdown, /^## Context/u);
    assert.match(markdown, /\| pruned \| \d+ \|/u);
    assert.ok(!markdown.includes('private-name') && !markdown.includes('voucher'));
  }));

test('pictures of what is on screen are saved as SVG and PNG, light or dark as the page', () =>
  onPage(
    async (page) => {
      const title = await page.locator('#life-title').innerText();
      assert.match(title, /Request/u);
      const request = Number(/Request (\d+)/u.exec(title)[1]);
      const context = await picture(page, 'context', '#save');
      assert.equal(context.name, 'bug-hunt.context.svg');
      const svg = context.bytes.toString();
      assert.match(svg, new RegExp(`<title id="title">What ebbline@3 does to the context at request ${request}</title>`, 'u'));
      assert.ok(svg.includes('<desc id="about">The window holds 200,000 tokens.') && svg.includes('--surface:#171d24'));
      assert.match(
        (await picture(page, 'life', '#save')).bytes.toString(),
        /<title id="title">The life of a session under ebbline@3<\/title>/u,
      );
      for (const what of ['life', 'context']) {
        const { name, bytes } = await picture(page, what, '#save-png');
        assert.equal(name, `bug-hunt.${what}.png`);
        assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
        assert.equal(bytes.readUInt32BE(16), 1_920, 'twice the width of the picture');
        assert.ok(bytes.length > 5_000, `${bytes.length} bytes: more than an empty ground`);
      }
    },
    { opening: true, colorScheme: 'dark' },
  ));

test('before a session with what looks like keys is saved, their kinds, numbers and messages are told', () =>
  onPage(async (page) => {
    const key = `gh${'p_'}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8`;
    const pem = `-----BEGIN ${'PRIVATE KEY'}-----\nMIIEpAIBAAKCAQEA7bq1x9ZkQm3v8sYtWc4nLr2pHdJ5gUe6\n`;
    const lines = JSON.parse(chat([[400], [400], [400]]));
    lines[0].content += ` ${key}`;
    lines[3].content += ` ${key}`;
    lines[4].content += ` ${pem} and sk-learn, sk-..., AKIA`;
    await choose(page, 'keys.json', JSON.stringify(lines));
    await shown(page, 'keys.json');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const warning = page.locator('#export .warning');
    await warning.waitFor();
    assert.match(
      await warning.innerText(),
      /^2 GitHub tokens and 1 private key stand in this file, in messages 1, 4 and 5\. This goes by how keys look/u,
    );
    await page.check('#export-markdown', { force: true });
    await page.locator('#export pre.file', { hasText: '## ' }).waitFor();
    assert.equal(await warning.isVisible(), false);
  }));

test('a link restores settings, moment and message in another tab, and slider, box and handle agree there', () =>
  onPage(async (page) => {
    await profile(page, 'opencode@2026-01');
    await setKnob(page, 'protect', 31_000);
    const title = await page.locator('#life-title').innerText();
    await page.press('#scrubber', 'ArrowLeft');
    await page.waitForFunction((title) => document.getElementById('life-title').innerText !== title, title);
    await planned(page);
    // The page selects a message when the moment's plan is there.
    const chosen = await page.locator('#inspector-title').innerText();
    await page.locator('#inspector-title').click();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.waitForFunction((chosen) => document.getElementById('inspector-title').innerText !== chosen, chosen);
    const wanted = await state(page);
    const link = await shared(page);
    await page.waitForFunction((link) => location.hash === link, link);
    assert.match(link, ALPHABET);
    assert.ok(link.length < 160, `${link.length} characters`);
    await inAnotherTab(page, link, async (other) => {
      await shows(other, wanted);
      const { box, handle, tag } = await valuesOf(other, 'protect');
      assert.deepEqual([box, handle, tag], [31_000, 31_000, 31_000]);
      assert.equal(await verdict(other), await verdict(page));
    });
  }));

test('after three finished changes, going back three times leads to the start', () =>
  onPage(
    async (page) => {
      const start = await state(page);
      assert.equal(await hash(page), '');
      const states = [start];
      const links = [''];
      const change = async (act) => {
        const before = await hash(page);
        await act();
        await hashAfter(page, before);
        // Another window makes the history anew, and the moment with it.
        await planned(page);
        // The message that is selected then comes into the link once the state has stood still.
        let now;
        do {
          now = JSON.stringify(await state(page));
          await page.waitForTimeout(600);
          await planned(page);
        } while (now !== JSON.stringify(await state(page)));
        links.push(await hash(page));
        states.push(JSON.parse(now));
      };
      await change(() => setKnob(page, 'protect', 33_000));
      await change(async () => {
        const box = await page.locator('#handle-limit').boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + 12);
        await page.mouse.down();
        for (let step = 1; step <= 5; step += 1) await page.mouse.move(box.x - step * 14, box.y + 12);
        await page.mouse.up();
      });
      await change(async () => {
        await page.focus('#handle-prune');
        await page.keyboard.down('ArrowLeft');
        await page.keyboard.up('ArrowLeft');
      });
      assert.equal(new Set(states.map((one) => JSON.stringify(one))).size, 4, 'each change is one of its own');
      for (const wanted of states.slice(0, 3).reverse()) {
        await page.goBack();
        await shows(page, wanted);
      }
      assert.equal(await hash(page), '');
      for (const [at, wanted] of states.slice(1).entries()) {
        await page.goForward();
        await shows(page, wanted);
        assert.equal(await hash(page), links[at + 1]);
      }
    },
    { opening: true },
  ));

test('links that cannot be read say so, and the page works as without one', () =>
  onPage(async (page) => {
    await setKnob(page, 'protect', 31_000);
    const link = await hashAfter(page, '');
    for (const [bad, said] of [
      [link.slice(0, -5), /The link is damaged, or a part of it is missing/u],
      ['#99.AAAA', /made by a newer version of this page/u],
      ['#1.!!', /damaged/u],
    ]) {
      await inAnotherTab(page, bad, async (other) => {
        await other.locator('#note').waitFor();
        assert.match(await other.locator('#note').innerText(), said);
        assert.match(await verdict(other), /Context/u);
      });
    }
    await inAnotherTab(page, '#lesson=4', async (other) => {
      await other.waitForSelector('#list [role=option]');
      assert.equal(await other.locator('#note').count(), 0);
      assert.equal(await hash(other), '#lesson=4');
    });
  }));

test('marks and brackets of the text around a link are no part of it', () =>
  onPage(async (page) => {
    await setKnob(page, 'protect', 31_000);
    const link = await hashAfter(page, '');
    for (const marks of ['.', ')', '%5D.', ',%20and', '>'])
      await inAnotherTab(page, link + marks, async (other) => {
        await other.waitForFunction(() => Object(document.querySelector('#protect-value')).value === '31000');
        assert.equal(await other.locator('#note').count(), 0, marks);
      });
  }));

test('a link made with a file asks for it, restores its place, and knows another file', () =>
  onPage(async (page) => {
    const text = prunable();
    await choose(page, 'mine.json', text);
    await shown(page, 'mine.json');
    await setKnob(page, 'keep', 9_000);
    await page.locator('#list [role=option]').nth(2).click();
    await planned(page);
    const wanted = await state(page);
    const link = await shared(page);
    await inAnotherTab(page, link, async (other) => {
      await other
        .locator('#note', {
          hasText: `This link was made with a file (OpenAI Chat · ${JSON.parse(text).length} messages), which is not in it`,
        })
        .waitFor();
      assert.equal(await other.inputValue('#keep-value'), '9000');
      await choose(other, 'renamed.json', text);
      await shows(other, wanted);
    });
    await inAnotherTab(page, link, async (other) => {
      await other.locator('#note', { hasText: 'This link was made with a file' }).waitFor();
      await choose(other, 'mine.json', chat([[60_000], [60_000], [400], [400]]));
      await other.locator('#note', { hasText: 'This is not the file that the link was made with' }).waitFor();
    });
  }));

test('Share copies the link and says what it holds; a shape goes along on request, without any text', () =>
  onPage(async (page) => {
    const text = prunable();
    await profile(page, 'ebbline@1');
    await choose(page, 'mine.json', text);
    await shown(page, 'mine.json');
    await page.locator('body').press('s');
    await page.locator('#share p', { hasText: /^Copied\.$/u }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator('#share pre').first().innerText());
    await page.locator('#share p', { hasText: 'a checksum by which your file is recognized' }).waitFor();
    await page.getByRole('button', { name: 'Make a link with the shape' }).click();
    const address = await page.locator('#share pre').nth(1).innerText();
    await page.keyboard.press('Escape');
    const link = new URL(address).hash;
    assert.match(link, ALPHABET);
    assert.ok(link.startsWith('#s1.') && link.length < 8_000);
    const payload = Buffer.from(link.split('.')[1], 'base64url').toString('latin1');
    const grams = new Set(Array.from({ length: text.length - 5 }, (_, at) => text.slice(at, at + 6)));
    for (let at = 0; at + 6 <= payload.length; at += 1) assert.ok(!grams.has(payload.slice(at, at + 6)));

    const before = await verdict(page);
    await inAnotherTab(page, link, async (other) => {
      await shown(other, 'session-shape.json');
      await other.locator('#note', { hasText: 'This is the shape of a session' }).waitFor();
      assert.equal(await other.inputValue('#profile'), 'ebbline@1');
      const tokens = (sentence) => Number(/[\d,]{4,}/u.exec(sentence)[0].replaceAll(',', ''));
      const [was, is] = [tokens(before), tokens(await verdict(other))];
      assert.ok(Math.abs(was - is) * 1_000 <= was, `${was}, ${is}`);
      const rows = (tab) => tab.locator('#list [role=option]').first().getAttribute('aria-setsize');
      assert.equal(await rows(other), await rows(page));
      // The address stays a link with the shape.
      await setKnob(other, 'protect', 20_500);
      await other.waitForFunction((link) => location.hash !== link && location.hash.startsWith(link.slice(0, 40)), link);
    });
  }, PERMISSIONS));

test('a shape that is too long for a link is offered as a file', () =>
  onPage(async (page) => {
    await choose(page, 'long.json', chat(Array.from({ length: 900 }, () => [1_200])));
    await shown(page, 'long.json');
    await press(page, 'Share');
    await page.getByRole('button', { name: 'Make a link with the shape' }).click();
    await page.locator('#share .warning', { hasText: 'Save the shape as a file instead' }).waitFor();
    await page.keyboard.press('Escape');
    const messages = JSON.parse((await exported(page, 'shape')).text);
    assert.equal(messages.length, 900 * 4);
    assert.ok(!JSON.stringify(messages).includes('voucher'));
  }));

test('neither the address nor the storage ever holds text of a session, and nothing is sent', () =>
  onPage(async (page) => {
    const text = prunable();
    await choose(page, 'mine.json', text);
    await shown(page, 'mine.json');
    await setKnob(page, 'protect', 31_000);
    await page.fill('#find', 'voucher');
    await page.locator('#list [role=option]').first().click();
    const link = await hashAfter(page, '');
    const decoded = Buffer.from(link.split('.').pop(), 'base64url').toString('latin1');
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const held of [decoded, kept]) assert.doesNotMatch(held, /voucher|cart|mine\.json|grep/u);
    // A session is opened in a worker of its own, which comes from where the page came from.
    const parts = new Set(['worker.js', 'ebbline-files.js', 'ebbline-files_bg.wasm']);
    for (const request of page.requests) assert.ok(parts.has(request.replace(page.url().split('#')[0], '')), request);
  }));

/** The text of the sample: what is exported when nothing is to be done. */
async function sampleText(page) {
  const before = await page.inputValue('#context-value');
  await setKnob(page, 'context', 1_900_000);
  await allKnobs(page);
  await page.uncheck('#prune-enabled');
  await planned(page);
  const { text } = await exported(page, 'session');
  await page.check('#prune-enabled');
  await setKnob(page, 'context', before);
  return text;
}

// Shared by all end-to-end tests: one Chromium, pages that record every fault, and the actions of a user.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before } from 'node:test';
import { launch } from '../chromium.mjs';

const URL_OF_PAGE = process.env.EBBLINE_URL ?? 'http://127.0.0.1:8080/';

let browser;

/** Starts Chromium for the tests of a file, and ends it after them. */
export function withBrowser() {
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
}

/**
 * Opens the playground, runs `body`, and returns what that returns; fails if the page reported an error meanwhile.
 * `page.requests` lists the requests since the worker of the sample was there; errors that match `expected` are allowed.
 * Without `opening`, the sample is shown as its file holds it.
 *
 * @template Found
 * @param {(page: any) => Promise<Found>} body
 * @param {Record<string, any>} options also those of a browser's context
 */
export async function onPage(body, { width = 1440, height = 900, expected, opening = false, ...options } = {}) {
  // A service worker would answer requests that tests hold back or listen to.
  const context = await browser.newContext({ viewport: { width, height }, serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  // Long enough for a busy machine: no test is about time.
  page.setDefaultTimeout(30_000);
  const faults = [];
  page.on('console', (message) => {
    const isOurs = !message.text().includes('registration blocked by Playwright');
    if (isOurs && ['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(URL_OF_PAGE);
  await page.waitForSelector('html[data-ready]').catch((error) => {
    throw new Error(`the page did not start; it reported: ${faults.join('; ') || 'nothing'}`, { cause: error });
  });
  await page.waitForSelector('#list [role=option]');
  await page.waitForSelector('html[data-open]');
  page.requests = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) page.requests.push(request.url());
  });
  try {
    if (!opening) await asItStands(page);
    const found = await body(page);
    assert.deepEqual(
      faults.filter((fault) => !expected?.test(fault)),
      [],
      'the page reported nothing',
    );
    return found;
  } finally {
    await context.close();
  }
}

/** The verdict's sentence. */
export const verdict = (page) => page.locator('#verdict').innerText();

/**
 * Shows the session as its file holds it and with the window of the settings, instead of the moment and the window with
 * which it opens.
 */
export async function asItStands(page) {
  await page.locator('#opening', { hasText: /\w/ }).waitFor();
  if (await page.locator('#unfit').isVisible()) {
    await page.locator('#unfit').evaluate((button) => button.click());
    await page.locator('#unfit').waitFor({ state: 'hidden' });
  }
  // Without a pointer, so that the focus stays where it is.
  await page.locator("[aria-label='Whole session']").evaluate((button) => button.click());
  await page.locator('#life-title', { hasText: 'whole session, as its file holds it' }).waitFor();
  await planned(page);
}

/** Chooses a profile, and shows the session as its file holds it. */
export async function profile(page, name) {
  await page.selectOption('#profile', name);
  await page.locator('#whole-life', { hasText: `under ${name}:` }).waitFor();
  await asItStands(page);
}

/** All integers of a text, in order. */
export const figures = (text) => [...text.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

/** Waits until what is shown is planned under the knobs as they stand: the worker answers a little later. */
export const planned = (page) => page.locator('main.stale').waitFor({ state: 'detached' });

/** Types a knob's value into its number box; `isAnswered`: whether there is a worker that plans. */
export async function setKnob(page, knob, value, { isAnswered = true } = {}) {
  await reveal(page, knob);
  await page.fill(`#${knob}-value`, String(value));
  await page.press(`#${knob}-value`, 'Enter');
  if (isAnswered) await planned(page);
}

/** Shows a knob, which may be among those that do not matter at this moment. */
export async function reveal(page, knob) {
  if (!(await page.locator(`#${knob}-value`).isVisible())) await allKnobs(page);
}

/** Opens the part of the policy with all knobs. */
export async function allKnobs(page) {
  if ((await page.locator('#all-knobs[open]').count()) === 0) await page.click('#all-knobs > summary');
}

/** Clicks an entry of the menu of closer looks. */
export async function closer(page, entry) {
  await page.click('#closer > summary');
  await page.click(entry);
}

/** The handle that turns a knob. */
export const handleOf = (page, knob) => page.locator(`.picture [role=slider][data-knob="${knob}"]`);

/** Turns a switch. */
export async function turn(page, name) {
  await allKnobs(page);
  await page.click(`#${name}`);
  await planned(page);
}

/** A knob's value on its number box, its slider's place as a value, and its handle. */
export async function valuesOf(page, knob) {
  return {
    box: Number(await page.inputValue(`#${knob}-value`)),
    handle: Number(await handleOf(page, knob).getAttribute('aria-valuenow')),
    tag: figures(await handleOf(page, knob).locator('b').innerText())[0],
    slider: Number(await page.inputValue(`#${knob}-slider`)),
  };
}

/** Drops a file onto the page, as from a folder. */
export async function drop(page, name, text) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      return data;
    },
    [name, text],
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: data });
  assert.equal(await page.locator('.drop').isVisible(), true, 'the frame shows where to drop');
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

/** Clicks a button of the bar. */
export const press = (page, name) => page.getByRole('banner').getByRole('button', { name, exact: true }).click();

/** Waits until the address holds these words, which are written into it once the state has stood still. */
export const linked = (page, words) =>
  page.waitForFunction((words) => {
    const [, link] = location.hash.split('#1.');
    return link !== undefined && atob(link.replaceAll('-', '+').replaceAll('_', '/')).includes(words);
  }, words);

/** Opens a sample by its title. */
export async function sample(page, title) {
  await press(page, 'Sample');
  await page.locator('#samples').getByRole('button', { name: title }).click();
}

/** Chooses a file. */
export const choose = (page, name, text) => page.setInputFiles('#file', { name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** Waits until the session on screen has this name, and shows it as its file holds it. */
export async function shown(page, name) {
  await page.locator('#chip summary .name', { hasText: name }).waitFor();
  await asItStands(page);
}

/** Exports, and returns the file's name and bytes. */
export async function exported(page, what) {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.check(`#export-${what}`, { force: true });
  await page.locator('#export pre.file').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
  const text = await readFile(await download.path(), 'utf8');
  await page.keyboard.press('Escape');
  return { name: download.suggestedFilename(), text };
}

/** The engine's own plan of the session on screen. */
export const plan = async (page) => JSON.parse((await exported(page, 'plan')).text);

/** Chooses the profile that prunes before the context is full, for tests of what the knobs do. */
export const pruneEarly = (page) => profile(page, 'ebbline@1');

/** Makes the window so small that old outputs are pruned and old messages summarized. */
export async function squeeze(page) {
  await pruneEarly(page);
  for (const [knob, tokens] of [
    ['context', 64_000],
    ['protect', 40_000],
    ['keep', 20_000],
  ])
    await setKnob(page, knob, tokens);
}

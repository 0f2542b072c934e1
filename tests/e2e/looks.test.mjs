// How the page looks: eight scenes in both themes and two widths, beside pictures of an eighth of their size. A part that is
// missing, moved or clipped shows at that size; how a machine draws letters does not. `UPDATE_LOOKS=1` takes new pictures, to
// be looked at before they are committed.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { asItStands, closer, onPage, planned, press, pruneEarly, setKnob, withBrowser } from './browser.mjs';

withBrowser();

const FOLDER = new URL('./looks/', import.meta.url);
/** The opening as README and site show it, at its full size: taken with the others, and held to them. */
const PICTURE = (colorScheme) => new URL(`../../docs/pictures/page-${colorScheme}.png`, import.meta.url);
const SMALLER = 8;
/** So much may a channel of a pixel differ, of 255, and so many pixels may differ by more. */
const CHANNEL = 40;
const PIXELS = 0.03;

const close = (page) => page.keyboard.press('Escape');
/** Opens a dialog that the worker writes. */
const sheet = (button, id) => async (page) => {
  await closer(page, button);
  await page.locator(`#${id} .written > *`).nth(2).waitFor();
};
/** The scenes, one after the other on one page: how each is reached, and how it is left. */
const SCENES = {
  opening: { see: (page) => page.locator('#opening', { hasText: /\w/ }).waitFor() },
  compare: {
    see: async (page) => {
      await closer(page, '#compare-switch');
      await page.locator('.compare table').first().waitFor();
    },
    leave: close,
  },
  frontier: { see: sheet('#what-costs', 'frontier'), leave: close },
  summary: { see: sheet('#what-is-asked', 'summary-sheet'), leave: close },
  lesson: {
    see: async (page) => {
      await page.click('#learn');
      await page.locator('main[data-light="life"]').waitFor();
    },
    leave: async (page) => {
      await page.click('#lesson-card >> text=Leave');
      await page.locator('#lesson-card').waitFor({ state: 'detached' });
    },
  },
  export: {
    see: async (page) => {
      await press(page, 'Export');
      await page.locator('#export .file').waitFor();
    },
    leave: close,
  },
  summarized: {
    see: async (page) => {
      await asItStands(page);
      await pruneEarly(page);
      await setKnob(page, 'context', 32_000);
    },
  },
  error: {
    see: async (page) => {
      await page.setInputFiles('#file', { name: 'x.json', mimeType: 'text/plain', buffer: Buffer.from('[1,\n2 3]') });
      await page.waitForSelector('#failed');
    },
  },
};

/** Draws two pictures, the first made smaller, and compares them; without a second, returns the small one. */
const look = (page, shot, reference) =>
  page.evaluate(
    async ([shot, reference, smaller, most]) => {
      /** @type {(base64: string, divisor: number) => Promise<[HTMLCanvasElement, ImageData]>} */
      const drawn = async (base64, divisor) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height].map((length) => Math.round(length / divisor));
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return [canvas, context.getImageData(0, 0, canvas.width, canvas.height)];
      };
      const [canvas, is] = await drawn(shot, smaller);
      const small = canvas.toDataURL('image/png').split(',')[1];
      if (!reference) return { small, share: 0 };
      const [, was] = await drawn(reference, 1);
      if (is.width !== was.width || is.height !== was.height) return { small, share: 1 };
      let count = 0;
      for (let at = 0; at < is.data.length; at += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(is.data[at + channel] - was.data[at + channel]) > most)) count += 1;
      }
      return { small, share: count / (is.width * is.height) };
    },
    [shot.toString('base64'), reference?.toString('base64'), SMALLER, CHANNEL],
  );

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    test(`eight scenes, ${colorScheme}, ${width} pixels`, () =>
      onPage(
        async (page) => {
          const beside = await page.context().newPage();
          const differing = [];
          for (const [name, { see, leave }] of Object.entries(SCENES)) {
            await page.bringToFront();
            await see(page);
            await planned(page);
            // What is in front shows the same part of the page, whatever was shown before.
            await page.evaluate(() => scrollTo(0, 0));
            // Transitions have ended, and what is painted in a frame is painted.
            await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === 'finished'));
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const shot = await page.screenshot();
            const file = new URL(`${name}-${width}-${colorScheme}.png`, FOLDER);
            const reference = process.env.UPDATE_LOOKS ? undefined : await readFile(file);
            const { small, share } = await look(beside, shot, reference);
            if (process.env.UPDATE_LOOKS) {
              await mkdir(FOLDER, { recursive: true });
              await writeFile(file, small, 'base64');
              if (name === 'opening' && width === 1440) await writeFile(PICTURE(colorScheme), shot);
            }
            if (share > PIXELS) differing.push(`${file.pathname}: ${(share * 100).toFixed(1)} % of the picture`);
            await leave?.(page);
          }
          assert.deepEqual(differing, []);
        },
        { width, height, colorScheme, opening: true },
      ));
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`the picture in the README is the opening, ${colorScheme}`, () =>
    onPage(async (page) => {
      const [picture, opening] = await Promise.all([
        readFile(PICTURE(colorScheme)),
        readFile(new URL(`opening-1440-${colorScheme}.png`, FOLDER)),
      ]);
      const { share } = await look(page, picture, opening);
      assert.ok(share <= PIXELS, `${(share * 100).toFixed(1)} % differ`);
    }));
}

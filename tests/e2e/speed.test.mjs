// Sliders and the scrubber in sessions of 10,000 and 100,000 messages. A busy machine takes longer for everything, so what
// is asserted is work: what the page's own thread does for an event, how that grows with the session, how often a frame is
// laid out, and that no task holds the thread up, with some room and in the best of at most three runs. The times are printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, planned, pruneEarly, withBrowser } from './browser.mjs';

withBrowser();

const EVENTS = 60;
/** A task may take 50 ms, or twice as long on a busy machine. */
const LONGEST_TASK = 2 * 50;

/** Opens a session of this many messages, which is made in the page: to transfer it takes longer than to read it. */
async function open(page, messages) {
  await page.evaluate((messages) => {
    const lines = Array.from({ length: messages / 4 }, (_, at) => {
      const call = { id: `c${at}`, type: 'function', function: { name: 'grep', arguments: '{"path":"src"}' } };
      return [
        { role: 'user', content: `request ${at}: please go on with the cart` },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: `line ${at} of a file. `.repeat(12) },
        { role: 'assistant', content: `answer ${at}` },
      ];
    });
    const text = lines.flat().map((line) => JSON.stringify(line));
    const data = new DataTransfer();
    data.items.add(new File([`${text.join('\n')}\n`], 'many.jsonl'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, messages);
  await page.locator('#chip .what', { hasText: messages.toLocaleString('en') }).waitFor();
  await page.locator('#opening', { hasText: /\w/ }).waitFor();
}

/** What the page's thread has done so far: milliseconds of its tasks, and how often the page was styled and laid out. */
async function work(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name) => metrics.find((metric) => metric.name === name).value;
  return { task: of('TaskDuration') * 1_000, layouts: of('LayoutCount') + of('RecalcStyleCount') };
}

/** Moves a slider `EVENTS` times, each time until what is on screen is planned and painted. */
const move = (page, id, isAwaited) =>
  page.evaluate(
    async ([id, events, isAwaited]) => {
      const long = [];
      const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
      observer.observe({ entryTypes: ['longtask'] });
      const slider = /** @type {HTMLInputElement} */ (document.getElementById(id));
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const most = Number(slider.max);
      let frames = 0;
      for (let event = 0; event < events; event += 1) {
        performance.mark('begun');
        slider.value = String(Math.floor(most * (0.2 + (0.6 * event) / events)));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        do {
          await frame();
          frames += 1;
        } while (isAwaited && document.querySelector('main.stale'));
        // Painted in the frame after the plan.
        if (isAwaited) await frame();
        performance.measure('slider', 'begun');
      }
      await new Promise((done) => setTimeout(done));
      long.push(...observer.takeRecords().map(({ duration }) => duration));
      observer.disconnect();
      const times = performance.getEntriesByName('slider').map(({ duration }) => duration);
      performance.clearMeasures('slider');
      return { times: times.toSorted((one, other) => one - other), long, frames };
    },
    [id, EVENTS, isAwaited],
  );

/** Runs at most three times, and stops when the best figures so far are good: what it took, and its longest tasks. */
async function best(page, id, isAwaited, isGood) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' }).catch(() => cdp.send('Performance.enable'));
  const runs = [];
  const least = (name) => Math.min(...runs.map((run) => run[name]));
  const figures = () => Object.fromEntries(['median', 'most', 'task', 'layouts', 'longest'].map((name) => [name, least(name)]));
  do {
    const before = await work(cdp);
    const { times, long, frames } = await move(page, id, isAwaited);
    const after = await work(cdp);
    const [median, most] = [times[Math.floor(times.length / 2)], times[Math.floor(times.length * 0.95)]];
    const layouts = (after.layouts - before.layouts) / (isAwaited ? EVENTS : frames);
    runs.push({ median, most, task: (after.task - before.task) / EVENTS, layouts, longest: Math.max(0, ...long) });
  } while (runs.length < 3 && !isGood(figures()));
  return figures();
}

const told = (of) => JSON.stringify(of, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value));

test('sixty events of a slider: ten times the messages are no ten times the work, and no task is long', async (t) => {
  let few;
  const isGood = (of) => of.longest <= LONGEST_TASK && of.task <= 5 * few.task && of.median <= 5 * few.median;
  const moved = (messages, isGood) =>
    onPage(async (page) => {
      await open(page, messages);
      await pruneEarly(page);
      return best(page, 'protect-slider', true, isGood);
    });
  few = await moved(10_000, () => false);
  const many = await moved(100_000, isGood);
  t.diagnostic(told({ few, many }));
  assert.ok(isGood(many), told({ few, many }));
});

test('sixty events of the scrubber in 100,000 messages: a frame is styled and laid out about twice, and no task is long', async (t) => {
  const isGood = (of) => of.longest <= LONGEST_TASK && of.layouts <= 2 * 2.5;
  const found = await onPage(
    async (page) => {
      await open(page, 100_000);
      await planned(page);
      // Where there is a mouse, Chromium asks in each frame what is under it, and styles and lays out for that once more. Its
      // headless shell always has one.
      await page.mouse.move(0, 0);
      return best(page, 'scrubber', false, isGood);
    },
    { opening: true },
  );
  t.diagnostic(told(found));
  assert.ok(isGood(found), told(found));
});

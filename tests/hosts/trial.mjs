// One session of the agent under everything that may happen to it, and what must hold at its end.
import assert from 'node:assert/strict';

import { Agent, Killed } from './agent-loop.mjs';
import { Disk } from './disk.mjs';
import { Fate } from './fate.mjs';
import { randomOf } from './server/random.mjs';
import { outputOf } from './server/script.mjs';
import { GIVEN_UP, Watch } from './watch.mjs';

/** How the compactor makes room: first by pruning, or by what newer content makes needless, or by summaries alone. */
const RULES = [
  ['pruned', {}],
  ['after passes', { 'prune.repeated': true, 'prune.superseded': true, 'prune.thinking': 2, 'prune.arguments': 50, 'prune.excerpt': 60 }],
  ['only summarized', { 'prune.enabled': false }],
];
const NAMES = ['login', 'checkout', 'search', 'invoice', 'backup', 'import', 'export', 'upload'];

/** What is pinned. */
const PINNED = 'The licence key is 4711-ABCD-0815.';
/** Standing orders of the user, given one after the other, and what is pinned. */
const ORDERS = [
  'Never print the licence key.',
  PINNED,
  'From now on, ask me before you drop a table.',
  'Prefer small commits over large ones.',
];

/**
 * Lives one session of so many answers.
 *
 * @param {object} setting
 * @param {Awaited<ReturnType<import('./server/provider.mjs').startProvider>>} setting.server
 * @param {(options: object) => any} setting.createCompactor
 * @param {keyof typeof import('./agent-loop.mjs').CLIENTS} setting.format
 * @param {number} setting.seed
 * @param {number} setting.answers
 * @param {string} setting.keeps
 */
export async function liveThrough({ server, createCompactor, format, seed, answers, keeps }) {
  const random = randomOf(seed);
  const { chance, pick, below } = random;
  const window = pick([12_000, 16_000, 24_000, 32_000]);
  const output = pick([1_500, 2_000]);
  const isBackground = chance(0.3);
  const [rules, set] = pick(RULES);
  const thinks = chance(0.7);
  const faults = { smaller: 0.02, failing: 0.02, faulty: 0.5, stalls: true };
  const { session, url } = server.open({ format, random: randomOf(seed + 1), window, output, thinks, ...faults });
  const disk = new Disk(keeps);
  const options = {
    model: { context: window, output },
    background: isBackground,
    now: () => 1_790_000_000_000,
    set,
    pins: [{ contains: PINNED }],
  };
  const how = [keeps, isBackground ? 'in the background' : 'awaited', rules, `window ${window}`];
  const watch = new Watch(
    session,
    `${format}, seed ${seed} (${how.join(', ')})`,
    set['prune.enabled'] !== false,
    set['prune.repeated'] === true,
  );
  const hasHooks = chance(0.5);
  const hasStore = disk.needsStore || chance(0.3);
  const fate = new Fate(randomOf(seed + 2), { killed: 0.006, cancelled: 0.06, isBackground });
  const life = { format, url, output, thinks, disk, options, createCompactor, toolOutput: outputOf, fate, watch, hasHooks, hasStore };
  const done = { restarts: 0, retried: 0, undone: 0, gaveUp: 0 };
  let agent = new Agent(life);
  /** What the compactor that lives now was given first, and how much had been said then. */
  let begun = { history: [], said: 0 };

  let spoken = 0;

  async function restart() {
    await agent.end();
    watch.restarted();
    done.restarts += 1;
    const { history } = disk.read();
    begun = { history: history.map((message) => JSON.stringify(message)), said: disk.said.length };
    agent = new Agent(life);
  }

  function speak() {
    const goal = `Find out why the ${pick(NAMES)} test fails in run ${below(100_000)}, and mend it without a change to the migrations.`;
    const more = `And now the ${pick(NAMES)} test of run ${below(100_000)}; it has to pass, too.`;
    const order = ORDERS[spoken];
    spoken += 1;
    const words = [spoken === 1 ? goal : more, order].filter((part) => part !== undefined).join(' ');
    if (spoken === 1) watch.mustHold.push(goal);
    if (order !== undefined) watch.mustHold.push(order);
    watch.newest = words;
    agent.say(chance(0.1) ? `${words}\n${'This is what it said: nothing. '.repeat(below(30))}` : words);
  }

  async function once() {
    if (agent.isAnswered) speak();
    if (chance(0.03)) await agent.compactNow();
    if (chance(0.01) && agent.compactor.undo()) {
      done.undone += 1;
      if (chance(0.5)) agent.compactor.redo();
    }
    await agent.turn();
  }

  let failed = 0;
  while (session.seen.answers < answers) {
    try {
      await once();
      failed = 0;
    } catch (error) {
      failed += 1;
      assert.ok(failed < 60, watch.say(`it does not go on: ${error.stack}`));
      if (failed > 8) session.restore();
      if (error instanceof Killed) await restart();
      else if (GIVEN_UP.includes(error.code)) done.gaveUp += 1;
      else if (isOfTheNetwork(error)) done.retried += 1;
      else throw error;
    }
  }
  if (agent.isGone) await restart();
  const takenBack = await checkTheEnd({ agent, watch, disk, begun, life });
  await agent.end();
  assert.deepEqual(session.seen.invalid, [], watch.say('an invalid request'));
  return { ...done, takenBack, provider: session.seen, watch: watch.seen, fate: fate.seen };
}

function isOfTheNetwork(error) {
  return error.status !== undefined || error instanceof TypeError || error.message === 'the stream ended too early';
}

/** No byte is lost: everything can be taken back and made again, here and in another process. */
async function checkTheEnd({ agent, watch, disk, begun, life }) {
  const { compactor } = agent;
  const isAlone = disk.keepsViews && !disk.needsStore;
  const original = isAlone ? [...begun.history, ...disk.said.slice(begun.said)] : disk.said;
  if (!disk.keepsViews) assert.deepEqual(lines(agent.history), disk.said, watch.say('the history is another one'));
  if (disk.needsStore) await restoredFromStore(compactor.record, agent.history, original, life, watch);
  const view = await restored(compactor.record, original, life, watch);
  let undone = 0;
  while (compactor.undo()) undone += 1;
  if (undone === 0) return 0;
  const back = lines(await compactor.prepare(agent.history));
  assert.deepEqual(back, original, watch.say(`${undone} compactions were taken back, and the original is not there`));
  for (let at = 0; at < undone; at += 1) assert.ok(compactor.redo());
  const again = await restored(compactor.record, original, life, watch);
  assert.deepEqual(again, view, watch.say('made again, the view is another one'));
  return undone;
}

/** What another process sends that goes on with the record. From there, too, the original comes back. */
async function restored(record, original, { createCompactor, options, format }, watch) {
  const compactor = createCompactor({ ...options, format, auto: false, record: JSON.parse(JSON.stringify(record)) });
  const history = original.map((line) => JSON.parse(line));
  const view = lines(await compactor.prepare(history));
  while (compactor.undo());
  assert.deepEqual(lines(await compactor.prepare(history)), original, watch.say('from the record, the original does not come back'));
  assert.deepEqual(lines(history), original, watch.say('the history was changed'));
  compactor.free();
  return view;
}

/** From what was sent, the record and the store, the original comes back in another process. */
async function restoredFromStore(record, sent, original, { createCompactor, options, format, disk }, watch) {
  const store = { get: (key) => disk.stored.get(key), put: (key, text) => disk.stored.set(key, text) };
  const compactor = createCompactor({ ...options, format, auto: false, store, record: JSON.parse(JSON.stringify(record)) });
  const history = lines(sent).map((line) => JSON.parse(line));
  await compactor.prepare(history);
  while (compactor.undo());
  assert.deepEqual(lines(await compactor.prepare(history)), original, watch.say('from the store, the original does not come back'));
  compactor.free();
}

const lines = (messages) => messages.map((message) => JSON.stringify(message));

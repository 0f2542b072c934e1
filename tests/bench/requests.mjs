// A thousand requests over the life of a session, each checked before it is sent: `node requests.mjs REQUESTS LIVES
// [PATTERN]`. Prints JSON. PATTERN: only contenders whose names match.
//
// Before each request an agent adds the messages since the last one. Stateful contenders get only these; the others get
// the whole array. A contender whose time grows with the square of the length is measured at some of the requests only,
// and its time multiplied.

import { randomOf } from './corpus.mjs';
import { RunningSums, decideFromScratch, decidePacked, scanForPrune } from './floors.mjs';
import { PROFILES, sessionOf } from './ours.mjs';
import { aiPrune, clearAgain, clearedOf, piCheck, trim } from './peers.mjs';
import { entries, shapes, weigh } from './sessions.mjs';
import { median, processorTime } from './stopwatch.mjs';
import { ebbline } from '../npm/package.mjs';

const [requests, lives] = process.argv.slice(2, 4).map(Number);
const pattern = new RegExp(process.argv[4] ?? '', 'u');
const { taken, ends } = lifeOf(requests);
/** Lives that warm up the compiler before the measured ones, and the most nanoseconds that they may take. */
const WARMING = { lives: 9, time: 2e9 };

const random = randomOf(2);
const runs = contenders()
  .filter(({ name }) => pattern.test(name))
  .map((contender) => ({ contender, times: [] }));
for (const run of runs) {
  for (let life = 0, spent = 0; life < WARMING.lives && spent < WARMING.time; life += 1) spent += await live(run.contender);
}
for (let life = 0; life < lives; life += 1) {
  for (const run of runs.sort(() => random() - 0.5)) run.times.push(await live(run.contender));
}
const medians = Object.fromEntries(runs.map(({ contender, times }) => [contender.name, median(times)]));
console.log(JSON.stringify({ requests, weight: weigh(taken), messages: taken.length, times: medians }));

/** Entries, and the places of the requests among them: before every answer. */
function lifeOf(count) {
  const source = entries();
  const taken = [];
  const ends = [];
  while (ends.length < count) {
    const { value } = source.next();
    if (value.role === 'assistant') ends.push(taken.length);
    taken.push(value);
  }
  return { taken: taken.slice(0, ends.at(-1)), ends };
}

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {keyof typeof shapes} shape
 * @property {number} [every] measured at every n-th request only
 * @property {() => (fresh: unknown[], all: unknown[]) => unknown} begin starts a life; the returned function runs
 *   before each request
 */

/** @returns {Contender[]} */
function contenders() {
  const stateless = (name, shape, check, every = 1) => ({ name, shape, every, begin: () => (_, all) => check(all) });
  return [
    ...(ebbline.Session === undefined ? [] : sessions()),
    stateless('F0: scan for outputs to prune', 'pi', scanForPrune),
    stateless('F1: whole job, JSON.stringify', 'pi', decideFromScratch),
    stateless('d2: thin walk, whole job', 'pi', decidePacked),
    { name: 'F3s: running sums', shape: 'pi', every: 1, begin: running },
    stateless('pi: check, usage reported', 'piUsage', piCheck),
    stateless('pi: check, no usage', 'pi', piCheck),
    stateless('AI SDK: pruneMessages', 'ai', aiPrune),
    stateless('LangChain: trimMessages, cheap counter', 'langchain', trim, 40),
    { ...stateless('LangChain: ClearToolUsesEdit, clears persist', 'langchain', clearAgain, 10), prepare: clearedOf },
  ];
}

function running() {
  const sums = new RunningSums();
  return (fresh) => {
    sums.push(fresh);
    return sums.check();
  };
}

function sessions() {
  const push = (name, profile, shape) => ({ name, shape, every: 1, begin: () => pushing(sessionOf([], profile)) });
  const sync = (verify, by) => ({
    name: `sync + check, by ${by}`,
    shape: 'pi',
    every: 1,
    begin: () => syncing(sessionOf([], PROFILES[0], { verify })),
  });
  return [
    ...PROFILES.map((profile) => push(`push + check, ${profile}`, profile, 'pi')),
    push('push + check, ebbline@1, usage reported', PROFILES[0], 'piUsage'),
    sync('last', 'the last message'),
    sync('all', 'every reference'),
  ];
}

function pushing(session) {
  return (fresh) => {
    session.push(fresh);
    return session.check();
  };
}

function syncing(session) {
  return (_, all) => {
    session.sync(all);
    return session.check();
  };
}

/** The processor time of one life, in nanoseconds. */
async function live({ shape, every, begin, prepare }) {
  const messages = taken.map(shapes[shape]);
  const check = begin();
  const all = [];
  let from = 0;
  if (every === 1) {
    const start = processorTime();
    for (const end of ends) {
      const fresh = messages.slice(from, end);
      from = end;
      for (const message of fresh) all.push(message);
      check(fresh, all);
    }
    return processorTime() - start;
  }
  let time = 0;
  for (let request = every - 1; request < ends.length; request += every) {
    const some = messages.slice(0, ends[request]);
    const given = prepare?.(some) ?? some;
    const start = processorTime();
    await check([], given);
    time += processorTime() - start;
  }
  return time * every;
}

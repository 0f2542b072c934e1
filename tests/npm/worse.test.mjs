// Whoever writes summaries and fails must never leave an agent worse off than nobody would: twins of an agent live the same life, one
// without `summarize`, the other with one that fails in some way. With EBBLINE_RUNS, more agents; with EBBLINE_FIRST, from another seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES } from './agent.mjs';
import { ebbline, some } from './package.mjs';
import { randomness } from './random-sessions.mjs';

const { createCompactor, plan, validate } = ebbline;
const RUNS = Number(process.env.EBBLINE_RUNS ?? some(330));
const FIRST = Number(process.env.EBBLINE_FIRST ?? 1);
const STEPS = 28;
/** So many tokens a summary by rule may add where nothing else gives way. */
const FEW = 16;
/** What a summary by rule may name (`retain.names`). */
const NAMES = 400;
const OVERFLOW = Object.assign(new Error('prompt is too long: 213462 tokens > 200000 maximum'), { status: 400 });

/** The ways to fail. Each is called with how often it was asked. */
const FAILING = {
  throws: () => {
    throw new Error('the model is down');
  },
  rejects: () => Promise.reject(new Error('fetch failed')),
  undefined: () => undefined,
  blank: () => '',
  'no text': () => ({ answer: 'no text' }),
  object: () => '[object Object]',
  refusal: () => "I'm sorry, but I cannot help with that.",
  'another topic': () => 'Whisk the eggs with milk and flour, let the batter rest, and fry thin pancakes in butter until golden.',
  'cut off': () => ({ text: 'The agent', truncated: true }),
  endless: () => 'The agent read another file of the project. '.repeat(1_200),
  late: () => new Promise(() => undefined),
  'by turns': (asked) => (asked % 2 === 0 ? 'null' : Promise.reject(new Error('429'))),
};

/** The knobs that both twins have. */
const SETS = [
  {},
  { 'prune.enabled': false },
  { 'retain.userWords': 0 },
  { 'retain.keep': 600 },
  { 'prune.repeated': true, 'prune.superseded': true, 'prune.thinking': 2, 'prune.arguments': 20, 'prune.minimum': 50 },
  { 'prune.protect': 300, 'prune.minimum': 0 },
];
const TRIGGERS = [{}, {}, { when: { messages: 9 } }, { when: { share: 0.4 } }, { when: { any: [{ turns: 2 }, { tokens: 2_500 }] } }];

/** A history that grows: after each step, what the agent does before its next request. */
function* growing(shape, draw) {
  const history = [shape.person(`Mend the login test. ${'It fails since Monday. '.repeat(draw(40))}`)];
  for (let step = 0; step < STEPS; step += 1) {
    history.push(...shape.step(`c${step}`, `line ${step} of the file, which says ${step * 7919}\n`.repeat(draw(draw(4) === 0 ? 160 : 40))));
    if (draw(5) === 0) history.push(shape.person(`And part ${step}? ${'Look well. '.repeat(draw(120))}`));
    if (draw(3) === 0) yield history.slice();
  }
  yield history;
}

/** What comes of a call, and how large it is. */
async function outcome(call, name, window) {
  try {
    const view = await call();
    const { tokensBefore: tokens } = plan(view, { format: name });
    return { view, tokens, fits: tokens <= window };
  } catch (error) {
    assert.ok(error.code !== undefined, error.stack);
    return { error, tokens: Infinity, fits: false };
  }
}

async function live(name, shape, seed) {
  const random = randomness(seed);
  const draw = (below) => Math.floor(random() * below);
  const one = (...choices) => choices[draw(choices.length)];
  const context = 3_000 + draw(5) * 1_500;
  const [how, summarize] = one(...Object.entries(FAILING));
  const common = {
    model: { context },
    format: name,
    set: one(...SETS),
    now: () => 1_790_000_000_000,
    warn: false,
    ...one(...TRIGGERS),
    ...one({}, {}, { overhead: 300 }),
  };
  let asked = 0;
  const failing = {
    ...common,
    summarize: () => summarize(asked++),
    timeout: 4,
    ...one({}, { fallback: 'history' }, { fallback: 'when_full' }, { fallback: 'deterministic' }),
    ...one({}, {}, { background: true }),
    ...one({}, { failures: 1, cooldown: 3 }),
  };
  const without = createCompactor(common);
  const compactor = createCompactor(failing);
  const say = (what) => `${name}, seed ${seed}, ${how}, ${JSON.stringify({ ...failing, model: context })}: ${what}`;
  let steps = 0;
  for (const history of growing(shape, draw)) {
    steps += 1;
    const isRefused = draw(8) === 0;
    const ask = (twin) => (isRefused ? twin.recover(OVERFLOW, history) : twin.prepare(history));
    // One that comes in only now finds what the one without has decided so far; the other has decided everything by itself.
    const events = [];
    const onEvent = (event) => events.push(event);
    const substitute = createCompactor({ ...failing, background: false, record: structuredClone(without.record), onEvent });
    const alone = await outcome(() => ask(without), name, context);
    const [now, ever] = [await outcome(() => ask(substitute), name, context), await outcome(() => ask(compactor), name, context)];
    substitute.free();
    for (const [since, failed] of Object.entries({ now, ever })) {
      const sizes = `request ${steps} (${isRefused ? 'recover' : 'prepare'}, since ${since}): ${failed.tokens} tokens (${failed.error?.code}), without ${alone.tokens} of ${context} (${alone.error?.code})`;
      if (failed.view !== undefined) assert.deepEqual(validate(failed.view, { format: name }).violations, [], say(sizes));
      if (alone.view !== undefined) assert.ok(failed.view !== undefined, say(sizes));
      if (alone.fits) assert.ok(failed.fits, say(sizes));
    }
    // A few messages may be summarized in any words.
    const summaries = events.filter(({ type, summarized }) => type === 'compacted' && summarized > 0);
    const isTaken = summaries.some(({ byRule }) => !byRule);
    if (isTaken || now.tokens <= alone.tokens + (summaries.length > 0 ? NAMES : FEW)) continue;
    assert.fail(say(`request ${steps} ${isRefused}: ${now.tokens} tokens, without ${alone.tokens} of ${context}`));
  }
  without.free();
  compactor.free();
  return asked;
}

const names = Object.keys(SHAPES);

test(`${RUNS} agents whose summarizer fails are never worse off than those without one`, async () => {
  // What a model's connection does: it keeps the program running.
  const connection = setInterval(() => undefined, 1_000);
  const failures = [];
  let asked = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
    const name = names[seed % names.length];
    await live(name, SHAPES[name], seed).then(
      (times) => (asked += times),
      (error) => failures.push(error),
    );
  }
  clearInterval(connection);
  if (failures.length > 0)
    console.error(`${failures.length} of ${RUNS}\n${failures.map(({ message }) => message.slice(0, 600)).join('\n')}`);
  if (failures.length > 0) throw failures[0];
  assert.ok(asked > RUNS, `the summarizers were asked ${asked} times`);
});

// What goes wrong without an error is said on the console: once for each kind and compactor, unless somebody listens or switches it off.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ebbline } from './package.mjs';

const { createCompactor } = ebbline;
const MODEL = { context: 16_000, output: 2_000 };
const SMALL = { model: MODEL, set: { 'prune.enabled': false } };

let said = [];
const { warn } = console;
beforeEach(() => {
  said = [];
  console.warn = (...words) => said.push(words.join(' '));
});
afterEach(() => {
  console.warn = warn;
});

const person = (text) => ({ role: 'user', content: text });
const grown = (topic, count) => [
  person(`Mend ${topic}.`),
  ...Array.from({ length: count }, (_, at) => ({ role: 'assistant', content: `${topic} ${at}` })),
];
const prompted = (topic, count) => [{ role: 'system', content: 'You mend things.' }, ...grown(topic, count)];

async function each(compactor, histories) {
  for (const history of histories) await compactor.prepare(history).catch(() => {});
}

/** @type {Record<string, { options: object, histories: any[][], words: RegExp[] }>} */
const KINDS = {
  'a summarizer that throws': {
    options: {
      ...SMALL,
      summarize: async () => {
        throw new Error('the key is wrong');
      },
    },
    histories: [historyOf(SHAPES.openai_chat, 30), historyOf(SHAPES.openai_chat, 60)],
    words: [/A summary failed: .*the key is wrong/],
  },
  'a summarizer that returns what is no text': {
    options: { ...SMALL, summarize: async () => 7 },
    histories: [historyOf(SHAPES.openai_chat, 30)],
    words: [/A summary failed: .*`summarize` must return/],
  },
  'only new messages are passed': {
    options: { model: MODEL },
    histories: [grown('a', 3), [person('b')], [person('c')], [person('d')]],
    words: [/None of the 4 known messages is in the history/],
  },
  'two sessions in one compactor': {
    options: { model: MODEL },
    histories: [prompted('a', 3), prompted('b', 3), prompted('a', 4), prompted('b', 4)],
    words: [/None of the 5 known messages/, /Two sessions take turns/],
  },
  'no model': {
    options: {},
    histories: [grown('a', 2), grown('a', 3)],
    words: [/No model was given, so a context window of 200000 tokens/],
  },
  'a model without a window': { options: { model: { output: 4_000 } }, histories: [grown('a', 2)], words: [/No model was given/] },
  'a window of 0': { options: { model: { context: 0 } }, histories: [grown('a', 2)], words: [/said to be 0/] },
  'an answer larger than the window': {
    options: { model: { context: 8_000, output: 64_000 } },
    histories: [grown('a', 2)],
    words: [/may have 64000 tokens, and the context window has 8000/],
  },
  'an agent that does all as it should': {
    options: { ...SMALL, summarize: 'deterministic' },
    histories: [historyOf(SHAPES.openai_chat, 30), historyOf(SHAPES.openai_chat, 40)],
    words: [],
  },
  'an edit': { options: { model: MODEL }, histories: [grown('a', 5), [...grown('a', 3), person('Or so.')]], words: [] },
};

for (const [name, { options, histories, words }] of Object.entries(KINDS)) {
  test(`${name}: ${words.length === 0 ? 'nothing is' : 'it is'} said`, async () => {
    await each(createCompactor(options), histories);
    assert.equal(said.length, words.length, said.join('\n'));
    words.forEach((word, at) => assert.match(said[at], word));
    await each(createCompactor(options), histories);
    assert.equal(said.length, 2 * words.length, 'each compactor says it');
    said = [];
    await each(createCompactor({ ...options, warn: false }), histories);
    await each(createCompactor({ ...options, onEvent: () => {} }), histories);
    assert.deepEqual(said, []);
  });
}

test('a window that is filled beside the messages is refused with its figures and what to do', async () => {
  const compactor = createCompactor({ model: { context: 8_000, output: 1_000 }, overhead: 9_500 });
  const history = historyOf(SHAPES.openai_chat, 10);
  await assert.rejects(compactor.prepare(history), ({ code, message }) => {
    assert.equal(code, 'overhead_fills_window');
    assert.match(message, /takes 9500 tokens, and the context window has 8000\. .*overhead.*context/s);
    return true;
  });
});

test('a misspelt knob is answered with the three nearest', () => {
  assert.throws(
    () => createCompactor({ model: MODEL, set: { 'prune.protectd': 1 } }),
    ({ message }) => {
      assert.match(message, /did you mean "prune\.protect"\? The nearest are prune\.protect, [^,]+, [^,]+, of \d+$/);
      return true;
    },
  );
});

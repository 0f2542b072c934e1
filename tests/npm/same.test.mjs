// Which message is which: what no model sees makes no difference, and any view that was ever given is known, in every live format.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

import { ebbline } from './package.mjs';
import { tellings } from './told.mjs';

const { createCompactor, validate } = ebbline;
const MODEL = { context: 8_000, output: 500 };
const TURNS = 14;
const OUTPUT = 'value of the ledger is fine\n';

const round = (at) => ({
  asks: `Please look at page ${at} of the ledger.`,
  says: `I look at page ${at}.`,
  calls: [0, 1].map((part) => ({
    name: 'read',
    input: { page: at, part },
    output: `page ${at}, part ${part}: ${OUTPUT.repeat(at % 3 ? 90 : 20)}`,
  })),
  answers: `Page ${at} adds up.`,
});
const rounds = Array.from({ length: TURNS }, (_, at) => round(at));
const idOf = (made) => `call_${made}`;
const rules = 'You check ledgers.';

/** The messages of the first turns, the last of which is still running. */
function told(format, turns, system = rules) {
  const messages = tellings[format]({ rules: system, rounds: rounds.slice(0, turns) }, idOf);
  const answer = tellings[format]({ rules: system, rounds: rounds.slice(0, turns).map((one) => ({ ...one, answers: 'x' })) }, idOf);
  const isAnswer = (message, at) => JSON.stringify(message) !== JSON.stringify(answer[at]);
  const last = messages.findLastIndex(isAnswer);
  return messages.slice(0, last);
}

/** The first output of the story, by the name of its call. */
const FIRST = 'page 0, part 0';

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** A copy whose members are in another order, as databases give them back. */
const reordered = (value) => {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inside]) => [name, reordered(inside)]),
  );
};
/** A copy with an empty text in each list of texts. */
const EMPTY = {
  anthropic_messages: { type: 'text', text: '' },
  vercel_model: { type: 'text', text: '' },
  vercel_ui: { type: 'text', text: '', state: 'done' },
  pi: { type: 'text', text: '' },
};
const withEmpty = (format, message) => {
  const name = format === 'vercel_ui' ? 'parts' : 'content';
  const isSaid = message.role === 'assistant' && Array.isArray(message[name]) && EMPTY[format] !== undefined;
  return isSaid ? { ...message, [name]: [...message[name], EMPTY[format]] } : message;
};
const marked = (message) => {
  if (!Array.isArray(message.content))
    return { ...message, content: [{ type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }] };
  const last = message.content.length - 1;
  return {
    ...message,
    content: message.content.map((part, at) => (at === last ? { ...part, cache_control: { type: 'ephemeral' } } : part)),
  };
};

/** What hosts make of a history between two requests. */
const HOSTS = {
  'copies in another order': (_format, messages) => reordered(structuredClone(messages)),
  'other ids, times and members of its own': (format, messages, turn) =>
    messages.map((message, at) => {
      const own = { _db_persisted: true, timestamp: turn * 1000 + at, metadata: { turn } };
      // Where an id is the message's own, the host gives it another one.
      return ['opencode', 'mastra'].includes(format) ? { ...message, ...own } : { ...message, ...own, id: `m-${turn}-${at}` };
    }),
  'empty parts come and go': (format, messages, turn) => (turn % 2 ? messages : messages.map((message) => withEmpty(format, message))),
  'a mark of the cache moves along': (format, messages) =>
    format === 'anthropic_messages' ? messages.map((message, at) => (at < messages.length - 2 ? message : marked(message))) : messages,
};

const events = [];
const make = (format, record, more = {}) => {
  const compactor = createCompactor({
    format,
    model: MODEL,
    summarize: 'deterministic',
    onEvent: (event) => events.push(event),
    ...(record && { record }),
    ...more,
  });
  return compactor;
};

for (const format of Object.keys(tellings)) {
  for (const [name, host] of Object.entries(HOSTS)) {
    test(`${format}: ${name}: nothing is taken for an edit in ${TURNS} turns with two restarts`, async () => {
      events.length = 0;
      let compactor = make(format);
      for (let turn = 1; turn <= TURNS; turn += 1) {
        const history = host(format, told(format, turn), turn);
        await compactor.prepare(history);
        if (turn % 5 === 0) compactor = make(format, JSON.parse(JSON.stringify(compactor.record)));
      }
      assert.deepEqual(
        events.filter(({ type }) => type !== 'compacted').map(({ type, reason }) => `${type} ${reason}`),
        [],
      );
      assert.ok(events.length > 0);
      assert.ok(compactor.recall('call_1').startsWith(FIRST));
      while (compactor.undo());
      assert.equal((await compactor.prepare(host(format, told(format, TURNS), TURNS))).length, told(format, TURNS).length);
    });
  }

  test(`${format}: a system prompt that holds the time is taken as it is now`, async () => {
    const before = told(format, 1, 'You check ledgers. 00:00');
    if (!JSON.stringify(before).includes('00:00')) return;
    events.length = 0;
    let compactor = make(format);
    for (let turn = 1; turn <= TURNS; turn += 1) {
      const history = told(format, turn, `You check ledgers. 10:${turn}`);
      const view = await compactor.prepare(history);
      assert.deepEqual(view[0], history[0]);
      if (turn % 5 === 0) compactor = make(format, JSON.parse(JSON.stringify(compactor.record)));
    }
    assert.ok(events.length > 0 && events.every(({ type }) => type === 'compacted'));
  });

  test(`${format}: any view that was ever given is known`, async () => {
    const whole = told(format, TURNS);
    const of = (turns) => whole.slice(0, told(format, turns).length);
    for (const from of [3, 5, 8]) {
      events.length = 0;
      const compactor = make(format);
      let view;
      for (let turn = 1; turn <= from; turn += 1) view = await compactor.prepare(of(turn));
      // The caller keeps this view, and nothing that it is given later.
      const kept = from === 5 ? structuredClone(view) : view;
      for (let turn = from + 1; turn <= TURNS; turn += 1) {
        await compactor.prepare([...kept, ...whole.slice(of(from).length, of(turn).length)]);
      }
      assert.ok(
        events.every(({ type }) => type === 'compacted'),
        JSON.stringify(events.map(({ type }) => type)),
      );
      assert.equal(compactor.contextUsage().history, whole.length);
      assert.ok(compactor.recall('call_1').startsWith(FIRST));
      while (compactor.undo());
      assert.deepEqual(await compactor.prepare(whole), whole);
    }
  });

  test(`${format}: what a model sees is an edit`, async () => {
    const history = told(format, TURNS);
    for (const [seen, other] of /** @type {[RegExp, string][]} */ ([
      [/page 1,/, 'page 7,'],
      [/call_5"/, 'call_x"'],
      [/"page":2/, '"page":9'],
      [/\\"page\\":2/, '\\"page\\":9'],
    ])) {
      events.length = 0;
      const text = JSON.stringify(history);
      if (!seen.test(text)) continue;
      const compactor = make(format, undefined, { auto: false });
      await compactor.prepare(history);
      await compactor.prepare(JSON.parse(text.replace(new RegExp(seen, 'g'), other)));
      // Nothing is compacted here, so that the history stays larger than the window.
      const types = events.map(({ type }) => type).filter((type) => type !== 'over_window');
      assert.deepEqual(types, ['edited'], String(seen));
    }
  });
}

test('marks that were moved in place, or on copies, are no more in a view than in the history', async () => {
  const styles = {
    anthropic_messages: {
      mark: (part) => {
        part.cache_control = { type: 'ephemeral' };
      },
      clear: (message) => {
        for (const part of message.content) delete part.cache_control;
      },
      count: (message) => message.content.filter(({ cache_control: mark }) => mark !== undefined).length,
    },
    bedrock_converse: {
      mark: (_, message) => message.content.push({ cachePoint: { type: 'default' } }),
      clear: (message) => {
        message.content = message.content.filter(({ cachePoint }) => cachePoint === undefined);
      },
      count: (message) => message.content.filter(({ cachePoint }) => cachePoint !== undefined).length,
    },
    vercel_model: {
      mark: (part) => {
        part.providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
      },
      clear: (message) => {
        for (const part of message.content) delete part.providerOptions;
      },
      count: (message) => message.content.filter(({ providerOptions }) => providerOptions !== undefined).length,
    },
  };
  for (const [format, { mark, clear, count }] of Object.entries(styles)) {
    for (const isInPlace of [true, false]) {
      const compactor = make(format);
      const whole = told(format, TURNS).filter(({ content }) => Array.isArray(content) || format === 'anthropic_messages');
      for (const message of whole) if (!Array.isArray(message.content)) message.content = [{ type: 'text', text: message.content }];
      for (let end = 1; end <= whole.length; end += 1) {
        const history = isInPlace ? whole.slice(0, end) : structuredClone(whole.slice(0, end));
        history.forEach(clear);
        for (const message of history.slice(-2)) mark(message.content.at(-1), message);
        const marks = (list) => list.reduce((sum, message) => sum + count(message), 0);
        const view = await compactor.prepare(history);
        assert.ok(marks(view) <= marks(history), `${format}, ${end} messages: ${marks(view)} marks for ${marks(history)}`);
        assert.equal(count(view.at(-1)), count(history.at(-1)));
      }
    }
  }
});

test('restored messages are instances of their class, with what the class gives them', async () => {
  /** @type {any[]} */
  const history = [new HumanMessage('Find the fault.')];
  for (let at = 0; at < 20; at += 1) {
    history.push(
      new AIMessage({ content: '', tool_calls: [{ id: `c${at}`, name: 'read', args: { at } }] }),
      new ToolMessage({ content: `value ${at} is fine\n`.repeat(900), tool_call_id: `c${at}` }),
    );
  }
  for (const more of [{}, { set: { 'prune.enabled': false } }]) {
    for (const list of [history, history.slice(1)]) {
      const living = make('langchain', undefined, more);
      const expected = await living.prepare(list);
      const view = await make('langchain', JSON.parse(JSON.stringify(living.record)), more).prepare(list);
      assert.equal(view.length, expected.length);
      for (const [at, message] of view.entries()) {
        const type = [HumanMessage, AIMessage, ToolMessage].find((one) => one.isInstance(expected[at]));
        assert.ok(type?.isInstance(message), `message ${at}`);
        assert.deepEqual(JSON.parse(JSON.stringify(message)), JSON.parse(JSON.stringify(expected[at])));
      }
      assert.equal(validate(view).valid, validate(expected).valid);
    }
  }
});

test('a record in which anything was changed is refused', async () => {
  const history = told('openai_chat', TURNS);
  const compactor = make('openai_chat');
  await compactor.prepare(history);
  const text = JSON.stringify(compactor.record);
  const places = [...text.matchAll(/\d|[a-z]/g)].map(({ index }) => index);
  let refused = 0;
  for (let at = 0; at < places.length; at += 7) {
    const place = places[at];
    const other = text[place] === 'q' ? 'z' : text[place] === '7' ? '8' : /\d/.test(text[place]) ? '7' : 'q';
    let record;
    try {
      record = JSON.parse(text.slice(0, place) + other + text.slice(place + 1));
    } catch {
      continue;
    }
    assert.throws(() => make('openai_chat', record), { code: 'mismatch' }, text.slice(Math.max(0, place - 30), place + 30));
    refused += 1;
  }
  assert.ok(refused > 100);
});

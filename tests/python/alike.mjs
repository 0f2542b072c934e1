// What npm's compactor does in scripted sessions, one line of JSON each, for test_alike.py, which does the same with the component's:
// `node alike.mjs background|parts|introductions|stores|counts|wishes|usages|ofApplication`. With EBBLINE_LONG=1, in six formats instead of two.
//
// A session is a list of steps. A model answers only when a step says so, or when a call waits for it: so it is the same in both
// packages what has come in before a summary is there.

import { SHAPES, historyOf } from '../npm/agent.mjs';
import { ebbline } from '../npm/package.mjs';

const { createCompactor, plan } = ebbline;
const NOW = 1_767_225_600_000;
/** After so many turns of the event loop, a call that has not returned waits for the model. */
const TURNS = 30;
const LIMITS = { model: { context: 16_000, output: 2_000 }, set: { 'prune.enabled': false, 'retain.keep': 2_000 } };
const SMALL = { ...LIMITS, accept: false };
/** Functions that count tokens; test_alike.py has the same. */
const COUNTERS = {
  words: (text) => text.split(' ').length * 1.3,
  letters: (text) => text.length * 0.37,
};
const { openai_chat, openai_responses, ...others } = SHAPES;
// A message of Mastra holds a date, which JSON has not.
const { mastra: _, ...more } = others;
const FORMATS = { openai_chat, openai_responses, ...(process.env.EBBLINE_LONG === '1' && more) };

const turns = async (count) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** What happened, without what only one of the packages says. */
function told({ type, plan: _, error, code = type === 'overflow' ? undefined : (error?.code ?? (error && 'summary_failed')), ...event }) {
  const { cause, messages, tokens, part, parts, pruned, summarised, orders, pins, byRule = false, tokensBefore, tokensAfter } = event;
  return { type, cause, messages, tokens, part, parts, pruned, summarised, orders, pins, byRule, tokensBefore, tokensAfter, code };
}

/** Runs the steps of a session, and prints them with what npm says. */
async function run(name, { fails, ...options }, steps, answers = ['The agent read some files.']) {
  const pool = [];
  const places = new Map();
  const placed = (history) =>
    history.map((message) => {
      if (!places.has(message)) places.set(message, pool.push(message) - 1);
      return places.get(message);
    });
  const requests = [];
  const events = [];
  let open;
  const summarize = (request, { signal }) => {
    requests.push(request.messages.map(({ content }) => content));
    return new Promise((resolve, reject) => {
      const mine = { resolve, reject };
      open = mine;
      signal?.addEventListener('abort', () => {
        if (open === mine) open = undefined;
        reject(signal.reason);
      });
    });
  };
  const texts = new Map();
  const puts = [];
  const store = {
    get: async (key) => texts.get(key),
    put: async (key, text) => {
      puts.push([key, text]);
      if (fails.includes(puts.length)) throw new Error('the disk is full');
      texts.set(key, text);
    },
  };
  let answered = 0;
  const answer = () => {
    const { resolve, reject } = open;
    const text = answers[answered % answers.length];
    answered += 1;
    open = undefined;
    if (text === null) reject(new Error('the model is down'));
    else resolve(`${text} (${answered})`.replace(/^ .*/, ''));
  };
  const asks = options.summarize === 'deterministic' ? {} : { summarize };
  const stores = fails === undefined ? {} : { store };
  const { countTokens } = options;
  const counts = countTokens === undefined ? {} : { countTokens: COUNTERS[countTokens] };
  const given = { ...options, ...asks, ...stores, ...counts, now: () => NOW, onEvent: (event) => events.push(told(event)) };
  let compactor = createCompactor(given);
  let last = [];
  const written = [];
  for (const { do: what, history, ...how } of steps) {
    let view;
    let code;
    if (what === 'answer') {
      if (open !== undefined) answer();
      await turns(TURNS);
    } else if (what === 'undo' || what === 'redo') compactor[what]();
    else if (what === 'undoAll') while (compactor.undo());
    else if (what === 'usage') compactor.usage(...(how.answer === undefined ? [] : [how.answer]), how.reported);
    else {
      // An agent that kept only what was sent goes on in another process.
      const kept = what === 'keep' ? [...JSON.parse(JSON.stringify(last)), ...history] : history;
      if (what === 'keep') compactor = createCompactor({ ...given, record: JSON.parse(JSON.stringify(compactor.record)) });
      const made = what === 'keep' ? 'prepare' : what;
      const { error, ...wishes } = how;
      const call = what === 'recover' ? compactor.recover(new Error(error), history, wishes) : compactor[made](kept, wishes);
      let isDone = false;
      const settled = call.then(
        (messages) => {
          view = messages;
          last = messages;
          isDone = true;
        },
        (error) => {
          code = error.code ?? 'error';
          isDone = true;
        },
      );
      while (!isDone) {
        await turns(TURNS);
        if (!isDone && open !== undefined) answer();
      }
      await settled;
    }
    const { overhead } = compactor.record;
    const said = { view, code, events: events.splice(0), isOpen: open !== undefined, overhead };
    written.push({ do: what, ...(history && { history: placed(history) }), ...how, said });
  }
  const { controller, ...record } = compactor.record;
  console.log(JSON.stringify({ name, options, answers, fails, pool, steps: written, requests, puts, record }));
}

const prepare = (history, how) => ({ do: 'prepare', history, ...how });
const ANSWER = { do: 'answer' };

async function background() {
  for (const [format, shape] of Object.entries(FORMATS)) {
    const full = historyOf(shape, 22);
    const range = plan(full, { ...LIMITS, format }).messages.findLastIndex(({ fate }) => fate === 'summarised') + 1;
    const other = shape.person('Mend the logout test instead. Never push to main.');
    const more = (history, id = 'c99') => [...history, ...shape.step(id, 'more\n')];
    const options = { ...SMALL, format, background: true };
    const edits = {
      nothing: full,
      'the end is another one': [...full.slice(0, -2), ...shape.step('c98', 'other\n')],
      'a message behind the range': [...full.slice(0, range), other, ...full.slice(range)],
      'back to the boundary': [...full.slice(0, range), other],
      'back to inside the range': [...full.slice(0, range - 2), other],
      'another first message': [other, ...full.slice(1)],
      'nothing behind the range': full.slice(0, range),
    };
    for (const [what, edited] of Object.entries(edits)) {
      for (const background of [true, { onEdit: 'drop' }]) {
        const steps = [
          prepare(full),
          prepare(edited),
          ANSWER,
          prepare(more(edited)),
          prepare(more(edited)),
          { do: 'undo' },
          prepare(more(edited)),
        ];
        await run(`${format}: ${what}, ${JSON.stringify(background)}`, { ...options, background }, steps);
      }
    }
    const large = [...full, ...shape.step('c90', 'a large output\n'.repeat(1_500))];
    await run(`${format}: it is waited for`, options, [prepare(full), prepare(large), prepare(large)]);
    await run(
      `${format}: it fails`,
      options,
      [prepare(full), ANSWER, prepare(more(full)), ANSWER, prepare(more(more(full), 'c98'))],
      [null],
    );
    await run(
      `${format}: it is asked for twice`,
      options,
      [prepare(full), ANSWER, prepare(more(full)), ANSWER, prepare(more(full))],
      ['', 'So far.'],
    );
    await run(`${format}: it fails and does not fit`, options, [prepare(full), prepare(large), prepare(large)], [null]);
    for (const turned of ['undo', 'redo', 'compactNow', 'recover'])
      await run(`${format}: ${turned} meanwhile`, options, [
        prepare(full),
        turned === 'recover'
          ? { do: turned, history: full, error: 'prompt is too long: 213462 tokens > 200000 maximum' }
          : { do: turned, history: full },
        ANSWER,
        prepare(more(full)),
      ]);
    await run(`${format}: by rule`, { ...options, summarize: 'deterministic' }, [prepare(full), prepare(more(full)), prepare(more(full))]);
  }
}

async function parts() {
  const options = { model: { context: 200_000 }, set: LIMITS.set, accept: { facts: 0 }, budgetTokens: 4_000 };
  const compactNow = (history) => ({ do: 'compactNow', history });
  /** A history in which every step says its number. */
  const sessionOf = ({ person, step }, steps = 120) => [
    person('Mend the login test.'),
    ...Array.from({ length: steps }, (_, at) => [
      ...(at % 10 === 9 ? [person(`Request ${at}: go on with the next file.`)] : []),
      ...step(`c${at}`, `output ${at} of the test\n`.repeat(30)),
    ]).flat(),
  ];
  const talking = Array.from({ length: 300 }, (_, at) => [
    { role: 'user', content: `Wish ${at}: ${'a word about the mail '.repeat(12)}` },
    { role: 'assistant', content: 'Done.' },
  ]).flat();
  const said = ['Summary: the work goes on.'];
  for (const [format, shape] of Object.entries(FORMATS)) {
    const history = sessionOf(shape);
    const longer = [...history, ...sessionOf(shape).slice(1)];
    for (const chunks of ['rolling', 'map_reduce']) {
      const how = { ...options, format, chunks };
      await run(`${format}, ${chunks}`, how, [compactNow(history), compactNow(longer), { do: 'undo' }, prepare(longer)], said);
      const words = ['The work goes on. '.repeat(90)];
      await run(`${format}, ${chunks}: long summaries`, how, [compactNow(history)], words);
      await run(`${format}, ${chunks}: it fails`, { ...how, fallback: 'history' }, [compactNow(history)], ['So far.', null, 'So far.']);
      await run(`${format}, ${chunks}: it is asked for twice`, how, [compactNow(history)], ['So far.', '', 'So far.', 'So far.']);
    }
    await run(`${format}: one request`, { ...options, format }, [compactNow(history)], said);
  }
  const { openai_chat: chat } = FORMATS;
  await run('where one request is too large', options, [compactNow(talking)], said);
  await run('no room for anything', { ...options, budgetTokens: 100, fallback: 'history' }, [compactNow(sessionOf(chat))], said);
  await run('no more than 64', { ...options, model: { context: 2_000_000 }, chunks: 'rolling' }, [compactNow(sessionOf(chat, 900))], said);
  const full = historyOf(chat, 22);
  const steps = [prepare(full), ANSWER, ANSWER, prepare([...full, ...chat.step('c99', 'more\n')]), ANSWER, ANSWER, ANSWER, prepare(full)];
  await run('in the background', { ...SMALL, budgetTokens: 3_000, chunks: 'rolling', background: true }, steps, said);
}

async function introductions() {
  const bedrock = {
    person: (text) => ({ role: 'user', content: [{ text }] }),
    step: (id, output) => [
      { role: 'assistant', content: [{ toolUse: { toolUseId: id, name: 'read', input: { path: `src/${id}.rs` } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: output }] } }] },
    ],
  };
  const said = {
    gemini_contents: (text) => ({ role: 'model', parts: [{ text }] }),
    bedrock_converse: (text) => ({ role: 'assistant', content: [{ text }] }),
  };
  const inMessage = (text) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
  Object.assign(said, { openai_responses: inMessage, openai_agents: inMessage });
  const roles = ['user', 'system', 'developer', 'assistant'];
  const compactNow = (history) => ({ do: 'compactNow', history });
  for (const [format, { person, step }] of Object.entries({ ...FORMATS, bedrock_converse: bedrock })) {
    const saying = said[format] ?? ((content) => ({ role: 'assistant', content }));
    const history = [person('Mend the login test.')];
    const grown = [];
    for (let round = 0; round < 4; round += 1) {
      for (let at = 0; at < 6; at += 1) {
        if ((round + at) % 2 === 0) history.push(...step(`r${round}-${at}`, `line ${at} of the log\n`.repeat(60)));
        history.push(person(`Part ${round}.${at} of the work. ${'It is long. '.repeat(40 + at * 7)}`));
        history.push(saying(`Part ${round}.${at} is done. ${'It was long. '.repeat(30 + round * 5)}`));
      }
      history.push(person(`Go on with ${round + 1}.`));
      grown.push([...history]);
      history.push(saying('Done.'));
    }
    const steps = [...grown.map(compactNow), prepare(history), { do: 'undo' }, prepare(history)];
    for (const introduction of [
      ...roles.map((role) => ({ role })),
      { answer: true },
      { role: 'system', answer: true, text: 'So far:' },
      'So far:',
    ]) {
      for (const keep of process.env.EBBLINE_LONG === '1' ? [1, 500, 2_000] : [1, 2_000]) {
        const options = { model: { context: 200_000 }, set: { 'prune.enabled': false, 'retain.keep': keep }, accept: false, introduction };
        await run(`${format}, ${JSON.stringify(introduction)}, ${keep}`, options, steps);
      }
    }
  }
}

async function ofApplication() {
  const { person } = SHAPES.openai_chat;
  const long = Array.from({ length: 12 }, (_, at) => [
    person(`Part ${at} of the work. ${'It is long. '.repeat(60)}`),
    { role: 'assistant', content: `Part ${at} is done. ${'It was long. '.repeat(40)}` },
  ]).flat();
  const end = [person('Go on.'), { role: 'assistant', content: 'Done.' }, person('And now?')];
  for (const role of ['developer', 'system']) {
    const says = { role, content: 'Answer in one sentence.' };
    for (const [where, history] of Object.entries({
      behind: [...long, says, ...end],
      'at the end': [...long, person('Go on.'), says],
      'two of them': [...long, says, { role: 'developer', content: 'Be kind.' }, ...end],
    })) {
      for (const keep of [1, 20, 100]) {
        const set = { 'prune.enabled': false, 'retain.keep': keep };
        const options = { model: { context: 200_000 }, set, accept: false, introduction: { answer: true }, format: 'openai_chat' };
        const steps = [{ do: 'compactNow', history }, { do: 'compactNow', history: [...history, ...long, says, ...end] }];
        await run(`${role} ${where}, ${keep}`, options, steps);
      }
    }
  }
}

async function stores() {
  const compactNow = (history) => ({ do: 'compactNow', history });
  for (const [format, shape] of Object.entries(FORMATS)) {
    const { person, step } = shape;
    const first = historyOf(shape, 22);
    const more = [person('Look well: it is "ä\u2028".'), ...historyOf(shape, 14, 40)];
    const end = [person('Go on.'), ...step('c97', 'more\n')];
    const [second, third] = [
      [...first, ...more],
      [...first, ...more, ...end],
    ];
    const steps = [compactNow(first), compactNow(second), { do: 'keep', history: end }, { do: 'undoAll' }, prepare(third)];
    // Nothing is compacted unasked: only the component leaves room for what was never sent.
    const large = { model: { context: 400_000 }, accept: false, format };
    for (const fails of [[], [1], [3, 4], [45]]) {
      const told = JSON.stringify(fails);
      await run(`${format}: ${told} fails`, { ...large, set: { 'retain.keep': 3_000, 'prune.enabled': false }, fails }, steps);
      const set = { 'retain.keep': 3_000, 'prune.protect': 2_000, 'prune.minimum': 0 };
      await run(`${format}, by rule: ${told} fails`, { ...large, set, summarize: 'deterministic', fails }, steps);
      const meanwhile = [prepare(first), ANSWER, prepare(first), ANSWER, prepare(first), { do: 'undoAll' }];
      await run(`${format}, in the background: ${told} fails`, { ...SMALL, background: true, format, fails }, meanwhile);
    }
    const error = 'prompt is too long: 213462 tokens > 200000 maximum';
    const recover = { do: 'recover', history: first, error };
    await run(`${format}: what cannot be stored has recovered from nothing`, { ...SMALL, format, fails: [2] }, [recover, recover, recover]);
  }
}

async function counts() {
  const compactNow = (history) => ({ do: 'compactNow', history });
  for (const [format, shape] of Object.entries(FORMATS)) {
    const full = historyOf(shape, 22);
    const longer = [...full, ...historyOf(shape, 14, 40)];
    const end = [shape.person('Go on.'), ...shape.step('c97', 'more\n')];
    const prunes = { 'retain.keep': 3_000, 'prune.protect': 2_000, 'prune.minimum': 0 };
    for (const countTokens of Object.keys(COUNTERS)) {
      const named = (what) => `${format}, ${countTokens}: ${what}`;
      const options = { ...SMALL, model: { context: 200_000 }, format, countTokens };
      const steps = [compactNow(full), prepare(longer), compactNow(longer), { do: 'undo' }, { do: 'redo' }, prepare([...longer, ...end])];
      await run(named('summaries'), options, steps);
      await run(named('outputs are cleared'), { ...options, set: prunes, summarize: 'deterministic' }, steps);
      await run(named('it is full'), { ...options, model: { context: 6_000, output: 500 } }, [prepare(full), prepare(longer)]);
      await run(named('another process goes on'), { ...options, set: prunes, fails: [] }, [
        compactNow(full),
        compactNow(longer),
        { do: 'keep', history: end },
        { do: 'undoAll' },
        compactNow([...longer, ...end]),
      ]);
      const parts = { ...options, chunks: 'map_reduce', accept: { facts: 0 }, budgetTokens: 1_500 };
      await run(named('parts'), parts, [compactNow(longer)], ['So far.', '', 'So far.']);
      const background = [prepare(full), ANSWER, prepare([...full, ...end]), ANSWER, prepare([...full, ...end])];
      await run(named('in the background'), { ...options, model: { context: countTokens === 'words' ? 12_000 : 16_000, output: 2_000 }, background: true }, background);
      await run(named('it fails'), options, [compactNow(full), compactNow(longer)], [null]);
    }
  }
}

async function wishes() {
  const error = 'prompt is too long: 213462 tokens > 200000 maximum';
  for (const [format, shape] of Object.entries(FORMATS)) {
    const full = historyOf(shape, 30);
    const longer = [...full, ...historyOf(shape, 30, 40)];
    const options = { ...SMALL, format };
    const focus = 'the mail of the login test';
    await run(`${format}: a focus`, options, [
      prepare(full, { focus }),
      prepare(longer),
      { do: 'recover', history: longer, error, focus },
      { do: 'compactNow', history: [...longer, ...historyOf(shape, 9, 80)], focus },
    ]);
    await run(`${format}: a focus of a trigger`, { ...options, model: { context: 400_000 }, when: { messages: 20 } }, [prepare(full, { focus })]);
    await run(`${format}: a focus in the background`, { ...options, background: true }, [prepare(full, { focus }), ANSWER, prepare(full)]);
    const [large, small] = [{ context: 400_000 }, { context: 16_000, output: 2_000 }];
    await run(`${format}: another model`, { ...options, model: large }, [
      prepare(full, { model: large }),
      prepare(full, { model: small }),
      prepare(longer, { model: large }),
      prepare(longer),
      prepare(longer, { model: small }),
    ]);
    await run(`${format}: the same model does not undo what an overflow taught`, { ...options, model: large }, [
      prepare(full),
      { do: 'recover', history: full, error: 'prompt is too long: 90000 tokens > 16000 maximum' },
      prepare(longer, { model: large }),
    ]);
    await run(`${format}: another model drops the summary in the background`, { ...options, background: true }, [
      prepare(full),
      prepare(full, { model: large }),
      ANSWER,
      prepare(longer),
    ]);
    await run(`${format}: nobody writes summaries`, { ...options, summarize: 'deterministic', set: {}, model: large }, [
      prepare(longer),
      prepare(longer, { model: small }),
    ]);
  }
}

async function usages() {
  const whole = (usage, more) => ({ usage, ...more });
  const cleared = { context_management: { applied_edits: [{ cleared_input_tokens: 9_000 }, { cleared_input_tokens: 4_000 }, {}] } };
  const reports = {
    'a number': [30_000, 12_345],
    'OpenAI chat': [{ prompt_tokens: 30_000, prompt_tokens_details: { cached_tokens: 20_000 } }],
    Gemini: [{ promptTokenCount: 30_000, cachedContentTokenCount: 9 }],
    Anthropic: [{ input_tokens: 12, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 9_000 }],
    Bedrock: [{ inputTokens: 12, cacheReadInputTokens: 20_000, cacheWriteInputTokens: 9_000 }],
    'the AI SDK': [{ inputTokens: { total: 30_000, noCache: 12 } }, { inputTokens: 30_000 }],
    'a whole answer': [whole({ prompt_tokens: 30_000 }), whole({ prompt_tokens: 40_000 }), 30_000],
    'what was cleared': [whole({ input_tokens: 7_000 }, cleared), whole({ input_tokens: 9_000 }, cleared), 12_000],
    'what was compacted': [30_000, whole({ input_tokens: 90_000 }, { content: [{ type: 'compaction', content: 'So far.' }] })],
    'a compaction that failed': [whole({ input_tokens: 30_000 }, { content: [{ type: 'compaction', content: null }] })],
    iterations: [
      whole({ input_tokens: 9, iterations: [{ type: 'message', input_tokens: 30_000 }, { type: 'message', input_tokens: 4 }] }),
      whole({ input_tokens: 9, iterations: [{ type: 'compaction', input_tokens: 50_000 }, { type: 'message', input_tokens: 4 }] }),
    ],
    output: [30_000, whole({ input_tokens: 90_000 }, { output: [{ type: 'compaction' }] })],
  };
  for (const [format, shape] of Object.entries(FORMATS)) {
    const full = historyOf(shape, 22);
    for (const [what, reported] of Object.entries(reports)) {
      const longer = [...full, ...historyOf(shape, 40, 40)];
      const options = { ...SMALL, model: { context: 44_000, output: 2_000 }, format };
      const steps = reported.flatMap((one, at) => [
        prepare([...full, ...Array.from({ length: at }, (_, more) => shape.person(`Go on, ${more}.`))]),
        { do: 'usage', reported: one },
      ]);
      const end = [prepare(longer), { do: 'undo' }, { do: 'usage', reported: 20_000 }, { do: 'compactNow', history: longer }];
      await run(`${format}: ${what}`, options, [...steps, ...end]);
    }
    // By its estimate the context would be full.
    const step = (at) => prepare([...full, ...Array.from({ length: at }, (_, more) => shape.person(`Go on, ${more}.`))]);
    const options = { ...SMALL, model: { context: 22_000, output: 500 }, format };
    const usage = (reported) => ({ do: 'usage', reported });
    for (const [then, steps] of Object.entries({
      'it is cleared again': [usage(whole({ input_tokens: 7_500 }, cleared)), step(2)],
      'it is not cleared any more': [usage(20_500), step(2)],
      'the history is edited': [{ do: 'prepare', history: full.slice(0, -2) }],
      'a compaction': [{ ...step(1), do: 'compactNow' }, step(3), { do: 'undo' }, step(3)],
      'an overflow': [{ ...step(1), do: 'recover', error: 'prompt is too long: 213462 tokens > 200000 maximum' }],
      'another model': [{ ...step(2), model: { context: 21_000, output: 500 } }],
    })) {
      await run(`${format}, cleared: ${then}`, options, [step(0), usage(whole({ input_tokens: 7_000 }, cleared)), step(1), ...steps]);
    }
  }
}

const [which] = process.argv.slice(2);
// The modules are loaded before turns are counted.
await createCompactor({ ...SMALL, summarize: 'deterministic' }).compactNow(historyOf(SHAPES.openai_chat, 30));
await { background, parts, introductions, stores, counts, wishes, usages, ofApplication }[which]();

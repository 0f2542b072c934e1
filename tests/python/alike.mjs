// What npm's compactor does in scripted sessions, one line of JSON each, for test_alike.py, which does the same with the component's,
// and for crates/ebbline-compactor/tests/alike.rs:
// `node alike.mjs background|parts|introductions|stores|counts|wishes|usages|ofApplication|passes`. With EBBLINE_LONG=1, in six formats instead
// of two.
//
// A session is a list of steps. A model answers only when a step says so, or when a call waits for it: so it is the same in both
// packages what has come in before a summary is there.

import { SHAPES, historyOf } from '../npm/agent.mjs';
import { ebbline } from '../npm/package.mjs';
import { counts, ofApplication, usages, wishes } from './requests.mjs';
import { ANSWER, FORMATS, LIMITS, SMALL, prepare, run } from './scripted.mjs';

const { createCompactor, plan } = ebbline;

async function background() {
  for (const [format, shape] of Object.entries(FORMATS)) {
    const full = historyOf(shape, 22);
    const range = plan(full, { ...LIMITS, format }).messages.findLastIndex(({ fate }) => fate === 'summarized') + 1;
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
    // Nothing is compacted unasked.
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

async function passes() {
  const error = 'prompt is too long: 213462 tokens > 200000 maximum';
  const compactNow = (history) => ({ do: 'compactNow', history });
  for (const [format, { person, step }] of Object.entries(FORMATS)) {
    /** A history in which every third step repeats an output. */
    const history = (steps, from = 0) => [
      person('Mend the login test. Never push to main.'),
      ...Array.from({ length: steps }, (_, at) => step(`c${from + at}`, `line ${at % 3} of the file\n`.repeat(90))).flat(),
    ];
    const full = history(30);
    const longer = [...full, ...history(24, 40)];
    const more = [person('Go on.'), ...step('c97', 'more\n')];
    const end = [...longer, ...more];
    const repeats = { 'prune.repeated': true, 'prune.minimum': 0, 'retain.keep': 2_000 };
    const turns = [{ do: 'undo' }, { do: 'undo' }, { do: 'redo' }, { do: 'redo' }];
    const small = { model: { context: 12_000, output: 2_000 }, accept: false, format };
    const large = { ...small, model: { context: 400_000 } };
    for (const [what, set] of Object.entries({
      'outputs that are repeated': { ...repeats, 'prune.protect': 1_000_000 },
      'outputs that are old, too': { ...repeats, 'prune.protect': 1_000 },
      'too little': { ...repeats, 'prune.minimum': 1_000_000, 'prune.protect': 1_000 },
      'files that are read again': { ...repeats, 'prune.superseded': true, 'prune.repeated': false },
    })) {
      const named = (how) => `${format}, ${what}: ${how}`;
      await run(named('it is full'), { ...small, set }, [prepare(full), ...turns, prepare(longer), prepare(end)]);
      const tight = { ...small, model: { context: 5_000, output: 500 }, set };
      await run(named('not even they fit'), tight, [prepare(full), ...turns, prepare(longer), prepare(end)]);
      await run(named('not even they fit, and the summary fails'), tight, [prepare(full), prepare(end)], [null]);
      await run(named('by rule'), { ...small, set, summarize: 'deterministic' }, [prepare(full), prepare(longer), ...turns, prepare(end)]);
      await run(named('asked for'), { ...large, set }, [compactNow(full), compactNow(longer), ...turns, compactNow(end)]);
      const recover = { do: 'recover', history: longer, error };
      await run(named('refused'), { ...large, set }, [prepare(longer), recover, recover, { ...recover, history: end }]);
      await run(named('a trigger'), { ...large, set, when: { messages: 40 } }, [prepare(full), prepare(longer), ...turns, prepare(end)]);
      await run(named('in the background'), { ...small, set, background: true }, [
        prepare(full),
        ANSWER,
        prepare(longer),
        ANSWER,
        prepare(end),
      ]);
      await run(named('the summary fails'), { ...small, set }, [prepare(longer), prepare(end)], [null]);
      for (const fails of [[], [12]])
        await run(named(`${JSON.stringify(fails)} fails`), { ...small, set, fails }, [
          prepare(full),
          prepare(longer),
          { do: 'undoAll' },
          prepare(end),
        ]);
    }
  }
}

const [which] = process.argv.slice(2);
// The modules are loaded before turns are counted.
await createCompactor({ ...SMALL, summarize: 'deterministic' }).compactNow(historyOf(SHAPES.openai_chat, 30));
await { background, parts, introductions, stores, counts, wishes, usages, ofApplication, passes }[which]();

// Scripted sessions about single requests: how their tokens are counted, what a call is told, what a provider reported, and what the
// application says behind a summary.

import { SHAPES, historyOf } from '../npm/agent.mjs';
import { ANSWER, COUNTERS, FORMATS, SMALL, prepare, run } from './scripted.mjs';

const compactNow = (history) => ({ do: 'compactNow', history });

export async function counts() {
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
      await run(
        named('in the background'),
        { ...options, model: { context: countTokens === 'words' ? 12_000 : 16_000, output: 2_000 }, background: true },
        background,
      );
      await run(named('it fails'), options, [compactNow(full), compactNow(longer)], [null]);
    }
  }
}

export async function wishes() {
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
    await run(`${format}: a focus of a trigger`, { ...options, model: { context: 400_000 }, when: { messages: 20 } }, [
      prepare(full, { focus }),
    ]);
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

export async function usages() {
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
      whole({
        input_tokens: 9,
        iterations: [
          { type: 'message', input_tokens: 30_000 },
          { type: 'message', input_tokens: 4 },
        ],
      }),
      whole({
        input_tokens: 9,
        iterations: [
          { type: 'compaction', input_tokens: 50_000 },
          { type: 'message', input_tokens: 4 },
        ],
      }),
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

export async function ofApplication() {
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
        const steps = [
          { do: 'compactNow', history },
          { do: 'compactNow', history: [...history, ...long, says, ...end] },
        ];
        await run(`${role} ${where}, ${keep}`, options, steps);
      }
    }
  }
}

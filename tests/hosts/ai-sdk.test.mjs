// `ebbline/ai-sdk` in the AI SDK 6 and 7, with a scripted model that refuses what is larger than its window.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { adapter, requiredAdapter } from './adapter.mjs';
import { SDKS, STEPS, overflow, scripted, tools } from './ai-models.mjs';
import { WINDOW, compacting } from './compacting.mjs';

const { compactionMiddleware, onStepFinish, prepareStep } = await adapter('ai-sdk');

const SYSTEM = 'You mend tests.';
const PROMPT = 'Mend the login test.';
/** A window that is larger than the model's, so that only the provider's error says when it is full. */
const TOO_LARGE = { model: { context: 40_000, output: 1_000 } };

for (const [name, sdk] of Object.entries(SDKS)) {
  const { ai, specificationVersion } = sdk;
  const ofAgent = { [sdk.system]: SYSTEM, stopWhen: ai.stepCountIs(STEPS + 10), maxRetries: 0, tools };
  const settings = { ...ofAgent, prompt: PROMPT };
  const wrapped = (model, compactor, options) => ai.wrapLanguageModel({ model, middleware: compactionMiddleware(compactor, options) });

  /** @type {Record<string, (model: any, compactor: any) => Promise<string>>} */
  const hosts = {
    'generateText with prepareStep': async (model, compactor) =>
      (await ai.generateText({ ...settings, model, prepareStep: prepareStep(compactor) })).text,
    'streamText with prepareStep': async (model, compactor) =>
      ai.streamText({ ...settings, model, prepareStep: prepareStep(compactor) }).text,
    'ToolLoopAgent with prepareStep': async (model, compactor) => {
      const agent = new ai.ToolLoopAgent({ ...ofAgent, instructions: SYSTEM, model, prepareStep: prepareStep(compactor) });
      return (await agent.generate({ prompt: PROMPT })).text;
    },
    'generateText with the middleware': async (model, compactor) =>
      (await ai.generateText({ ...settings, model: wrapped(model, compactor, { specificationVersion }) })).text,
    'streamText with the middleware': async (model, compactor) => ai.streamText({ ...settings, model: wrapped(model, compactor) }).text,
  };

  for (const [host, run] of Object.entries(hosts)) {
    test(`${name}, ${host}: 200 steps in a small window, with few summaries and without a refusal`, async () => {
      const { model, seen } = scripted(sdk);
      const { make, told } = compacting();
      const compactor = make();
      assert.equal(await run(model, compactor), 'It is found.');
      assert.equal(seen.requests, STEPS + 1);
      assert.equal(seen.refused, 0);
      assert.ok(told.compacted >= 5 && told.compacted <= 40, `${told.compacted} compactions`);
      assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
      assert.equal(seen.changes, told.compacted);
      assert.ok(seen.prompts.every(([first]) => first.role === 'system' && first.content === SYSTEM));
      assert.deepEqual(Object.keys(told.events).sort(), ['compacted', 'summary_requested']);
      assert.ok(Math.abs((compactor.record.overhead ?? 0) - 3_000) < 1_500, `overhead ${compactor.record.overhead}`);
      compactor.free();
    });
  }

  test(`${name}: the middleware recovers from each overflow, and no request is refused after a compaction`, async () => {
    const { model, seen } = scripted(sdk);
    const { make, told } = compacting(TOO_LARGE);
    assert.equal((await ai.generateText({ ...settings, model: wrapped(model, make()) })).text, 'It is found.');
    assert.equal(seen.requests, STEPS + 1);
    assert.ok(seen.refused > 0);
    assert.equal(seen.refused, told.events.overflow);
    // The first refusal teaches the window, and what comes later is compacted before it is refused.
    assert.equal(seen.refused, 1);
    assert.ok(told.compacted >= seen.refused);
  });

  for (const inStream of [false, true]) {
    test(`${name}: the middleware recovers from an overflow ${inStream ? 'inside' : 'before'} the stream`, async () => {
      const { model, seen } = scripted(sdk, { inStream });
      const { make, told } = compacting(TOO_LARGE);
      const errors = [];
      const { text, steps } = ai.streamText({
        ...settings,
        model: wrapped(model, make()),
        onError: ({ error }) => {
          errors.push(error);
        },
      });
      assert.equal(await text, 'It is found.');
      assert.equal((await steps).length, STEPS + 1);
      assert.deepEqual(errors, []);
      // The first refusal teaches the window, and what comes later is compacted before it is refused.
      assert.equal(seen.refused, 1);
      assert.ok(told.compacted >= seen.refused);
      assert.ok(seen.refused > 0);
    });
  }

  test(`${name}: an error that is no overflow passes the middleware as it is`, async () => {
    const { make } = compacting();
    const fault = new Error('The key is wrong.');
    const { model } = scripted(sdk);
    model.doGenerate = async () => {
      throw fault;
    };
    await assert.rejects(ai.generateText({ ...settings, model: wrapped(model, make()) }), (error) => error === fault);
    const streamed = scripted(sdk).model;
    streamed.doStream = async () => ({
      stream: streamOf([
        { type: 'stream-start', warnings: [] },
        { type: 'error', error: fault },
      ]),
    });
    const errors = [];
    const onError = ({ error }) => {
      errors.push(error);
    };
    await ai.streamText({ ...settings, model: wrapped(streamed, make()), onError }).consumeStream();
    assert.deepEqual(errors, [fault]);
  });

  test(`${name}: an overflow after the answer began is passed on, because the answer cannot be taken back`, async () => {
    const { make, told } = compacting();
    const { model } = scripted(sdk);
    const parts = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'It' },
      { type: 'error', error: overflow(ai, 17_000, WINDOW) },
    ];
    model.doStream = async () => ({ stream: streamOf(parts) });
    const errors = [];
    const onError = ({ error }) => {
      errors.push(error);
    };
    await ai.streamText({ ...settings, model: wrapped(model, make()), onError }).consumeStream();
    assert.equal(errors.length, 1);
    assert.equal(told.events.overflow, undefined);
  });

  test(`${name}: cancelling while a summary is written leaves everything as it was`, async () => {
    const { model, seen } = scripted(sdk);
    const stop = new AbortController();
    const reason = new Error('The user cancelled it.');
    const { make } = compacting();
    const compactor = make({
      set: { 'prune.enabled': false },
      summarize: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          stop.abort(reason);
        }),
    });
    const call = ai.generateText({ ...settings, model: wrapped(model, compactor), abortSignal: stop.signal });
    await assert.rejects(call, (error) => error === reason);
    assert.equal(seen.refused, 0);
    assert.deepEqual(compactor.record.changes, []);
    assert.equal(compactor.contextUsage().sent, compactor.contextUsage().history);
  });

  test(`${name}: the calls of one session follow each other, and undo gives the whole history back`, async () => {
    const { model, seen } = scripted(sdk, { steps: 12 });
    const { make, told } = compacting();
    const compactor = make();
    const messages = [];
    for (let call = 0; call < 12; call += 1) {
      messages.push({ role: 'user', content: `Look for fault ${call}.` });
      const hooks = { prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) };
      const { response, responseMessages } = await ai.generateText({ ...ofAgent, ...hooks, model, messages });
      messages.push(...(responseMessages ?? response.messages));
    }
    assert.equal(seen.refused, 0);
    assert.equal(seen.changes, told.compacted);
    assert.equal(told.events.edited, undefined);
    while (compactor.undo());
    assert.deepEqual(compactor.contextUsage().sent, compactor.contextUsage().history);
    assert.deepEqual(await compactor.prepare(messages), messages);
  });

  test(`${name}: your own prepareStep and onStepFinish are called, and what they give is kept`, async () => {
    const { model, seen } = scripted(sdk, { steps: 3 });
    const { make } = compacting();
    const compactor = make();
    const steps = [];
    const own = ({ stepNumber, messages }) => ({
      [sdk.system]: `Step ${stepNumber}`,
      messages: messages.map((message) => (message.content === PROMPT ? { ...message, content: 'Another prompt.' } : message)),
    });
    await ai.generateText({
      ...settings,
      model,
      prepareStep: prepareStep(compactor, own),
      onStepFinish: onStepFinish(compactor, ({ text }) => {
        steps.push(text);
      }),
    });
    assert.equal(steps.length, 4);
    assert.equal(seen.prompts[0][1].content[0].text, 'Another prompt.');
    assert.equal(seen.prompts[3][0].content, 'Step 3');
  });

  test(`${name}: a provider that tells no usage is no fault`, async () => {
    const { model, seen } = scripted(sdk, { steps: 30, tellsUsage: false });
    const { make } = compacting({ overhead: 3_000 });
    await ai.generateText({ ...settings, model: wrapped(model, make()) });
    await ai.streamText({ ...settings, model: scripted(sdk, { steps: 30, tellsUsage: false }).model, prepareStep: prepareStep(make()) })
      .text;
    assert.equal(seen.refused, 0);
  });

  test(`${name}: a summarizer that uses the wrapped model is refused with a sentence`, async () => {
    const { model } = scripted(sdk);
    const { make } = compacting({ set: { 'prune.enabled': false } });
    let compacted;
    const compactor = make({ summarize: async ({ messages }) => (await ai.generateText({ model: compacted, messages })).text });
    compacted = wrapped(model, compactor);
    await assert.rejects(ai.generateText({ ...settings, model: compacted }), refused(/the model that writes summaries must not use/));
  });

  test(`${name}: a second session with the same compactor is refused with a sentence`, async () => {
    const { make } = compacting();
    const compacted = wrapped(scripted(sdk, { steps: 4 }).model, make());
    await ai.generateText({ ...settings, model: compacted });
    const one = [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three.' },
    ];
    await assert.rejects(
      ai.generateText({ ...ofAgent, model: compacted, messages: one }),
      refused(/no message in common .* one compactor serves one session/),
    );
  });

  test(`${name}: two sessions at once with the same compactor are refused with a sentence`, async () => {
    const { make } = compacting();
    const compactor = make();
    const run = (prompt) =>
      ai.generateText({ ...ofAgent, prompt, model: scripted(sdk, { steps: 9 }).model, prepareStep: prepareStep(compactor) });
    const results = await Promise.allSettled(['One.', 'Two.', 'Three.'].map(run));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.ok(reasons.length >= 2);
    for (const reason of reasons) assert.match(reason.message, /one compactor serves one session/);
  });

  test(`${name}: the first message of a session may be edited`, async () => {
    const { make, told } = compacting();
    const compactor = make();
    const call = (prompt) =>
      ai.generateText({ ...ofAgent, model: scripted(sdk, { steps: 2 }).model, prompt, prepareStep: prepareStep(compactor) });
    await call('Mend the login tset.');
    await call('Mend the login test.');
    assert.equal(told.events.edited, 1);
  });

  test(`${name}: calls with one step whose usage nobody tells are refused with a sentence`, async () => {
    const { make } = compacting();
    const call = (compactor, messages, hooks) =>
      ai.generateText({ ...ofAgent, messages, model: scripted(sdk, { steps: 0 }).model, prepareStep: prepareStep(compactor), ...hooks });
    const first = [{ role: 'user', content: 'One.' }];
    const second = [...first, { role: 'assistant', content: 'It is found.' }, { role: 'user', content: 'Two.' }];
    const untold = make();
    await call(untold, first);
    await assert.rejects(call(untold, second), refused(/the usage of the last call was not learnt: put `onStepFinish/));
    const known = make({ overhead: 3_000 });
    await call(known, first);
    await call(known, second);
    const told = make();
    await call(told, first, { onStepFinish: onStepFinish(told) });
    await call(told, second, { onStepFinish: onStepFinish(told) });
    assert.ok(told.record.overhead >= 2_900 && told.record.overhead <= 3_100, `overhead ${told.record.overhead}`);
  });
}

test('what is no compactor, no function, and no version is refused with a sentence', async () => {
  const { make } = compacting();
  for (const nothing of [undefined, {}, make]) {
    for (const hook of [prepareStep, onStepFinish, compactionMiddleware])
      assert.throws(() => hook(nothing), refused(/pass the compactor of the session/));
  }
  assert.throws(() => prepareStep(make(), {}), refused(/is your own prepareStep: a function/));
  assert.throws(() => onStepFinish(make(), {}), refused(/is your own onStepFinish: a function/));
  assert.throws(() => compactionMiddleware(make(), { specificationVersion: 'v2' }), refused(/must be v3 or v4/));
  await assert.rejects(prepareStep(make())([]), refused(/write `prepareStep: prepareStep\(compactor\)`/));
});

test('one compactor with two hooks is refused with a sentence', () => {
  const { make } = compacting();
  const compactor = make();
  prepareStep(compactor);
  prepareStep(compactor);
  onStepFinish(compactor);
  assert.throws(() => compactionMiddleware(compactor), refused(/is used with prepareStep, so it cannot be used with compactionMiddleware/));
  const other = make();
  compactionMiddleware(other);
  assert.throws(() => onStepFinish(other), refused(/learns the usage by itself/));
});

test('the adapter can be required', () => {
  const names = Object.keys(requiredAdapter('ai-sdk')).sort();
  assert.deepEqual(names, ['compactionMiddleware', 'onStepFinish', 'prepareStep', 'prepareUIMessages', 'resumeCompactor']);
});

function refused(message) {
  return (error) => {
    assert.equal(error.code, 'invalid_option');
    assert.match(error.message, message);
    return true;
  };
}

function streamOf(parts) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

// `ebbline/ai-sdk` in the backend of a chat: the messages and the record of the compactor are stored, and each request makes a compactor.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { adapter } from './adapter.mjs';
import { SDKS, scripted, tools } from './ai-models.mjs';
import { compacting } from './compacting.mjs';

const { onStepFinish, prepareStep, prepareUIMessages, resumeCompactor } = await adapter('ai-sdk');

/** The messages of the chat when the answer has been sent. */
function finished(result, originalMessages, onError = (error) => String(error)) {
  return new Promise((resolve, reject) => {
    const onFinish = ({ messages }) => resolve(messages);
    result.toUIMessageStreamResponse({ originalMessages, onFinish, onError }).text().catch(reject);
  });
}

/** A chat of `turns` requests, with a database that holds nothing but JSON. */
async function chat({ turns, request }) {
  let stored = JSON.stringify({ messages: [], record: null });
  for (let turn = 0; turn < turns; turn += 1) {
    const { messages, record } = JSON.parse(stored);
    messages.push({ id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `Please look for fault ${turn}.` }] });
    stored = JSON.stringify(await request({ messages, record }));
  }
  return JSON.parse(stored);
}

for (const [name, sdk] of Object.entries(SDKS)) {
  const { ai } = sdk;
  const settings = { [sdk.system]: 'You mend tests.', stopWhen: ai.stepCountIs(50), maxRetries: 0, tools };

  const ways = {
    /** Compacts the UI messages, between the requests of the user. */
    'UI messages': {
      steps: 4,
      turns: 40,
      async answer(model, compactor, messages) {
        const view = await prepareUIMessages(compactor, messages);
        return ai.streamText({
          ...settings,
          model,
          messages: await ai.convertToModelMessages(view),
          onStepFinish: onStepFinish(compactor),
        });
      },
    },
    /** Compacts the model messages that the whole chat becomes, before each step. */
    'model messages': {
      steps: 15,
      turns: 13,
      async answer(model, compactor, messages) {
        const hooks = { prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) };
        return ai.streamText({ ...settings, model, messages: await ai.convertToModelMessages(messages, { tools }), ...hooks });
      },
    },
  };

  for (const [way, { steps, turns, answer }] of Object.entries(ways)) {
    test(`${name}, chat with ${way}: every request has a new compactor, nothing is decided twice, and the whole chat stays stored`, async () => {
      const { model, seen } = scripted(sdk, { steps });
      const { make, told } = compacting();
      const { messages, record } = await chat({
        turns,
        async request(stored) {
          const compactor = make(stored.record && { record: stored.record });
          const answered = await finished(await answer(model, compactor, stored.messages), stored.messages);
          assert.deepEqual(answered.slice(0, -1), stored.messages);
          const kept = { messages: answered, record: compactor.record };
          compactor.free();
          return kept;
        },
      });
      assert.equal(messages.length, 2 * turns);
      assert.equal(seen.requests, turns * (steps + 1));
      assert.equal(seen.refused, 0);
      assert.ok(told.compacted >= 5 && told.compacted <= 45, `${told.compacted} compactions`);
      assert.ok(told.asked >= 1 && told.asked <= 10, `${told.asked} summaries`);
      assert.ok(seen.changes <= told.compacted + (way === 'UI messages' ? 1 : 0), `${seen.changes} changes, ${told.compacted} compactions`);
      assert.equal(told.events.edited, undefined);
      assert.ok(record.changes.length >= 5);
    });
  }

  test(`${name}: the usage of later steps says nothing about UI messages, so only that of the first step is learnt`, async () => {
    const { model } = scripted(sdk, { steps: 20 });
    const compactor = compacting().make();
    await finished(
      await ways['UI messages'].answer(model, compactor, [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Mend it.' }] }]),
      [],
    );
    assert.ok(Math.abs((compactor.record.overhead ?? 0) - 3_000) < 100, `overhead ${compactor.record.overhead}`);
  });

  test(`${name}: a chat whose stored messages became others starts over instead of failing for ever`, async () => {
    const failing = { read: ai.tool({ ...tools.read, execute: async ({ at }) => fail(`line ${at} of the file\n`.repeat(60)) }) };
    const { model, seen } = scripted(sdk, { steps: 30 });
    const { make } = compacting();
    const records = [];
    await chat({
      turns: 3,
      async request({ messages, record }) {
        const history = await ai.convertToModelMessages(messages, { tools: failing });
        const compactor = await resumeCompactor((from) => make(from && { record: from }), record, history);
        if (record?.changes.length > 0) records.push(compactor.record.changes.length);
        const hooks = { prepareStep: prepareStep(compactor), onStepFinish: onStepFinish(compactor) };
        const result = ai.streamText({ ...settings, tools: failing, model, messages: history, ...hooks });
        // The user must not see the error of a tool, so what is stored is not what the model saw.
        return { messages: await finished(result, messages, () => 'An error occurred.'), record: compactor.record };
      },
    });
    assert.equal(seen.requests, 93);
    assert.deepEqual(records, [0, 0]);
  });
}

test('other errors than a record that does not fit are thrown', async () => {
  const fault = new Error('The database is gone.');
  await assert.rejects(
    resumeCompactor(
      () => {
        throw fault;
      },
      {},
      [],
    ),
    (error) => error === fault,
  );
  await assert.rejects(resumeCompactor(/** @type {any} */ ({}), {}, []), { code: 'invalid_option', message: /takes a function/ });
});

test('model messages are no UI messages', async () => {
  const { make } = compacting();
  for (const messages of [[{ role: 'user', content: 'Mend it.' }], 'Mend it.', undefined]) {
    await assert.rejects(prepareUIMessages(make(), /** @type {any} */ (messages)), {
      code: 'invalid_option',
      message: /UI messages, and message 0 has no parts/,
    });
  }
});

function fail(text) {
  throw new Error(text);
}

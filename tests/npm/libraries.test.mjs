// The libraries accept their own messages after a compaction: their schemas, conversions and classes are used.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture } from './package.mjs';

const { compact, plan, read } = ebbline;

const EAGER = {
  'prune.reference': false,
  'prune.minimum': 1,
  'prune.onlyWhenFull': false,
  'prune.downTo': 0,
  'prune.protectedTurns': 0,
  'prune.shortOutputs': true,
  'prune.errors': true,
};
const PRUNE = { set: { ...EAGER, 'prune.protect': 0, 'retain.enabled': false } };
const FULL = { 'prune.protect': 50, 'retain.keep': 200, 'model.context': 300, 'trigger.reserve': 0 };
const BOTH = { set: { ...EAGER, ...FULL }, summary: 'So far: nothing.' };
const PLACEHOLDER = '[Old tool result content cleared]';

const sdk = await optional('ai');
const mocks = await optional('ai/test');
const langchain = await optional('@langchain/core/messages');
const loading = await optional('@langchain/core/load');
const skip = sdk && mocks && langchain && loading ? false : 'the libraries are not installed: run `cargo xtask setup`';

async function optional(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The messages unchanged, pruned, and with a summary; from live objects and from text. */
function versionsOf(messages) {
  const text = JSON.stringify(messages);
  return [PRUNE, BOTH].flatMap((how) => [compact(messages, how).messages, JSON.parse(compact(text, how).text)]);
}

/** What a model gets for model messages. */
async function promptOf(messages) {
  const content = [{ type: 'text', text: 'ok' }];
  const usage = { inputTokens: {}, outputTokens: {} };
  const model = new mocks.MockLanguageModelV3({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: { content, finishReason: { unified: 'stop' }, usage, warnings: [] },
  });
  await sdk.generateText({ model, messages, allowSystemInMessages: true });
  return model.doGenerateCalls[0].prompt;
}

function partsIn(prompt, type) {
  return prompt.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter((part) => part.type === type);
}

/** The calls and results that are sent are those that were counted. */
function assertCounted(prompt, messages) {
  const { calls, results } = read(messages).counts;
  assert.deepEqual([partsIn(prompt, 'tool-call').length, partsIn(prompt, 'tool-result').length], [calls, results]);
}

test('model messages of the AI SDK stay valid, and are sent as they were counted', { skip }, async () => {
  const messages = JSON.parse(fixture('vercel-model.json'));
  for (const version of [messages, ...versionsOf(messages)]) {
    for (const message of version) sdk.modelMessageSchema.parse(message);
    assertCounted(await promptOf([...version, { role: 'user', content: 'Go on.' }]), version);
  }
  const results = partsIn(await promptOf(compact(messages, PRUNE).messages), 'tool-result');
  const left = results.filter(({ output }) => output.value !== PLACEHOLDER);
  assert.deepEqual(
    left.map(({ toolName }) => toolName),
    ['web_search'],
    'the provider made it itself',
  );
});

test('UI messages of the AI SDK stay valid, and become model messages', { skip }, async () => {
  const messages = JSON.parse(fixture('vercel-ui.json'));
  for (const version of [messages, ...versionsOf(messages)]) {
    const { success, error } = await sdk.safeValidateUIMessages({ messages: version });
    assert.ok(success, error?.message);
    const converted = await sdk.convertToModelMessages(version);
    for (const message of converted) sdk.modelMessageSchema.parse(message);
    assertCounted(await promptOf(converted), version);
  }
});

test('instances of LangChain’s classes are counted as their JSON, and stay instances', { skip }, async () => {
  const { HumanMessage, ToolMessage, BaseMessage } = langchain;
  const messages = await loading.load(fixture('langchain-dump.json'));
  assert.ok(messages.every((message) => BaseMessage.isInstance(message)));
  const text = JSON.stringify(messages);
  assert.deepEqual(plan(messages), plan(text));
  assert.deepEqual(read(messages).counts, read(text).counts);

  const { messages: pruned, plan: made } = compact(messages, PRUNE);
  pruned.forEach((message, at) => {
    if (!made.messages[at].parts.some(({ fate }) => fate === 'pruned')) return assert.equal(message, messages[at]);
    assert.ok(ToolMessage.isInstance(message) && message instanceof ToolMessage);
    const contents = [message.content, message.toJSON().kwargs.content, message.text];
    assert.deepEqual(contents, [PLACEHOLDER, PLACEHOLDER, PLACEHOLDER]);
    assert.deepEqual([message.tool_call_id, message.artifact], [messages[at].tool_call_id, messages[at].artifact]);
    assert.notEqual(messages[at].content, PLACEHOLDER);
    return undefined;
  });
  assert.equal(JSON.stringify(pruned), compact(text, PRUNE).text);

  const { messages: kept } = compact(messages, BOTH);
  const summary = kept.find((message) => typeof message.content === 'string' && message.content.includes('So far'));
  assert.ok(HumanMessage.isInstance(summary));
  assert.equal((await loading.load(JSON.stringify(kept))).length, kept.length);
});

test('without a message of a person’s, the summary is an instance of LangChain’s all the same', { skip }, async () => {
  const { AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage } = langchain;
  const results = Array.from({ length: 6 }, (_, at) => [
    new AIMessage({ content: `step ${at}`, tool_calls: [{ id: `c${at}`, name: 'read', args: {} }] }),
    new ToolMessage({ content: 'x'.repeat(900), tool_call_id: `c${at}` }),
  ]);
  for (const messages of [results.flat(), [new SystemMessage('Be brief.'), ...results.flat()]]) {
    const { messages: kept, applied } = compact(messages, {
      set: { ...FULL, 'prune.enabled': false },
      summary: 'So far: nothing.',
      force: true,
    });
    assert.ok(applied.summarized > 0);
    assert.ok(
      kept.every((message) => BaseMessage.isInstance(message)),
      'every message is one of LangChain’s',
    );
    const summary = kept.find((message) => typeof message.content === 'string' && message.content.includes('So far'));
    assert.ok(summary instanceof HumanMessage && HumanMessage.isInstance(summary));
    assert.deepEqual([summary.getType(), summary.type], ['human', 'human']);
    const loaded = await loading.load(JSON.stringify(kept));
    assert.ok(loaded.some((message) => message.constructor === HumanMessage && message.content === summary.content));
    assert.equal(langchain.coerceMessageLikeToMessage(summary), summary);
  }
});

test('LangChain makes messages of the plain objects that a compaction leaves', { skip }, async () => {
  const dump = JSON.parse(fixture('langchain-dump.json'));
  for (const version of versionsOf(dump)) {
    const loaded = await loading.load(JSON.stringify(version));
    assert.ok(loaded.every((message) => langchain.BaseMessage.isInstance(message)));
  }
  const known = ['human', 'ai', 'system', 'tool'];
  const dict = JSON.parse(fixture('langchain-dict.json')).filter(({ type }) => known.includes(type));
  for (const version of versionsOf(dict)) {
    const made = langchain.mapStoredMessagesToChatMessages(version);
    assert.deepEqual(
      made.map((message) => message.getType()),
      version.map(({ type }) => type),
    );
  }
  const flat = JSON.parse(fixture('langchain-flat.json')).filter(({ type }) => known.includes(type));
  for (const version of versionsOf(flat)) {
    const made = version.map((message) => langchain.coerceMessageLikeToMessage(message));
    assert.deepEqual(
      made.map((message) => message.getType()),
      version.map(({ type }) => type),
    );
  }
});

// pi with ebbline, in one process and with a scripted model. It needs Node 22, as pi does. In pi itself, the extension is a file of its
// own: see docs/hosts/pi.md.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessageEventStream, createProvider } from '@earendil-works/pi-ai';
import {
  DefaultResourceLoader,
  ModelRuntime,
  SessionManager,
  SettingsManager,
  createAgentSession,
  defineTool,
} from '@earendil-works/pi-coding-agent';
import { createCompactor } from 'ebbline';
import { ebblineExtension } from 'ebbline/pi';

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

const extension = ebblineExtension((options) => createCompactor(options));

const cwd = mkdtempSync(join(tmpdir(), 'pi-'));
const settingsManager = SettingsManager.inMemory();
const resourceLoader = new DefaultResourceLoader({ cwd, agentDir: cwd, settingsManager, extensionFactories: [extension] });
await resourceLoader.reload();
const modelRuntime = await ModelRuntime.create({ authPath: join(cwd, 'auth.json'), modelsPath: null, refreshOnCreate: false });
modelRuntime.registerNativeProvider(scriptedProvider({ steps: 80, window: 32_000 }));

const look = defineTool({
  name: 'look',
  label: 'Look',
  description: 'Reads a part.',
  parameters: { type: 'object', properties: { part: { type: 'number' } } },
  execute: async (_id, { part }) => ({ content: [{ type: 'text', text: `line of part ${part}\n`.repeat(150) }], details: {} }),
});

const { session } = await createAgentSession({
  cwd,
  agentDir: cwd,
  modelRuntime,
  model: modelRuntime.getModel('scripted', 'scripted'),
  settingsManager,
  resourceLoader,
  sessionManager: SessionManager.inMemory(cwd),
  noTools: 'builtin',
  customTools: [look],
});
const notes = [];
await session.bindExtensions({ uiContext: { notify: (note) => notes.push(note) }, mode: 'rpc' });

await session.prompt('Where is the fault?');
console.log(session.messages.at(-1).content[0].text);
console.log(`the session has ${session.messages.length} messages`);
console.log(`compacted: ${notes.some((note) => note.includes('outputs cleared'))}`);
notes.length = 0;
await session.prompt('/ebbline status');
console.log(`the command answers: ${/^ebbline: \d+ of 32000 /.test(notes[0])}`);
session.dispose();

/** A model that calls the tool `steps` times and refuses what is larger than its window. */
function scriptedProvider({ steps, window }) {
  let calls = 0;
  const usage = (input) => ({ input, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: input + 20, cost: { ...FREE } });
  const answer = ({ messages, tools }) => {
    const size = Math.ceil(JSON.stringify(messages).length / 4);
    if (size > window)
      return { content: [], stopReason: 'error', errorMessage: `prompt is too long: ${size} > ${window}`, usage: usage(0) };
    const say = (text) => ({ content: [{ type: 'text', text }], stopReason: 'stop', usage: usage(size) });
    if (!tools?.length) return say('The agent reads parts until it finds the fault.');
    calls += 1;
    if (calls > steps) return say('It is in part 7.');
    const call = { type: 'toolCall', id: `call_${calls}`, name: 'look', arguments: { part: calls } };
    return { content: [call], stopReason: 'toolUse', usage: usage(size) };
  };
  const streamSimple = (model, context) => {
    const stream = createAssistantMessageEventStream();
    const about = { role: 'assistant', api: model.api, provider: model.provider, model: model.id, timestamp: Date.now() };
    const message = { ...about, ...answer(context) };
    stream.push({ type: 'start', partial: { ...message, content: [] } });
    if (message.stopReason === 'error') stream.push({ type: 'error', reason: 'error', error: message });
    else stream.push({ type: 'done', reason: message.stopReason, message });
    stream.end(message);
    return stream;
  };
  const limits = { contextWindow: window, maxTokens: 2_000, reasoning: false, input: ['text'], cost: FREE };
  return createProvider({
    id: 'scripted',
    auth: { apiKey: { name: 'Scripted', resolve: async () => ({ auth: {} }) } },
    models: [{ id: 'scripted', name: 'scripted', api: 'scripted', provider: 'scripted', baseUrl: 'http://localhost', ...limits }],
    api: { stream: streamSimple, streamSimple },
  });
}

// It prints:
// → It is in part 7.
// → the session has 162 messages
// → compacted: true
// → the command answers: true

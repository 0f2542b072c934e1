// The rules of other libraries in their own code, over a life that grows. docs/defaults.md says how each is set.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { AI_SDK, CHAT, GEMINI, LANGCHAIN } from './wires.mjs';

/**
 * @typedef {{ window: number, overhead: number, ask: (characters: number) => string }} Terms `ask` is the summarizing model
 * @typedef {(messages: any[], tokens: number) => Promise<any[]> | any[]} Rule what is sent of the messages, which are so many tokens with the
 *   overhead
 * @typedef {object} Peer
 * @property {string} name
 * @property {import('./wires.mjs').Wire} wire
 * @property {boolean} keeps whether what it sends becomes the history
 * @property {(terms: Terms) => Promise<Rule> | Rule} open
 */

const LIBRARIES = new URL('../node_modules/', import.meta.url);

/** @param {string} from @param {URL} [folder] */
const versionOf = (from, folder = LIBRARIES) => JSON.parse(readFileSync(new URL(`${from}/package.json`, folder), 'utf8')).version;

/** @returns {Promise<Peer[]>} */
async function ofLibraries() {
  const [{ pruneMessages }, { trimMessages }, langchain, { FakeListChatModel }] = await Promise.all([
    import('ai7'),
    import('@langchain/core/messages'),
    import('langchain'),
    import('@langchain/core/utils/testing'),
  ]);
  const { ClearToolUsesEdit, contextEditingMiddleware, countTokensApproximately, summarizationMiddleware } = langchain;
  const ofAi = `ai ${versionOf('ai7')}, pruneMessages`;
  const pruned = (/** @type {any[]} */ messages) =>
    pruneMessages({ messages, reasoning: 'before-last-message', toolCalls: 'before-last-20-messages', emptyMessages: 'remove' });
  return [
    { name: `${ofAi}, every request, before-last-20-messages`, wire: AI_SDK, keeps: false, open: () => pruned },
    {
      name: `${ofAi}, when half full, kept`,
      wire: AI_SDK,
      keeps: true,
      open:
        ({ window }) =>
        (messages, tokens) =>
          tokens > window / 2 ? pruned(messages) : messages,
    },
    {
      name: `@langchain/core ${versionOf('@langchain/core')}, trimMessages to 85 %, startOn human`,
      wire: LANGCHAIN,
      keeps: false,
      open: ({ window, overhead }) => {
        const options = { maxTokens: window * 0.85 - overhead, tokenCounter: countTokensApproximately };
        return (messages) => trimMessages(messages, { ...options, strategy: 'last', includeSystem: true, startOn: 'human' });
      },
    },
    {
      name: `langchain ${versionOf('langchain')}, ClearToolUsesEdit at 50 %, keep 3`,
      wire: LANGCHAIN,
      keeps: false,
      open: ({ window, overhead }) => {
        const edits = [new ClearToolUsesEdit({ trigger: { tokens: window / 2 - overhead }, keep: { messages: 3 } })];
        const { wrapModelCall } = /** @type {any} */ (contextEditingMiddleware({ edits }));
        return async (messages) => {
          let sent = messages;
          await wrapModelCall({ messages: [...messages], model: undefined }, async (request) => {
            sent = [...request.messages];
          });
          return sent;
        };
      },
    },
    {
      name: `langchain ${versionOf('langchain')}, summarizationMiddleware at 85 %, keep 10 %`,
      wire: LANGCHAIN,
      keeps: true,
      open: ({ window, overhead, ask }) => {
        class Scripted extends FakeListChatModel {
          async _generate(asked, ...rest) {
            this.responses = [ask(JSON.stringify(asked.map(({ content }) => content)).length)];
            return super._generate(asked, ...rest);
          }
          get profile() {
            return { maxInputTokens: window - overhead };
          }
        }
        const model = new Scripted({ responses: [''] });
        const { beforeModel } = /** @type {any} */ (
          summarizationMiddleware({ model, trigger: { fraction: 0.85 }, keep: { fraction: 0.1 } })
        );
        return async (messages) => {
          const update = await (beforeModel.hook ?? beforeModel)({ messages }, { context: {} });
          return update === undefined ? messages : update.messages.filter((message) => message.getType() !== 'remove');
        };
      },
    },
  ];
}

/** Gemini CLI's two services, in the order of its client. What it writes is gone at the end. @returns {Promise<Peer[]>} */
async function ofGeminiCli(folder) {
  const base = pathToFileURL(`${folder}/node_modules/`);
  const from = (path) => import(new URL(`@google/gemini-cli-core/dist/src/${path}`, base).href);
  const [{ ChatCompressionService }, { ToolOutputMaskingService }, { tokenLimit }] = await Promise.all([
    from('context/chatCompressionService.js'),
    from('context/toolOutputMaskingService.js'),
    from('core/tokenLimits.js'),
  ]);
  const MODEL = 'gemini-2.5-pro';
  const files = mkdtempSync(join(tmpdir(), 'ebbline-peers-'));
  process.on('exit', () => rmSync(files, { recursive: true, force: true }));
  const open = ({ window, ask }) => {
    const generateContent = async ({ contents }) => ({
      candidates: [{ content: { parts: [{ text: ask(JSON.stringify(contents).length) }] } }],
    });
    let truncated = 0;
    const known = {
      getBaseLlmClient: () => ({ generateContent }),
      getCompressionThreshold: async () => (0.5 * window) / tokenLimit(MODEL),
      getToolOutputMaskingConfig: async () => ({
        protectionThresholdTokens: 50_000,
        minPrunableThresholdTokens: 30_000,
        protectLatestTurn: true,
      }),
      getTruncateToolOutputThreshold: () => 40_000,
      getNextCompressionTruncationId: () => (truncated += 1),
      storage: { getProjectTempDir: () => files },
      getSessionId: () => 'session',
      getActiveModel: () => MODEL,
      getApprovalMode: () => 'default',
      getContentGenerator: () => ({}),
    };
    // What only telemetry and prompts ask for is nothing.
    const config = new Proxy(known, {
      get: (target, name) => (name === 'config' ? config : name in target ? target[name] : () => undefined),
    });
    const [compression, masking] = [new ChatCompressionService(), new ToolOutputMaskingService()];
    let failed = false;
    return async (messages, tokens) => {
      const chat = { getHistory: () => messages, getLastPromptTokenCount: () => tokens };
      const { newHistory, info } = await compression.compress(chat, 'prompt', false, MODEL, config, failed);
      failed ||= info.compressionStatus === 2;
      return (await masking.mask(newHistory ?? messages, config)).newHistory;
    };
  };
  const name = `@google/gemini-cli-core ${versionOf('@google/gemini-cli-core', base)}, compression at 50 % and masking`;
  return [{ name, wire: GEMINI, keeps: true, open }];
}

/** Libraries for Python: one process each, which reads and writes lines until this one ends. @returns {Promise<Peer[]>} */
async function ofPython(python, absent) {
  const program = new URL('replay.py', import.meta.url).pathname;
  const start = (...words) => {
    const child = spawn(python, [program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.on('error', () => {});
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return async (/** @type {object} */ line) => {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      const { done, value } = await lines.next();
      if (done) throw new Error(`${python} ${words.join(' ')} ended`);
      return JSON.parse(value);
    };
  };
  const names = Object.entries(await start('names')({}));
  absent.push(...names.filter(([, name]) => name === null).map(([word]) => `${word}: ${python} has it not`));
  return names
    .filter(([, name]) => name !== null)
    .map(([word, name]) => {
      /** @type {ReturnType<typeof start> | undefined} */
      let says;
      return {
        name: String(name),
        wire: CHAT,
        keeps: true,
        open: async ({ window, overhead, ask }) => {
          const said = (says ??= start(word));
          await said({ window, overhead, summary: ask(0) });
          return async (messages, tokens) => {
            const { sent, asked } = await said({ messages, tokens });
            for (const characters of asked) ask(characters);
            return sent ?? messages;
          };
        },
      };
    });
}

/** The peers that are installed, and a sentence for each place that has none. */
export async function installed({ EBBLINE_PEERS_NODE: folder, EBBLINE_PEERS_PYTHON: python } = process.env) {
  const peers = [];
  const absent = [];
  const places = [
    { of: () => ofLibraries(), where: 'tests/hosts/node_modules', given: 'yes' },
    { of: () => ofGeminiCli(folder), where: 'EBBLINE_PEERS_NODE, a folder with node_modules/@google/gemini-cli-core', given: folder },
    { of: () => ofPython(python, absent), where: 'EBBLINE_PEERS_PYTHON, a Python with hermes-agent, ctx-slim or cutctx', given: python },
  ];
  for (const { of, where, given } of places) {
    try {
      if (given === undefined) throw new Error('it is not set');
      peers.push(...(await of()));
    } catch (error) {
      absent.push(`${where}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
  }
  return { peers, absent };
}

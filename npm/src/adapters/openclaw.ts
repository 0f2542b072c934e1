import type { Compactor } from '../compactor-interface.js';
import type { CompactorOptions } from '../compactor-options.js';
import { COMMAND, answerTo } from './common/session-command.js';
import { checkedMaker } from './common/sessions.js';
import { Engine } from './openclaw/engine.js';
import type { Caller, Plugin, PluginApi, Tool } from './openclaw/host.js';
import { checkedSettings } from './openclaw/settings.js';

/** A tool as MCP spells it (`recallTool("mcp")`). */
interface ToolDefinition {
  name?: unknown;
  description?: unknown;
  inputSchema?: unknown;
}

/** What OpenClaw gives for the compactor of a session, with the settings of `openclaw.json`. */
export type OpenClawOptions = CompactorOptions & { format: 'pi' };

/**
 * A plugin of OpenClaw: a context engine that keeps sessions inside the context window. The transcript stays whole; only what is sent to
 * the model is made smaller. It adds a tool that reads cleared outputs again, and the command `/ebbline` (status, compact, undo, redo).
 *
 * @param compactorFor makes the compactor of a session from the options that OpenClaw gives. Other options can be set beside them.
 * @param recall the tool with which a model gets a cleared output back: `recallTool("mcp")`
 * @throws `EbblineError` `invalid_option` if the first is no function; when OpenClaw registers the plugin, also if its settings are wrong
 *
 * @example
 * ```js
 * export default openclawPlugin((options) => createCompactor(options), recallTool("mcp"));
 * ```
 */
export function openclawPlugin(compactorFor: (options: OpenClawOptions) => Compactor, recall: ToolDefinition): Plugin {
  const make = checkedMaker(compactorFor, 'openclawPlugin((options) => createCompactor(options), recallTool("mcp"))');
  const compactor = (options: CompactorOptions) => make({ ...options, format: 'pi' });
  return {
    id: 'ebbline',
    name: 'ebbline',
    description: 'Keeps sessions inside the context window, and says why.',
    register(api) {
      const engine = new Engine(api, checkedSettings(api.pluginConfig, compactor), compactor);
      api.registerContextEngine('ebbline', () => engine.contextEngine);
      register(api, engine, recall);
    },
  };
}

function register(api: PluginApi, engine: Engine, { name, description, inputSchema }: ToolDefinition): void {
  const tool = { name: String(name), label: 'Recall an output', description: String(description), parameters: Object(inputSchema) };
  const execute = async (caller: Caller, params: unknown) => {
    const { ref } = Object(params) as { ref?: unknown };
    const output = typeof ref === 'string' ? await (await engine.session(caller)).recall(ref.trim()) : undefined;
    const text = output ?? `There is no output with the reference ${JSON.stringify(ref)}.`;
    return { content: [{ type: 'text' as const, text }], details: { found: output !== undefined } };
  };
  // Behind the search for tools, a model would not see what the references are for.
  const shown = { catalogMode: 'direct-only' as const };
  api.registerTool((caller): Tool => ({ ...tool, ...shown, execute: (_, params) => execute(caller, params) }), { names: [tool.name] });
  api.session.state.registerSessionExtension({
    namespace: 'context',
    description: 'How full the context is that is sent',
    project: ({ sessionKey }) => engine.status(sessionKey),
    cleanup: async ({ reason, sessionKey }) => {
      // A restart, or a plugin that is switched off, leaves sessions as they are.
      if (sessionKey !== undefined && (reason === 'delete' || reason === 'reset')) await engine.forget(sessionKey);
    },
  });
  api.registerCommand({
    name: 'ebbline',
    description: COMMAND,
    acceptsArgs: true,
    handler: async (caller) => {
      const session = await engine.session(caller);
      await session.known();
      const commanded = {
        compactor: {
          undo: () => session.compactor.undo(),
          redo: () => session.compactor.redo(),
          contextUsage: () => session.contextUsage(),
        },
        compact: (focus: string | undefined) => session.compact(focus, caller.runtimeContext?.llm),
        store: () => session.kept(),
      };
      return { text: `ebbline: ${await answerTo(caller.args ?? '', commanded)}` };
    },
  });
}

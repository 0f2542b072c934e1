// Compiled, never run: the plugin against the published types of OpenCode's plugins.

import type { Hooks, Plugin, PluginInput, PluginModule } from '@opencode-ai/plugin';
import { createCompactor, type Compactor } from 'ebbline';
import { ebblinePlugin, type EbblinePlugin, type OpenCodeOptions, type OpenCodeSession } from 'ebbline/opencode';

const made: EbblinePlugin = ebblinePlugin((options: OpenCodeOptions, { sessionID, client, directory }: OpenCodeSession) => {
  const words: string = `${sessionID} ${directory} ${typeof client.config.providers}`;
  return createCompactor({ ...options, ...(words === '' && { auto: false }) });
});
export const plugin: Plugin = made;
export const module: PluginModule = { server: made };
export const known: Compactor | undefined = made.compactor('ses_1');
export const forgotten: boolean = ebblinePlugin((options) => createCompactor(options), { limit: 10 }).forget('ses_1');

/** What the plugin relies on. */
export async function relied(input: PluginInput): Promise<Hooks> {
  const hooks: Hooks = await made(input);
  const { data } = await input.client.config.providers();
  const limit = data?.providers.find(({ id }) => id === 'anthropic')?.models.claude?.limit;
  const numbers: [number, number] | undefined = limit && [limit.context, limit.output];
  await hooks['experimental.session.compacting']?.({ sessionID: `${numbers}` }, { context: [] });
  const output: Parameters<NonNullable<Hooks['experimental.chat.messages.transform']>>[1] = { messages: [] };
  await hooks['experimental.chat.messages.transform']?.({}, output);
  const { info, parts } = output.messages[0] ?? { info: undefined, parts: [] };
  if (info?.role === 'user')
    await hooks['experimental.session.compacting']?.({ sessionID: info.model.providerID + info.model.modelID }, { context: [] });
  for (const part of parts) if (part.type === 'tool' && part.state.status === 'completed') part.state.time.compacted = 1;
  await hooks.event?.({ event: { type: 'session.error', properties: { sessionID: 'ses_1' } } });
  return hooks;
}

// @ts-expect-error one compactor cannot serve all sessions
ebblinePlugin(createCompactor());
// @ts-expect-error the function must return a compactor
ebblinePlugin(() => ({}));

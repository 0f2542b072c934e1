// Compiled, never run: the extension against the types of the real package.

import { DefaultResourceLoader, type ExtensionAPI, type ExtensionFactory } from '@earendil-works/pi-coding-agent';
import { createCompactor } from 'ebbline';
import { ebblineExtension, type PiSessionOptions } from 'ebbline/pi';

const extension: ExtensionFactory = ebblineExtension((options) => createCompactor(options));
export const loader = new DefaultResourceLoader({ cwd: '.', agentDir: '.', extensionFactories: [extension] });

export default ebblineExtension((options: PiSessionOptions) =>
  createCompactor({
    ...options,
    background: true,
    onEvent: (event) => {
      if (event.type === 'compacted') console.log(event.tokensAfter);
      options.onEvent(event);
    },
  }),
);

/** The hooks and calls that the extension relies on. */
export function relied(pi: ExtensionAPI): void {
  pi.on('context', ({ messages }, ctx) => ({ messages: ctx.signal?.aborted ? [] : messages }));
  pi.on('message_end', ({ message }) => void (message.role === 'assistant' && message.usage.cacheWrite));
  pi.on('agent_end', (_event, ctx) => void ctx.sessionManager.getBranch().findLast((entry) => entry.type === 'custom'));
  pi.on('session_before_compact', ({ reason, willRetry, customInstructions, branchEntries, preparation, signal }) => {
    if (reason === 'threshold' || willRetry || customInstructions === undefined || signal.aborted) return { cancel: true };
    const { firstKeptEntryId, tokensBefore } = preparation;
    return { compaction: { summary: `${branchEntries.length}`, firstKeptEntryId, tokensBefore } };
  });
  pi.on('session_shutdown', () => undefined);
  pi.appendEntry('ebbline', {});
  pi.sendMessage({ customType: 'ebbline', content: 'Go on.', display: false }, { deliverAs: 'steer' });
  pi.registerCommand('ebbline', {
    getArgumentCompletions: (prefix) => [{ value: prefix, label: prefix }],
    handler: async (_args, ctx) => {
      await ctx.waitForIdle();
      const { model } = ctx;
      if (model === undefined) return;
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }], timestamp: 0 }];
      const context = { systemPrompt: 'x', messages };
      const { stopReason, errorMessage } = await ctx.modelRegistry.complete(model, context, { maxTokens: 1, cacheRetention: 'none' });
      ctx.ui.notify(`${stopReason} ${errorMessage} ${model.contextWindow} ${model.maxTokens}`, 'info');
    },
  });
}

// @ts-expect-error one compactor cannot serve all sessions
ebblineExtension(createCompactor());
// @ts-expect-error the function must return a compactor
ebblineExtension(() => ({}));

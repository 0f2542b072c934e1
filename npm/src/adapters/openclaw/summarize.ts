import type { Summarize } from '../../compactor-options.js';
import type { HostModel } from './host.js';

/** Writes summaries with the model of the session. */
export function summarizeWith(llm: HostModel, onFailure?: (error: unknown) => void): Summarize {
  return async ({ system, messages, maxTokens }, { signal }) => {
    try {
      const how = { purpose: 'ebbline: summary of a session', ...(signal !== undefined && { signal }) };
      const { text, stopReason } = await llm.complete({ messages, systemPrompt: system, maxTokens, ...how });
      if (stopReason === 'error' || stopReason === 'aborted') throw new Error(text || stopReason);
      return { text, truncated: stopReason === 'length' };
    } catch (error) {
      onFailure?.(error);
      throw error;
    }
  };
}

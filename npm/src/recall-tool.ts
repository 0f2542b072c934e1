import { EbblineError } from './errors.js';
import { RECALL_TOOLS } from './generated/recall-tools.js';
import { guarded } from './guard.js';

/**
 * The definition of a tool with which a model gets a cleared output back, as a provider spells it. The agent answers a call of it with
 * {@link Compactor.recall} of its argument `ref`.
 *
 * @example
 * ```js
 * const tools = [...myTools, recallTool("anthropic_messages")];
 * ```
 */
export const recallTool = guarded(function recallTool(
  spelling: 'openai_chat' | 'openai_responses' | 'anthropic_messages' | 'gemini_contents' | 'bedrock_converse' | 'mcp' = 'openai_chat',
): Record<string, unknown> {
  if (typeof spelling === 'string' && Object.hasOwn(RECALL_TOOLS, spelling)) return JSON.parse(RECALL_TOOLS[spelling]);
  throw new EbblineError('invalid_option', `the spelling must be one of ${Object.keys(RECALL_TOOLS).join(', ')}`);
});

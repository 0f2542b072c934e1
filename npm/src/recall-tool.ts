import { EbblineError } from './errors.js';
import { guarded } from './guard.js';

const NAME = 'recall_output';
const DESCRIPTION =
  'Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].';
const PARAMETERS = {
  type: 'object',
  properties: { ref: { type: 'string', description: 'The eight letters of the reference, or the id of the tool call.' } },
  required: ['ref'],
  additionalProperties: false,
};

/** A tool, however a provider spells it. */
interface Tool {
  name: string;
  description: string;
  parameters: object;
}

/** The definition of a tool in each provider's spelling. */
const SPELLINGS = {
  openai_chat: (tool: Tool) => ({ type: 'function', function: tool }),
  openai_responses: (tool: Tool) => ({ type: 'function', ...tool, strict: true }),
  anthropic_messages: ({ parameters, ...tool }: Tool) => ({ ...tool, input_schema: parameters }),
  gemini_contents: ({ parameters, ...tool }: Tool) => ({ functionDeclarations: [{ ...tool, parametersJsonSchema: parameters }] }),
  bedrock_converse: ({ parameters, ...tool }: Tool) => ({ toolSpec: { ...tool, inputSchema: { json: parameters } } }),
  mcp: ({ parameters, ...tool }: Tool) => ({ ...tool, inputSchema: parameters }),
};

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
  const spelled = typeof spelling === 'string' && Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling] : undefined;
  if (spelled === undefined) {
    throw new EbblineError('invalid_option', `the spelling must be one of ${Object.keys(SPELLINGS).join(', ')}`);
  }
  return spelled({ name: NAME, description: DESCRIPTION, parameters: structuredClone(PARAMETERS) });
});

// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

/**
 * The formats that are read, and what the usage that they report includes.
 *
 * @type {Record<string, { title: string, reportedInput?: string }>}
 */
export const FORMATS = {
  tunacode: { title: 'TunaCode', reportedInput: 'either' },
  tinyagent: { title: 'TinyAgent', reportedInput: 'excludes_cache' },
  pydantic_ai: { title: 'pydantic-ai', reportedInput: 'includes_cache' },
  pi: { title: 'pi', reportedInput: 'excludes_cache' },
  opencode: { title: 'OpenCode', reportedInput: 'excludes_cache' },
  openai_chat: { title: 'OpenAI Chat' },
  anthropic_messages: { title: 'Anthropic Messages', reportedInput: 'excludes_cache' },
  claude_code: { title: 'Claude Code', reportedInput: 'excludes_cache' },
  codex: { title: 'Codex', reportedInput: 'includes_cache' },
  gemini_cli: { title: 'Gemini CLI', reportedInput: 'includes_cache' },
  gemini_contents: { title: 'Gemini contents' },
  openai_responses: { title: 'OpenAI Responses', reportedInput: 'includes_cache' },
  vercel_model: { title: 'AI SDK model messages' },
  vercel_ui: { title: 'AI SDK UI messages', reportedInput: 'includes_cache' },
  langchain: { title: 'LangChain', reportedInput: 'includes_cache' },
  openhands: { title: 'OpenHands', reportedInput: 'includes_cache' },
  swe_agent: { title: 'SWE-agent', reportedInput: 'includes_cache' },
  atif: { title: 'ATIF', reportedInput: 'includes_cache' },
  copilot_cli: { title: 'Copilot CLI', reportedInput: 'includes_cache' },
  cline: { title: 'Cline', reportedInput: 'includes_cache' },
  inspect_ai: { title: 'Inspect AI', reportedInput: 'either' },
  bedrock_converse: { title: 'Bedrock Converse', reportedInput: 'excludes_cache' },
};

/** The rules that a session can break. */
export const RULES = [
  'result_without_call',
  'call_without_result',
  'result_before_call',
  'duplicate_call',
  'duplicate_result',
  'split_batch',
  'summary_in_batch',
  'result_not_first',
  'wrong_role',
  'first_role',
  'last_role',
  'alternation',
  'system_not_first',
  'unknown_role',
  'empty_text',
  'empty_message',
  'empty_result',
  'unsigned_thinking',
  'thinking_after_call',
  'thinking_not_first',
  'thinking_last',
  'empty_list',
  'empty_calls',
  'call_without_id',
  'image_in_answer',
  'cache_marks',
  'signature_changed',
  'thinking_parted',
];

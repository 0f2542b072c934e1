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
  openai_agents: { title: 'OpenAI Agents' },
  mastra: { title: 'Mastra' },
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
  'call_id',
  'call_name',
  'call_input',
  'image_in_answer',
  'cache_marks',
  'signature_changed',
  'thinking_parted',
];

/** Why a context cannot be made to fit. */
export const OBSTACLES = {
  overhead_fills_window: 'What is sent beside the messages is as large as the context window.',
  still_too_large: 'The context was compacted after an overflow, and the provider refused it again.',
  nothing_to_compact: 'Nothing in the context may be pruned or summarised.',
  no_summary: 'Only a summary would make the context fit, and there is none.',
};

/** What to tell a model whose answer is refused. */
export const REMINDERS = {
  empty_summary: 'Your answer contains no summary. Write the summary that was asked for, as plain text, and call no tool.',
  truncated_summary: 'Your answer was cut off. Write the whole summary again, at most half as long.',
  larger_summary: 'Your summary is longer than the messages that it replaces. Write it again, at most a quarter as long.',
};

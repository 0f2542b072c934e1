// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

import type { PolicyOptions } from '../policy-options.js';
import type { Report } from '../session-report.js';
import type { FormatName } from './words.js';

/**
 * The formats that are read, and what the usage that they report includes.
 */
export const FORMATS: Record<FormatName, { title: string; reportedInput?: Report['reportedInput'] }> = {
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
  goose: { title: 'Goose' },
  kimi_cli: { title: 'Kimi CLI', reportedInput: 'includes_cache' },
  google_adk: { title: 'Google ADK', reportedInput: 'includes_cache' },
  sharegpt: { title: 'ShareGPT' },
  tau2: { title: 'tau2-bench', reportedInput: 'either' },
  agent_framework: { title: 'Microsoft Agent Framework' },
  semantic_kernel: { title: 'Semantic Kernel' },
  autogen: { title: 'AutoGen' },
  droid: { title: 'Factory droid' },
  amp: { title: 'Amp' },
  vscode_chat: { title: 'VS Code Copilot Chat' },
  cursor: { title: 'Cursor' },
  kiro_cli: { title: 'Kiro CLI' },
};

/** The rules that a session can break. */
export const RULES = [
  'result_without_call', 'call_without_result', 'result_before_call', 'duplicate_call', 'duplicate_result',
  'split_batch', 'summary_in_batch', 'result_not_first', 'wrong_role', 'first_role', 'last_role', 'alternation',
  'system_not_first', 'unknown_role', 'empty_text', 'empty_message', 'empty_result', 'unsigned_thinking',
  'thinking_after_call', 'thinking_not_first', 'thinking_last', 'empty_list', 'empty_calls', 'call_without_id',
  'call_id', 'call_name', 'call_input', 'image_in_answer', 'cache_marks', 'signature_changed', 'thinking_parted',
] as const;

/** What is most likely a mistake of the caller; figures stand in braces. */
export const NOTICES = {
  summary_failed: 'A summary failed: {error}. The agent goes on without it, with what fits.',
  replaced: 'None of the {known} known messages is in the history, so what was decided about them is dropped. Pass the whole history at each call, and use one compactor for each session.',
  two_sessions: 'Two sessions take turns in one compactor, and each drops what was decided for the other. Create one compactor for each session.',
  no_model: 'No model was given, so a context window of {window} tokens is assumed. Pass the limits of your model: `model` with `context` and `output`.',
  no_window: 'The context window is said to be 0, which is unknown, so no summary is asked for before a provider refuses. Pass the window of your model as `context` of `model`.',
  large_output: 'The answer may have {output} tokens, and the context window has {window}. Check `output` and `context` of `model`: no room is left for messages.',
};

/** What tokens cost when the caller says nothing, as multiples of one fresh input token. */
export const RATES = { cached: 0.1, written: 1.25, output: 5 };

/** How many policies are compared at once. */
export const MOST_POLICIES = 256;

/** How many findings a report lists. */
export const FINDINGS = 100;

/** A boundary in front of the newest message, wherever the policy would put it. */
export const SUMMARIZES_ALL: PolicyOptions['set'] = {
  'prune.enabled': false,
  'prune.preview': 0,
  'trigger.measure': 'estimate',
  'retain.enabled': true,
  'retain.keep': 1,
  'retain.keepShare': null,
  'retain.keepFloor': 0,
  'retain.fill': 'at_least',
  'retain.turns': 0,
  'retain.snap': 'older',
  'retain.cut': 'anywhere',
  'retain.summarizeAllThatFits': false,
  'retain.forcedKeepsNothing': false,
  'retain.userWords': 0,
};

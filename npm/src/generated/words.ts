// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

/** What went wrong. */
export type ErrorCode =
  /** There is nothing to read: no bytes, or only white space. */
  | "empty"
  /** The bytes are not UTF-8, or the text holds an unpaired surrogate outside an escape. */
  | "not_utf8"
  /** The text is not JSON. */
  | "not_json"
  /** The text, or a line of a JSON Lines file, ends in the middle of a value. */
  | "torn_line"
  /** Something is nested deeper than 1,000 levels, or contains itself. */
  | "too_deep"
  /** The text is longer than 4 GiB, or a number in it is too large for its purpose. */
  | "too_large"
  /** JSON, but no messages of any known format. */
  | "no_messages"
  /** The session is of another format than the one asked for. */
  | "wrong_format"
  /** The format was recognized, but is not read yet, or not as live objects. */
  | "unsupported_format"
  /** A format name that does not exist. */
  | "unknown_format"
  /** A message breaks a rule of its format (with `strict`). */
  | "invalid_message"
  /** A profile name that does not exist. */
  | "unknown_profile"
  /** A policy has an unknown field, a wrong type or an impossible value. */
  | "invalid_policy"
  /** An option does not exist, is of the wrong type, or does not fit the others. */
  | "invalid_option"
  /** Another system's settings, or a question to it, have an unknown name, a wrong type or an impossible value. */
  | "invalid_settings"
  /** Records, plan and session do not belong together, or records are malformed. */
  | "mismatch"
  /** The format has no place for a summary in this session. */
  | "no_place_for_summary"
  /** A request for a summary does not fit into its budget, however much of the transcript is left out. */
  | "budget_too_small"
  /** A summary has no content. */
  | "empty_summary"
  /** A summary was cut off by the model's output limit. */
  | "truncated_summary"
  /** A summary is larger than the messages that it would replace. */
  | "larger_summary"
  /**
   * A value that was passed threw an error when it was read: a getter, a proxy (maybe revoked), `toJSON`. `cause` is
   * that error. What `countTokens` throws is the `cause` of an `invalid_option`.
   */
  | "unreadable"
  /** A {@link Session} is used by what it is reading: by a getter of a message, a proxy, or `countTokens`. */
  | "busy"
  /** A message that would change is an instance of a class with private members, which cannot be copied. */
  | "cannot_copy"
  /** A {@link Session} is used after it was freed. */
  | "freed"
  /** A module is not loaded yet: the message names the call of `init` that loads it. */
  | "not_initialized"
  /**
   * A model's answer is no summary: it refuses, is an error message or a call, says nothing, or is about something
   * else.
   */
  | "refused_summary"
  /** A summary lacks what it must have: facts, the language of the user, headings. */
  | "incomplete_summary"
  /**
   * System messages, what is pinned, and what is sent beside the messages fill the context window: no compaction
   * makes a request fit.
   */
  | "head_fills_window"
  /** What is sent beside the messages is as large as the context window. */
  | "overhead_fills_window"
  /** The context was compacted after an overflow, and the provider refused it again. */
  | "still_too_large"
  /** Nothing in the context may be pruned or summarized. */
  | "nothing_to_compact"
  /** Only a summary would make the context fit, and there is none. */
  | "no_summary";

/** A format's name. */
export type FormatName =
  /** TunaCode. */
  | "tunacode"
  /** TinyAgent. */
  | "tinyagent"
  /** pydantic-ai. */
  | "pydantic_ai"
  /** pi. */
  | "pi"
  /** OpenCode. */
  | "opencode"
  /** OpenAI Chat. */
  | "openai_chat"
  /** Anthropic Messages. */
  | "anthropic_messages"
  /** Claude Code. */
  | "claude_code"
  /** Codex. */
  | "codex"
  /** Gemini CLI. */
  | "gemini_cli"
  /** Gemini contents. */
  | "gemini_contents"
  /** OpenAI Responses. */
  | "openai_responses"
  /** AI SDK model messages. */
  | "vercel_model"
  /** AI SDK UI messages. */
  | "vercel_ui"
  /** LangChain. */
  | "langchain"
  /** OpenHands. */
  | "openhands"
  /** SWE-agent. */
  | "swe_agent"
  /** ATIF. */
  | "atif"
  /** Copilot CLI. */
  | "copilot_cli"
  /** Cline. */
  | "cline"
  /** Inspect AI. */
  | "inspect_ai"
  /** Bedrock Converse. */
  | "bedrock_converse"
  /** OpenAI Agents. */
  | "openai_agents"
  /** Mastra. */
  | "mastra"
  /** Goose. */
  | "goose"
  /** Kimi CLI. */
  | "kimi_cli"
  /** Google ADK. */
  | "google_adk"
  /** ShareGPT. */
  | "sharegpt"
  /** tau2-bench. */
  | "tau2"
  /** Microsoft Agent Framework. */
  | "agent_framework"
  /** Semantic Kernel. */
  | "semantic_kernel"
  /** AutoGen. */
  | "autogen"
  /** Factory droid. */
  | "droid"
  /** Amp. */
  | "amp"
  /** VS Code Copilot Chat. */
  | "vscode_chat"
  /** Cursor. */
  | "cursor"
  /** Kiro CLI. */
  | "kiro_cli";

/** The name of a format whose messages are accepted as live arrays, not only as texts. */
export type LiveFormatName =
  /** pi. */
  | "pi"
  /** OpenCode. */
  | "opencode"
  /** OpenAI Chat. */
  | "openai_chat"
  /** Anthropic Messages. */
  | "anthropic_messages"
  /** Gemini contents. */
  | "gemini_contents"
  /** OpenAI Responses. */
  | "openai_responses"
  /** AI SDK model messages. */
  | "vercel_model"
  /** AI SDK UI messages. */
  | "vercel_ui"
  /** LangChain. */
  | "langchain"
  /** Bedrock Converse. */
  | "bedrock_converse"
  /** OpenAI Agents. */
  | "openai_agents"
  /** Mastra. */
  | "mastra"
  /** Goose. */
  | "goose";

/** A profile's name. */
export type ProfileName =
  /**
   * Our own: nothing changes until the window is 85% full, or the provider's cache is cold; then outputs behind the
   * newest 10% are pruned, newer ones only to get down to 40%, and a summary is made only if that is not enough. What
   * leaves says what it was and names what stood only there (paths, ids, error codes).
   */
  | "ebbline@3"
  /** Our own, the second: as the third, but it waits until the window is 85% full, and names nothing. */
  | "ebbline@2"
  /**
   * Our own, the first: prunes behind 20% of the window but never in the newest two turns, then keeps the newest 10%
   * word for word.
   */
  | "ebbline@1"
  /** pi 0.58.3, March 2026: fires 16,384 tokens below the window, keeps the newest 20,000, may cut inside a turn. */
  | "pi@0.58"
  /** pi 0.84.2, August 2026: as 0.58, but what one compaction kept is summarized by the next. */
  | "pi@0.84"
  /** pi 1.5.2, November 2026: as 0.84, but trailing tool results no longer keep it from compacting. */
  | "pi@1.5"
  /**
   * OpenCode, December 2025: prunes beyond 40,000 tokens of output but for the newest two turns; summarizes
   * everything.
   */
  | "opencode@2025-12"
  /** OpenCode, January 2026: prunes beyond 40,000 tokens of output, spares the newest two turns and skills. */
  | "opencode@2026-01"
  /** OpenCode, June 2026: prunes only if told to; keeps the newest two turns within 2,000 to 8,000 tokens. */
  | "opencode@2026-06"
  /** OpenCode v2, June 2026: fires 20,000 tokens below the window, keeps the newest 8,000 as text. */
  | "opencode-v2@2026-06"
  /** OpenCode v2, a later state: measured by reported usage, keeps the newest 15,000 back to a user's message. */
  | "opencode-v2@later"
  /** TunaCode, January 2026: prunes beyond 40,000 tokens of output, even the newest turn's. */
  | "tunacode@2026-01"
  /** TunaCode, January 2026, local mode: protects 2,000 tokens of output, prunes from 500. */
  | "tunacode@2026-01/local"
  /** TunaCode, February 2026: prunes as in January. */
  | "tunacode@2026-02"
  /**
   * TunaCode 0.2.3, June 2026, the newest: keeps a window of 20,000 tokens, snapped to an older message, and
   * summarizes the rest.
   */
  | "tunacode@0.2"
  /** Claude Code 2.1, November 2026: fires 33,000 tokens below the window, and keeps nothing. */
  | "claude-code@2.1"
  /** Codex 0.171, November 2026: fires at 90% of the window, and keeps the user's messages, up to 20,000 tokens. */
  | "codex@0.171"
  /**
   * Gemini CLI 0.61, November 2026: prunes beyond 50,000 tokens of output, fires at half of the window, keeps the
   * newest 30%.
   */
  | "gemini-cli@0.61"
  /** BRUTUS, January 2026, a specification: OpenCode's rules of that month over bytes, rounded up. */
  | "brutus@2026-01";

/**
 * A rule that a session can break. Each format has its own set; those that are in none can be asked for by `also`.
 */
export type RuleName =
  /** A result answers no call. */
  | "result_without_call"
  /** A call has no result, and the agent supplies none by itself, as pi and OpenCode do. */
  | "call_without_result"
  /** A result stands before the call that it answers. */
  | "result_before_call"
  /** Two calls have the same id: in the whole list (Anthropic), or made at once (the others). */
  | "duplicate_call"
  /** A call has a second result. */
  | "duplicate_result"
  /** A result does not stand directly after its calls: other messages have come between. */
  | "split_batch"
  /** A summary stands between a call and its result. */
  | "summary_in_batch"
  /** In the message that answers calls, something stands before a result (Anthropic). */
  | "result_not_first"
  /** A message of this role cannot hold such a part: a call in a user's message. */
  | "wrong_role"
  /** The list begins with an answer (all but OpenAI Chat). */
  | "first_role"
  /** The list ends with an answer, but is to be sent as it is. In no format's set. */
  | "last_role"
  /** Two messages of the user, or two of the model, follow each other (Bedrock). */
  | "alternation"
  /** A system message stands behind the front (Anthropic). */
  | "system_not_first"
  /** A role that the provider does not know (OpenAI Chat, Anthropic, Bedrock, Gemini). */
  | "unknown_role"
  /** A text of no characters, or only of white space (Anthropic, Bedrock). */
  | "empty_text"
  /** A message without content (OpenAI Chat, Bedrock, Gemini; Anthropic, but for an answer that ends the list). */
  | "empty_message"
  /** A result without content (OpenAI Chat). */
  | "empty_result"
  /** Thinking without its signature (Anthropic). */
  | "unsigned_thinking"
  /** Thinking stands behind a call of the same message instead of in front of it (Anthropic). */
  | "thinking_after_call"
  /**
   * A message that thinks and calls a tool begins with something else; refused with a thinking budget. In no format's
   * set.
   */
  | "thinking_not_first"
  /**
   * A message ends with thinking (Anthropic), or an answer with an item of reasoning (OpenAI Responses and Agents).
   */
  | "thinking_last"
  /**
   * There is no message to answer (OpenAI Chat, Responses and Agents, Anthropic, Bedrock, Gemini, AI SDK model
   * messages).
   */
  | "empty_list"
  /** `tool_calls: []` (OpenAI Chat). */
  | "empty_calls"
  /** A call without an id (OpenAI Chat, Responses and Agents, Anthropic, Bedrock, AI SDK model messages). */
  | "call_without_id"
  /** The id of a call has other characters than letters, digits, `_` and `-` (Anthropic, Bedrock). */
  | "call_id"
  /** The name of a called tool has other characters than letters, digits, `_` and `-` (Anthropic, Bedrock). */
  | "call_name"
  /** What a tool is called with is no object (Anthropic, Bedrock). */
  | "call_input"
  /** An image in a message that is the model's (OpenAI Chat, Anthropic). */
  | "image_in_answer"
  /** More than four blocks ask for caching: with `cache_control` (Anthropic), with `cachePoint` (Bedrock). */
  | "cache_marks"
  /** A message with a signature was changed or moved. Found by comparing two sessions only. */
  | "signature_changed"
  /** An unfinished run of tool calls lost the signed thinking that it began with. Found by comparing only. */
  | "thinking_parted";

/** What may be done with a tool result. */
export type PartOutput =
  /** An ordinary result. */
  | "ordinary"
  /** The tool failed; the part is the error's text. */
  | "error"
  /** The result has been pruned before: a placeholder stands in its place. */
  | "pruned"
  /** The provider made the result and verifies it: it must go back as it came. */
  | "sealed"
  /** The tool failed, and the format has no place for anything but the error's own text. */
  | "fixed_error"
  /**
   * An ordinary result that reads as the placeholder does. Nothing proves that it was pruned; pruning it would change
   * nothing.
   */
  | "placeholder"
  /** An error text of a failed tool that equals the placeholder. Nothing proves that it was pruned. */
  | "failed_placeholder";

/** How much of a session's life its file holds. */
export type KnownHistory =
  /** Everything from the first message on. */
  | "whole"
  /** Everything, though the agent compacted it: its compactions are undone. */
  | "restored"
  /** Only what followed a compaction: the summary is where the history begins. */
  | "tail";

/**
 * Where a replay takes the usage from that providers report with answers. Policies that measure the context by
 * reported usage depend on it.
 */
export type UsageFrom =
  /**
   * Each answer reports what its replayed request sends by the policy's own estimate, and the answer itself. A
   * recorded usage describes the context of the agent that recorded it, which is another one as soon as the replayed
   * policy compacts.
   */
  | "estimate"
  /** The usage that the session recorded. Right only where the replayed policy does what the recording agent did. */
  | "recorded"
  /** No answer reports any usage. */
  | "nothing";

/** When a replayed policy decides. */
export type DecisionMoments =
  /**
   * Before every request, as an agent does that asks ebbline: the same for every policy, so that they can be
   * compared.
   */
  | "every_request"
  /**
   * When the system of the policy's profile decides, and with its own boundary of what is kept: OpenCode prunes after
   * a run, pi until 0.84 compacts between runs only.
   */
  | "system";

//! Usage that the provider reported with an answer.

use crate::json::Value;
use crate::words;

words! {
    /// What a format's reported input covers. [`crate::transcript::Message::usage`] is the same either way: all tokens of the request,
    /// wherever they came from, and the answer.
    pub enum ReportedInput [non_exhaustive] {
        /// All of the request, what came from the provider's cache included.
        IncludesCache "includes_cache",
        /// Only what did not come from the cache; reads and writes of the cache are reported beside it.
        ExcludesCache "excludes_cache",
        /// It depends on the version that wrote the file, or on the provider.
        Either "either",
    }
}

crate::form::worded!(ReportedInput);

/// How an agent writes usage: the member with the total, if there is one, and the members whose sum it is.
pub(super) struct Spelling {
    pub(super) total: &'static str,
    pub(super) summands: &'static [&'static [&'static str]],
}

/// pi (badlogic/pi-mono, `packages/ai/src/types.ts`). A total of 0 falls through to the sum.
pub(super) const PI: Spelling =
    Spelling { total: "totalTokens", summands: &[&["input"], &["output"], &["cacheRead"], &["cacheWrite"]] };

/// TinyAgent; its input excludes what came from the cache.
pub(super) const TINY_AGENT: Spelling = Spelling {
    total: "total_tokens",
    summands: &[&["input"], &["output"], &["cache_read"], &["cache_write"]],
};

/// OpenCode; its input excludes what came from the cache, its output the reasoning.
pub(super) const OPENCODE: Spelling = Spelling {
    total: "total",
    summands: &[&["input"], &["output"], &["reasoning"], &["cache", "read"], &["cache", "write"]],
};

/// Anthropic; its input excludes what came from the cache.
pub(super) const ANTHROPIC: Spelling = Spelling {
    total: "",
    summands: &[
        &["input_tokens"],
        &["output_tokens"],
        &["cache_read_input_tokens"],
        &["cache_creation_input_tokens"],
    ],
};

/// Bedrock's Converse; its input excludes what came from the cache, and its total may, too.
pub(super) const CONVERSE: Spelling = Spelling {
    total: "",
    summands: &[&["inputTokens"], &["outputTokens"], &["cacheReadInputTokens"], &["cacheWriteInputTokens"]],
};

/// pydantic-ai; its input includes what came from the cache. Until 0.8 it spoke of request and response.
pub(super) const PYDANTIC_AI: Spelling = Spelling {
    total: "total_tokens",
    summands: &[&["input_tokens"], &["output_tokens"], &["request_tokens"], &["response_tokens"]],
};

/// Gemini CLI; its input includes what came from the cache.
pub(super) const GEMINI_CLI: Spelling =
    Spelling { total: "total", summands: &[&["input"], &["output"], &["thoughts"], &["tool"]] };

/// Google ADK; its prompt includes what came from the cache.
pub(super) const ADK: Spelling = Spelling {
    total: "total_token_count",
    summands: &[
        &["totalTokenCount"],
        &["prompt_token_count"],
        &["candidates_token_count"],
        &["thoughts_token_count"],
    ],
};

/// OpenAI Responses and Codex; their input includes what came from the cache.
pub(super) const OPENAI: Spelling = PYDANTIC_AI;
/// The Vercel AI SDK; its input includes what came from the cache.
pub(super) const VERCEL: Spelling =
    Spelling { total: "totalTokens", summands: &[&["inputTokens"], &["outputTokens"]] };

/// LangChain's `usage_metadata`; its input includes what came from the cache.
pub(super) const LANGCHAIN: Spelling =
    Spelling { total: "total_tokens", summands: &[&["input_tokens"], &["output_tokens"]] };
/// Copilot CLI; its input includes what came from the cache.
pub(super) const COPILOT: Spelling = Spelling { total: "", summands: &[&["inputTokens"], &["outputTokens"]] };

/// `LiteLLM`, as `OpenHands` keeps its responses; its input includes what came from the cache.
pub(super) const LITELLM: Spelling =
    Spelling { total: "total_tokens", summands: &[&["prompt_tokens"], &["completion_tokens"]] };

/// `OpenHands` metrics; all other figures in them are sums over the session's requests.
pub(super) const OPENHANDS_TURN: Spelling = Spelling { total: "per_turn_token", summands: &[] };
/// OpenAI Chat Completions, and what ATIF makes of it; the prompt includes what came from the cache.
pub(super) const COMPLETION: Spelling =
    Spelling { total: "total_tokens", summands: &[&["prompt_tokens"], &["completion_tokens"]] };

/// Cline; its input includes what came from the cache.
pub(super) const CLINE: Spelling = Spelling { total: "", summands: &[&["inputTokens"], &["outputTokens"]] };

/// The tokens of the request and its answer together; `None` if nothing above 0 was reported.
pub(super) fn total(usage: Option<Value<'_>>, spelling: &Spelling) -> Option<u32> {
    let usage = usage?;
    let figure = |path: &[&str]| {
        let found = path.iter().try_fold(usage, |value, key| value.get(key))?;
        found.number().filter(|number| *number > 0.0)
    };
    let total = figure(&[spelling.total])
        .unwrap_or_else(|| spelling.summands.iter().filter_map(|path| figure(path)).sum());
    // A cast saturates; 0 or less is no usage.
    Some(total as u32).filter(|total| *total > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_total_is_taken_or_made_and_nothing_is_no_usage() {
        let cases = [
            (r#"{"totalTokens":9,"input":1}"#, Some(9)),
            (r#"{"totalTokens":0,"input":1,"output":2,"cacheRead":3,"cacheWrite":4}"#, Some(10)),
            (r#"{"input":0}"#, None),
            (r#"{"input":null,"output":"7"}"#, None),
            (r#"{"totalTokens":1e300}"#, Some(u32::MAX)),
            ("null", None),
        ];
        for (source, expected) in cases {
            let document = Document::parse(source).unwrap();
            assert_eq!(total(Some(document.root()), &PI), expected, "{source}");
        }
        let document = Document::parse(r#"{"input":1,"cache":{"read":5,"write":6},"reasoning":2}"#).unwrap();
        assert_eq!(total(Some(document.root()), &OPENCODE), Some(14));
    }
}

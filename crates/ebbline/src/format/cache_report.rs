//! What an entry of a session reports about its provider's cache: how each system spells it.

use serde::Serialize;

use crate::json::{Document, Value};

/// The members that hold a usage, and the members that such an object may be in. Codex has it in
/// `payload.info.last_token_usage`; the sums over the session beside it are no usage of a request.
const USAGES: [&str; 5] = ["usage", "tokens", "metrics", "usage_metadata", "last_token_usage"];
const WITHIN: [&str; 4] = ["message", "info", "payload", "data"];

/// How many objects deep.
const DEPTH: usize = 2;

/// How a system writes what came from the cache.
struct Spelling {
    input: &'static str,
    read: &'static [&'static str],
    written: &'static [&'static str],
    /// Whether the input includes what was read and written.
    includes: bool,
}

impl Spelling {
    const fn excluding(
        input: &'static str,
        read: &'static [&'static str],
        written: &'static [&'static str],
    ) -> Self {
        Self { input, read, written, includes: false }
    }

    const fn including(
        input: &'static str,
        read: &'static [&'static str],
        written: &'static [&'static str],
    ) -> Self {
        Self { input, read, written, includes: true }
    }
}

/// A usage is of the first spelling whose member for reads it has.
const SPELLINGS: [Spelling; 13] = [
    // Anthropic, Claude Code.
    Spelling::excluding("input_tokens", &["cache_read_input_tokens"], &["cache_creation_input_tokens"]),
    // Bedrock's Converse.
    Spelling::excluding("inputTokens", &["cacheReadInputTokens"], &["cacheWriteInputTokens"]),
    // pi.
    Spelling::excluding("input", &["cacheRead"], &["cacheWrite"]),
    // TinyAgent, TunaCode 0.2.
    Spelling::excluding("input", &["cache_read"], &["cache_write"]),
    // OpenCode.
    Spelling::excluding("input", &["cache", "read"], &["cache", "write"]),
    // Gemini CLI.
    Spelling::including("input", &["cached"], &[]),
    // Codex.
    Spelling::including("input_tokens", &["cached_input_tokens"], &[]),
    // OpenAI Responses.
    Spelling::including("input_tokens", &["input_tokens_details", "cached_tokens"], &[]),
    // LangChain.
    Spelling::including(
        "input_tokens",
        &["input_token_details", "cache_read"],
        &["input_token_details", "cache_creation"],
    ),
    // pydantic-ai.
    Spelling::including("input_tokens", &["cache_read_tokens"], &["cache_write_tokens"]),
    // Cline.
    Spelling::including("inputTokens", &["cacheReadTokens"], &["cacheWriteTokens"]),
    // The Vercel AI SDK.
    Spelling::including("inputTokens", &["cachedInputTokens"], &[]),
    // ATIF.
    Spelling::including("prompt_tokens", &["cached_tokens"], &[]),
];

/// The members whose sum is the answer, in all spellings. `OpenCode`'s output excludes the reasoning.
const OUTPUTS: [&str; 5] = ["output", "output_tokens", "outputTokens", "completion_tokens", "reasoning"];

/// What a provider reported about its cache for one request, in tokens.
///
/// # Example
///
/// ```
/// let text = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": [{"type": "text", "text": "hi"}],
///   "usage": {"input_tokens": 10, "cache_read_input_tokens": 3000, "cache_creation_input_tokens": 40, "output_tokens": 2}}]"#;
/// let report = ebbline::SessionText::read(text)?.cache_reports()[1].unwrap();
/// assert_eq!((report.input, report.read, report.written), (3_050, 3_000, 40));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CacheReport {
    /// All input of the request, wherever it came from.
    pub input: u64,
    /// What was read from the cache.
    pub read: u64,
    /// What was written to it; 0 where the provider does not say.
    pub written: u64,
    /// The answer.
    pub output: u64,
}

/// What an entry reports about the cache.
pub(crate) fn report_in(source: &str) -> Option<CacheReport> {
    let document = Document::parse(source).ok()?;
    report_within(document.root(), DEPTH)
}

fn report_within(value: Value<'_>, depth: usize) -> Option<CacheReport> {
    let inside = || WITHIN.iter().find_map(|key| report_within(value.get(key)?, depth - 1));
    let own = USAGES.iter().find_map(|key| report_of(value.get(key)?));
    own.or_else(|| if depth > 0 { inside() } else { None })
}

/// A usage without any input is none: pi writes it for an answer that was aborted before the provider reported.
fn report_of(usage: Value<'_>) -> Option<CacheReport> {
    let member = |path: &[&str]| path.iter().try_fold(usage, |value, key| value.get(key));
    let spelling = SPELLINGS.iter().find(|spelling| {
        usage.get(spelling.input).is_some() && member(spelling.read).and_then(Value::number).is_some()
    })?;
    // A cast saturates, and makes 0 of what is below it.
    let figure = |path: &[&str]| member(path).and_then(Value::number).map_or(0, |number| number as u64);
    let (read, written) = (figure(spelling.read), figure(spelling.written));
    let input = figure(&[spelling.input]);
    let input = if spelling.includes { input } else { input.saturating_add(read).saturating_add(written) };
    let output = OUTPUTS.iter().map(|member| figure(&[member])).fold(0, u64::saturating_add);
    (input > 0).then_some(CacheReport { input, read: read.min(input), written, output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read() {
        for (usage, expected) in [
            (
                r#"{"input_tokens":4,"cache_read_input_tokens":0,"cache_creation_input_tokens":18764}"#,
                (18_768, 0, 18_764),
            ),
            (r#"{"inputTokens":4,"cacheReadInputTokens":8,"cacheWriteInputTokens":2}"#, (14, 8, 2)),
            (r#"{"input":10,"output":1,"cacheRead":43835,"cacheWrite":5195}"#, (49_040, 43_835, 5_195)),
            (
                r#"{"input":12,"cache_read":46246,"cache_write":2299,"total_tokens":1}"#,
                (48_557, 46_246, 2_299),
            ),
            (r#"{"input":6843,"cache":{"write":0,"read":14976}}"#, (21_819, 14_976, 0)),
            (r#"{"input":20775,"output":618,"cached":17100}"#, (20_775, 17_100, 0)),
            (
                r#"{"input_tokens":46247,"cached_input_tokens":34816,"output_tokens":275}"#,
                (46_247, 34_816, 0),
            ),
            (r#"{"input_tokens":30,"input_tokens_details":{"cached_tokens":20}}"#, (30, 20, 0)),
            (
                r#"{"input_tokens":30,"input_token_details":{"cache_read":20,"cache_creation":5}}"#,
                (30, 20, 5),
            ),
            (r#"{"input_tokens":30,"cache_read_tokens":20,"cache_write_tokens":5}"#, (30, 20, 5)),
            (r#"{"inputTokens":35912,"cacheReadTokens":34332,"cacheWriteTokens":0}"#, (35_912, 34_332, 0)),
            (r#"{"inputTokens":30,"cachedInputTokens":20}"#, (30, 20, 0)),
            (r#"{"prompt_tokens":30,"cached_tokens":20}"#, (30, 20, 0)),
        ] {
            let entry = format!(r#"{{"message":{{"usage":{usage}}}}}"#);
            let report = report_in(&entry).unwrap();
            assert_eq!((report.input, report.read, report.written), expected, "{usage}");
        }
    }

    #[test]
    fn what_says_nothing_about_a_cache_is_no_report() {
        for entry in [
            r#"{"usage":{"input_tokens":4,"output_tokens":2}}"#,
            r#"{"usage":{"input":0,"cacheRead":0,"cacheWrite":0}}"#,
            r#"{"usage":{"prompt_tokens":30,"cached_tokens":null}}"#,
            r#"{"content":"usage"}"#,
        ] {
            assert_eq!(report_in(entry), None, "{entry}");
        }
    }
}

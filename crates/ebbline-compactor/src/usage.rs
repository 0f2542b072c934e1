//! What a provider reported of a request.

use ebbline::Error;
use ebbline::json::{Document, Value};

use crate::error::invalid;

/// The members that together are the input of a request, for each provider's way to report it.
const SPELLINGS: [&[&str]; 4] = [
    &["prompt_tokens"],
    &["promptTokenCount"],
    &["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"],
    &["inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"],
];
/// The largest number of tokens that is believed: from there on, JSON numbers are not exact.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// The input tokens of a request, as the provider counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The tokens of the whole input, those from the cache included; 0 if nothing is said of them. `None` if the provider compacted the
    /// input while it answered, so that they are not those of what was sent.
    pub tokens: Option<u64>,
    /// How many tokens the provider cleared before the model saw the input; `None` if it was not asked to clear any.
    pub cleared: Option<u64>,
}

impl Usage {
    /// A number of input tokens, those from the cache included.
    #[must_use]
    pub fn of_tokens(tokens: u64) -> Self {
        Self { tokens: Some(tokens), cleared: None }
    }

    /// Reads a whole answer with its `usage`, the usage alone, or a number, as `OpenAI`, Anthropic, Gemini and Bedrock write it.
    ///
    /// # Errors
    ///
    /// `not_json`; `invalid_option` for what is no usage.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_compactor::Usage;
    /// let answer = r#"{"content": [], "usage": {"input_tokens": 12, "cache_read_input_tokens": 20000}}"#;
    /// assert_eq!(Usage::from_json(answer)?, Usage::of_tokens(20_012));
    /// # Ok::<(), ebbline_compactor::CompactorError>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, crate::CompactorError> {
        let document = Document::parse(json)?;
        let root = document.root();
        if root.get("usage").is_some_and(|usage| usage.is_null()) {
            return Ok(Self::of_tokens(0));
        }
        let inside = root.get("usage").filter(|usage| usage.is_object());
        let usage = inside.unwrap_or(root);
        let answer = inside.is_some().then_some(root);
        let of_answer = |name: &str| answer.and_then(|answer| answer.get(name));
        let iterations = usage.get("iterations");
        let is_compacted =
            [of_answer("content"), of_answer("output"), iterations].into_iter().flatten().any(has_compaction);
        // Of several samplings in one answer, the first one got what was sent; later ones got more.
        let mut samplings = iterations.into_iter().flat_map(elements);
        let sampled = samplings.find(|one| has_type(*one, "message")).unwrap_or(usage);
        let tokens = tokens_in(sampled)?;
        if is_compacted {
            return Ok(Self::default());
        }
        let edits = of_answer("context_management").and_then(|management| management.get("applied_edits"));
        let cleared = edits
            .filter(|edits| edits.is_array())
            .map(|edits| elements(edits).filter_map(|edit| amount_in(edit, "cleared_input_tokens")).sum());
        Ok(Self { tokens: Some(tokens), cleared })
    }
}

/// 0 for streams and aborted answers, which report nothing or members without a value.
fn tokens_in(usage: Value<'_>) -> Result<u64, Error> {
    if let Some(tokens) = amount(usage) {
        return Ok(tokens);
    }
    for spelling in SPELLINGS {
        let mut amounts = spelling.iter().map(|name| amount_in(usage, name));
        if let Some(Some(input)) = amounts.next() {
            return Ok(input + amounts.flatten().sum::<u64>());
        }
    }
    let names = SPELLINGS.iter().filter_map(|spelling| spelling.first());
    if usage.is_null() || names.filter_map(|name| usage.get(name)).any(says_nothing) {
        return Ok(0);
    }
    Err(invalid(
        "the usage must be the number of input tokens, or what the provider reports: an object with input_tokens, prompt_tokens, inputTokens or promptTokenCount",
    ))
}

/// Whether a value is none, or an object without a total.
fn says_nothing(value: Value<'_>) -> bool {
    value.is_null() || (value.is_object() && value.get("total").is_some_and(says_nothing))
}

fn amount_in(value: Value<'_>, name: &str) -> Option<u64> {
    let member = value.get(name)?;
    amount(if member.is_object() { member.get("total")? } else { member })
}

fn amount(value: Value<'_>) -> Option<u64> {
    value.number().filter(|number| (0.0..=LARGEST).contains(number)).map(|number| number as u64)
}

fn has_compaction(list: Value<'_>) -> bool {
    elements(list).any(|entry| {
        has_type(entry, "compaction") && entry.get("content").is_none_or(|content| !content.is_null())
    })
}

fn has_type(value: Value<'_>, kind: &str) -> bool {
    value.text_of("type").is_some_and(|word| word.is(kind))
}

fn elements(list: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    list.elements().filter(move |_| list.is_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_is_read() {
        let of = |tokens: Option<u64>, cleared: Option<u64>| Usage { tokens, cleared };
        for (json, usage) in [
            ("30000", Usage::of_tokens(30_000)),
            ("null", Usage::of_tokens(0)),
            (r#"{"usage":null}"#, Usage::of_tokens(0)),
            (r#"{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":5}}"#, Usage::of_tokens(9)),
            (r#"{"inputTokens":{"total":7,"noCache":1}}"#, Usage::of_tokens(7)),
            (r#"{"inputTokens":{"total":null}}"#, Usage::of_tokens(0)),
            (r#"{"usage":{"input_tokens":9},"output":[{"type":"compaction"}]}"#, of(None, None)),
            (
                r#"{"usage":{"input_tokens":9},"content":[{"type":"compaction","content":null}]}"#,
                Usage::of_tokens(9),
            ),
            (
                r#"{"usage":{"input_tokens":9},"context_management":{"applied_edits":[{"cleared_input_tokens":4},{}]}}"#,
                of(Some(9), Some(4)),
            ),
            (
                r#"{"usage":{"iterations":[{"type":"message","input_tokens":3},{"type":"message","input_tokens":8}]}}"#,
                Usage::of_tokens(3),
            ),
        ] {
            assert_eq!(Usage::from_json(json).unwrap(), usage, "{json}");
        }
        for json in ["{}", "-1", r#"{"tokens":3}"#, r#""9""#, "[]"] {
            assert_eq!(Usage::from_json(json).unwrap_err().code(), "invalid_option", "{json}");
        }
    }
}

//! A model's answer to a summary request.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, stringify};
use serde::Serialize;
use serde_json::value::RawValue;

use super::coerce::{self, raises};
use super::estimate::Tokens;
use super::message::{Block, Content, Form};
use super::version::Version;

/// An assistant message that answers a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply<'d>(Value<'d>);

impl<'d> Reply<'d> {
    pub(super) fn new(message: Value<'d>) -> Result<Self, Error> {
        if message.is_null() { Err(raises("an answer is null")) } else { Ok(Self(message)) }
    }

    pub(super) fn stopped_by(self, reason: &str) -> bool {
        self.0.text_of("stopReason").is_some_and(|stop| stop.is(reason))
    }

    /// The error message of a failed request.
    pub(super) fn error_message(self) -> Option<Utf16> {
        self.0.get("errorMessage").filter(|text| text.is_truthy()).map(|text| coerce::string(Some(text)))
    }

    /// Why the answer is not a summary; pi 0.58 and 0.84 accept everything but an error.
    pub(super) fn failure(self, label: &str, version: Version) -> Result<Option<Utf16>, Error> {
        if self.stopped_by("error") {
            let mut failure = Utf16::from(format!("{label} failed: ").as_str());
            failure.push(&self.error_message().unwrap_or_else(|| Utf16::from("Unknown error")));
            return Ok(Some(failure));
        }
        if !version.checks_summaries() {
            return Ok(None);
        }
        if self.stopped_by("length") {
            let cut = format!("{label} failed: generation hit the token cap and the summary is incomplete");
            return Ok(Some(Utf16::from(cut.as_str())));
        }
        for block in self.blocks()? {
            if block.is("toolCall")? {
                return Ok(Some(Utf16::from(format!("{label} attempted to call a tool").as_str())));
            }
        }
        Ok(None)
    }

    /// The texts of the answer, one per line.
    pub(super) fn text(self, version: Version) -> Result<Utf16, Error> {
        if let (Some(text), true) = (self.0.text_of("content"), version.shares_content_reader()) {
            return Ok(Utf16::from(text));
        }
        let mut texts = Vec::new();
        for block in self.blocks()? {
            if block.is("text")? {
                texts.push(block.get("text"));
            }
        }
        Ok(coerce::joined(texts.into_iter(), "\n"))
    }

    fn blocks(self) -> Result<Vec<Block<'d>>, Error> {
        match Content::Stored(self.0.get("content")).form() {
            Form::Blocks(blocks) => Ok(blocks),
            Form::Text(_) | Form::Nothing => Err(raises("an answer's content is not a list")),
        }
    }

    /// The usage that was reported with the answer.
    pub(super) fn usage(self) -> Option<Value<'d>> {
        self.0.get("usage")
    }
}

/// The usage of one or two requests.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum SummaryUsage {
    /// As reported.
    Reported(Box<RawValue>),
    /// The sum of two.
    Sum(Box<UsageSum>),
}

/// A sum of two usages.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageSum {
    input: Tokens,
    output: Tokens,
    cache_read: Tokens,
    cache_write: Tokens,
    #[serde(rename = "cacheWrite1h", skip_serializing_if = "Option::is_none")]
    cache_write_1h: Option<Tokens>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Tokens>,
    total_tokens: Tokens,
    cost: CostSum,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CostSum {
    input: Tokens,
    output: Tokens,
    cache_read: Tokens,
    cache_write: Tokens,
    total: Tokens,
    /// Whether both totals were reported; only pi 1.5 states this.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_from_provider: Option<bool>,
}

impl SummaryUsage {
    pub(super) fn reported(usage: Value<'_>) -> Option<Self> {
        RawValue::from_string(stringify(usage).to_text()).ok().map(Self::Reported)
    }

    pub(super) fn sum(
        first: Option<Value<'_>>,
        second: Option<Value<'_>>,
        version: Version,
    ) -> Result<Self, Error> {
        let present = |usage: Option<Value<'_>>| usage.is_some_and(|usage| !usage.is_null());
        let cost = |usage: Option<Value<'_>>| usage.is_some_and(|usage| usage.present("cost").is_some());
        if !present(first) || !present(second) || !cost(first) || !cost(second) {
            return Err(raises("an answer reports no usage or no cost"));
        }
        let member = |usage: Option<Value<'_>>, key: &str| coerce::number(given(usage, key));
        let both = |key: &str| Tokens(member(first, key) + member(second, key));
        let split = |key: &str| {
            let (one, other) = (given(first, key), given(second, key));
            let number = |value: Option<Value<'_>>| {
                value.filter(|value| !value.is_null()).map_or(0.0, |value| coerce::number(Some(value)))
            };
            (one.is_some() || other.is_some()).then(|| Tokens(number(one) + number(other)))
        };
        let costs = (given(first, "cost"), given(second, "cost"));
        let cost = |key: &str| Tokens(member(costs.0, key) + member(costs.1, key));
        let is_reported = |cost: Option<Value<'_>>| {
            given(cost, "totalFromProvider").is_some_and(|flag| flag.source() == "true")
        };
        Ok(Self::Sum(Box::new(UsageSum {
            input: both("input"),
            output: both("output"),
            cache_read: both("cacheRead"),
            cache_write: both("cacheWrite"),
            cache_write_1h: split("cacheWrite1h"),
            reasoning: split("reasoning"),
            total_tokens: both("totalTokens"),
            cost: CostSum {
                input: cost("input"),
                output: cost("output"),
                cache_read: cost("cacheRead"),
                cache_write: cost("cacheWrite"),
                total: cost("total"),
                total_from_provider: version
                    .checks_summaries()
                    .then(|| is_reported(costs.0) && is_reported(costs.1)),
            },
        })))
    }
}

fn given<'d>(object: Option<Value<'d>>, key: &str) -> Option<Value<'d>> {
    object.and_then(|object| object.get(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn read(message: &str, version: Version) -> (Option<String>, Option<String>) {
        let document = Document::parse(message).unwrap();
        let reply = Reply::new(document.root()).unwrap();
        let failure = reply.failure("Summary", version).ok().flatten().map(|failure| failure.to_text());
        (failure, reply.text(version).ok().map(|text| text.to_text()))
    }

    #[test]
    fn only_the_newest_version_refuses_half_an_answer() {
        let cut = r#"{"stopReason":"length","content":[{"type":"text","text":"a"},{"type":"text"},{"type":"text","text":"b"}]}"#;
        assert_eq!(read(cut, Version::V0_84), (None, Some("a\n\nb".to_owned())));
        assert!(read(cut, Version::V1_5).0.unwrap().ends_with("the summary is incomplete"));
        let call = r#"{"stopReason":"toolUse","content":[{"type":"toolCall"}]}"#;
        assert_eq!(read(call, Version::V0_58), (None, Some(String::new())));
        assert_eq!(read(call, Version::V1_5).0.as_deref(), Some("Summary attempted to call a tool"));
        let error = r#"{"stopReason":"error","errorMessage":"","content":[]}"#;
        assert_eq!(read(error, Version::V0_58).0.as_deref(), Some("Summary failed: Unknown error"));
    }

    #[test]
    fn content_may_be_a_text_where_the_version_reads_it() {
        let text = r#"{"stopReason":"stop","content":"a"}"#;
        assert_eq!(read(text, Version::V0_58).1, None);
        assert_eq!(read(text, Version::V0_84).1.as_deref(), Some("a"));
    }

    #[test]
    fn usages_are_added_member_by_member() {
        let usages = r#"[{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":3,"cost":{"total":0.5,"totalFromProvider":true}},
            {"input":10,"output":20,"cacheRead":0,"reasoning":4,"totalTokens":30,"cost":{"total":1}}]"#;
        let document = Document::parse(usages).unwrap();
        let both: Vec<_> = document.root().elements().collect();
        let sum = |version| {
            serde_json::to_string(&SummaryUsage::sum(Some(both[0]), Some(both[1]), version).unwrap())
        };
        let old = sum(Version::V0_84).unwrap();
        assert!(
            old.starts_with(
                r#"{"input":11,"output":22,"cacheRead":0,"cacheWrite":"NaN","reasoning":4,"totalTokens":33"#
            ),
            "{old}"
        );
        assert!(!old.contains("totalFromProvider"));
        assert!(sum(Version::V1_5).unwrap().contains(r#""totalFromProvider":false"#));
        assert!(SummaryUsage::sum(Some(both[0]), None, Version::V1_5).is_err());
    }
}

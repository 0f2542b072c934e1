//! Token estimates: of one message, of a context with its usage anchor, and the comparison with the threshold.

use ebbline::Error;
use ebbline::json::{Text, Value};
use ebbline::notation::javascript::{Number, members, stringify};
use serde::{Serialize, Serializer};

use super::coerce::{self, raises};
use super::message::{Block, Content, Form, Message, Role};
use super::system::current_system_message;
use super::version::Version;
use crate::question::Question;

/// The weight of an image in UTF-16 units: 1,200 tokens.
const IMAGE_UNITS: f64 = 4_800.0;

/// How many UTF-16 units pi counts as one token.
const UNITS_PER_TOKEN: f64 = 4.0;

/// A number of tokens as pi computes it: a JavaScript number, which a reported usage may make negative, fractional or
/// NaN. In JSON, numbers that JSON cannot represent are the names `NaN` and `Infinity`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Tokens(pub f64);

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(self.0).serialize(serializer)
    }
}

/// pi's `estimateTokens`: a quarter of the UTF-16 units of a message, rounded up.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: content that it cannot iterate, a block without its text.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{Message, Version, estimate_tokens};
/// use ebbline::json::Document;
///
/// let document = Document::parse(r#"{"role": "user", "content": "hello"}"#)?;
/// let message = Message::stored(document.root(), 0)?;
/// assert_eq!(estimate_tokens(&message, Version::V1_5)?, 2.0);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn estimate_tokens(message: &Message<'_>, version: Version) -> Result<f64, Error> {
    let units = match message.role {
        Role::System if version.knows_system_messages() => system_units(message)?,
        Role::User if !version.weighs_images_of_users() => text_units_of_user(message.content)?,
        Role::User | Role::Custom | Role::ToolResult => text_and_image_units(message.content)?,
        Role::Assistant => assistant_units(message.content)?,
        Role::BashExecution => {
            coerce::length(message.value.get("command"), "command")?
                + coerce::length(message.value.get("output"), "output")?
        }
        Role::BranchSummary | Role::CompactionSummary => {
            coerce::length(message.value.get("summary"), "summary")?
        }
        Role::System | Role::Other => return Ok(0.0),
    };
    Ok((units / UNITS_PER_TOKEN).ceil())
}

/// A sum that begins with 0: Rust's own begins with -0, which is displayed differently.
pub(super) fn total(mut numbers: impl Iterator<Item = Result<f64, Error>>) -> Result<f64, Error> {
    numbers.try_fold(0.0, |sum, number| Ok(sum + number?))
}

fn units_of(text: Option<Text<'_>>) -> f64 {
    text.map_or(0.0, |text| f64::from(text.length().utf16))
}

/// The text of a text block; a block without text counts nothing.
fn block_units(block: Block<'_>) -> Result<f64, Error> {
    match block.get("text").filter(|text| text.is_truthy()) {
        Some(text) if block.is("text")? => coerce::length(Some(text), "text"),
        _ => Ok(0.0),
    }
}

fn text_and_image_units(content: Content<'_>) -> Result<f64, Error> {
    match content.form() {
        Form::Text(text) => Ok(units_of(text)),
        Form::Blocks(blocks) => {
            let units = |block: Block<'_>| {
                if block.is("image")? { Ok(IMAGE_UNITS) } else { block_units(block) }
            };
            total(blocks.into_iter().map(units))
        }
        Form::Nothing => Err(raises("content is not a list")),
    }
}

/// What pi 0.58 counts of a user message: content that is neither a text nor a list weighs nothing.
fn text_units_of_user(content: Content<'_>) -> Result<f64, Error> {
    match content.form() {
        Form::Text(text) => Ok(units_of(text)),
        Form::Blocks(blocks) => {
            total(blocks.into_iter().map(|block| block.is("text").and_then(|_| block_units(block))))
        }
        Form::Nothing => Ok(0.0),
    }
}

fn assistant_units(content: Content<'_>) -> Result<f64, Error> {
    let blocks = match content.form() {
        // The characters of a text are iterated like blocks but are none.
        Form::Text(_) => return Ok(0.0),
        Form::Blocks(blocks) => blocks,
        Form::Nothing => return Err(raises("content is not a list")),
    };
    let units = |block: Block<'_>| {
        if block.is("text")? {
            coerce::length(block.get("text"), "text")
        } else if block.is("thinking")? {
            coerce::length(block.get("thinking"), "thinking")
        } else if block.is("toolCall")? {
            let arguments = block.get("arguments").ok_or_else(|| raises("no arguments"))?;
            Ok(coerce::length(block.get("name"), "name")? + stringify(arguments).len() as f64)
        } else {
            Ok(0.0)
        }
    };
    total(blocks.into_iter().map(units))
}

fn system_units(message: &Message<'_>) -> Result<f64, Error> {
    let mut units = text_and_image_units(message.content)?;
    let member = |key: &str| message.value.get(key).filter(|value| value.is_truthy());
    if let Some(sections) = member("sections") {
        for (_, section) in members(sections) {
            if section.is_truthy() {
                units += coerce::length(Some(section), "section")?;
            }
        }
    }
    Ok(units + member("toolsAdded").map_or(0.0, |tools| stringify(tools).len() as f64))
}

/// An estimate of a context (pi's `estimateContextTokens`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContextEstimate {
    /// `usage_tokens` and `trailing_tokens` together.
    pub tokens: Tokens,
    /// The reported usage of the context up to the anchor.
    pub usage_tokens: Tokens,
    /// The estimate of everything after the anchor, or of everything if there is none.
    pub trailing_tokens: Tokens,
    /// The index of the anchor: the model's newest answer with a valid usage.
    pub last_usage_index: Option<usize>,
}

impl ContextEstimate {
    pub(super) fn without_anchor(tokens: f64) -> Self {
        Self { tokens: Tokens(tokens), trailing_tokens: Tokens(tokens), ..Self::default() }
    }
}

/// Estimates a context: the last reported usage, plus the messages after it.
///
/// # Errors
///
/// As [`estimate_tokens`], for the messages that it examines.
pub fn estimate_context(messages: &[Message<'_>], version: Version) -> Result<ContextEstimate, Error> {
    let sum = |messages: &[Message<'_>]| -> Result<f64, Error> {
        total(messages.iter().map(|message| estimate_tokens(message, version)))
    };
    let anchor = messages
        .iter()
        .enumerate()
        .rev()
        .find_map(|(index, message)| anchor_usage(message, version).map(|usage| (index, usage)));
    let Some((index, usage)) = anchor else {
        return Ok(ContextEstimate::without_anchor(sum(messages)?));
    };
    let (usage, trailing) = (usage_total(usage), sum(messages.get(index + 1..).unwrap_or_default())?);
    Ok(ContextEstimate {
        tokens: Tokens(usage + trailing),
        usage_tokens: Tokens(usage),
        trailing_tokens: Tokens(trailing),
        last_usage_index: Some(index),
    })
}

/// The sum of the estimates if there is no valid usage; all `system` messages count as one.
///
/// # Errors
///
/// As [`estimate_tokens`].
pub(super) fn estimate_without_usage(
    messages: &[Message<'_>],
    version: Version,
) -> Result<ContextEstimate, Error> {
    let prompt = current_system_message(messages)?;
    let spoken = messages.iter().filter(|message| message.role != Role::System);
    let tokens = total(spoken.map(|message| estimate_tokens(message, version)))?;
    let prompt = prompt.map_or(0.0, |units| (units / UNITS_PER_TOKEN).ceil());
    Ok(ContextEstimate::without_anchor(prompt + tokens))
}

/// The usage of a message that can be the anchor: an answer that was neither aborted nor an error.
fn anchor_usage<'d>(message: &Message<'d>, version: Version) -> Option<Value<'d>> {
    let stopped = message.value.text_of("stopReason");
    let failed = stopped.is_some_and(|reason| reason.is("aborted") || reason.is("error"));
    if message.role != Role::Assistant || failed {
        return None;
    }
    let usage = message.value.get("usage").filter(|usage| usage.is_truthy())?;
    (!version.anchor_needs_tokens() || usage_total(usage) > 0.0).then_some(usage)
}

/// The tokens of a usage: the reported total, or else the sum of its parts.
#[must_use]
pub fn usage_total(usage: Value<'_>) -> f64 {
    let reported = usage.get("totalTokens");
    let total = coerce::number(reported);
    // A truthy value that is not a number is used and makes the result NaN.
    let is_odd =
        reported.is_some_and(|reported| reported.is_truthy() && Question::number(reported).is_none());
    if is_odd || (total != 0.0 && !total.is_nan()) {
        return total;
    }
    ["input", "output", "cacheRead", "cacheWrite"].into_iter().map(|key| coerce::number(usage.get(key))).sum()
}

/// The settings of compaction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether compaction is automatic.
    pub enabled: bool,
    /// Tokens of the window that are kept free.
    pub reserve_tokens: f64,
    /// Tokens of the newest messages that stay as they are.
    pub keep_recent_tokens: f64,
}

impl Default for Settings {
    /// pi's defaults: on, 16,384 and 20,000.
    fn default() -> Self {
        Self { enabled: true, reserve_tokens: 16_384.0, keep_recent_tokens: 20_000.0 }
    }
}

impl Settings {
    /// Reads settings as pi does: missing ones stay undefined.
    #[must_use]
    pub fn read(settings: Value<'_>) -> Self {
        Self {
            enabled: settings.get("enabled").is_some_and(Value::is_truthy),
            reserve_tokens: coerce::number(settings.get("reserveTokens")),
            keep_recent_tokens: coerce::number(settings.get("keepRecentTokens")),
        }
    }
}

/// Whether a context of `tokens` must be compacted: it is larger than the window minus the reserve.
#[must_use]
pub fn should_compact(tokens: f64, context_window: f64, settings: &Settings) -> bool {
    settings.enabled && tokens > context_window - settings.reserve_tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    fn estimates(message: &str) -> [Option<f64>; 3] {
        let document = Document::parse(message).unwrap();
        let message = Message::stored(document.root(), 0).unwrap();
        VERSIONS.map(|version| estimate_tokens(&message, version).ok())
    }

    #[test]
    fn messages_weigh_a_quarter_of_their_units() {
        let same = |tokens: f64| [Some(tokens); 3];
        let cases = [
            (r#"{"role":"user","content":"日本語12"}"#, same(2.0)),
            (r#"{"role":"user","content":[{"type":"text"},{"type":"text","text":"12345"}]}"#, same(2.0)),
            (r#"{"role":"user","content":[{"type":"image"}]}"#, [Some(0.0), Some(1200.0), Some(1200.0)]),
            (r#"{"role":"user","content":null}"#, [Some(0.0), None, None]),
            (r#"{"role":"toolResult","content":[{"type":"image"}]}"#, same(1200.0)),
            (r#"{"role":"toolResult","content":[null]}"#, [None; 3]),
            (r#"{"role":"assistant","content":"not counted"}"#, same(0.0)),
            (r#"{"role":"assistant","content":[{"type":"text"}]}"#, [None; 3]),
            (
                r#"{"role":"assistant","content":[{"type":"thinking","thinking":"1234"},{"type":"toolCall","name":"read","arguments":{"b":1.0,"1":2}}]}"#,
                same(6.0),
            ),
            (r#"{"role":"assistant","content":[{"type":"toolCall","name":"x"}]}"#, [None; 3]),
            (
                r#"{"role":"bashExecution","command":"ls","output":"abc","excludeFromContext":true}"#,
                same(2.0),
            ),
            (r#"{"role":"compactionSummary","summary":"12345"}"#, same(2.0)),
            (
                r#"{"role":"system","content":"1234","sections":{"a":"12","b":null},"toolsAdded":[1]}"#,
                [Some(0.0), Some(0.0), Some(3.0)],
            ),
            (r#"{"role":"robot","content":"12345"}"#, same(0.0)),
        ];
        for (message, expected) in cases {
            assert_eq!(estimates(message), expected, "{message}");
        }
    }

    #[test]
    fn the_anchor_is_the_newest_usage_that_counts() {
        let list = r#"[{"role":"user","content":"1234"},
            {"role":"assistant","content":[],"usage":{"input":10,"output":5,"cacheRead":2,"cacheWrite":1}},
            {"role":"user","content":"12345678"},
            {"role":"assistant","content":[],"usage":{"totalTokens":0,"input":0,"output":0,"cacheRead":0,"cacheWrite":0}},
            {"role":"assistant","content":[],"stopReason":"aborted","usage":{"totalTokens":99}}]"#;
        let document = Document::parse(list).unwrap();
        let messages = Message::list(document.root()).unwrap();
        let estimate = |version| estimate_context(&messages, version).unwrap();
        assert_eq!(estimate(Version::V0_58).last_usage_index, Some(3), "zero tokens are a usage");
        assert_eq!(estimate(Version::V0_84).last_usage_index, Some(1));
        assert_eq!(estimate(Version::V1_5).tokens, Tokens(20.0));
        assert_eq!(estimate_context(&[], Version::V1_5).unwrap(), ContextEstimate::default());
    }

    #[test]
    fn a_usage_without_a_total_is_the_sum_of_its_parts() {
        let parts = r#""input":10,"output":5,"cacheRead":2,"cacheWrite":1"#;
        let cases = [
            (format!(r#"{{"totalTokens":7,{parts}}}"#), 7.0),
            (format!(r#"{{"totalTokens":0,{parts}}}"#), 18.0),
            (format!(r#"{{"totalTokens":"NaN",{parts}}}"#), 18.0),
            (format!("{{{parts}}}"), 18.0),
            (format!(r#"{{"totalTokens":"many",{parts}}}"#), f64::NAN),
            (r#"{"input":10}"#.to_owned(), f64::NAN),
            (r#"{"input":null,"output":5,"cacheRead":2,"cacheWrite":1}"#.to_owned(), 8.0),
        ];
        for (usage, total) in cases {
            let document = Document::parse(&usage).unwrap();
            assert!(usage_total(document.root()).total_cmp(&total).is_eq(), "{usage}");
        }
    }

    #[test]
    fn the_threshold_is_crossed_not_reached() {
        let settings = Settings { reserve_tokens: 10.0, ..Settings::default() };
        let cases = [(90.0, 100.0, false), (91.0, 100.0, true), (f64::NAN, 100.0, false), (0.0, 5.0, true)];
        for (tokens, window, fires) in cases {
            assert_eq!(should_compact(tokens, window, &settings), fires, "{tokens} of {window}");
        }
        assert!(!should_compact(91.0, 100.0, &Settings { enabled: false, ..settings }));
    }

    #[test]
    fn numbers_that_json_lacks_are_named() {
        let written = |number: f64| serde_json::to_string(&Tokens(number)).unwrap();
        let cases = [(3.0, "3"), (-1.5, "-1.5"), (f64::NAN, "\"NaN\""), (f64::NEG_INFINITY, "\"-Infinity\"")];
        for (number, json) in cases {
            assert_eq!(written(number), json);
        }
    }
}

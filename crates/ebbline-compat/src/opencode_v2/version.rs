//! The reproduced states of the event-based core, and their settings.

use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use crate::question::Question;

/// A state of OpenCode's event-based core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Version {
    /// Commit e6c45134, 2026-06-25: a separate request with a transcript, and a tail that may begin inside a message.
    V2026_06,
    /// Commit 031a4a9c, later and undated: the normal request with one more instruction, a tail of whole messages,
    /// and an answer that must follow the template.
    Later,
}

impl Version {
    /// The version of this name: `2026-06` or `later`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "2026-06" => Some(Self::V2026_06),
            "later" => Some(Self::Later),
            _ => None,
        }
    }

    /// The default settings.
    #[must_use]
    pub fn settings(self) -> Settings {
        let keep = match self {
            Self::V2026_06 => 8_000.0,
            Self::Later => 15_000.0,
        };
        Settings { auto: true, buffer: 20_000.0, keep }
    }
}

/// The compaction settings, in tokens. Fractions, negative values and NaN behave as in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whether compaction is automatic.
    pub auto: bool,
    /// The minimum number of tokens that are kept free in the window.
    pub buffer: f64,
    /// How much recent history is kept as text.
    pub keep: f64,
}

impl Settings {
    /// The settings of configuration documents in ascending order of precedence; values that are not documents are
    /// ignored.
    #[must_use]
    pub fn read(config: Option<Value<'_>>, version: Version) -> Self {
        let documents = config.into_iter().flat_map(Value::elements);
        documents
            .filter(|entry| entry.text_of("type").is_some_and(|kind| kind.is("document")))
            .filter_map(|entry| entry.get("info")?.present("compaction"))
            .fold(version.settings(), |settings, compaction| Self {
                auto: compaction.present("auto").map_or(settings.auto, Value::is_truthy),
                buffer: number(compaction.get("buffer")).unwrap_or(settings.buffer),
                keep: number(compaction.get("keep").and_then(|keep| keep.get("tokens")))
                    .unwrap_or(settings.keep),
            })
    }
}

/// The model's limits, in tokens; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The limit of request and answer together.
    pub context: Option<f64>,
    /// The limit of a request; only the later version uses it.
    pub input: Option<f64>,
    /// The limit of an answer.
    pub output: Option<f64>,
}

impl Limits {
    /// The limits of an object with `context`, `input` and `output`.
    #[must_use]
    pub fn read(limits: Option<Value<'_>>) -> Self {
        let limit = |key: &str| number(limits.and_then(|limits| limits.get(key)));
        Self { context: limit("context"), input: limit("input"), output: limit("output") }
    }

    /// The context window, if known.
    #[must_use]
    pub fn window(self) -> Option<f64> {
        self.context.filter(|context| context.is_nan() || *context > 0.0)
    }
}

pub(super) fn number(value: Option<Value<'_>>) -> Option<f64> {
    value.and_then(Question::number)
}

/// `Math.min`, which is NaN if either argument is; Rust's is not.
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// `Math.max`, likewise.
pub(super) fn greatest(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// `Token.estimate`: a quarter of the UTF-16 units, rounded to the nearest integer, halves up.
pub(super) fn tokens(units: usize) -> f64 {
    ((units + 2) / 4) as f64
}

/// The tokens of a text.
pub(super) fn tokens_of(text: &Utf16) -> f64 {
    tokens(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn the_last_document_that_says_something_counts() {
        let config = r#"[{"type":"document","info":{"compaction":{"auto":false,"keep":{"tokens":5}}}},
            {"type":"directory","info":{"compaction":{"buffer":1}}},
            {"type":"document","info":{"compaction":{"auto":null,"keep":{},"buffer":"Infinity"}}},
            {"type":"document","info":{}}]"#;
        let document = Document::parse(config).unwrap();
        let settings = Settings::read(Some(document.root()), Version::V2026_06);
        assert_eq!(settings, Settings { auto: false, buffer: f64::INFINITY, keep: 5.0 });
        assert_eq!(Settings::read(None, Version::Later), Version::Later.settings());
    }

    #[test]
    fn estimates_round_halves_up() {
        assert_eq!([0, 1, 2, 5, 6].map(|units| tokens(units) as u64), [0, 0, 1, 1, 2]);
    }
}

//! The estimates of each estimator for texts, compared with `o200k_base`.

use ebbline::SessionText;
use ebbline::binding::classes::TOKEN;
use ebbline::length::Length;
use ebbline::transcript::PartKind;
use ebbline_tokenizer::{Encoding, Tokenizer};
use std::path::Path;

use super::{corpus, quantile};
use crate::sessions;

/// Texts with fewer tokens are not judged individually, because half a token is too large a share of them.
const LEAST_TOKENS: u64 = 20;

/// An estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// UTF-16 units divided by four.
    Quarter,
    /// `tokenx`, if Node has it.
    Tokenx,
    /// `ebbline@1` without calibration.
    Classes,
}

/// One text with its tokens and estimates.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its class or, in a session, the kind of its part.
    pub group: &'static str,
    /// The text itself.
    pub text: String,
    /// Tokens of `o200k_base`.
    pub tokens: u64,
    /// Tokens by `tokenx`, once it has been called.
    pub tokenx: Option<f64>,
}

impl Text {
    /// The estimate; `None` if the estimator was not called.
    pub fn estimate(&self, by: Estimator) -> Option<f64> {
        let length = Length::of(&self.text);
        match by {
            Estimator::Quarter => Some(f64::from(length.utf16) / 4.0),
            Estimator::Tokenx => self.tokenx,
            Estimator::Classes => Some(f64::from(length.classed) / f64::from(TOKEN)),
        }
    }
}

/// The error of an estimator over many texts; positive is too high.
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// The error of their sum.
    pub sum: f64,
    /// The median of the absolute errors.
    pub median: f64,
}

/// The error of `by` over `texts`; `None` if one of them has no estimate.
pub fn error(texts: &[&Text], by: Estimator) -> Option<Error> {
    let estimates: Vec<f64> = texts.iter().map(|text| text.estimate(by)).collect::<Option<_>>()?;
    let tokens: u64 = texts.iter().map(|text| text.tokens).sum();
    let each: Vec<f64> = texts
        .iter()
        .zip(&estimates)
        .filter(|(text, _)| text.tokens >= LEAST_TOKENS)
        .map(|(text, estimate)| (estimate / text.tokens as f64 - 1.0).abs())
        .collect();
    Some(Error {
        sum: estimates.iter().sum::<f64>() / tokens.max(1) as f64 - 1.0,
        median: quantile(&each, 0.5)?,
    })
}

/// `o200k_base` with the project's ranks; `None` if they cannot be read.
pub fn tokenizer() -> Option<Tokenizer> {
    let ranks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/ebbline-tokenizer/ranks/o200k.ranks");
    Tokenizer::new(Encoding::O200k, &std::fs::read(ranks).ok()?).ok()
}

/// The committed texts.
pub fn committed(tokenizer: &Tokenizer) -> Vec<Text> {
    let text = |(class, text): (corpus::Class, String)| Text {
        group: class.name(),
        tokens: tokenizer.count(&text) as u64,
        text,
        tokenx: None,
    };
    corpus::texts().into_iter().map(text).collect()
}

/// The groups of [`of_sessions`].
pub const KINDS: [&str; 4] = ["words of people and models", "reasoning", "tool calls", "tool results"];

/// The texts of the sessions in `folder`, each text once.
pub fn of_sessions(folder: &Path, tokenizer: &Tokenizer) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for path in sessions::files(folder) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let Ok(session) = SessionText::read(&source) else { continue };
        for (index, part) in session.transcript().parts().iter().enumerate() {
            let [words, reasoning, calls, results] = KINDS;
            let group = match part.kind {
                PartKind::Text | PartKind::Summary => words,
                PartKind::Thinking => reasoning,
                PartKind::ToolCall => calls,
                PartKind::ToolResult => results,
                _ => continue,
            };
            let text = session.text_of(index).into_owned();
            if !text.is_empty() && seen.insert(text.clone()) {
                texts.push(Text { group, tokens: tokenizer.count(&text) as u64, text, tokenx: None });
            }
        }
    }
    texts
}

//! Decides whether a failed request means that the context was too large.
//!
//! Providers have no common sign for this. They answer 400, 413, 429 or 500, with a code, a sentence, JSON in a
//! text, or nothing at all. [`classify`] takes the facts of an error ([`Failure`]) and judges them by [`Rules`]:
//! those of one system and version, or the union of all. The union differs from the systems where they are wrong:
//!
//! - A rate limit, throttling or a used-up quota counts as such even where the message mentions tokens: *Too many
//!   tokens, please wait*, *tokens per minute*, status 429. This rule takes precedence over all others, because
//!   compacting would lose history for nothing.
//! - A limit of something other than tokens (*exceeds the limit of 10 images*) is not an overflow.
//! - Too many bytes are distinguished from too many tokens: [`FailureKind::PayloadTooLarge`].
//! - An error code counts even inside a JSON body, a cause or another error.
//! - A 413 without a body means too many bytes. A 400 without a body can mean anything; only Cerebras is known to
//!   send it when the context is too large.

mod expression;
mod failure;
mod matcher;
mod patterns;
mod rules;

use serde::Serialize;

use crate::words;

pub use failure::{Failure, Found, Usage};
pub use patterns::{Pattern, overflow_patterns};
pub use rules::Rules;

/// The most characters of a text that are quoted as evidence.
const QUOTED: usize = 200;
/// An input that fills this share of the window leaves no room for an answer.
const FILLED: f64 = 0.99;

words! {
    /// What a failure means.
    pub enum FailureKind [non_exhaustive] {
        /// The request has more tokens than the context window: compact, and send it again.
        ContextOverflow "context_overflow",
        /// The request has more bytes than the server takes: remove images and large outputs. Often, but not
        /// always, compacting helps.
        PayloadTooLarge "payload_too_large",
        /// Too many requests, a used-up quota or a server without room: wait.
        RateLimit "rate_limit",
        /// Anything else.
        Other "other",
    }

    /// What kind of thing shows it.
    pub enum Sign [non_exhaustive] {
        /// A text matches a pattern.
        Text "text",
        /// An error code.
        Code "code",
        /// An HTTP status.
        Status "status",
        /// An answer that used the whole window, and more.
        Usage "usage",
    }
}

/// The evidence for the meaning of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Evidence {
    /// The kind of evidence.
    pub sign: Sign,
    /// The pattern that matches (a JavaScript regular expression with the flag `i`), the code, or the status.
    pub pattern: String,
    /// The provider that the message comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<&'static str>,
    /// Where it was found: `cause.responseBody.error.message`; empty for an error that is a text.
    pub at: String,
    /// The text in which it was found, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The meaning of a failure, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Classification {
    /// The meaning.
    pub kind: FailureKind,
    /// The evidence; `None` for [`FailureKind::Other`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Whether the answer stopped before its output limit because it had no room. Compacting and asking again may
    /// help then.
    pub recoverable_length: bool,
}

/// The limits of the model as far as they are known, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// The context window. Without it, overflows that the provider does not report cannot be detected.
    pub context_window: Option<f64>,
    /// The requested output limit, before it was reduced to what was left of the window.
    pub desired_output: Option<f64>,
}

/// Classifies a failure by the given rules.
///
/// # Example
///
/// ```
/// use ebbline::overflow::{Failure, FailureKind, Limits, Rules, classify};
/// let failure = Failure::of_text("prompt is too long: 213462 tokens > 200000 maximum");
/// let classified = classify(&failure, Rules::Union, Limits::default());
/// assert_eq!(classified.kind, FailureKind::ContextOverflow);
/// let images = Failure::of_text("number exceeds the limit of 10 images");
/// assert_eq!(classify(&images, Rules::Union, Limits::default()).kind, FailureKind::Other);
/// assert_eq!(classify(&images, Rules::Pi15, Limits::default()).kind, FailureKind::ContextOverflow);
/// ```
#[must_use]
pub fn classify(failure: &Failure, rules: Rules, limits: Limits) -> Classification {
    let found = busy(failure, rules)
        .or_else(|| overflow(failure, rules))
        .or_else(|| payload(failure, rules))
        .or_else(|| silent(failure, rules, limits));
    let (kind, evidence) = match found {
        Some((kind, evidence)) => (kind, Some(evidence)),
        None => (FailureKind::Other, None),
    };
    Classification { kind, evidence, recoverable_length: is_recoverable_length(failure, limits) }
}

/// Whether `text`, an error of `provider`, means an overflow by the rules of one system. This is the test that
/// the system itself performs on the text.
///
/// # Example
///
/// ```
/// use ebbline::overflow::{Rules, is_overflow_text};
/// assert!(is_overflow_text("prompt is too long: 213462 tokens > 200000 maximum", None, Rules::default()));
/// assert!(!is_overflow_text("429: too many tokens per minute", None, Rules::default()));
/// ```
#[must_use]
pub fn is_overflow_text(text: &str, provider: Option<&str>, rules: Rules) -> bool {
    if patterns::BUSY.find(text, rules).is_some() {
        return false;
    }
    let is_cerebras = provider == Some("cerebras");
    patterns::OVERFLOW.find(text, rules).is_some()
        || (is_cerebras && patterns::BODYLESS.find(text, rules).is_some())
}

/// Whether an answer's usage shows that its request did not fit. This is pi's test for providers that do not
/// report an overflow.
///
/// z.ai answers although the input exceeds the window. `MiMo` truncates the input so that it fills the window and
/// leaves no room for a single token.
///
/// # Example
///
/// ```
/// use ebbline::overflow::{Rules, Usage, is_silent_overflow};
/// let usage = Usage { input: 210_000.0, output: 12.0, cache_read: 0.0, cache_write: 0.0 };
/// assert!(is_silent_overflow("stop", usage, 200_000.0, Rules::named("pi@1.5")?));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn is_silent_overflow(stop_reason: &str, usage: Usage, window: f64, rules: Rules) -> bool {
    if window == 0.0 || window.is_nan() {
        return false;
    }
    let written = if rules == Rules::Union && usage.cache_write > 0.0 { usage.cache_write } else { 0.0 };
    let input = usage.input + usage.cache_read + written;
    match stop_reason {
        "stop" => rules.reads_usage() && input > window,
        "length" => rules.reads_length_stops() && usage.output == 0.0 && input >= window * FILLED,
        _ => false,
    }
}

/// Whether an answer was cut off before the requested output limit. pi, since 0.84, takes this as a sign that
/// compacting and asking again may help.
///
/// # Example
///
/// ```
/// use ebbline::overflow::{Failure, Limits, Usage, is_recoverable_length};
/// let usage = Usage { input: 190_000.0, output: 400.0, cache_read: 0.0, cache_write: 0.0 };
/// let failure = Failure { usage: Some(usage), stop_reason: Some("length".to_owned()), ..Failure::default() };
/// let limits = Limits { context_window: None, desired_output: Some(32_000.0) };
/// assert!(is_recoverable_length(&failure, limits));
/// ```
#[must_use]
pub fn is_recoverable_length(failure: &Failure, limits: Limits) -> bool {
    let (Some(usage), Some(desired)) = (failure.usage, limits.desired_output) else { return false };
    failure.stop_reason.as_deref() == Some("length") && desired > 0.0 && usage.output < desired
}

type Judgement = Option<(FailureKind, Evidence)>;

fn busy(failure: &Failure, rules: Rules) -> Judgement {
    if rules.reads_busy_signs() {
        let status = failure.statuses.iter().find(|(status, _)| matches!(status, 429 | 503 | 529));
        if let Some((status, at)) = status {
            return Some((FailureKind::RateLimit, of_status(*status, at)));
        }
        if let Some(evidence) = by_code(failure, patterns::BUSY_CODES) {
            return Some((FailureKind::RateLimit, evidence));
        }
    }
    Some((FailureKind::RateLimit, by_text(failure, &patterns::BUSY, rules)?))
}

fn overflow(failure: &Failure, rules: Rules) -> Judgement {
    let is_cerebras = failure.provider.as_deref() == Some("cerebras");
    let evidence = by_code(failure, rules.overflow_codes())
        .or_else(|| by_text(failure, &patterns::OVERFLOW, rules))
        .or_else(|| is_cerebras.then(|| by_text(failure, &patterns::BODYLESS, rules)).flatten())
        .or_else(|| (is_cerebras && rules.knows_cerebras()).then(|| without_body(failure)).flatten())?;
    Some((FailureKind::ContextOverflow, evidence))
}

fn payload(failure: &Failure, rules: Rules) -> Judgement {
    let by_sign = by_text(failure, &patterns::PAYLOAD, rules)
        .or_else(|| by_code(failure, if rules == Rules::Union { patterns::PAYLOAD_CODES } else { &[] }));
    if let Some(evidence) = by_sign {
        return Some((FailureKind::PayloadTooLarge, evidence));
    }
    let (status, at) = failure.statuses.iter().find(|(status, _)| *status == 413)?;
    Some((rules.of_status_413()?, of_status(*status, at)))
}

fn silent(failure: &Failure, rules: Rules, limits: Limits) -> Judgement {
    let (usage, window) = (failure.usage?, limits.context_window?);
    let reason = failure.stop_reason.as_deref()?;
    is_silent_overflow(reason, usage, window, rules).then(|| {
        let pattern = format!("{} input tokens of {window}", usage.input + usage.cache_read);
        let at = "usage".to_owned();
        (
            FailureKind::ContextOverflow,
            Evidence { sign: Sign::Usage, pattern, provider: None, at, text: None },
        )
    })
}

fn by_text(failure: &Failure, table: &'static patterns::Table, rules: Rules) -> Option<Evidence> {
    failure.texts.iter().find_map(|found| {
        let pattern = table.find(&found.text, rules)?;
        Some(Evidence {
            sign: Sign::Text,
            pattern: pattern.source.to_owned(),
            provider: Some(pattern.provider),
            at: found.at.clone(),
            text: Some(found.text.chars().take(QUOTED).collect()),
        })
    })
}

fn by_code(failure: &Failure, codes: &[&str]) -> Option<Evidence> {
    failure.codes.iter().find_map(|found| {
        let code = codes.iter().find(|code| code.eq_ignore_ascii_case(&found.text))?;
        let (pattern, at) = ((*code).to_owned(), found.at.clone());
        Some(Evidence { sign: Sign::Code, pattern, provider: None, at, text: None })
    })
}

/// Evidence from a 400 or 413 that brings nothing but the status and its HTTP name.
fn without_body(failure: &Failure) -> Option<Evidence> {
    let (status, at) = failure.statuses.iter().find(|(status, _)| matches!(status, 400 | 413))?;
    let says_nothing = |text: &str| {
        ["Bad Request", "Payload Too Large", "Content Too Large"]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(text))
    };
    failure.texts.iter().all(|found| says_nothing(found.text.trim())).then(|| of_status(*status, at))
}

fn of_status(status: u16, at: &str) -> Evidence {
    let (pattern, at) = (status.to_string(), at.to_owned());
    Evidence { sign: Sign::Status, pattern, provider: None, at, text: None }
}

#[cfg(test)]
mod tests;

//! Decides whether a failed request means that the context was too large.
//!
//! Providers have no common sign for this. They answer 400, 413, 429 or 500, with a code, a sentence, JSON in a
//! text, or nothing at all. [`classify`] takes the facts of an error ([`Failure`]) and judges them by [`Rules`]:
//! those of one system and version, or the union of all. The union differs from the systems where they are wrong:
//!
//! - A rate limit, throttling or a used-up quota counts as such even where the message mentions tokens: *Too many
//!   tokens, please wait*, *tokens per minute*, status 429. This rule takes precedence over all others, because
//!   compacting would lose history for nothing.
//! - A request that is larger than a rate allows at all (*Limit 6000, Requested 14368*) never passes, however long one
//!   waits: that is an overflow, with the code [`OVER_RATE_LIMIT`].
//! - A limit of something other than tokens is not an overflow. One of images or documents (*exceeds the limit of 10
//!   images*) is [`FailureKind::MediaLimit`].
//! - What no pattern knows is judged by the words of its sentences.
//! - Too many bytes are distinguished from too many tokens: [`FailureKind::PayloadTooLarge`].
//! - An error code counts even inside a JSON body, a cause or another error.
//! - A 413 without a body means too many bytes. A 400 without a body can mean anything; only Cerebras is known to
//!   send it when the context is too large.

mod failure;
mod figures;
mod kind;
mod patterns;
mod phrase;
mod rules;
mod sentences;

use crate::json::format_js;
use serde::Serialize;

pub use failure::{Failure, Found, Usage};
pub use figures::window_learnt;
pub use kind::{FailureKind, Sign};
pub use patterns::{Pattern, overflow_patterns};
pub use rules::Rules;

use figures::Figures;

/// The code of an overflow in which the request is larger than a rate limit allows at once.
pub const OVER_RATE_LIMIT: &str = "over_rate_limit";
/// The most characters of a text that are quoted as evidence.
const QUOTED: usize = 200;
/// An input that fills this share of the window leaves no room for an answer.
const FILLED: f64 = 0.99;

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
    /// The limit in tokens that the failure names for the whole context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// The meaning of a failure, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Classification {
    /// The meaning.
    pub kind: FailureKind,
    /// What is special about it: [`OVER_RATE_LIMIT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The evidence; `None` for [`FailureKind::Other`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Whether the answer stopped before its output limit because it had no room. Compacting and asking again may
    /// help then.
    pub recoverable_length: bool,
}

/// The limits of the model as far as they are known, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The context window. Without it, overflows that the provider does not report cannot be detected.
    pub context_window: Option<f64>,
    /// The requested output limit, before it was reduced to what was left of the window.
    pub desired_output: Option<f64>,
}

impl Limits {
    /// The context window and the requested output limit.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::overflow::Limits::new(Some(200_000.0), None).desired_output, None);
    /// ```
    #[must_use]
    pub const fn new(context_window: Option<f64>, desired_output: Option<f64>) -> Self {
        Self { context_window, desired_output }
    }
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
/// assert_eq!(classify(&images, Rules::Union, Limits::default()).kind, FailureKind::MediaLimit);
/// assert_eq!(classify(&images, Rules::Pi15, Limits::default()).kind, FailureKind::ContextOverflow);
/// ```
#[must_use]
pub fn classify(failure: &Failure, rules: Rules, limits: Limits) -> Classification {
    let over_rate = if rules == Rules::Union { over_rate(failure) } else { None };
    let code = over_rate.is_some().then_some(OVER_RATE_LIMIT);
    let found = over_rate
        .map(|evidence| (FailureKind::ContextOverflow, evidence))
        .or_else(|| known_overflow(failure, rules))
        .or_else(|| busy(failure, rules))
        .or_else(|| overflow(failure, rules))
        .or_else(|| payload(failure, rules))
        .or_else(|| silent(failure, rules, limits));
    let (kind, evidence) = match found {
        Some((kind, evidence)) => (kind, Some(Evidence { window: window(failure, kind), ..evidence })),
        None => (FailureKind::Other, None),
    };
    Classification { kind, code, evidence, recoverable_length: is_recoverable_length(failure, limits) }
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
/// let usage = Usage::new(210_000.0, 12.0);
/// assert!(is_silent_overflow("stop", usage, 200_000.0, Rules::named("pi@1.5")?));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn is_silent_overflow(stop_reason: &str, usage: Usage, window: f64, rules: Rules) -> bool {
    if window == 0.0 || window.is_nan() {
        return false;
    }
    let is_ours = rules == Rules::Union;
    // What was not reported is nothing; the systems add it up to nothing at all.
    let known = |tokens: f64| if is_ours && tokens.is_nan() { 0.0 } else { tokens };
    let written = if is_ours && usage.cache_write > 0.0 { usage.cache_write } else { 0.0 };
    let input = known(usage.input) + known(usage.cache_read) + written;
    let reason = if is_ours { stop_of(stop_reason) } else { stop_reason };
    match reason {
        "stop" => rules.reads_usage() && input > window,
        "length" => rules.reads_length_stops() && usage.output == 0.0 && input >= window * FILLED,
        _ => false,
    }
}

/// Every provider's word for the end of an answer in one spelling: `stop`, or `length` where it was cut off.
fn stop_of(reason: &str) -> &str {
    const STOPS: &[&str] =
        &["end_turn", "complete", "completed", "stop_sequence", "eos", "eos_token", "finish_reason_stop"];
    const LENGTHS: &[&str] =
        &["max_tokens", "max_output_tokens", "max_length", "incomplete", "finish_reason_max_tokens"];
    let is_in = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(reason));
    if reason.eq_ignore_ascii_case("stop") || is_in(STOPS) {
        "stop"
    } else if reason.eq_ignore_ascii_case("length") || is_in(LENGTHS) {
        "length"
    } else {
        reason
    }
}

/// Whether an answer was cut off before the requested output limit. pi, since 0.84, takes this as a sign that
/// compacting and asking again may help.
///
/// # Example
///
/// ```
/// use ebbline::overflow::{Failure, Limits, Usage, is_recoverable_length};
/// let usage = Usage::new(190_000.0, 400.0);
/// let mut failure = Failure::default();
/// (failure.usage, failure.stop_reason) = (Some(usage), Some("length".to_owned()));
/// let limits = Limits::new(None, Some(32_000.0));
/// assert!(is_recoverable_length(&failure, limits));
/// ```
#[must_use]
pub fn is_recoverable_length(failure: &Failure, limits: Limits) -> bool {
    let (Some(usage), Some(desired)) = (failure.usage, limits.desired_output) else { return false };
    failure.stop_reason.as_deref() == Some("length") && desired > 0.0 && usage.output < desired
}

type Judgment = Option<(FailureKind, Evidence)>;

/// A request that is larger than a rate allows at once: no waiting helps.
fn over_rate(failure: &Failure) -> Option<Evidence> {
    failure.texts.iter().find_map(|found| {
        let rate = patterns::RATES.find(&found.text, Rules::Union)?;
        let Figures { limit, asked, .. } = figures::figures(&found.text);
        (asked? > limit?).then(|| of_text(rate.source, Some(rate.provider), found))
    })
}

/// The limit in tokens that a failure names.
fn window(failure: &Failure, kind: FailureKind) -> Option<u64> {
    if kind != FailureKind::ContextOverflow {
        return None;
    }
    let named = || failure.texts.iter().find_map(|found| figures::figures(&found.text).limit);
    failure.window.or_else(named).map(|window| window as u64)
}

/// An overflow that its code says. No code of a rate limit or status contradicts it.
fn known_overflow(failure: &Failure, rules: Rules) -> Judgment {
    if rules != Rules::Union {
        return None;
    }
    let stop = failure.stop_reason.iter().map(|reason| (reason, "stop_reason"));
    let codes = failure.codes.iter().map(|found| (&found.text, found.at.as_str())).chain(stop);
    let by_code = codes.into_iter().find_map(|(code, at)| {
        let known = rules.overflow_codes().iter().copied().find(|known| known.eq_ignore_ascii_case(code));
        let said = known.or_else(|| patterns::says_overflow(code).then_some(code.as_str()))?;
        Some((FailureKind::ContextOverflow, of_code(said, at)))
    });
    by_code
        .or_else(|| Some((FailureKind::ContextOverflow, by_text(failure, &patterns::LONG_CONTEXT, rules)?)))
}

fn busy(failure: &Failure, rules: Rules) -> Judgment {
    if rules.reads_busy_signs() {
        let status = failure.statuses.iter().find(|(status, _)| matches!(status, 429 | 503 | 529));
        if let Some((status, at)) = status.filter(|_| !names_both(failure)) {
            return Some((FailureKind::RateLimit, of_status(*status, at)));
        }
        if let Some(found) = failure.codes.iter().find(|found| patterns::says_busy(&found.text)) {
            return Some((FailureKind::RateLimit, of_code(&found.text, &found.at)));
        }
    }
    Some((FailureKind::RateLimit, by_text(failure, &patterns::BUSY, rules)?))
}

/// Whether a text says that a context was too large, with its size and a smaller window.
fn names_both(failure: &Failure) -> bool {
    failure.texts.iter().any(|found| {
        let Figures { limit, size, .. } = figures::figures(&found.text);
        limit.zip(size).is_some_and(|(limit, size)| size > limit)
            && patterns::OVERFLOW.find(&found.text, Rules::Union).is_some()
    })
}

fn overflow(failure: &Failure, rules: Rules) -> Judgment {
    if rules == Rules::Union
        && let Some(found) = by_words(failure)
    {
        return Some(found);
    }
    let is_cerebras = failure.provider.as_deref() == Some("cerebras");
    let evidence = by_code(failure, rules.overflow_codes())
        .or_else(|| if rules == Rules::Union { None } else { by_text(failure, &patterns::OVERFLOW, rules) })
        .or_else(|| is_cerebras.then(|| by_text(failure, &patterns::BODYLESS, rules)).flatten())
        .or_else(|| (is_cerebras && rules.knows_cerebras()).then(|| without_body(failure)).flatten())?;
    Some((FailureKind::ContextOverflow, evidence))
}

/// By the patterns, and by the words of sentences that no pattern knows. Sentences about other limits do not count.
fn by_words(failure: &Failure) -> Judgment {
    let mut said = Vec::new();
    for found in &failure.texts {
        let text = sentences::about_the_context(&found.text);
        if let Some(pattern) = patterns::OVERFLOW.find(&text, Rules::Union) {
            return Some((
                FailureKind::ContextOverflow,
                of_text(pattern.source, Some(pattern.provider), found),
            ));
        }
        said.extend(sentences::said(&found.text).map(|(kind, words)| (kind, of_text(&words, None, found))));
    }
    let place = |wanted| said.iter().position(|(kind, _)| *kind == wanted);
    let at = place(FailureKind::ContextOverflow).or_else(|| place(FailureKind::MediaLimit))?;
    said.into_iter().nth(at)
}

fn payload(failure: &Failure, rules: Rules) -> Judgment {
    let by_sign = by_text(failure, &patterns::PAYLOAD, rules)
        .or_else(|| {
            let texts = failure.texts.iter().filter(|_| rules == Rules::Union);
            texts.into_iter().find_map(|found| Some(of_text(&sentences::said(&found.text)?.1, None, found)))
        })
        .or_else(|| by_code(failure, if rules == Rules::Union { patterns::PAYLOAD_CODES } else { &[] }));
    if let Some(evidence) = by_sign {
        return Some((FailureKind::PayloadTooLarge, evidence));
    }
    let (status, at) = failure.statuses.iter().find(|(status, _)| *status == 413)?;
    Some((rules.of_status_413()?, of_status(*status, at)))
}

fn silent(failure: &Failure, rules: Rules, limits: Limits) -> Judgment {
    let (usage, window) = (failure.usage?, limits.context_window?);
    let reason = failure.stop_reason.as_deref()?;
    is_silent_overflow(reason, usage, window, rules).then(|| {
        let read = if usage.cache_read.is_nan() { 0.0 } else { usage.cache_read };
        let pattern = format!("{} input tokens of {}", format_js(usage.input + read), format_js(window));
        let at = "usage".to_owned();
        (
            FailureKind::ContextOverflow,
            Evidence { sign: Sign::Usage, pattern, provider: None, at, text: None, window: None },
        )
    })
}

fn by_text(failure: &Failure, table: &'static patterns::Table, rules: Rules) -> Option<Evidence> {
    failure.texts.iter().find_map(|found| {
        let pattern = table.find(&found.text, rules)?;
        Some(of_text(pattern.source, Some(pattern.provider), found))
    })
}

fn of_text(pattern: &str, provider: Option<&'static str>, found: &Found) -> Evidence {
    Evidence {
        sign: Sign::Text,
        pattern: pattern.to_owned(),
        provider,
        at: found.at.clone(),
        text: Some(quoted(&found.text)),
        window: None,
    }
}

/// The beginning of a text. No number is cut in two.
fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(QUOTED).map_or(text.len(), |(at, _)| at);
    let (head, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let is_digit = |character: char| character.is_ascii_digit() || matches!(character, ',' | '_');
    let is_cut = rest.starts_with(is_digit);
    if is_cut { head.trim_end_matches(is_digit).to_owned() } else { head.to_owned() }
}

fn by_code(failure: &Failure, codes: &[&str]) -> Option<Evidence> {
    failure.codes.iter().find_map(|found| {
        let code = codes.iter().find(|code| code.eq_ignore_ascii_case(&found.text))?;
        Some(of_code(code, &found.at))
    })
}

fn of_code(code: &str, at: &str) -> Evidence {
    let (pattern, at) = (code.to_owned(), at.to_owned());
    Evidence { sign: Sign::Code, pattern, provider: None, at, text: None, window: None }
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
    Evidence { sign: Sign::Status, pattern, provider: None, at, text: None, window: None }
}

#[cfg(test)]
mod tests;

//! Whether an assistant message shows that the context was too large, or that its answer was cut off.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::overflow::{
    Failure, Limits, Rules, is_overflow_text, is_recoverable_length, is_silent_overflow,
};
use serde::Serialize;

use super::Version;
use super::coerce::{self, raises};
use crate::question::Question;

/// What pi concludes from the message that ended a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Overflow {
    /// The request did not fit: compact, and send it again.
    pub is_context_overflow: bool,
    /// The answer was cut off before the requested output limit; pi 0.58 does not check this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_recoverable_length: Option<bool>,
}

impl Version {
    fn overflow_rules(self) -> Rules {
        match self {
            Self::V0_58 => Rules::Pi058,
            Self::V0_84 => Rules::Pi084,
            Self::V1_5 => Rules::Pi15,
        }
    }
}

/// Classifies an assistant message as pi's `isContextOverflow` and `isRecoverableLength` do.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: for a null message, and for a missing usage that it needs.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{self, Version};
/// use ebbline::json::Document;
/// let message = Document::parse(r#"{"stopReason": "error", "errorMessage": "413 too big"}"#)?;
/// let judge = |version| pi::overflow(message.root(), version, Default::default());
/// assert!(!judge(Version::V0_84)?.is_context_overflow);
/// assert!(judge(Version::V1_5)?.is_context_overflow);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn overflow(message: Value<'_>, version: Version, limits: Limits) -> Result<Overflow, Error> {
    if message.is_null() {
        return Err(raises("a message is null"));
    }
    let failure = Failure::read(message);
    let stop = failure.stop_reason.as_deref().filter(|_| message.get("stopReason").is_some());
    let rules = version.overflow_rules();
    let text = message.get("errorMessage").filter(|text| text.is_truthy());
    let is_told = stop == Some("error")
        && text.is_some_and(|text| {
            let provider = message.text_of("provider").map(|name| name.decode());
            is_overflow_text(&coerce::string(Some(text)).to_text(), provider.as_deref(), rules)
        });
    let window = limits.context_window.filter(|window| *window != 0.0 && !window.is_nan());
    let desired = limits.desired_output.filter(|desired| version > Version::V0_58 && *desired > 0.0);
    let reads_usage = match stop {
        Some("stop") => window.is_some(),
        Some("length") => (version > Version::V0_58 && window.is_some()) || desired.is_some(),
        _ => false,
    };
    if reads_usage && !is_told && message.present("usage").is_none() {
        return Err(raises("the message has no usage"));
    }
    // A null output adds nothing, but differs from the 0 of a length stop without output.
    let output = message.get("usage").and_then(|usage| usage.get("output"));
    let is_counted = stop != Some("length") || output.is_some_and(|output| output.number().is_some());
    let is_silent = match (stop, failure.usage, window) {
        (Some(stop), Some(usage), Some(window)) if is_counted => {
            is_silent_overflow(stop, usage, window, rules)
        }
        _ => false,
    };
    let recoverable = is_recoverable_length(&failure, Limits::new(limits.context_window, desired));
    Ok(Overflow {
        is_context_overflow: is_told || is_silent,
        is_recoverable_length: (version > Version::V0_58).then_some(recoverable),
    })
}

pub(super) fn ask_overflow(question: Question<'_>, version: Version) -> Result<String, Error> {
    let number = |key| question.options.get(key).and_then(Question::number);
    let limits = Limits::new(number("contextWindow"), number("desiredMaxOutput"));
    Question::answer(&overflow(question.data, version, limits)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const LIMITS: Limits = Limits::new(Some(100.0), Some(10.0));

    fn judge(message: &str, version: Version) -> Result<Overflow, Error> {
        overflow(Document::parse(message).unwrap().root(), version, LIMITS)
    }

    #[test]
    fn versions_disagree_about_statuses_and_limits() {
        let cases = [
            ("400 status code (no body)", [true, true, false]),
            ("413 status code (no body)", [true, true, true]),
            ("Rate limit: too many tokens", [true, false, false]),
            ("Range of input length should be [1, 2]", [false, true, true]),
            ("prompt too long", [false, false, true]),
        ];
        for (text, expected) in cases {
            let message = format!(r#"{{"stopReason":"error","errorMessage":"{text}"}}"#);
            let versions = [Version::V0_58, Version::V0_84, Version::V1_5];
            let ours = versions.map(|version| judge(&message, version).unwrap().is_context_overflow);
            assert_eq!(ours, expected, "{text}");
        }
    }

    #[test]
    fn answers_are_judged_by_their_usage() {
        let answer = |stop: &str, usage: &str| format!(r#"{{"stopReason":"{stop}","usage":{{{usage}}}}}"#);
        let filled = answer("length", r#""input":99,"output":0,"cacheRead":0"#);
        let judged = judge(&filled, Version::V0_84).unwrap();
        assert_eq!((judged.is_context_overflow, judged.is_recoverable_length), (true, Some(true)));
        let judged = judge(&filled, Version::V0_58).unwrap();
        assert_eq!((judged.is_context_overflow, judged.is_recoverable_length), (false, None));
        let unknown = judge(&answer("stop", r#""input":101"#), Version::V1_5).unwrap();
        assert!(!unknown.is_context_overflow, "a number and an unknown one have no known sum");
    }

    #[test]
    fn where_pi_fails_there_is_no_answer() {
        for message in ["null", r#"{"stopReason":"stop"}"#, r#"{"stopReason":"length","usage":null}"#] {
            assert_eq!(judge(message, Version::V1_5).unwrap_err().code(), "invalid_settings", "{message}");
        }
        for message in ["5", "{}", r#"{"stopReason":"error"}"#, r#"{"stopReason":"toolUse"}"#] {
            assert!(!judge(message, Version::V1_5).unwrap().is_context_overflow, "{message}");
        }
    }
}

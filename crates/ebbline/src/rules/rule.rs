//! The closed set of rules that a message list can break.

use std::fmt;

use serde::Serialize;

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;

/// A rule that a message list can break.
///
/// The first ones concern calls and results, then come roles, contents, signatures; the last two compare a list
/// with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A result answers no call.
    ResultWithoutCall,
    /// A call has no result, and the format has nobody who would supply one.
    CallWithoutResult,
    /// A result stands before the call that it answers.
    ResultBeforeCall,
    /// Two calls have the same id, where results could not tell them apart.
    DuplicateCall,
    /// A call has a second result.
    DuplicateResult,
    /// A result does not stand directly after its calls: other messages have come between.
    SplitBatch,
    /// A summary stands between a call and its result.
    SummaryInBatch,
    /// In the message that answers calls, something stands before a result.
    ResultNotFirst,
    /// A message of this role cannot hold such a part.
    WrongRole,
    /// The list begins with an answer.
    FirstRole,
    /// The list is to be sent as it is, but ends with an answer.
    LastRole,
    /// Two messages of the user, or two of the model, follow each other.
    Alternation,
    /// A system message stands behind the front.
    SystemNotFirst,
    /// A role that the provider does not know.
    UnknownRole,
    /// A text of no characters.
    EmptyText,
    /// A message without content.
    EmptyMessage,
    /// A result without content.
    EmptyResult,
    /// Thinking without the signature that the provider asks for.
    UnsignedThinking,
    /// Thinking stands behind a call of the same message instead of in front of it.
    ThinkingAfterCall,
    /// A message that thinks and calls a tool begins with something else than thinking.
    ThinkingNotFirst,
    /// A message ends with thinking.
    ThinkingLast,
    /// There is no message to answer.
    EmptyList,
    /// A list of calls without a call.
    EmptyCalls,
    /// A call has no id, by which a result could name it.
    CallWithoutId,
    /// An image in a message that is the model's.
    ImageInAnswer,
    /// More blocks ask for caching than may.
    CacheMarks,
    /// A message with a signature is not one of those before the change, or not in their order.
    SignatureChanged,
    /// An unfinished run of tool calls began with signed thinking and has lost it.
    ThinkingParted,
}

impl Rule {
    /// Every rule.
    pub const ALL: &'static [Self] = &[
        Self::ResultWithoutCall,
        Self::CallWithoutResult,
        Self::ResultBeforeCall,
        Self::DuplicateCall,
        Self::DuplicateResult,
        Self::SplitBatch,
        Self::SummaryInBatch,
        Self::ResultNotFirst,
        Self::WrongRole,
        Self::FirstRole,
        Self::LastRole,
        Self::Alternation,
        Self::SystemNotFirst,
        Self::UnknownRole,
        Self::EmptyText,
        Self::EmptyMessage,
        Self::EmptyResult,
        Self::UnsignedThinking,
        Self::ThinkingAfterCall,
        Self::ThinkingNotFirst,
        Self::ThinkingLast,
        Self::EmptyList,
        Self::EmptyCalls,
        Self::CallWithoutId,
        Self::ImageInAnswer,
        Self::CacheMarks,
        Self::SignatureChanged,
        Self::ThinkingParted,
    ];

    /// The name used in options and results, for example `split_batch`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ResultWithoutCall => "result_without_call",
            Self::CallWithoutResult => "call_without_result",
            Self::ResultBeforeCall => "result_before_call",
            Self::DuplicateCall => "duplicate_call",
            Self::DuplicateResult => "duplicate_result",
            Self::SplitBatch => "split_batch",
            Self::SummaryInBatch => "summary_in_batch",
            Self::ResultNotFirst => "result_not_first",
            Self::WrongRole => "wrong_role",
            Self::FirstRole => "first_role",
            Self::LastRole => "last_role",
            Self::Alternation => "alternation",
            Self::SystemNotFirst => "system_not_first",
            Self::UnknownRole => "unknown_role",
            Self::EmptyText => "empty_text",
            Self::EmptyMessage => "empty_message",
            Self::EmptyResult => "empty_result",
            Self::UnsignedThinking => "unsigned_thinking",
            Self::ThinkingAfterCall => "thinking_after_call",
            Self::ThinkingNotFirst => "thinking_not_first",
            Self::ThinkingLast => "thinking_last",
            Self::EmptyList => "empty_list",
            Self::EmptyCalls => "empty_calls",
            Self::CallWithoutId => "call_without_id",
            Self::ImageInAnswer => "image_in_answer",
            Self::CacheMarks => "cache_marks",
            Self::SignatureChanged => "signature_changed",
            Self::ThinkingParted => "thinking_parted",
        }
    }

    /// The rule called `name`.
    ///
    /// # Errors
    ///
    /// `invalid_settings`; the message lists the names there are.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|rule| rule.name()).collect();
            Error::new(ErrorCode::InvalidSettings, unknown("rule", name, &known))
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_the_name_that_json_has() {
        for rule in Rule::ALL {
            assert_eq!(serde_json::to_string(rule).unwrap(), format!("\"{rule}\""));
            assert_eq!(Rule::from_name(rule.name()).unwrap(), *rule);
        }
        assert_eq!(Rule::from_name("no_such_rule").unwrap_err().code(), "invalid_settings");
    }
}

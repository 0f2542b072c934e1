//! The closed set of rules that a message list can break.

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use crate::words;

words! {
    /// A rule that a message list can break.
    ///
    /// The first ones concern calls and results, then come roles, contents, signatures; the last two compare a list
    /// with an earlier one.
    pub enum Rule {
        /// A result answers no call.
        ResultWithoutCall "result_without_call",
        /// A call has no result, and the format has nobody who would supply one.
        CallWithoutResult "call_without_result",
        /// A result stands before the call that it answers.
        ResultBeforeCall "result_before_call",
        /// Two calls have the same id, where results could not tell them apart.
        DuplicateCall "duplicate_call",
        /// A call has a second result.
        DuplicateResult "duplicate_result",
        /// A result does not stand directly after its calls: other messages have come between.
        SplitBatch "split_batch",
        /// A summary stands between a call and its result.
        SummaryInBatch "summary_in_batch",
        /// In the message that answers calls, something stands before a result.
        ResultNotFirst "result_not_first",
        /// A message of this role cannot hold such a part.
        WrongRole "wrong_role",
        /// The list begins with an answer.
        FirstRole "first_role",
        /// The list is to be sent as it is, but ends with an answer.
        LastRole "last_role",
        /// Two messages of the user, or two of the model, follow each other.
        Alternation "alternation",
        /// A system message stands behind the front.
        SystemNotFirst "system_not_first",
        /// A role that the provider does not know.
        UnknownRole "unknown_role",
        /// A text of no characters.
        EmptyText "empty_text",
        /// A message without content.
        EmptyMessage "empty_message",
        /// A result without content.
        EmptyResult "empty_result",
        /// Thinking without the signature that the provider asks for.
        UnsignedThinking "unsigned_thinking",
        /// Thinking stands behind a call of the same message instead of in front of it.
        ThinkingAfterCall "thinking_after_call",
        /// A message that thinks and calls a tool begins with something else than thinking.
        ThinkingNotFirst "thinking_not_first",
        /// A message ends with thinking.
        ThinkingLast "thinking_last",
        /// There is no message to answer.
        EmptyList "empty_list",
        /// A list of calls without a call.
        EmptyCalls "empty_calls",
        /// A call has no id, by which a result could name it.
        CallWithoutId "call_without_id",
        /// An image in a message that is the model's.
        ImageInAnswer "image_in_answer",
        /// More blocks ask for caching than may.
        CacheMarks "cache_marks",
        /// A message with a signature is not one of those before the change, or not in their order.
        SignatureChanged "signature_changed",
        /// An unfinished run of tool calls began with signed thinking and has lost it.
        ThinkingParted "thinking_parted",
    }
}

impl Rule {
    /// The name used in options and results, for example `split_batch`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str()
    }

    /// The rule called `name`.
    ///
    /// # Errors
    ///
    /// `invalid_settings`; the message lists the names there are.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::from_word(name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|rule| rule.name()).collect();
            Error::new(ErrorCode::InvalidSettings, unknown("rule", name, &known))
        })
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

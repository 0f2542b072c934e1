//! The closed set of rules that a message list can break.

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use crate::words;

words! {
    /// A rule that a message list can break.
    ///
    /// The first ones concern calls and results, then come roles, contents, signatures; the last two compare a list
    /// with an earlier one.
    pub enum Rule [non_exhaustive] {
        /// A result answers no call.
        ResultWithoutCall "result_without_call",
        /// A call has no result, and the agent supplies none by itself, as pi and OpenCode do.
        CallWithoutResult "call_without_result",
        /// A result stands before the call that it answers.
        ResultBeforeCall "result_before_call",
        /// Two calls have the same id: in the whole list (Anthropic), or made at once (the others).
        DuplicateCall "duplicate_call",
        /// A call has a second result.
        DuplicateResult "duplicate_result",
        /// A result does not stand directly after its calls: other messages have come between.
        SplitBatch "split_batch",
        /// A summary stands between a call and its result.
        SummaryInBatch "summary_in_batch",
        /// In the message that answers calls, something stands before a result (Anthropic).
        ResultNotFirst "result_not_first",
        /// A message of this role cannot hold such a part: a call in a user's message.
        WrongRole "wrong_role",
        /// The list begins with an answer (all but OpenAI Chat).
        FirstRole "first_role",
        /// The list ends with an answer, but is to be sent as it is. In no format's set.
        LastRole "last_role",
        /// Two messages of the user, or two of the model, follow each other (Bedrock).
        Alternation "alternation",
        /// A system message stands behind the front (Anthropic).
        SystemNotFirst "system_not_first",
        /// A role that the provider does not know (OpenAI Chat, Anthropic, Bedrock, Gemini).
        UnknownRole "unknown_role",
        /// A text of no characters, or only of white space (Anthropic, Bedrock).
        EmptyText "empty_text",
        /// A message without content (OpenAI Chat, Bedrock, Gemini; Anthropic, but for an answer that ends the list).
        EmptyMessage "empty_message",
        /// A result without content (OpenAI Chat).
        EmptyResult "empty_result",
        /// Thinking without its signature (Anthropic).
        UnsignedThinking "unsigned_thinking",
        /// Thinking stands behind a call of the same message instead of in front of it (Anthropic).
        ThinkingAfterCall "thinking_after_call",
        /// A message that thinks and calls a tool begins with something else; refused with a thinking budget. In no format's set.
        ThinkingNotFirst "thinking_not_first",
        /// A message ends with thinking (Anthropic), or an answer with an item of reasoning (OpenAI Responses and Agents).
        ThinkingLast "thinking_last",
        /// There is no message to answer (OpenAI Chat, Responses and Agents, Anthropic, Bedrock, Gemini, AI SDK model messages).
        EmptyList "empty_list",
        /// `tool_calls: []` (OpenAI Chat).
        EmptyCalls "empty_calls",
        /// A call without an id (OpenAI Chat, Responses and Agents, Anthropic, Bedrock, AI SDK model messages).
        CallWithoutId "call_without_id",
        /// The id of a call has other characters than letters, digits, `_` and `-` (Anthropic, Bedrock).
        CallId "call_id",
        /// The name of a called tool has other characters than letters, digits, `_` and `-` (Anthropic, Bedrock).
        CallName "call_name",
        /// What a tool is called with is no object (Anthropic, Bedrock).
        CallInput "call_input",
        /// An image in a message that is the model's (OpenAI Chat, Anthropic).
        ImageInAnswer "image_in_answer",
        /// More than four blocks ask for caching: with `cache_control` (Anthropic), with `cachePoint` (Bedrock).
        CacheMarks "cache_marks",
        /// A message with a signature was changed or moved. Found by comparing two sessions only.
        SignatureChanged "signature_changed",
        /// An unfinished run of tool calls lost the signed thinking that it began with. Found by comparing only.
        ThinkingParted "thinking_parted",
    }
}

crate::form::worded!(Rule);

impl Rule {
    /// The name used in options and results, for example `split_batch`.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::validate::Rule::ResultWithoutCall.name(), "result_without_call");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str()
    }

    /// The rule called `name`.
    ///
    /// # Errors
    ///
    /// `invalid_settings`; the message lists the names there are.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::validate::Rule;
    /// assert_eq!(Rule::from_name("result_without_call")?, Rule::ResultWithoutCall);
    /// assert_eq!(Rule::from_name("orphan").unwrap_err().code(), "invalid_settings");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
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

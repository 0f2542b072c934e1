//! What each format demands of a message list.

use super::violation::Rule;
use crate::format::Format;

/// Where the results of a batch of calls have to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// In the very message that makes the calls: `OpenCode` and the AI SDK's UI messages keep call and result in one
    /// part.
    SameMessage,
    /// In the very message that makes the calls, or all in the next one: Gemini CLI keeps them either way.
    SameOrNextMessage,
    /// All in the next message: Anthropic, Gemini.
    NextMessage,
    /// In the messages that follow, before anything else is said: everybody else.
    NextMessages,
    /// Anywhere behind the calls, found by their id: `OpenAI` Responses.
    Later,
}

/// Where a call may stay without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Nowhere.
    Nowhere,
    /// Among the last calls of the list, whose tools may still be running.
    AtTheEnd,
    /// Anywhere: the agent supplies a result when it sends the list.
    Anywhere,
}

/// Which messages may begin the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// After system messages, no answer.
    AfterSystem,
    /// No answer; a system message begins the list like any other request: pydantic-ai keeps the system prompt
    /// and the person's first words in one message.
    SystemCounts,
}

/// What is demanded of a message list.
///
/// Formats of providers (`OpenAI` Chat, Anthropic) are held to what the provider accepts by its documentation and
/// its errors (formats.md, sections 0.4, 10 and 12). The formats of agents are held to what the agent's own
/// conversion turns into a valid request, whichever provider it talks to: pi (`transformMessages` of pi-ai 0.58.3)
/// and `OpenCode` (systems.md, section 2.8) supply missing results and pass over empty messages, so those are no
/// violations there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Where the results of a batch of calls have to stand.
    pub results: Results,
    /// Where a call may stay without a result.
    pub unanswered: Unanswered,
    /// Which messages may begin the list.
    pub opening: Opening,
    /// Whether no two calls of the whole list may have the same id; otherwise no two of one batch may.
    pub unique_calls: bool,
    /// Whether an answer that ends the list may be empty: one that the model is to continue.
    pub begun_answer: bool,
    /// Whether a system message is a message like others: where it stands beside the list, it makes no list.
    pub system_is_listed: bool,
    /// The rules that are checked, one bit each.
    checked: u32,
}

/// What no provider accepts, whoever it is.
const CORE: &[Rule] = &[
    Rule::ResultWithoutCall,
    Rule::CallWithoutResult,
    Rule::ResultBeforeCall,
    Rule::DuplicateCall,
    Rule::DuplicateResult,
    Rule::SplitBatch,
    Rule::SummaryInBatch,
    Rule::WrongRole,
];

impl Rules {
    /// What is demanded of a list in `format`. Formats without rules of their own get those that every provider
    /// has in common.
    #[must_use]
    pub fn of(format: Format) -> Self {
        let common = Self {
            results: Results::NextMessages,
            unanswered: Unanswered::AtTheEnd,
            opening: Opening::AfterSystem,
            unique_calls: false,
            begun_answer: false,
            system_is_listed: true,
            checked: 0,
        }
        .also(CORE)
        .also(&[Rule::FirstRole]);
        match format {
            // The first message may be an answer.
            Format::OpenaiChat => Self { unanswered: Unanswered::Nowhere, ..common }
                .except(&[Rule::FirstRole])
                .also(&[Rule::UnknownRole, Rule::EmptyMessage, Rule::EmptyResult])
                .also(&[Rule::EmptyList, Rule::EmptyCalls, Rule::CallWithoutId, Rule::ImageInAnswer]),
            Format::AnthropicMessages => Self {
                results: Results::NextMessage,
                unanswered: Unanswered::Nowhere,
                unique_calls: true,
                begun_answer: true,
                system_is_listed: false,
                ..common
            }
            .also(&[
                Rule::ResultNotFirst,
                Rule::SystemNotFirst,
                Rule::UnknownRole,
                Rule::EmptyText,
                Rule::EmptyMessage,
                Rule::UnsignedThinking,
                Rule::ThinkingAfterCall,
                Rule::ThinkingLast,
                Rule::EmptyList,
                Rule::CallWithoutId,
                Rule::ImageInAnswer,
                Rule::CacheMarks,
            ]),
            // pi and Cline answer open calls themselves when another message follows; a late result then has no call any
            // more. Claude Code says of them, when it resumes, that they were interrupted.
            Format::Pi | Format::Cline | Format::ClaudeCode => {
                Self { unanswered: Unanswered::Anywhere, ..common }
            }
            // Of UI messages, a call that waits for its tool or its person is left out on demand
            // (`ignoreIncompleteToolCalls`).
            Format::Opencode | Format::VercelUi => {
                Self { results: Results::SameMessage, unanswered: Unanswered::Anywhere, ..common }
            }
            // A list of items may begin with an answer, and other items may stand between a call and its output.
            Format::OpenaiResponses => Self { results: Results::Later, ..common }
                .except(&[Rule::FirstRole])
                .also(&[Rule::EmptyList, Rule::CallWithoutId]),
            // When it resumes, it gives an output to every call that has none.
            Format::Codex => Self { results: Results::Later, unanswered: Unanswered::Anywhere, ..common }
                .except(&[Rule::FirstRole]),
            // It puts the context of the session in front of what it sends, in the user's name.
            Format::GeminiCli => {
                Self { results: Results::SameOrNextMessage, ..common }.except(&[Rule::FirstRole])
            }
            Format::GeminiContents => {
                Self { results: Results::NextMessage, system_is_listed: false, ..common }.also(&[
                    Rule::UnknownRole,
                    Rule::EmptyMessage,
                    Rule::EmptyList,
                ])
            }
            // The SDK checks its messages before it sends them.
            Format::VercelModel => common.also(&[Rule::EmptyList, Rule::CallWithoutId]),
            // It answers open calls itself when the session goes on.
            Format::CopilotCli => Self { unanswered: Unanswered::Anywhere, ..common },
            // It sends neither calls without results nor results without calls (`_filter_unmatched_tool_calls`).
            Format::Openhands => {
                Self { unanswered: Unanswered::Anywhere, ..common }.except(&[Rule::ResultWithoutCall])
            }
            // Terminus writes results that name no call; calls and results of a step belong together anyway.
            Format::Atif => {
                Self { results: Results::SameMessage, unanswered: Unanswered::Anywhere, ..common }
                    .except(&[Rule::ResultWithoutCall])
            }
            // Without function calling an observation is a user's message that names no call.
            Format::SweAgent => common.except(&[Rule::ResultWithoutCall]),
            Format::PydanticAi | Format::Tunacode => Self { opening: Opening::SystemCounts, ..common },
            _ => common,
        }
    }

    /// The same, and these rules are checked besides.
    ///
    /// [`Rule::LastRole`] says that the list is to be sent as it stands: then calls that end it need their
    /// results, too, unless the agent supplies them. [`Rule::Alternation`] is what the chat templates of many
    /// local models demand. [`Rule::ThinkingNotFirst`] holds where thinking is switched on with a budget; models that
    /// decide by themselves when to think may say something first.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// use ebbline::validate::{Rule, Rules};
    /// let rules = Rules::of(Format::OpenaiChat).also(&[Rule::Alternation]).except(&[Rule::EmptyResult]);
    /// assert!(rules.checks(Rule::Alternation) && !rules.checks(Rule::EmptyResult));
    /// ```
    #[must_use]
    pub fn also(self, rules: &[Rule]) -> Self {
        Self { checked: rules.iter().fold(self.checked, |checked, rule| checked | bit(*rule)), ..self }
    }

    /// The same, but these rules are not checked.
    #[must_use]
    pub fn except(self, rules: &[Rule]) -> Self {
        Self { checked: rules.iter().fold(self.checked, |checked, rule| checked & !bit(*rule)), ..self }
    }

    /// Whether `rule` is checked.
    #[must_use]
    pub fn checks(&self, rule: Rule) -> bool {
        self.checked & bit(rule) != 0
    }

    /// Whether calls that end the list may stay without a result.
    pub(super) fn may_end_open(&self) -> bool {
        match self.unanswered {
            Unanswered::Nowhere => false,
            Unanswered::AtTheEnd => !self.checks(Rule::LastRole),
            Unanswered::Anywhere => true,
        }
    }
}

fn bit(rule: Rule) -> u32 {
    1 << rule as u32
}

//! What each format demands of a message list.

use super::violation::Rule;
use crate::format::Format;

/// Where the results of a batch of calls have to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// In the very message that makes the calls: `OpenCode` keeps call and result in one part.
    SameMessage,
    /// All in the next message: Anthropic.
    NextMessage,
    /// In the messages that follow, before anything else is said: everybody else.
    NextMessages,
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
            checked: 0,
        }
        .also(CORE)
        .also(&[Rule::FirstRole]);
        match format {
            // The first message may be an answer.
            Format::OpenaiChat => Self { unanswered: Unanswered::Nowhere, ..common }
                .except(&[Rule::FirstRole])
                .also(&[Rule::UnknownRole, Rule::EmptyMessage, Rule::EmptyResult]),
            Format::AnthropicMessages => Self {
                results: Results::NextMessage,
                unanswered: Unanswered::Nowhere,
                unique_calls: true,
                begun_answer: true,
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
            ]),
            // They answer open calls themselves when another message follows; a late result then has no call any more.
            Format::Pi | Format::Cline => Self { unanswered: Unanswered::Anywhere, ..common },
            Format::Opencode => {
                Self { results: Results::SameMessage, unanswered: Unanswered::Anywhere, ..common }
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

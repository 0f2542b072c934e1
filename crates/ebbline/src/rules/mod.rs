//! What a message list has to obey: the vocabulary in which each format states its own demands.

mod rule;

pub use rule::Rule;

/// Where the results of a batch of calls have to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum Opening {
    /// After system messages, no answer.
    AfterSystem,
    /// No answer; a system message begins the list like any other request: pydantic-ai keeps the system prompt
    /// and the person's first words in one message.
    SystemCounts,
}

/// What is demanded of a message list.
///
/// The formats of providers (`OpenAI` Chat, Anthropic) are held to what the provider accepts by its documentation and
/// its errors. The formats of agents are held to what the agent's own conversion turns into a valid request, whichever
/// provider it talks to: an agent that supplies missing results when it sends a list does not break a rule by storing
/// the list without them.
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
    pub(crate) checked: u32,
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
    /// What every provider demands. The formats start from it.
    pub(crate) const COMMON: Self = Self {
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
    pub const fn also(self, rules: &[Rule]) -> Self {
        Self { checked: self.checked | bits(rules), ..self }
    }

    /// The same, but these rules are not checked.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// use ebbline::validate::{Rule, Rules};
    /// let rules = Rules::of(Format::OpenaiChat).except(&[Rule::CallWithoutResult]);
    /// assert!(!rules.checks(Rule::CallWithoutResult));
    /// ```
    #[must_use]
    pub const fn except(self, rules: &[Rule]) -> Self {
        Self { checked: self.checked & !bits(rules), ..self }
    }

    /// Whether `rule` is checked.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// use ebbline::validate::{Rule, Rules};
    /// assert!(Rules::of(Format::OpenaiChat).checks(Rule::ResultWithoutCall));
    /// ```
    #[must_use]
    pub fn checks(&self, rule: Rule) -> bool {
        self.checked & bit(rule) != 0
    }

    /// Whether calls that end the list may stay without a result.
    pub(crate) fn may_end_open(&self) -> bool {
        match self.unanswered {
            Unanswered::Nowhere => false,
            Unanswered::AtTheEnd => !self.checks(Rule::LastRole),
            Unanswered::Anywhere => true,
        }
    }
}

const fn bit(rule: Rule) -> u32 {
    1 << rule as u32
}

const fn bits(mut rules: &[Rule]) -> u32 {
    let mut bits = 0;
    while let [rule, rest @ ..] = rules {
        bits |= bit(*rule);
        rules = rest;
    }
    bits
}

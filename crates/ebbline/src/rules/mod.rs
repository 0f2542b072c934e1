//! The rules of message lists: the terms in which each format states its requirements.

mod rule;

pub use rule::Rule;

/// Where the results of a batch of calls must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Results {
    /// In the message that makes the calls: `OpenCode` and the AI SDK's UI messages store call and result in one
    /// part.
    SameMessage,
    /// In the message that makes the calls, or all in the next one: Gemini CLI stores them either way.
    SameOrNextMessage,
    /// All in the next message: Anthropic, Gemini.
    NextMessage,
    /// In the messages that follow, before any other message: all other formats.
    NextMessages,
    /// Anywhere after the calls, identified by their id: `OpenAI` Responses.
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
    /// Any message but an answer, after system messages.
    AfterSystem,
    /// Any message but an answer; a system message counts as a request. pydantic-ai stores the system prompt and the
    /// user's first text in one message.
    SystemCounts,
}

/// The requirements of a message list.
///
/// For a provider's format (`OpenAI` Chat, Anthropic) they are what the provider accepts, by its documentation and
/// its errors. For an agent's format they are what the agent's own conversion turns into a valid request for any
/// provider: if the agent supplies missing results when it sends a list, a stored list without them breaks no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: each is a fact about a provider")]
pub struct Rules {
    /// Where the results of a batch of calls must be.
    pub results: Results,
    /// Where a call may stay without a result.
    pub unanswered: Unanswered,
    /// Which messages may begin the list.
    pub opening: Opening,
    /// Whether ids of calls must be unique in the whole list; otherwise they must be unique in one batch.
    pub unique_calls: bool,
    /// Whether the list may end with an empty answer, which the model then continues.
    pub begun_answer: bool,
    /// Whether a system message counts as a message of the list; if not, a list of system messages is empty.
    pub system_is_listed: bool,
    /// Whether results are messages of the user: then they and the user's words are two messages of one role
    /// (Bedrock; Anthropic joins such messages).
    pub user_answers_calls: bool,
    /// The member by which a block asks for caching.
    pub(crate) cache_mark: &'static str,
    /// The rules that are checked, one bit each.
    pub(crate) checked: u32,
}

/// What no provider accepts.
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
    /// What every provider requires. Each format starts from it.
    pub(crate) const COMMON: Self = Self {
        results: Results::NextMessages,
        unanswered: Unanswered::AtTheEnd,
        opening: Opening::AfterSystem,
        unique_calls: false,
        begun_answer: false,
        system_is_listed: true,
        user_answers_calls: false,
        cache_mark: "cache_control",
        checked: 0,
    }
    .also(CORE)
    .also(&[Rule::FirstRole]);

    /// The same rules, and the given ones.
    ///
    /// [`Rule::LastRole`] means that the list is sent as it is: calls at its end then need their results too, unless
    /// the agent supplies them. [`Rule::Alternation`] is required by the chat templates of many local models.
    /// [`Rule::ThinkingNotFirst`] applies if thinking is switched on with a budget; models that decide themselves
    /// when to think may answer with text first.
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

    /// The same rules without the given ones.
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

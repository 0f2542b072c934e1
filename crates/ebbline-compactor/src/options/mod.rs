//! What a compactor is made with.

mod introduction;
mod json;
pub mod members;
mod policy;
mod trigger;

use ebbline::controller::{self, Trigger};
use ebbline::json::Document;
use ebbline::summary::{Acceptance, SummaryOptions};
use ebbline::{Format, Policy, profiles};

use crate::error::CompactorError;
use crate::record::Record;
use crate::texts::Pins;

pub(crate) use introduction::Introduction;
pub use introduction::introductions;
pub use json::{POLICY, acceptance_of, reading_of};
pub(crate) use policy::PolicySource;
pub use policy::{Model, policy_of};
pub use trigger::trigger_of;

/// Who writes summaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Author {
    /// A model, which the caller asks.
    #[default]
    Model,
    /// The engine, by rule, without a model.
    Rule,
    /// A model that is there only in calls that say so ([`RequestInfo::has_model`](crate::RequestInfo::has_model)). Until then, it is
    /// done without summaries, as when one failed.
    Later,
    /// Nobody: outputs are cleared, and nothing else.
    Nobody,
}

impl Author {
    /// Who is named by this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "model" => Some(Self::Model),
            "deterministic" => Some(Self::Rule),
            "later" => Some(Self::Later),
            "none" => Some(Self::Nobody),
            _ => None,
        }
    }
}

/// When a summary by rule takes the place of one that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// When the context does not fit otherwise.
    #[default]
    WhenFull,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Fallback {
    /// What this word says.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "when_full" => Some(Self::WhenFull),
            "deterministic" => Some(Self::Always),
            "history" => Some(Self::Never),
            _ => None,
        }
    }
}

/// How a summary is written of messages that are too many for one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chunks {
    /// In one request that leaves out what does not fit; one part after the other only where even that would be too large.
    #[default]
    WhereNeeded,
    /// One part after the other: the summary of those before is the earlier summary of the next one.
    Rolling,
    /// Each part by itself; one more request joins the summaries.
    MapReduce,
}

/// Whether summaries are written while the agent goes on, and what becomes of one when the history is edited meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Background {
    /// The agent waits for each summary.
    #[default]
    Off,
    /// The summary stands if the messages do that it was asked for.
    Rebase,
    /// Any edit drops it.
    Drop,
}

/// What a compactor is made with: a policy, the limits of the model, who writes summaries, and what the caller takes part in.
///
/// # Example
///
/// ```
/// use ebbline_compactor::{Author, Model, Options};
///
/// let options = Options::new()
///     .model(Model::new(32_000).output(4_000))
///     .set("retain.keep", "4000")
///     .author(Author::Rule);
/// ebbline_compactor::Compactor::new(options)?;
/// # Ok::<(), ebbline_compactor::CompactorError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: every combination occurs")]
pub struct Options {
    pub(crate) policy: PolicySource,
    /// Whether the caller counts tokens.
    pub(crate) is_counted: bool,
    pub(crate) format: Option<Format>,
    pub(crate) controller: controller::Settings,
    pub(crate) overhead: Option<u64>,
    pub(crate) author: Author,
    pub(crate) fallback: Fallback,
    pub(crate) acceptance: Acceptance,
    pub(crate) summaries: SummaryOptions,
    pub(crate) chunks: Chunks,
    pub(crate) pins: Pins,
    pub(crate) trigger: Option<Trigger>,
    pub(crate) introduction: Introduction,
    /// Whether the record holds the messages that are no longer sent as they are.
    pub(crate) has_originals: bool,
    /// Whether the caller has a store for these messages.
    pub(crate) has_store: bool,
    /// The record of an earlier compactor.
    pub(crate) record: Option<Record>,
    /// Whether the caller hears, once, of what is most likely a mistake.
    pub(crate) has_notices: bool,
    /// Whether the caller is asked before each compaction.
    pub(crate) asks_permission: bool,
    pub(crate) background: Background,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// The default profile, and a model that writes summaries while the agent waits.
    #[must_use]
    pub fn new() -> Self {
        // There is always a default profile.
        Self::of(PolicySource::new(profiles::get(profiles::DEFAULT).unwrap_or_default(), false))
    }

    fn of(policy: PolicySource) -> Self {
        Self {
            policy,
            is_counted: false,
            format: None,
            controller: controller::Settings::default(),
            overhead: None,
            author: Author::default(),
            fallback: Fallback::default(),
            acceptance: Acceptance::default(),
            summaries: SummaryOptions::new(),
            chunks: Chunks::default(),
            pins: Pins::default(),
            trigger: None,
            introduction: Introduction::default(),
            has_originals: false,
            has_store: false,
            record: None,
            has_notices: false,
            asks_permission: false,
            background: Background::default(),
        }
    }

    /// The policy: by default the newest profile of ebbline's own.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy.set_base(policy);
        self
    }

    /// The limits of the model.
    #[must_use]
    pub fn model(mut self, model: Model) -> Self {
        self.policy.set_model(model);
        self
    }

    /// A knob of the policy by its path, with its value as JSON: `set("retain.keep", "4000")`.
    #[must_use]
    pub fn set(mut self, path: &str, json: &str) -> Self {
        self.policy.add_knob(path, json);
        self
    }

    /// The format of the messages; by default it is recognized.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// The tokens that are sent beside the messages: system prompt and tools. By default they are learnt from reported usage.
    #[must_use]
    pub fn overhead(mut self, tokens: u64) -> Self {
        self.overhead = Some(tokens);
        self
    }

    /// Who writes summaries.
    #[must_use]
    pub fn author(mut self, author: Author) -> Self {
        self.author = author;
        self
    }

    /// When a summary by rule takes the place of one that failed.
    #[must_use]
    pub fn fallback(mut self, fallback: Fallback) -> Self {
        self.fallback = fallback;
        self
    }

    /// What a summary must have.
    #[must_use]
    pub fn acceptance(mut self, acceptance: Acceptance) -> Self {
        self.acceptance = acceptance;
        self
    }

    /// The focus and the budget of requests for summaries.
    #[must_use]
    pub fn summaries(mut self, summaries: SummaryOptions) -> Self {
        self.summaries = summaries;
        self
    }

    /// How a summary is written of messages that are too many for one request.
    #[must_use]
    pub fn chunks(mut self, chunks: Chunks) -> Self {
        self.chunks = chunks;
        self
    }

    /// Whether summaries are written while the agent goes on.
    #[must_use]
    pub fn background(mut self, background: Background) -> Self {
        self.background = background;
        self
    }

    /// Whether the context is compacted unasked before a request, how many summaries may fail in a row, and for how many
    /// requests a prune or a failure is followed by none.
    #[must_use]
    pub fn controller(mut self, settings: controller::Settings) -> Self {
        self.controller = settings;
        self
    }

    /// What stays word for word, as JSON: `[{"tool": "read_*"}, {"contains": "the key"}, {"path": "docs/**"}]`.
    ///
    /// # Errors
    ///
    /// `not_json`, `invalid_option`.
    pub fn pins(mut self, json: &str) -> Result<Self, CompactorError> {
        self.pins = Pins::of(Document::parse(json)?.root())?;
        Ok(self)
    }

    /// When to compact even if the policy does not ask for it, as JSON: `{"any": [{"messages": 200}, {"share": 0.6}]}`.
    ///
    /// # Errors
    ///
    /// `not_json`, `invalid_option`.
    pub fn when(mut self, json: &str) -> Result<Self, CompactorError> {
        self.trigger = Some(trigger::trigger(Document::parse(json)?.root())?);
        Ok(self)
    }

    /// What tells the model what a summary is; an empty text for nothing.
    ///
    /// # Errors
    ///
    /// `invalid_option` if it has more than 4,000 characters.
    pub fn introduction(mut self, text: &str) -> Result<Self, CompactorError> {
        self.introduction = Introduction::of(text)?;
        Ok(self)
    }

    /// The record of an earlier compactor, as JSON: this one goes on where that one was.
    ///
    /// # Errors
    ///
    /// `not_json`; `mismatch` for what is no record.
    pub fn record(mut self, json: &str) -> Result<Self, CompactorError> {
        self.record = Some(Record::read(Document::parse(json)?.root())?);
        Ok(self)
    }

    /// Whether records hold the messages that are no longer sent as they are.
    #[must_use]
    pub fn originals(mut self, are_recorded: bool) -> Self {
        self.has_originals = are_recorded;
        self
    }

    /// Whether the caller stores these messages: [`Step::Store`](crate::Step::Store) asks for it.
    #[must_use]
    pub fn store(mut self, has_store: bool) -> Self {
        self.has_store = has_store;
        self
    }

    /// Whether the caller is asked before each compaction: [`Step::Permit`](crate::Step::Permit).
    #[must_use]
    pub fn permission(mut self, is_asked: bool) -> Self {
        self.asks_permission = is_asked;
        self
    }

    /// Whether the caller counts the tokens of texts: [`Step::Count`](crate::Step::Count) asks for it.
    #[must_use]
    pub fn count_tokens(mut self, is_counted: bool) -> Self {
        self.is_counted = is_counted;
        self
    }

    /// Whether likely mistakes of the caller are told as events.
    #[must_use]
    pub fn notices(mut self, are_told: bool) -> Self {
        self.has_notices = are_told;
        self
    }
}

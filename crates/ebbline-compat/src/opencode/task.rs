//! A compaction to carry out: its data and settings.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::model::Model;
use super::overflow::Config;
use super::version::Version;

/// The outcome of the summary request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// A summary.
    #[default]
    Continue,
    /// An error, which the message contains.
    Stop,
    /// The request itself exceeded the context window.
    Compact,
}

/// The results of plugins' hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hooks {
    /// `experimental.session.compacting`: a prompt that replaces the built-in one.
    pub prompt: Option<Utf16>,
    /// The same hook: texts to append to the built-in prompt.
    pub context: Vec<Utf16>,
    /// `experimental.compaction.autocontinue`: whether the agent continues on its own.
    pub autocontinue: bool,
}

impl Default for Hooks {
    fn default() -> Self {
        Self { prompt: None, context: Vec::new(), autocontinue: true }
    }
}

/// Ids for the messages and parts that a compaction creates, in the order of use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewIds {
    /// For messages: one for the summary, and one for the message that makes the agent continue.
    pub messages: Vec<Utf16>,
    /// For the parts of the second message: one, or as many as the repeated request has.
    pub parts: Vec<Utf16>,
}

/// A compaction to carry out.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Task {
    /// The compaction marker: the id of a user message.
    pub parent_id: Utf16,
    /// Whether the compaction is automatic, so that the agent continues on its own.
    pub auto: bool,
    /// Whether a request exceeded the context window; it is repeated after the summary.
    pub overflow: bool,
    /// The settings.
    pub config: Config,
    /// The summarizer's model. Its window decides how much is kept, even if another model answers in the
    /// conversation.
    pub model: Model,
    /// The outcome of the summary request.
    pub outcome: Outcome,
    /// The results of plugins' hooks.
    pub hooks: Hooks,
    /// The new ids; without them, created messages have no ids and the caller adds them.
    pub new_ids: Option<NewIds>,
    /// The version.
    pub version: Version,
}

impl Task {
    /// The compaction described by `options`: `parentID`, `auto`, `overflow`, `model`, `compactionModel`, `config`,
    /// `outcome`, `hooks`, `newIDs`.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for an unknown outcome.
    pub fn of(options: Value<'_>, version: Version) -> Result<Self, Error> {
        let is_true = |key| options.get(key).is_some_and(Value::is_truthy);
        let model = options.present("compactionModel").or_else(|| options.get("model"));
        Ok(Self {
            parent_id: options.text_of("parentID").map(Utf16::from).unwrap_or_default(),
            auto: is_true("auto"),
            overflow: is_true("overflow"),
            config: Config::of(options.get("config")),
            model: Model::of(model),
            outcome: outcome(options.present("outcome"))?,
            hooks: Hooks::of(options.present("hooks")),
            new_ids: options.present("newIDs").map(NewIds::of),
            version,
        })
    }
}

fn outcome(outcome: Option<Value<'_>>) -> Result<Outcome, Error> {
    let Some(outcome) = outcome else { return Ok(Outcome::default()) };
    let known = [("continue", Outcome::Continue), ("stop", Outcome::Stop), ("compact", Outcome::Compact)];
    let named = |name: &str| outcome.text().is_some_and(|outcome| outcome.is(name));
    known.into_iter().find(|(name, _)| named(name)).map(|(_, outcome)| outcome).ok_or_else(|| {
        let outcome = outcome.source();
        Error::invalid_settings(format!("outcome {outcome} is none of continue, stop, compact"))
    })
}

impl NewIds {
    fn of(ids: Value<'_>) -> Self {
        let list = |key| ids.elements_of(key).filter_map(Value::text).map(Utf16::from).collect();
        Self { messages: list("messages"), parts: list("parts") }
    }
}

impl Hooks {
    fn of(hooks: Option<Value<'_>>) -> Self {
        let Some(hooks) = hooks else { return Self::default() };
        let compacting = hooks.present("compacting");
        let context = compacting.into_iter().flat_map(|compacting| compacting.elements_of("context"));
        Self {
            prompt: compacting.and_then(|compacting| compacting.text_of("prompt")).map(Utf16::from),
            context: context.filter_map(Value::text).map(Utf16::from).collect(),
            autocontinue: hooks.present("autocontinue").is_none_or(Value::is_truthy),
        }
    }
}

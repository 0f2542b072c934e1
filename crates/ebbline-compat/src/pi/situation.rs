//! When and of what pi asks itself whether to compact.

use ebbline::Error;
use ebbline::json::Value;

use super::coerce;
use super::entry::Id;
use super::estimate::Settings;
use super::message::Message;

/// A point at which pi asks itself whether to compact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckPoint {
    /// A run of the agent has ended.
    #[default]
    AfterRun,
    /// The person has sent a prompt, and the model has not seen it yet. Aborted answers count here.
    BeforePrompt,
    /// Results of tools were added, and the next request of the same run follows (since 0.84.4).
    BetweenTurns,
}

/// The model that is asked next.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentModel<'d> {
    /// Whose it is.
    pub provider: Id<'d>,
    /// Its id.
    pub id: Id<'d>,
    /// Its context window in tokens; 0 when it is not known.
    pub context_window: f64,
    /// The longest answer in tokens, before any clamping; 0 when it is not known.
    pub max_tokens: f64,
}

/// What a check looks at, besides the entries.
#[derive(Clone, Debug, Default)]
pub struct Situation<'d> {
    /// The point.
    pub at: CheckPoint,
    /// The last answer; `None` for the last one of the live messages.
    pub answer: Option<Value<'d>>,
    /// The messages of the running agent; `None` for those that the entries come to.
    pub live: Option<Vec<Message<'d>>>,
    /// The model; without one nothing is compacted.
    pub model: Option<CurrentModel<'d>>,
    /// The knobs.
    pub settings: Settings,
    /// Whether a recovery was tried since the last message of the user or the last answer that succeeded. pi 0.58
    /// takes an answer that was cut off for one that succeeded.
    pub recovery_tried: bool,
}

impl<'d> Situation<'d> {
    /// The situation in `at`, `message`, `messages`, `model`, `settings` and `recoveryTried`.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for a check point that does not exist, and messages that are no list or hold null.
    pub fn read(options: Value<'d>) -> Result<Self, Error> {
        Ok(Self {
            at: options.present("at").map_or(Ok(CheckPoint::default()), CheckPoint::read)?,
            answer: options.present("message"),
            live: options.present("messages").map(Message::list).transpose()?,
            model: options.present("model").map(CurrentModel::read),
            settings: options.get("settings").map_or_else(Settings::default, Settings::read),
            recovery_tried: options.get("recoveryTried").is_some_and(Value::is_truthy),
        })
    }
}

impl CheckPoint {
    fn read(name: Value<'_>) -> Result<Self, Error> {
        let known = [
            ("afterRun", Self::AfterRun),
            ("beforePrompt", Self::BeforePrompt),
            ("betweenTurns", Self::BetweenTurns),
        ];
        let named = |known: &&(&str, Self)| name.text().is_some_and(|name| name.is(known.0));
        known.iter().find(named).map(|(_, point)| *point).ok_or_else(|| {
            let name = name.source();
            Error::invalid_settings(format!("{name} is none of afterRun, beforePrompt, betweenTurns"))
        })
    }
}

impl<'d> CurrentModel<'d> {
    /// The model in `{provider, id, contextWindow, maxTokens}`.
    #[must_use]
    pub fn read(model: Value<'d>) -> Self {
        let tokens = |key| model.present(key).map_or(0.0, |tokens| coerce::number(Some(tokens)));
        Self {
            provider: Id::of(model.get("provider")),
            id: Id::of(model.get("id")),
            context_window: tokens("contextWindow"),
            max_tokens: tokens("maxTokens"),
        }
    }
}

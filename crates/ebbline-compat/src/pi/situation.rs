//! When pi checks whether to compact, and with which data.

use ebbline::Error;
use ebbline::json::Value;

use super::coerce;
use super::entry::Id;
use super::estimate::Settings;
use super::message::Message;

/// A point at which pi checks whether to compact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckPoint {
    /// A run of the agent has ended.
    #[default]
    AfterRun,
    /// The user has sent a prompt that the model has not seen. Aborted answers count here.
    BeforePrompt,
    /// Results of tools were added, and the same run's next request follows (since 0.84.4).
    BetweenTurns,
}

/// The model of the next request.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentModel<'d> {
    /// Its provider.
    pub provider: Id<'d>,
    /// Its id.
    pub id: Id<'d>,
    /// Its context window in tokens; 0 if unknown.
    pub context_window: f64,
    /// Its output limit in tokens before any clamping; 0 if unknown.
    pub max_tokens: f64,
}

/// The data of a check in addition to the entries.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Situation<'d> {
    /// The point.
    pub at: CheckPoint,
    /// The last answer; `None` for the last one of the live messages.
    pub answer: Option<Value<'d>>,
    /// The messages of the running agent; `None` to derive them from the entries.
    pub live: Option<Vec<Message<'d>>>,
    /// The model; without one nothing is compacted.
    pub model: Option<CurrentModel<'d>>,
    /// The settings of compaction.
    pub settings: Settings,
    /// Whether a recovery was tried since the last user message or the last successful answer. pi 0.58 counts an
    /// answer that was cut off as successful.
    pub recovery_tried: bool,
}

impl<'d> Situation<'d> {
    /// The situation in `at`, `message`, `messages`, `model`, `settings` and `recoveryTried`.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for an unknown check point, and for messages that are not a list or contain null.
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

//! What a controller remembers between two calls.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode};
use crate::words;
use ebbline_json::words::Word;

words! {
    /// Why a summary was asked for.
    pub enum Cause [non_exhaustive] {
        /// The context is full.
        Full "full",
        /// Somebody asked for a compaction.
        Asked "asked",
        /// The provider refused the context as too large.
        Overflow "overflow",
    }
}

/// What a controller remembers. As JSON it is part of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct State {
    /// How many requests were prepared.
    pub requests: u64,
    /// How many summaries were asked for. The newest has this number.
    pub asked: u64,
    /// The summary that was asked for and has not been answered.
    pub waiting: Option<Waiting>,
    /// How many summaries failed in a row.
    pub failures: u32,
    /// Up to and including which request no summary is asked for.
    pub closed_until: u64,
    /// Whether the context was compacted after an overflow, and nothing has been answered since.
    pub recovering: bool,
    /// Whether a compaction was taken back, so that none is made until somebody asks.
    pub held: bool,
    /// When the newest request was prepared, in milliseconds since 1970; 0 where nobody has said it.
    #[serde(default)]
    pub prepared_at: u64,
}

/// How many figures a state is.
pub(crate) const FIGURES: usize = 10;

impl State {
    /// The state as figures, in the order of its members; a flag is 1 or 0, and a summary with the number 0 is none.
    pub(crate) fn figures(&self) -> [u64; FIGURES] {
        let Self { requests, asked, waiting, failures, closed_until, recovering, held, prepared_at } = *self;
        let [summary, prunes, cause] = waiting.map_or([0; 3], |waiting| {
            [waiting.summary, waiting.prunes.into(), waiting.cause.number() as u64]
        });
        let (failures, recovering, held) = (failures.into(), recovering.into(), held.into());
        [requests, asked, summary, prunes, cause, failures, closed_until, recovering, held, prepared_at]
    }

    /// The state of these figures; `None` if they are none of a state.
    pub(crate) fn of_figures(figures: [u64; FIGURES]) -> Option<Self> {
        let [requests, asked, summary, prunes, cause, failures, closed_until, recovering, held, prepared_at] =
            figures;
        let flag = |figure: u64| (figure < 2).then_some(figure == 1);
        let cause = *Cause::ALL.get(usize::try_from(cause).ok()?)?;
        let waiting = Waiting { summary, prunes: flag(prunes)?, cause };
        Some(Self {
            requests,
            asked,
            waiting: Some(waiting).filter(|_| summary > 0),
            failures: u32::try_from(failures).ok()?,
            closed_until,
            recovering: flag(recovering)?,
            held: flag(held)?,
            prepared_at,
        })
    }

    /// Reads a state that was stored as JSON.
    ///
    /// # Errors
    ///
    /// `mismatch` when it is none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::controller::State;
    ///
    /// let error = State::from_json("{}").unwrap_err();
    /// assert_eq!(error.code(), "mismatch");
    /// ```
    pub fn from_json(json: &str) -> Result<Self, Error> {
        serde_json::from_str(json).map_err(|error| {
            Error::new(ErrorCode::Mismatch, format!("this is no state of a controller: {error}"))
        })
    }
}

/// A summary that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Waiting {
    /// Its number, counted from 1.
    pub summary: u64,
    /// Whether the plan also prunes.
    pub prunes: bool,
    /// Why it was asked for.
    pub cause: Cause,
}

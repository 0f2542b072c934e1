//! What a controller remembers between two calls.

use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// Why a summary was asked for.
    pub enum Cause {
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
}

/// A summary that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Waiting {
    /// Its number, counted from 1.
    pub summary: u64,
    /// Whether the plan also prunes.
    pub prunes: bool,
    /// Why it was asked for.
    pub cause: Cause,
}

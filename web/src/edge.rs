//! The edges of the picture at which something ends.

use serde::{Deserialize, Serialize};

use crate::knob::Knob;

/// An edge of the picture at which something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// Where pruning ends.
    Prune,
    /// Where the window of the newest messages begins.
    Keep,
    /// Where the context window ends.
    Limit,
}

impl Edge {
    /// All edges; `ALL[edge as usize]` is `edge`.
    pub const ALL: [Self; 3] = [Self::Prune, Self::Keep, Self::Limit];

    /// The name in element ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Prune => "prune",
            Self::Keep => "keep",
            Self::Limit => "limit",
        }
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prune => "Where pruning ends",
            Self::Keep => "Where the newest messages begin",
            Self::Limit => "Where the context window ends",
        }
    }

    /// The knobs that can decide there, the likeliest first.
    pub(crate) fn knobs(self) -> &'static [Knob] {
        match self {
            Self::Prune => &[Knob::Protect, Knob::DownTo, Knob::Turns, Knob::KeepOutputs],
            Self::Keep => &[Knob::Keep, Knob::KeepTurns],
            Self::Limit => &[Knob::Context],
        }
    }
}

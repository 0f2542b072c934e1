//! The model's limits, and how figures are compared with limits.

use serde::{Deserialize, Serialize};

/// How a figure is compared with a limit. Systems differ, and at the limit their answers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Strictly more than the limit: `>`.
    Above,
    /// The limit itself suffices: `>=`.
    AtLeast,
}

impl Comparison {
    /// Whether `figure` passes `limit`.
    #[must_use]
    pub fn holds(self, figure: u64, limit: u64) -> bool {
        match self {
            Self::Above => figure > limit,
            Self::AtLeast => figure >= limit,
        }
    }
}

/// The model's limits, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    /// The context window: what a request and its answer may fill together. 0 when it is not known: then
    /// summarising never fires.
    pub context: u64,
    /// The most that an answer may have; 0 when it is not known.
    #[serde(default)]
    pub output: u64,
    /// The most that a request may have, where the provider limits it apart from the window; 0 when it does not.
    #[serde(default)]
    pub input: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self { context: 200_000, output: 32_000, input: 0 }
    }
}

//! What pi does at a check point, and why.

use serde::Serialize;

use super::estimate::Tokens;

/// The reason of a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Trigger {
    /// The context is larger than the threshold.
    Threshold,
    /// The context did not fit, or left too little room for the answer.
    Overflow,
}

/// The deciding fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
    /// Compaction is switched off.
    Disabled,
    /// There is no answer to examine.
    NoAnswer,
    /// The answer was aborted.
    Aborted,
    /// The answer is no newer than the latest compaction.
    Stale,
    /// No model is chosen.
    NoModel,
    /// The model's window is not known (between turns only).
    NoWindow,
    /// The answer reports an overflow, but another model gave it, and the threshold is not exceeded.
    OtherModel,
    /// The provider refused the request as too large.
    OverflowError,
    /// The usage reaches or exceeds the window, and the provider reported no error.
    SilentOverflow,
    /// The answer was cut off before the model's output limit.
    RecoverableLength,
    /// It happened again after one recovery.
    AlreadyTried,
    /// No answer reports its usage, and this version does not compare estimates without one.
    NoUsage,
    /// The newest valid usage was reported before the latest compaction.
    KeptUsage,
    /// The threshold is not exceeded.
    BelowThreshold,
    /// The threshold is exceeded.
    OverThreshold,
}

/// What pi does at a check point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What is done.
    pub action: Action,
    /// The reason of the compaction.
    pub reason: Option<Trigger>,
    /// Whether the request is repeated after the compaction.
    pub will_retry: bool,
    /// Whether the answer is first removed from the live messages. The file keeps it; pi 1.5 writes an edit that
    /// hides it and the results of its calls.
    pub drop_last_answer: bool,
    /// The size that was compared with the threshold; `None` if it was not compared.
    pub context_tokens: Option<Tokens>,
    /// The deciding fact.
    pub why: Why,
}

impl Check {
    pub(super) fn none(why: Why) -> Self {
        let (will_retry, drop_last_answer) = (false, false);
        Self { action: Action::None, reason: None, will_retry, drop_last_answer, context_tokens: None, why }
    }

    pub(super) fn overflow(action: Action, why: Why) -> Self {
        Self { action, reason: Some(Trigger::Overflow), ..Self::none(why) }
    }
}

/// What pi does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// Nothing.
    None,
    /// Compact the session, if there is something to compact: [`super::prepare`].
    Compact,
    /// Tell the user that the recovery failed.
    Fail,
}

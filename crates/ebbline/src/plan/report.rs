//! What a plan says: fates, reasons, totals and the verdict.

use serde::Serialize;

use super::Decision;
use crate::transcript::{PartKind, Role};

/// The name and version of the plan's JSON form; `docs/plan.schema.json` describes it.
pub const SCHEMA: &str = "ebbline.plan/1";

/// What happens to a message or part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stays word for word.
    Kept,
    /// A tool output whose place the placeholder takes.
    Pruned,
    /// It lies before the retention window and goes into the summary.
    Summarised,
    /// A placeholder stood in its place before.
    AlreadyPruned,
    /// The agent does not send it now: it lies before a recorded compaction or on another branch.
    Inactive,
}

/// Why a message or part has its fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Only tool outputs are pruned.
    NotToolOutput,
    /// Among the newest tokens of tool output.
    ProtectedByBudget,
    /// In one of the newest turns.
    NewestTurns,
    /// The output of a protected tool.
    ProtectedTool,
    /// The output of a call that failed.
    ErrorOutput,
    /// An output that must go back to the provider as it came.
    SealedOutput,
    /// No longer than the placeholder.
    ShortOutput,
    /// Before a summary, where the policy stops looking.
    BeforeSummary,
    /// Before an already pruned output, where the policy stops looking.
    BeforePruned,
    /// The session has too few turns to be pruned.
    TooFewTurns,
    /// Beyond the boundary, but too little would be reclaimed.
    BelowMinimum,
    /// Pruning is switched off.
    PruneDisabled,
    /// The output that crosses the protection boundary.
    CrossedBoundary,
    /// Older than the output that crosses the protection boundary.
    BeyondBoundary,
    /// A placeholder stood in its place before.
    AlreadyPruned,
    /// Before the retention window.
    BeforeWindow,
    /// In the retention window.
    InWindow,
    /// System messages are always kept.
    SystemMessage,
    /// Not sent now.
    Inactive,
    /// The agent sends it whatever is summarised.
    AlwaysSent,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing.
    Noop,
    /// Nothing now; ask again later.
    Defer,
    /// Something should be done, but nothing safe can be.
    Refuse,
    /// Clear old tool outputs.
    Prune,
    /// Summarise old messages.
    Summarise,
    /// Clear old tool outputs, then summarise old messages.
    PruneThenSummarise,
}

impl Verdict {
    /// All verdicts; `ALL[verdict as usize]` is `verdict`.
    pub const ALL: [Self; 6] =
        [Self::Noop, Self::Defer, Self::Refuse, Self::Prune, Self::Summarise, Self::PruneThenSummarise];
}

/// Why that is to be done, or one of its steps is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictReason {
    /// There are no active messages.
    Empty,
    /// The policy has it switched off.
    Disabled,
    /// The session has fewer turns than the policy asks for.
    TooFewTurns,
    /// No tool output lies beyond the protection boundary.
    NothingToPrune,
    /// What lies beyond the boundary is less than the minimum.
    BelowMinimum,
    /// Enough tool output lies beyond the protection boundary.
    OutputsBeyondProtection,
    /// The context is not full.
    BelowThreshold,
    /// The context is full.
    OverThreshold,
    /// The caller asked for it.
    Forced,
    /// The context is full, but the whole history is smaller than the retention window.
    HistoryBelowKeep,
    /// The context is full, but the boundary may stand nowhere.
    NoValidBoundary,
    /// What would be done makes the context no smaller.
    NothingGained,
    /// The context is full, but nothing was added since the last summary: another would be of the same.
    NothingNew,
}

impl VerdictReason {
    /// All reasons, in the same way.
    pub const ALL: [Self; 13] = [
        Self::Empty,
        Self::Disabled,
        Self::TooFewTurns,
        Self::NothingToPrune,
        Self::BelowMinimum,
        Self::OutputsBeyondProtection,
        Self::BelowThreshold,
        Self::OverThreshold,
        Self::Forced,
        Self::HistoryBelowKeep,
        Self::NoValidBoundary,
        Self::NothingGained,
        Self::NothingNew,
    ];
}

/// What a caller knows besides transcript and policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// Compaction is asked for: by hand, or after an overflow. The trigger is not consulted.
    pub force: bool,
    /// The tokens that the context is known to hold, from the provider; 0 when it is not known.
    pub known_tokens: u64,
}

/// A place in the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The message's index.
    pub message: usize,
    /// The part's index in the message.
    pub part: usize,
}

/// What a figure rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The estimate of every active message.
    Estimate,
    /// The usage that the provider reported with the newest answer, and the estimate of what followed.
    Reported,
    /// What the caller said.
    Known,
    /// Nothing: the policy goes by reported usage alone, and there is none.
    Nothing,
}

impl Source {
    /// All sources, in the same way.
    pub const ALL: [Self; 4] = [Self::Estimate, Self::Reported, Self::Known, Self::Nothing];
}

/// How full the context is, and whether that is too full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TriggerReport {
    /// The context window, in tokens.
    pub context: u64,
    /// The number of tokens at which summarising fires.
    pub threshold: u64,
    /// The tokens that were compared with it: after pruning, if that is part of the plan.
    pub tokens: u64,
    /// What that figure rests on.
    pub source: Source,
    /// Whether summarising fires.
    pub fires: bool,
}

/// What pruning does, or would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PruneReport {
    /// Whether outputs are pruned.
    pub applied: bool,
    /// Why, or why not.
    pub reason: VerdictReason,
    /// The output that crosses the protection boundary; `null` when all outputs are protected.
    pub boundary: Option<Position>,
    /// Tokens of tool output that were counted.
    pub counted: u64,
    /// Tokens of output beyond the boundary, compared with the minimum.
    pub candidates: u64,
    /// How many outputs are pruned, or would be but for the reason.
    pub outputs: usize,
    /// Tokens that the pruned outputs free. An output smaller than the placeholder frees 0 here; the plan's
    /// totals count what it adds.
    pub reclaimed: u64,
}

/// What the retention window does, or would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetainReport {
    /// Whether messages are summarised.
    pub applied: bool,
    /// Why, or why not.
    pub reason: VerdictReason,
    /// Where the system's own rule puts the boundary; `null` for nowhere.
    pub proposed: Option<usize>,
    /// The first message of the window, once no call is parted from its result, nor an unfinished run of calls
    /// from the signed thinking that it begins with; `null` for nowhere. Equal to the number of messages when
    /// nothing is kept.
    pub boundary: Option<usize>,
    /// The message with which the turn begins that the boundary divides; `null` when it divides none.
    pub split_turn: Option<usize>,
    /// Tokens from the boundary on.
    pub kept: u64,
    /// Tokens before the boundary that are, or would be, summarised.
    pub summarised: u64,
    /// How many messages those are.
    pub messages: usize,
}

/// The fate of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartPlan {
    /// What the part is.
    pub kind: PartKind,
    /// What happens to it.
    pub fate: Fate,
    /// Why.
    pub reason: Reason,
    /// Whether it is pruned before its message is summarised, so that the summary is made from the placeholder.
    pub pruned_first: bool,
    /// Its tokens before.
    pub tokens_before: u64,
    /// Its tokens after.
    pub tokens_after: u64,
    /// The tokens of newer tool output that were counted before this output when the protection boundary was sought;
    /// `None` for what was not counted. Not part of the JSON form.
    #[serde(skip)]
    pub newer_outputs: Option<u64>,
}

impl PartPlan {
    /// Whether the placeholder takes its place: by its fate, or before its message is summarised.
    #[must_use]
    pub fn is_pruned(&self) -> bool {
        self.fate == Fate::Pruned || self.pruned_first
    }
}

/// The fate of one message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessagePlan {
    /// Who speaks.
    pub role: Role,
    /// What happens to it.
    pub fate: Fate,
    /// Why.
    pub reason: Reason,
    /// Whether one of its outputs is pruned before the message is summarised.
    pub pruned_first: bool,
    /// Its tokens before; 0 when it is not active.
    pub tokens_before: u64,
    /// Its tokens after.
    pub tokens_after: u64,
    /// Its parts.
    pub parts: Vec<PartPlan>,
}

/// What is to be done with a session, message by message, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The policy's name.
    pub profile: String,
    /// What is to be done, as a whole.
    #[serde(flatten)]
    pub decision: Decision,
    /// Every message of the transcript, in its order.
    pub messages: Vec<MessagePlan>,
}

impl Plan {
    /// The plan as JSON (schema [`SCHEMA`]).
    #[must_use]
    pub fn to_json(&self) -> String {
        super::write::to_json(self)
    }

    /// Whether anything is to be done.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.decision.changes_something()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_stands_at_its_own_number() {
        assert!(Verdict::ALL.iter().enumerate().all(|(code, verdict)| *verdict as usize == code));
        assert!(VerdictReason::ALL.iter().enumerate().all(|(code, reason)| *reason as usize == code));
        assert!(Source::ALL.iter().enumerate().all(|(code, source)| *source as usize == code));
    }
}

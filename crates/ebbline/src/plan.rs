//! The plan: what happens to every message and part, and why.

use serde::Serialize;

use crate::calibrate::{self, Calibration};
use crate::length::Length;
use crate::policy::{Measure, Policy, PrunePolicy};
use crate::prune::{self, belongs_to_result};
use crate::retain::{self, Aim};
use crate::transcript::{PartKind, Role, Transcript};

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
    /// Beyond the boundary, but pruning is switched off.
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
    /// The tokens of newer tool output that stood between a tool output and the end of the session when the
    /// protection boundary was sought; `None` for what the walk did not count. Not part of the JSON form.
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
    /// What is to be done.
    pub verdict: Verdict,
    /// Why.
    pub reason: VerdictReason,
    /// Estimated tokens of the active messages before.
    pub tokens_before: u64,
    /// Estimated tokens after, the summary's allowance included.
    pub tokens_after: u64,
    /// Whether what is left stays below the threshold: `false` when the plan cannot make the context fit.
    pub fits: bool,
    /// What `tokens_after` allows for a summary that does not exist yet; 0 when none is to be made.
    pub summary_allowance: u64,
    /// When summarising fires.
    pub trigger: TriggerReport,
    /// The protection boundary.
    pub prune: PruneReport,
    /// The retention window.
    pub retain: RetainReport,
    /// Every message of the transcript, in its order.
    pub messages: Vec<MessagePlan>,
}

impl Plan {
    /// The plan as JSON (schema [`SCHEMA`]).
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether anything is to be done.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.prune.applied || self.retain.applied
    }
}

/// Plans: a pure function of transcript, policy and what the caller knows.
///
/// # Example
///
/// ```
/// use ebbline::{Length, Message, Part, PartKind, PlanOptions, Role, Transcript, Verdict};
/// let mut transcript = Transcript::default();
/// for turn in 0..4 {
///     transcript.begin(Message::person());
///     transcript.push(Part::new(PartKind::Text, Length::ascii(80)));
///     transcript.begin(Message::new(Role::Tool));
///     transcript.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
/// }
/// let policy = ebbline::profiles::get("opencode@2026-01")?;
/// let plan = ebbline::plan(&transcript, &policy, PlanOptions::default());
/// assert_eq!(plan.verdict, Verdict::Prune);
/// assert_eq!(plan.prune.boundary.unwrap().message, 1);
/// assert!(plan.tokens_after < plan.tokens_before);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn plan(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    let policy = policy.resolved();
    let policy = policy.as_ref();
    let estimator = &policy.estimator;
    let count = transcript.messages().len();
    let placeholder_length = Length::of(&policy.prune.placeholder);

    let mut costs = vec![0_u64; transcript.parts().len()];
    for message in 0..count {
        let range = transcript.part_range(message);
        for (index, cost) in range.zip(estimator.parts(transcript, message)) {
            if let Some(slot) = costs.get_mut(index) {
                *slot = cost;
            }
        }
    }
    let pruned = prune::scan(transcript, &policy.prune, &costs, estimator.tokens_of_text(placeholder_length));

    let mut messages: Vec<MessagePlan> = Vec::with_capacity(count);
    for (index, message) in transcript.messages().iter().enumerate() {
        let range = transcript.part_range(index);
        let fates = pruned.fates.get(range.clone()).unwrap_or_default();
        let newer = pruned.newer.get(range.clone()).unwrap_or_default();
        let parts = transcript.parts_of(index);
        let before = costs.get(range).unwrap_or_default();
        let after = estimator.spread(parts.iter().zip(fates).map(|(part, (fate, _))| match fate {
            Fate::Pruned if belongs_to_result(part) => crate::estimate::Weight::default(),
            Fate::Pruned => estimator.weigh_text(placeholder_length),
            _ => estimator.weigh(transcript, part),
        }));
        let parts: Vec<PartPlan> = parts
            .iter()
            .zip(fates)
            .zip(before.iter().zip(after).zip(newer))
            .map(|((part, (fate, reason)), ((before, after), newer))| PartPlan {
                kind: part.kind,
                fate: *fate,
                reason: *reason,
                pruned_first: false,
                tokens_before: *before,
                tokens_after: after,
                newer_outputs: *newer,
            })
            .collect();
        messages.push(MessagePlan::of(message.role, message.active, parts));
    }

    let tokens_before: u64 = messages.iter().map(|message| message.tokens_before).sum();
    let pruned_to: u64 = messages.iter().map(|message| message.tokens_after).sum();
    let reclaimed = messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| part.fate == Fate::Pruned)
        .filter(|part| is_reported(&policy.prune, part))
        .map(|part| part.tokens_before.saturating_sub(part.tokens_after))
        .sum();

    let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
    let (tokens, source) = measure(transcript, policy, &messages, options.known_tokens);
    // A context window of 0 is one that is not known: nothing can be said to fill it.
    let fires = policy.trigger.enabled
        && policy.model.context > 0
        && source != Source::Nothing
        && policy.trigger.fires.holds(tokens, threshold);
    let trigger = TriggerReport { context: policy.model.context, threshold, tokens, source, fires };

    // What is sent with every request and is not in the session; if that alone fills the context, no window fits.
    let besides = tokens.saturating_sub(pruned_to).saturating_add(policy.retain.summary_allowance);
    let aim = Aim {
        keep: policy.retain.budget(threshold),
        most: if policy.model.context == 0 {
            u64::MAX
        } else {
            threshold.checked_sub(besides).unwrap_or(u64::MAX)
        },
        summary: policy.retain.summary_allowance,
        forced: options.force,
    };
    let retain = retain_report(transcript, policy, &mut messages, aim, fires);
    let summary_allowance = if retain.applied { policy.retain.summary_allowance } else { 0 };
    let (verdict, reason) = decide(transcript, policy, pruned.applied, pruned.reason, &retain, options.force);
    let tokens_after = messages.iter().map(|message| message.tokens_after).sum::<u64>() + summary_allowance;
    let left = tokens.saturating_add(tokens_after).saturating_sub(pruned_to);
    Plan {
        schema: SCHEMA,
        profile: policy.profile.clone(),
        verdict,
        reason,
        tokens_before,
        tokens_after,
        fits: policy.model.context == 0 || !policy.trigger.fires.holds(left, threshold),
        summary_allowance,
        trigger,
        prune: PruneReport {
            applied: pruned.applied,
            reason: pruned.reason,
            boundary: pruned.boundary.map(|(message, part)| Position { message, part }),
            counted: pruned.counted,
            candidates: pruned.candidates,
            outputs: pruned.outputs,
            reclaimed,
        },
        retain,
        messages,
    }
}

/// Whether what a pruned output frees is reported: TunaCode's optimised prune stops estimating where it knows enough.
fn is_reported(policy: &PrunePolicy, part: &PartPlan) -> bool {
    policy.estimate_until == 0 || part.newer_outputs.is_some_and(|newer| newer <= policy.estimate_until)
}

/// The tokens that are compared with the threshold, after pruning: what the caller knows, else what the policy
/// goes by.
fn measure(transcript: &Transcript, policy: &Policy, messages: &[MessagePlan], known: u64) -> (u64, Source) {
    let sum = |of: fn(&MessagePlan) -> u64| messages.iter().map(of).sum::<u64>();
    let after = sum(|message| message.tokens_after);
    if known > 0 {
        return (
            known.saturating_sub(sum(|message| message.tokens_before).saturating_sub(after)),
            Source::Known,
        );
    }
    match policy.trigger.measure {
        Measure::Estimate => (after, Source::Estimate),
        Measure::Reported => {
            let mut newest = transcript.messages().iter().rev().filter(|message| message.active);
            newest
                .find_map(|message| message.usage)
                .map_or((0, Source::Nothing), |usage| (u64::from(usage), Source::Reported))
        }
        Measure::Anchored => {
            // Seen as it will be once the plan is carried out, so that planning again gives the same figure.
            let mut costs = vec![0; transcript.parts().len()];
            let mut changed = vec![false; transcript.parts().len()];
            for (index, message) in messages.iter().enumerate() {
                for (at, part) in transcript.part_range(index).zip(&message.parts) {
                    if let (Some(cost), Some(changed)) = (costs.get_mut(at), changed.get_mut(at)) {
                        *cost = part.tokens_after;
                        *changed = matches!(part.fate, Fate::Pruned | Fate::AlreadyPruned);
                    }
                }
            }
            let calibration = if policy.estimator.calibrate {
                calibrate::calibration(transcript, &costs, &changed)
            } else {
                Calibration::default()
            };
            let size = calibrate::anchored(transcript, &costs, &changed, &calibration);
            (size.tokens, if size.anchor.is_some() { Source::Reported } else { Source::Estimate })
        }
    }
}

impl MessagePlan {
    /// The fate of a message as its parts decide it, before the retention window is laid over it.
    fn of(role: Role, active: bool, mut parts: Vec<PartPlan>) -> Self {
        if !active {
            for part in &mut parts {
                part.tokens_before = 0;
                part.tokens_after = 0;
            }
        }
        let decisive = [Fate::Pruned, Fate::AlreadyPruned]
            .into_iter()
            .find_map(|fate| parts.iter().find(|part| part.fate == fate))
            .or_else(|| parts.iter().find(|part| part.reason != Reason::NotToolOutput));
        let (fate, reason) = match decisive {
            _ if !active => (Fate::Inactive, Reason::Inactive),
            _ if role == Role::System => (Fate::Kept, Reason::SystemMessage),
            Some(part) => (part.fate, part.reason),
            None => (Fate::Kept, Reason::NotToolOutput),
        };
        Self {
            role,
            fate,
            reason,
            pruned_first: false,
            tokens_before: parts.iter().map(|part| part.tokens_before).sum(),
            tokens_after: parts.iter().map(|part| part.tokens_after).sum(),
            parts,
        }
    }

    fn summarise(&mut self) {
        self.pruned_first = self.fate == Fate::Pruned;
        self.fate = Fate::Summarised;
        self.reason = Reason::BeforeWindow;
        self.tokens_after = 0;
        for part in &mut self.parts {
            part.pruned_first = part.fate == Fate::Pruned;
            part.fate = Fate::Summarised;
            part.reason = Reason::BeforeWindow;
            part.tokens_after = 0;
        }
    }
}

/// Finds the window and, if it is to be applied, lays it over the messages.
fn retain_report(
    transcript: &Transcript,
    policy: &Policy,
    messages: &mut [MessagePlan],
    aim: Aim,
    fires: bool,
) -> RetainReport {
    let force = aim.forced;
    let costs: Vec<u64> = messages.iter().map(|message| message.tokens_after).collect();
    let window = retain::window(transcript, &policy.retain, &costs, aim);
    let is_before = |index: usize, message: &MessagePlan| {
        window.boundary.is_some_and(|boundary| index < boundary)
            && message.fate != Fate::Inactive
            && message.role != Role::System
    };
    let before: Vec<usize> = messages
        .iter()
        .enumerate()
        .filter(|(index, message)| is_before(*index, message))
        .map(|(index, _)| index)
        .collect();
    let summarised: u64 = before.iter().filter_map(|index| costs.get(*index)).sum();
    let kept = costs.iter().sum::<u64>().saturating_sub(summarised);

    let reason = if !policy.retain.enabled {
        VerdictReason::Disabled
    } else if !fires && !force {
        VerdictReason::BelowThreshold
    } else if window.all_fits {
        VerdictReason::HistoryBelowKeep
    } else if before.is_empty() {
        VerdictReason::NoValidBoundary
    } else if force {
        VerdictReason::Forced
    } else {
        VerdictReason::OverThreshold
    };
    let applied = matches!(reason, VerdictReason::Forced | VerdictReason::OverThreshold);
    if applied {
        for (index, message) in messages.iter_mut().enumerate() {
            if before.binary_search(&index).is_ok() {
                message.summarise();
            } else if message.fate == Fate::Kept && message.reason == Reason::NotToolOutput {
                message.reason = Reason::InWindow;
            }
        }
    }
    RetainReport {
        applied,
        reason,
        proposed: window.proposed,
        boundary: window.boundary,
        split_turn: window.split_turn,
        kept,
        summarised,
        messages: before.len(),
    }
}

fn decide(
    transcript: &Transcript,
    policy: &Policy,
    pruned: bool,
    prune_reason: VerdictReason,
    retain: &RetainReport,
    force: bool,
) -> (Verdict, VerdictReason) {
    let is_empty = !transcript.messages().iter().any(|message| message.active);
    let stuck = matches!(retain.reason, VerdictReason::HistoryBelowKeep | VerdictReason::NoValidBoundary);
    match (pruned, retain.applied) {
        (true, true) => (Verdict::PruneThenSummarise, retain.reason),
        (true, false) => (Verdict::Prune, prune_reason),
        (false, true) => (Verdict::Summarise, retain.reason),
        (false, false) if is_empty => (Verdict::Noop, VerdictReason::Empty),
        (false, false) if stuck => (Verdict::Refuse, retain.reason),
        (false, false) if policy.retain.enabled && !force => (Verdict::Noop, retain.reason),
        (false, false) => (Verdict::Noop, prune_reason),
    }
}

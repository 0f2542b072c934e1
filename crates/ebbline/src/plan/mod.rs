//! The plan: what happens to every message and part, and why.

mod decision;
mod measure;
mod report;
mod write;

use measure::measure;

use crate::length::Length;
use crate::policy::{Policy, PrunePolicy};
use crate::prune::{self, belongs_to_result};
use crate::retain::{self, Aim};
use crate::transcript::{Role, Transcript};

pub use decision::Decision;
pub use report::{
    Fate, MessagePlan, PartPlan, Plan, PlanOptions, Position, PruneReport, Reason, RetainReport, SCHEMA,
    Source, TriggerReport, Verdict, VerdictReason,
};

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

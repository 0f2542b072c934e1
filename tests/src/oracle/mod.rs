//! The oracle: a second implementation of the plan that walks over the whole transcript.
//!
//! It applies the rules one after the other, examines every message and keeps no sums between plans. It shares no
//! deciding code with the engine, which a property test compares with it (`tests/ledger.rs`). Words, lengths and
//! policies (with their threshold and budget) are the engine's; everything else is written a second time.

pub mod calibrate;
mod decision;
mod estimate;
mod history;
mod measure;
mod parted;
mod prune;
mod window;

use ebbline::plan::{MessagePlan, PartPlan, Position, PruneReport, Source, VerdictReason};
use ebbline::policy::PrunePolicy;
use ebbline::transcript::Role;
use ebbline::{Fate, Plan, PlanOptions, Policy, Reason, Transcript};

use self::decision::{Findings, decide};
use self::estimate::{Estimate, Weight};
use self::history::History;
use self::measure::measure;
use self::prune::{belongs_to_result, placeholder};

/// The plan that `ebbline::plan` must give.
#[must_use]
pub fn plan(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    let policy = policy.resolved();
    let policy = policy.as_ref();
    let estimate = Estimate { estimator: &policy.estimator, transcript };
    let mut pruned = prune::scan(transcript, &policy.prune, estimate);
    let sum = |messages: &[MessagePlan], of: fn(&MessagePlan) -> u64| messages.iter().map(of).sum::<u64>();
    let mut messages = carry_out(estimate, &policy.prune, &pruned);
    let tokens_before = sum(&messages, |message| message.tokens_before);
    if pruned.applied && policy.prune.minimum_context > 0 {
        let mut whole = pruned.clone();
        whole.withdraw(VerdictReason::ContextSmall, Reason::ContextSmall);
        let unpruned = carry_out(estimate, &policy.prune, &whole);
        let (measured, source) = measure(transcript, policy, &unpruned, options.known_tokens);
        let size = if source == Source::Nothing { tokens_before } else { measured };
        if size < policy.prune.minimum_context {
            (pruned, messages) = (whole, unpruned);
        }
    }
    if pruned.applied && sum(&messages, |message| message.tokens_after) >= tokens_before {
        // The placeholders would take as much room.
        pruned.withdraw(VerdictReason::NothingGained, Reason::NothingGained);
        messages = carry_out(estimate, &policy.prune, &pruned);
    }
    let reclaimed = messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| part.fate == Fate::Pruned)
        .map(|part| part.tokens_before.saturating_sub(part.tokens_after))
        .sum();

    let (tokens, source) = measure(transcript, policy, &messages, options.known_tokens);
    let prune = PruneReport {
        applied: pruned.applied,
        reason: pruned.reason,
        boundary: pruned.boundary.map(|(message, part)| Position { message, part }),
        counted: pruned.counted,
        candidates: pruned.candidates,
        outputs: pruned.outputs,
        reclaimed,
    };
    let after: Vec<u64> = messages.iter().map(|message| message.tokens_after).collect();
    let history = History::new(transcript, &after);
    let found = Findings { tokens_before, tokens, source, prune };
    let decision = decide(&history, policy, found, options.force);
    if decision.retain.applied {
        apply_window(&mut messages, transcript, decision.retain.boundary);
    }
    Plan::new(transcript, policy, decision, messages)
}

/// Every message with the outputs of `pruned` cleared.
fn carry_out(estimate: Estimate<'_>, policy: &PrunePolicy, pruned: &prune::Outcome) -> Vec<MessagePlan> {
    let transcript = estimate.transcript;
    let mut messages: Vec<MessagePlan> = Vec::with_capacity(transcript.messages().len());
    for (index, message) in transcript.messages().iter().enumerate() {
        let range = transcript.part_range(index);
        let fates = pruned.fates.get(range.clone()).unwrap_or_default();
        let newer = pruned.newer.get(range).unwrap_or_default();
        let parts = transcript.parts_of(index);
        let weights: Vec<Weight> = parts.iter().map(|part| estimate.weight(part)).collect();
        let before = estimate.parts(&weights);
        let weights: Vec<Weight> = parts
            .iter()
            .zip(fates)
            .map(|(part, (fate, _))| match fate {
                Fate::Pruned if belongs_to_result(part) => Weight::default(),
                Fate::Pruned => estimate.weight_of_text(placeholder(policy, message)),
                _ => estimate.weight(part),
            })
            .collect();
        let after = estimate.parts(&weights);
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
        messages.push(of_parts(message.role, message.active, parts));
    }
    messages
}

/// Sets for every message whether it is before or in the window.
fn apply_window(messages: &mut [MessagePlan], transcript: &Transcript, boundary: Option<usize>) {
    for (index, (message, of)) in messages.iter_mut().zip(transcript.messages()).enumerate() {
        let is_before = boundary.is_some_and(|boundary| index < boundary);
        if is_before && message.fate != Fate::Inactive && !of.stays() {
            summarise(message);
        } else if is_before && of.pinned && message.fate == Fate::Kept {
            message.reason = Reason::AlwaysSent;
        } else if message.fate == Fate::Kept && message.reason == Reason::NotToolOutput {
            message.reason = Reason::InWindow;
        }
    }
}

/// The fate of a message from its parts, before the retention window is applied.
fn of_parts(role: Role, active: bool, mut parts: Vec<PartPlan>) -> MessagePlan {
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
    MessagePlan {
        role,
        fate,
        reason,
        pruned_first: false,
        tokens_before: parts.iter().map(|part| part.tokens_before).sum(),
        tokens_after: parts.iter().map(|part| part.tokens_after).sum(),
        parts,
    }
}

fn summarise(message: &mut MessagePlan) {
    message.pruned_first = message.fate == Fate::Pruned;
    message.fate = Fate::Summarised;
    message.reason = Reason::BeforeWindow;
    message.tokens_after = 0;
    for part in &mut message.parts {
        part.pruned_first = part.fate == Fate::Pruned;
        part.fate = Fate::Summarised;
        part.reason = Reason::BeforeWindow;
        part.tokens_after = 0;
    }
}

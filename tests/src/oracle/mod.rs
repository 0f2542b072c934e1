//! The oracle: a second implementation of the plan that walks over the whole transcript.
//!
//! It applies the rules one after the other, examines every message and keeps no sums between plans. It shares no
//! deciding code with the engine. Property tests compare the two: with arbitrary figures (`tests/session.rs`), and with
//! figures that meet their limits exactly (`tests/limits.rs`). Words, lengths and policies (with their threshold and
//! budget) are the engine's; everything else is written a second time.
//!
//! A fault that both have in common stays unseen. So each rule is written from its description, never from the
//! engine's text, and in the form nearest to its definition, however slow that is.

pub mod calibrate;
pub mod cuts;
mod decision;
mod estimate;
mod history;
mod measure;
mod parted;
mod prune;
mod room;
mod window;

use ebbline::binding::{message_plan, part_plan};
use ebbline::plan::{Boundary, MessagePlan, PartPlan, PruneReport, VerdictReason};
use ebbline::policy::PrunePolicy;
use ebbline::transcript::{Message, PartKind, Role, Turn};
use ebbline::{Fate, Plan, PlanOptions, Policy, Reason, Transcript};

use self::decision::{Findings, decide};
use self::estimate::{Estimate, Weight};
use self::history::History;
use self::measure::measure;
pub use self::prune::placeholder;
use self::prune::{belongs_to_result, was_pruned};
use self::room::{Found, Setting};

/// The plan that `ebbline::plan` must give.
pub fn plan(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Plan {
    let policy = policy.resolved();
    let policy = policy.as_ref();
    let given = transcript;
    let transcript = &believed(transcript, policy);
    let estimate = Estimate { estimator: &policy.estimator, transcript };
    let sum = |messages: &[MessagePlan], of: fn(&MessagePlan) -> u64| messages.iter().map(of).sum::<u64>();
    let setting = Setting { transcript, policy, estimate, options };
    let mut found = room::found(setting);
    let mut messages = carry_out(estimate, &policy.prune, &found.outcome);
    let tokens_before = sum(&messages, |message| message.tokens_before);
    if found.outcome.applied && sum(&messages, |message| message.tokens_after) >= tokens_before {
        // The placeholders would take as much room.
        found.outcome.withdraw(VerdictReason::NothingGained, Reason::NothingGained);
        found.made_room = false;
        messages = carry_out(estimate, &policy.prune, &found.outcome);
    }
    let Found { outcome: mut pruned, made_room } = found;
    let made_room = cuts::cut(setting, &mut pruned) || made_room;
    let cut = pruned.shown.len();
    if cut > 0 {
        messages = carry_out(estimate, &policy.prune, &pruned);
    }
    let reclaimed = messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| part.fate == Fate::Pruned)
        .map(|part| part.tokens_before.saturating_sub(part.tokens_after))
        .sum();

    let (tokens, source) = measure(transcript, policy, &messages, options);
    let overhead = options.overhead.or(measure::learnt(transcript, policy, &messages));
    let mut prune = PruneReport::default();
    prune.applied = pruned.applied || cut > 0;
    prune.reason = if cut > 0 { VerdictReason::TooLarge } else { pruned.reason };
    prune.boundary = pruned.boundary.map(|(message, part, by)| {
        let mut boundary = Boundary::default();
        (boundary.message, boundary.part, boundary.by) = (message, part, by);
        boundary
    });
    (prune.counted, prune.candidates) = (pruned.counted, pruned.candidates);
    prune.outputs = if pruned.applied || cut == 0 { pruned.taken.len() } else { 0 } + cut;
    prune.reclaimed = reclaimed;
    let each = messages.iter().zip(transcript.messages());
    let after: Vec<_> = each.map(|(plan, message)| (plan.tokens_after, said(plan, message))).collect();
    let mut history = History::new(transcript, &after);
    let found = Findings { tokens_before, tokens, source, overhead, prune, made_room };
    let seen = decide(&history, policy, found, options);
    let decision = cuts::unseen(setting).map_or(seen, |first| {
        history.keep_from(first);
        let kept = decide(&history, policy, found, options);
        let keeps = kept.retain.reason == VerdictReason::HistoryBelowKeep
            || decision::fits_from(&history, policy, tokens, kept.retain.boundary.unwrap_or(0));
        if policy.prune.enabled || keeps { kept } else { seen }
    });
    if decision.retain.applied {
        let is_before = |index: usize| decision.retain.boundary.is_some_and(|boundary| index < boundary);
        let of = transcript.messages().iter().enumerate();
        let sided = messages.into_iter().zip(of);
        messages = sided.map(|(plan, (index, of))| with_side(plan, of, is_before(index))).collect();
    }
    Plan::new(given, policy, decision, messages)
}

/// The transcript without the reports that cannot be true of its messages: less than half of the estimate of what is text, or
/// more than the window and more than twice the estimate of everything, unless a message before was pruned.
fn believed(transcript: &Transcript, policy: &Policy) -> Transcript {
    let mut believed = transcript.clone();
    let active = || transcript.messages().iter().enumerate().filter(|(_, message)| message.active);
    for (at, usage) in active().filter_map(|(at, message)| Some((at, u64::from(message.usage?)))) {
        let mut sums = [0, 0];
        for (index, _) in active().take_while(|(index, _)| *index <= at) {
            let costs = policy.estimator.parts(transcript, index);
            for (part, cost) in transcript.parts_of(index).iter().zip(costs) {
                // In the message of its call, a result came after the answer.
                let is_later = part.kind == PartKind::ToolResult || belongs_to_result(part);
                let counts = u64::from(index < at || !is_later);
                let is_text = match part.kind {
                    PartKind::Text | PartKind::ToolCall | PartKind::ToolResult => true,
                    PartKind::Summary | PartKind::Other => !part.signed,
                    _ => false,
                };
                sums[0] += cost * counts;
                sums[1] += cost * counts * u64::from(is_text);
            }
        }
        let is_beyond = policy.model.context.is_some_and(|window| usage > window.get());
        let is_pruned = |(index, _): (usize, &Message)| {
            transcript.parts_of(index).iter().any(|part| was_pruned(&policy.prune, part))
        };
        let was_larger = active().take_while(|(index, _)| *index < at).any(is_pruned);
        let is_false = usage * 2 < sums[1] || is_beyond && usage / 2 > sums[0] && !was_larger;
        if is_false && policy.estimator.calibrate {
            believed.forget_usage(at);
        }
    }
    believed
}

/// The tokens of the user's own words: text of the user that is no summary, and that no application wrote.
fn said(plan: &MessagePlan, message: &Message) -> u64 {
    let is_own =
        message.role == Role::User && matches!(message.turn, Turn::Person | Turn::No) && !message.summary;
    let texts = plan.parts.iter().filter(|part| is_own && part.kind == PartKind::Text);
    texts.map(|part| part.tokens_before).sum()
}

/// Every message with the outputs of `pruned` cleared.
fn carry_out(estimate: Estimate<'_>, policy: &PrunePolicy, pruned: &prune::Outcome) -> Vec<MessagePlan> {
    let transcript = estimate.transcript;
    let mut messages: Vec<MessagePlan> = Vec::with_capacity(transcript.messages().len());
    for (index, message) in transcript.messages().iter().enumerate() {
        let range = transcript.part_range(index);
        let fates = pruned.fates.get(range.clone()).unwrap_or_default();
        let first = range.start;
        let newer = pruned.newer.get(range).unwrap_or_default();
        let shown = |at: usize| pruned.shown.get(&(first + at));
        let parts = transcript.parts_of(index);
        let weights: Vec<Weight> = parts.iter().map(|part| estimate.weight(part)).collect();
        let before = estimate.parts(&weights);
        let weights: Vec<Weight> = parts
            .iter()
            .zip(fates)
            .enumerate()
            .map(|(at, (part, (fate, _)))| match fate {
                Fate::Pruned if shown(at).is_some() => {
                    estimate.weight_of_text(shown(at).map(|shown| shown.length).unwrap_or_default())
                }
                Fate::Pruned if belongs_to_result(part) => Weight::default(),
                Fate::Pruned => {
                    let tokens = estimate.alone(part);
                    estimate.weight_of_text(placeholder(policy, estimate.estimator, message, tokens))
                }
                _ => estimate.weight(part),
            })
            .collect();
        let after = estimate.parts(&weights);
        let sent = |tokens: u64| if message.active { tokens } else { 0 };
        let parts: Vec<PartPlan> = parts
            .iter()
            .zip(fates)
            .zip(before.iter().zip(after).zip(newer))
            .enumerate()
            .map(|(at, ((part, (fate, reason)), ((before, after), newer)))| {
                let mut plan = part_plan(part.kind, *fate, *reason);
                (plan.tokens_before, plan.tokens_after) = (sent(*before), sent(after));
                (plan.preview, plan.newer_outputs) = (shown(at).map(|shown| shown.preview), *newer);
                plan
            })
            .collect();
        messages.push(of_parts(message, parts));
    }
    messages
}

/// What a message becomes when others are summarized, by the side of the boundary that it is on.
fn with_side(mut plan: MessagePlan, of: &Message, is_before: bool) -> MessagePlan {
    if of.active && is_before && !of.stays() {
        return summarized(plan);
    }
    plan.reason = match (plan.fate, plan.reason) {
        (Fate::Kept, _) if is_before && of.pinned => Reason::AlwaysSent,
        (Fate::Kept, Reason::NotToolOutput) => Reason::InWindow,
        (_, reason) => reason,
    };
    plan
}

/// A message with all its parts in the summary. Pruning comes first, so that the summary is made from the placeholder.
fn summarized(mut plan: MessagePlan) -> MessagePlan {
    let (fate, reason) = (Fate::Summarized, Reason::BeforeWindow);
    for part in &mut plan.parts {
        part.pruned_first = part.fate == Fate::Pruned;
        (part.fate, part.reason, part.tokens_after) = (fate, reason, 0);
    }
    plan.pruned_first = plan.fate == Fate::Pruned;
    (plan.fate, plan.reason, plan.tokens_after) = (fate, reason, 0);
    plan
}

/// The part that its message takes fate and reason from: the first of those about which there is most to say.
fn telling(parts: &[PartPlan]) -> Option<&PartPlan> {
    parts.iter().min_by_key(|part| match (part.fate, part.reason) {
        (Fate::Pruned, _) => 0,
        (Fate::AlreadyPruned, _) => 1,
        (_, Reason::NotToolOutput) => 3,
        _ => 2,
    })
}

/// A message and its parts, before it is known whether others are summarized.
fn of_parts(of: &Message, parts: Vec<PartPlan>) -> MessagePlan {
    let (fate, reason) = match telling(&parts) {
        _ if !of.active => (Fate::Inactive, Reason::Inactive),
        _ if of.role == Role::System => (Fate::Kept, Reason::SystemMessage),
        Some(part) => (part.fate, part.reason),
        None => (Fate::Kept, Reason::NotToolOutput),
    };
    let mut plan = message_plan(of.role, fate, reason, parts);
    plan.tokens_before = plan.parts.iter().map(|part| part.tokens_before).sum();
    plan.tokens_after = plan.parts.iter().map(|part| part.tokens_after).sum();
    plan
}

//! Whether to summarize, and the verdict.
//!
//! What is true of the session is found first. Tables then say what follows from it.

use super::history::{Entry, History, tokens};
use super::window::{Aim, Boundaries, window};
use ebbline::plan::{Decision, PruneReport, RetainReport, Source, VerdictReason};
use ebbline::policy::{Comparison, Measure, RetainPolicy};
use ebbline::{PlanOptions, Policy, Verdict};

/// What is known when the decision to summarize is made.
#[derive(Clone, Copy)]
pub(super) struct Findings {
    pub(super) tokens_before: u64,
    /// The size of the context after pruning, and its source.
    pub(super) tokens: u64,
    pub(super) source: Source,
    /// What is sent beside the messages, where that is known.
    pub(super) overhead: Option<u64>,
    pub(super) prune: PruneReport,
    /// Whether pruning made the room that the policy asks for.
    pub(super) made_room: bool,
}

/// Decides for a history with its costs after pruning.
pub(super) fn decide(
    history: &History<'_>,
    policy: &Policy,
    found: Findings,
    options: PlanOptions,
) -> Decision {
    let force = options.force;
    let context = policy.model.context;
    let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
    // A context window that is not known is never full.
    let is_full = |tokens: u64| context.is_some() && policy.trigger.fires.holds(tokens, threshold);
    let fires = policy.trigger.enabled && found.source != Source::Nothing && is_full(found.tokens);
    let messages = tokens(history.since(0));
    // What is sent with every request but is not in the session.
    let besides = found.tokens.saturating_sub(messages);

    let most_summary = largest_summary(&policy.retain, history.since(0));
    let found_window = window(history, &policy.retain, aim(policy, threshold, besides, most_summary, force));
    let proposed = found_window.and_then(|window| window.proposed);
    let boundary = found_window.and_then(|window| window.whole);
    let summary = Summary::new(history, &policy.retain, boundary.unwrap_or(0));
    let asked = Asked { fires, force, made_room: found.made_room };
    let is_hopeless =
        options.overhead.zip(context).is_some_and(|(overhead, window)| overhead >= window.get());
    let reason = retain_reason(history, &policy.retain, asked, found_window, &summary, is_hopeless);
    let applied = matches!(reason, VerdictReason::OverThreshold | VerdictReason::Forced);
    let mut retain = RetainReport::default();
    (retain.applied, retain.reason) = (applied, reason);
    retain.proposed = proposed.map(|position| history.index(position));
    retain.boundary = boundary.map(|position| history.index(position));
    retain.split_turn = boundary.and_then(|position| history.divided_turn(position));
    retain.kept = messages - summary.replaces;
    retain.summarized = summary.replaces;
    retain.messages = summary.messages;
    let (verdict, reason) = verdict(history, policy, asked, &found.prune, &retain);

    let allowance = if applied { summary.size } else { 0 };
    let tokens_after = if applied { retain.kept + allowance } else { messages };
    // Usage reported before a summary does not count after it, so the estimate must fit as well.
    let is_estimated_next = applied && policy.trigger.measure == Measure::Anchored;
    let left = (found.tokens + tokens_after).saturating_sub(messages);
    let mut decision = Decision::default();
    (decision.verdict, decision.reason) = (verdict, reason);
    (decision.tokens_before, decision.tokens_after) = (found.tokens_before, tokens_after);
    decision.fits = !(is_full(left) || is_estimated_next && is_full(tokens_after));
    decision.summary_allowance = allowance;
    let trigger = &mut decision.trigger;
    (trigger.context, trigger.threshold, trigger.fires) = (context, threshold, fires);
    (trigger.tokens, trigger.source, trigger.overhead) = (found.tokens, found.source, found.overhead);
    (decision.prune, decision.retain) = (found.prune, retain);
    decision
}

/// Whether the messages from the one with the index `first` on fit into the model's window, beside what is sent with every request
/// and the largest summary.
pub(super) fn fits_from(history: &History<'_>, policy: &Policy, sent: u64, first: usize) -> bool {
    let all = history.since(0);
    let kept: u64 = all.iter().filter(|entry| entry.index >= first).map(|entry| entry.tokens).sum();
    let besides = sent.saturating_sub(tokens(all)).saturating_add(largest_summary(&policy.retain, all));
    policy.model.context.is_none_or(|context| kept <= context.get().saturating_sub(besides))
}

/// What the window is to achieve. If the context is full without any message, no window is too large: a smaller one
/// would not help. Where a context of exactly the threshold is full, the window leaves a token of room.
fn aim(policy: &Policy, threshold: u64, besides: u64, most_summary: u64, forced: bool) -> Aim {
    let summary = policy.retain.summary_allowance;
    let keep = policy.retain.budget(threshold);
    if policy.model.context.is_none() {
        return Aim { forced, keep, room: None, price: summary, summary };
    }
    let spare = i128::from(policy.trigger.fires == Comparison::AtLeast);
    let room = i128::from(threshold) - spare - i128::from(besides) - i128::from(most_summary);
    // In a small context, less is worth a summary.
    let price = summary.min(threshold / 5);
    Aim { forced, keep, room: u64::try_from(room).ok(), price, summary }
}

/// The summary that a window asks for. It does not exist yet.
pub(super) struct Summary {
    /// How many messages it would replace, and their tokens.
    messages: usize,
    pub(super) replaces: u64,
    /// Its assumed size: the largest that it may be, but at most the earlier summaries that it continues, the user's words
    /// that it carries, and half of everything else that it replaces. As in the engine, an earlier summary counts even if
    /// it is pinned or a system message, so that it stays and is not continued.
    pub(super) size: u64,
}

impl Summary {
    pub(super) fn new(history: &History<'_>, policy: &RetainPolicy, position: usize) -> Self {
        let replaces = tokens(history.replaced(position));
        let earlier = earlier_summaries(history.before(position));
        let words = carried_words(policy, said(history.before(position)));
        let others = replaces.saturating_sub(earlier).saturating_sub(words);
        let size = (earlier + words + others / 2).min(largest_summary(policy, history.before(position)));
        Self { messages: history.replaced(position).count(), replaces, size }
    }
}

/// The tokens that a summary carries of the user's own words, of which there are `said`; 24 introduce them.
fn carried_words(policy: &RetainPolicy, said: u64) -> u64 {
    policy.user_words.min(if said == 0 { 0 } else { said + 24 })
}

/// The largest summary of `entries`: the policy's allowance, and the user's own words, which may also stand in the earlier
/// summaries, up to the policy's limit for them.
pub(super) fn largest_summary(policy: &RetainPolicy, entries: &[Entry<'_>]) -> u64 {
    let words = carried_words(policy, said(entries)) + earlier_summaries(entries);
    policy.summary_allowance + policy.names + words.min(policy.user_words)
}

fn earlier_summaries(entries: &[Entry<'_>]) -> u64 {
    tokens(entries.iter().filter(|entry| entry.message.summary))
}

/// The tokens of the user's own words.
fn said(entries: &[Entry<'_>]) -> u64 {
    entries.iter().map(|entry| entry.said).sum()
}

/// Whether a summary is called for: because the context is full, or by the caller, unless pruning made enough room.
#[derive(Clone, Copy)]
struct Asked {
    fires: bool,
    force: bool,
    made_room: bool,
}

/// Why messages are summarized, or why none is: the first line that holds.
fn retain_reason(
    history: &History<'_>,
    policy: &RetainPolicy,
    Asked { fires, force, made_room }: Asked,
    window: Option<Boundaries>,
    summary: &Summary,
    is_hopeless: bool,
) -> VerdictReason {
    let table = [
        (VerdictReason::Disabled, !policy.enabled),
        (VerdictReason::BelowThreshold, !(fires || force && !made_room)),
        (VerdictReason::OverheadFillsWindow, is_hopeless),
        (VerdictReason::NothingNew, history.has_nothing_new() && !force),
        (VerdictReason::HistoryBelowKeep, window.is_none()),
        (VerdictReason::NoValidBoundary, summary.messages == 0),
        (VerdictReason::NothingGained, summary.size >= summary.replaces),
        (VerdictReason::Forced, force),
    ];
    let first = table.into_iter().find(|(_, holds)| *holds);
    first.map_or(VerdictReason::OverThreshold, |(reason, _)| reason)
}

/// What is done. Nothing is done if nothing is asked for; if a summary is, and nothing can be done, that is a refusal.
fn verdict(
    history: &History<'_>,
    policy: &Policy,
    asked: Asked,
    prune: &PruneReport,
    retain: &RetainReport,
) -> (Verdict, VerdictReason) {
    let wants_summary = policy.retain.enabled && (asked.fires || asked.force);
    let verdict = match (prune.applied, wants_summary, retain.applied) {
        _ if history.len() == 0 => return (Verdict::Noop, VerdictReason::Empty),
        (true, _, true) => Verdict::PruneThenSummarize,
        (true, _, false) => Verdict::Prune,
        (false, _, true) => Verdict::Summarize,
        (false, true, false) => Verdict::Refuse,
        (false, false, false) => Verdict::Noop,
    };
    // The reason is that of pruning where only pruning is done, or where nothing but pruning may be.
    let is_of_prune = verdict == Verdict::Prune || verdict == Verdict::Noop && !policy.retain.enabled;
    (verdict, if is_of_prune { prune.reason } else { retain.reason })
}

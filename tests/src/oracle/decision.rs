//! Whether to summarise, and the verdict.

use super::history::History;
use super::window::{Aim, Window, window};
use ebbline::plan::{Decision, PruneReport, RetainReport, Source, TriggerReport, VerdictReason};
use ebbline::policy::Measure;
use ebbline::{Policy, Verdict};

/// What is known when the decision to summarise is made.
#[derive(Clone, Copy)]
pub(super) struct Findings {
    pub(super) tokens_before: u64,
    /// The size of the context after pruning, and its source.
    pub(super) tokens: u64,
    pub(super) source: Source,
    pub(super) prune: PruneReport,
}

/// Decides for a history with its costs after pruning.
pub(super) fn decide(history: &History<'_>, policy: &Policy, found: Findings, force: bool) -> Decision {
    let Findings { tokens_before, tokens, source, prune } = found;
    let count = history.len();
    let pruned_to = history.tokens_until(count);
    let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
    // A context window of 0 is unknown, so it is never full.
    let fires = policy.trigger.enabled
        && policy.model.context > 0
        && source != Source::Nothing
        && policy.trigger.fires.holds(tokens, threshold);

    // What is sent with every request but is not in the session; if that alone fills the context, no window fits.
    let besides = tokens.saturating_sub(pruned_to).saturating_add(policy.retain.summary_allowance);
    let room = threshold.checked_sub(besides).filter(|_| policy.model.context > 0);
    let aim = Aim {
        keep: policy.retain.budget(threshold),
        most: room.unwrap_or(u64::MAX),
        summary: policy.retain.summary_allowance,
        least: if policy.model.context > 0 {
            policy.retain.summary_allowance.min(threshold / 5)
        } else {
            policy.retain.summary_allowance
        },
        forced: force,
    };
    let found_window = window(history, &policy.retain, aim);
    let (retain, forecast) = retain_report(history, policy, found_window, fires, force);
    let (verdict, reason) = verdict(policy, &prune, &retain, count == 0, force);
    let summary_allowance = if retain.applied { forecast } else { 0 };
    let summarised = if retain.applied { retain.summarised } else { 0 };
    let tokens_after = pruned_to.saturating_sub(summarised).saturating_add(summary_allowance);
    let left = tokens.saturating_add(tokens_after).saturating_sub(pruned_to);
    // Usage reported before a summary does not count after it, so the estimate must fit as well.
    let estimated =
        if retain.applied && policy.trigger.measure == Measure::Anchored { tokens_after } else { 0 };
    Decision {
        verdict,
        reason,
        tokens_before,
        tokens_after,
        fits: policy.model.context == 0 || !policy.trigger.fires.holds(left.max(estimated), threshold),
        summary_allowance,
        trigger: TriggerReport { context: policy.model.context, threshold, tokens, source, fires },
        prune,
        retain,
    }
}

/// The assumed size of a summary that does not exist yet: the policy's allowance, but at most the earlier summaries
/// that it continues plus half of what it adds to them.
fn forecast(history: &History<'_>, policy: &Policy, place: usize) -> u64 {
    let (summarised, carried) = (history.replaced_until(place), history.summaries_until(place));
    policy.retain.summary_allowance.min(carried.saturating_add(summarised.saturating_sub(carried) / 2))
}

fn retain_report(
    history: &History<'_>,
    policy: &Policy,
    window: Window,
    fires: bool,
    force: bool,
) -> (RetainReport, u64) {
    let place = window.position.unwrap_or(0);
    let (messages, summarised) = (history.replaced_count_until(place), history.replaced_until(place));
    let forecast = forecast(history, policy, place);
    let reason = if !policy.retain.enabled {
        VerdictReason::Disabled
    } else if !fires && !force {
        VerdictReason::BelowThreshold
    } else if !force && history.has_nothing_new() {
        VerdictReason::NothingNew
    } else if window.all_fits {
        VerdictReason::HistoryBelowKeep
    } else if messages == 0 {
        VerdictReason::NoValidBoundary
    } else if forecast >= summarised {
        VerdictReason::NothingGained
    } else if force {
        VerdictReason::Forced
    } else {
        VerdictReason::OverThreshold
    };
    let report = RetainReport {
        applied: matches!(reason, VerdictReason::Forced | VerdictReason::OverThreshold),
        reason,
        proposed: window.proposed,
        boundary: window.boundary,
        split_turn: window.split_turn,
        kept: history.tokens_until(history.len()).saturating_sub(summarised),
        summarised,
        messages,
    };
    (report, forecast)
}

fn verdict(
    policy: &Policy,
    prune: &PruneReport,
    retain: &RetainReport,
    is_empty: bool,
    force: bool,
) -> (Verdict, VerdictReason) {
    let stuck = matches!(
        retain.reason,
        VerdictReason::HistoryBelowKeep
            | VerdictReason::NoValidBoundary
            | VerdictReason::NothingGained
            | VerdictReason::NothingNew
    );
    match (prune.applied, retain.applied) {
        (true, true) => (Verdict::PruneThenSummarise, retain.reason),
        (true, false) => (Verdict::Prune, prune.reason),
        (false, true) => (Verdict::Summarise, retain.reason),
        (false, false) if is_empty => (Verdict::Noop, VerdictReason::Empty),
        (false, false) if stuck => (Verdict::Refuse, retain.reason),
        (false, false) if policy.retain.enabled && !force => (Verdict::Noop, retain.reason),
        (false, false) => (Verdict::Noop, prune.reason),
    }
}

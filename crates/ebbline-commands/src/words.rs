//! A plan's words as text for people.

use ebbline::plan::{MessagePlan, RetainReport, Source, TriggerReport, VerdictReason};
use ebbline::sentences::{filled, is_of_pruning, of_reason, of_verdict_reason};
use ebbline::{Plan, Reason, Verdict};

use crate::amount::{amount, counted, rounded};

/// `3 tokens`
pub(crate) fn tokens(number: u64) -> String {
    counted(number, "token")
}

/// Why a message has its fate. `pruning` is the reason of the plan's pruning.
pub(crate) fn reason_of(message: &MessagePlan, pruning: VerdictReason) -> String {
    let is_off = pruning == VerdictReason::Disabled && is_of_pruning(message.reason);
    let reason = if is_off { Reason::PruneDisabled } else { message.reason };
    let first = if message.pruned_first { ", its output pruned first" } else { "" };
    format!("{}{first}", of_reason(reason).phrase)
}

/// The verdict and its reason, in one or two sentences.
pub(crate) fn verdict_of(plan: &Plan) -> String {
    let decision = &plan.decision;
    let (prune, retain, trigger) = (&decision.prune, &decision.retain, &decision.trigger);
    let candidates = tokens(prune.candidates);
    let pruning = format!(
        "Prune {}: {candidates} lie beyond the protection boundary.",
        counted(prune.outputs, "output")
    );
    match decision.verdict {
        Verdict::Prune => pruning,
        Verdict::Summarize => format!("Summarize {}", summarizing(retain, trigger)),
        Verdict::PruneThenSummarize => format!("{pruning} Then summarize {}", summarizing(retain, trigger)),
        Verdict::Refuse => {
            format!("The context is full, but nothing safe can be done: {}.", verdict_reason(plan))
        }
        _ => format!("Nothing to do: {}.", verdict_reason(plan)),
    }
}

fn summarizing(retain: &RetainReport, trigger: &TriggerReport) -> String {
    let why = if retain.reason == VerdictReason::Forced {
        "asked for".to_owned()
    } else {
        format!("{} exceed {}", measured(trigger), amount(trigger.threshold))
    };
    format!("{} ({}): {why}.", counted(retain.messages, "message"), tokens(retain.summarized))
}

/// How large a context is before and after, and how many tokens of that are allowed for a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// The tokens before.
    pub(crate) before: u64,
    /// The tokens after.
    pub(crate) after: u64,
    /// The summary's.
    pub(crate) summary: u64,
}

/// `12,345 → 8,000 tokens (−35 %)`
pub(crate) fn totals_of(sizes: Sizes) -> String {
    let Sizes { before, after, summary } = sizes;
    if before == after {
        return tokens(before);
    }
    let share = if before == 0 { 0.0 } else { (after as f64 / before as f64 - 1.0) * 100.0 };
    let change = rounded(share);
    let sign = if change < 0 { "−" } else { "+" };
    let allowance =
        if summary > 0 { format!(", {} of them for the summary", amount(summary)) } else { String::new() };
    format!("{} → {} ({sign}{} %{allowance})", amount(before), tokens(after), change.unsigned_abs())
}

/// The size that is compared with the threshold, and its source unless that is the estimate.
fn measured(trigger: &TriggerReport) -> String {
    let size = tokens(trigger.tokens);
    if trigger.source == Source::Reported {
        format!("{size} by the usage that the provider reported")
    } else {
        size
    }
}

/// Why summarizing does not fire however full the context is; `None` if it would.
fn never_fires(trigger: &TriggerReport) -> Option<&'static str> {
    if trigger.context.is_none() {
        return Some("the context window is not known, so summarizing never fires");
    }
    if trigger.source == Source::Nothing {
        return Some("the profile triggers on reported usage alone, and none was reported");
    }
    (trigger.tokens > trigger.threshold).then_some("the policy never summarizes by itself")
}

fn verdict_reason(plan: &Plan) -> String {
    let decision = &plan.decision;
    let is_below = decision.reason == VerdictReason::BelowThreshold;
    if let Some(idle) = never_fires(&decision.trigger).filter(|_| is_below) {
        return idle.to_owned();
    }
    let (candidates, threshold) = (tokens(decision.prune.candidates), amount(decision.trigger.threshold));
    let measured = measured(&decision.trigger);
    let figures = [("candidates", &*candidates), ("measured", &*measured), ("threshold", &*threshold)];
    filled(of_verdict_reason(decision.reason), &figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_say_by_how_much_a_context_shrinks() {
        let of = |before, after, summary| totals_of(Sizes { before, after, summary });
        assert_eq!(of(5, 5, 0), "5 tokens");
        assert_eq!(of(12_345, 8_000, 0), "12,345 → 8,000 tokens (−35 %)");
        assert_eq!(of(1_000, 999, 0), "1,000 → 999 tokens (+0 %)");
        assert_eq!(of(0, 3, 3), "0 → 3 tokens (+0 %, 3 of them for the summary)");
    }

    #[test]
    fn nothing_to_do_is_said_with_its_reason() {
        let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#).unwrap();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        assert!(verdict_of(&session.plan(&policy)).starts_with("Nothing to do: "));
        policy.set("model.context", "0").unwrap();
        let said = verdict_of(&session.plan(&policy));
        assert_eq!(said, "Nothing to do: the context window is not known, so summarizing never fires.");
    }
}

//! The verdict: what the policy does to this session, in one sentence that makes sense by itself.

use ebbline::effect::Idle;
use ebbline::length::Unit;
use ebbline::plan::{Source, VerdictReason};
use ebbline::policy::{Comparison, Estimator, Measure, Rounding};
use ebbline::{Policy, Verdict};

use crate::number::{counted, grouped, percent};
use crate::planned::Head;

/// A stretch of a sentence; the figures that matter are set strong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Whether they are set strong.
    pub strong: bool,
}

/// The sentence, put together piece by piece; `*` surrounds what is strong.
fn pieces(text: &str) -> Vec<Piece> {
    text.split('*')
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(index, text)| Piece { text: text.to_owned(), strong: index % 2 == 1 })
        .collect()
}

/// The sentence without emphasis, for announcements and titles.
#[must_use]
pub fn plain(sentence: &[Piece]) -> String {
    sentence.iter().map(|piece| piece.text.as_str()).collect()
}

/// The first sentence: how full the context is and what happens, with the totals.
#[must_use]
pub fn headline(head: &Head, policy: &Policy) -> Vec<Piece> {
    let context = format!("Context *{}* of {} tokens", grouped(head.whole()), grouped(policy.model.context));
    let change = || format!("*{} → {}*", grouped(head.whole()), grouped(head.whole_after()));
    let outputs = || {
        format!("*{}* (−{})", counted(head.prune.outputs as u64, "old output"), grouped(head.prune.reclaimed))
    };
    let messages = || {
        let count = head.retain.messages as u64;
        let verb = if count == 1 { "becomes" } else { "become" };
        format!("*{}* {verb} one summary", counted(count, "message"))
    };
    let text = match head.verdict {
        Verdict::Prune => format!("{context}. Pruning clears {}: {}.", outputs(), change()),
        Verdict::Summarise => format!("{context}. {}: {}.", messages(), change()),
        Verdict::PruneThenSummarise => {
            format!("{context}. Pruning clears {}, then {}: {}.", outputs(), messages(), change())
        }
        Verdict::Refuse => format!("{context}: *too full*, but nothing safe can be done."),
        Verdict::Noop if head.reason == VerdictReason::Empty => {
            "There are no messages that would be sent.".to_owned()
        }
        Verdict::Noop => format!("{context}. *Nothing to do.*"),
    };
    pieces(&text)
}

/// What stands behind the headline: why each step does what it does.
#[must_use]
pub fn grounds(head: &Head, policy: &Policy) -> Vec<Piece> {
    if head.reason == VerdictReason::Empty {
        return Vec::new();
    }
    let policy = &policy.resolved();
    let clauses = [prune_clause(head, policy), retain_clause(head, policy), size_clause(head, policy)];
    pieces(clauses.join(" ").trim_end())
}

/// Where the size is not what the messages add up to, and where another profile would give another.
fn size_clause(head: &Head, policy: &Policy) -> String {
    let mut said = Vec::new();
    let besides = head.besides();
    if besides > 0 {
        said.push(format!(
            "About {} tokens by reported usage are not in the file: the system prompt, the tools.",
            grouped(besides)
        ));
    }
    let measured = head.size.measured;
    if head.size.source == Source::Reported && measured < head.before {
        said.push(format!(
            "Reported usage says {}, {} less than the estimates of the messages add up to.",
            grouped(measured),
            grouped(head.before - measured)
        ));
    }
    if head.whole() != head.size.usual
        && let Some(default) = ebbline::profiles::ALL.first()
    {
        let goes_by = match policy.trigger.measure {
            Measure::Estimate => "goes by its own estimate",
            Measure::Anchored => "goes by reported usage and its own estimate of the rest",
            Measure::Reported => "goes by reported usage alone",
        };
        let name = policy.profile.trim_end_matches('*');
        said.push(format!(
            "{name} {goes_by} and has {}; {} measures {}.",
            grouped(head.whole()),
            default.name,
            grouped(head.size.usual)
        ));
    }
    said.join(" ")
}

fn prune_clause(head: &Head, policy: &Policy) -> String {
    let prune = &policy.prune;
    match head.prune.reason {
        VerdictReason::OutputsBeyondProtection => {
            format!("The newest {} tokens of tool output are protected.", grouped(prune.protect))
        }
        VerdictReason::Disabled => "Pruning is switched off.".to_owned(),
        VerdictReason::TooFewTurns => format!(
            "Nothing is pruned: the session has {}, the policy asks for {}.",
            counted(head.turns, "turn"),
            grouped(prune.minimum_turns)
        ),
        VerdictReason::ContextSmall => format!(
            "Nothing is pruned: the context holds {}, and the policy prunes from {} on.",
            counted(head.context(), "token"),
            grouped(prune.minimum_context)
        ),
        VerdictReason::BelowMinimum => format!(
            "Nothing is pruned: beyond the protection boundary lie {} tokens of tool output, and {} {} are asked for.",
            grouped(head.prune.candidates),
            at_least(prune.minimum_is),
            grouped(prune.minimum)
        ),
        VerdictReason::NothingGained => {
            "Nothing is pruned: the placeholders would take as much room as the outputs.".to_owned()
        }
        _ => format!(
            "Nothing is pruned: no output that may go lies beyond the newest {} tokens of tool output.",
            grouped(prune.protect)
        ),
    }
}

pub(crate) fn at_least(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Above => "more than",
        Comparison::AtLeast => "at least",
    }
}

fn retain_clause(head: &Head, policy: &Policy) -> String {
    let threshold = grouped(head.trigger.threshold);
    let tokens = match head.trigger.source {
        Source::Reported => format!("{} by reported usage", grouped(head.trigger.tokens)),
        _ => grouped(head.trigger.tokens),
    };
    match head.retain.reason {
        VerdictReason::OverThreshold => format!(
            "Summarising fires above {threshold} and there are {tokens}; the newest {} tokens stay word for word.",
            grouped(head.retain.kept)
        ),
        VerdictReason::Forced => {
            let limit = match ebbline::effect::idle(policy, "retain.keep", head.situation) {
                Some(Idle::ForcedHalf(half)) => {
                    format!("at most half of the history is kept then, {}; ", grouped(half))
                }
                Some(Idle::ForcedKeepsNothing) => "nothing is kept then; ".to_owned(),
                _ => String::new(),
            };
            format!("Asked for now: {limit}the newest {} tokens stay word for word.", grouped(head.retain.kept))
        }
        VerdictReason::Disabled => "Summarising is switched off.".to_owned(),
        VerdictReason::HistoryBelowKeep => format!(
            "The whole history ({}) is smaller than the retention window of {}: there is nothing to summarise.",
            grouped(head.pruned),
            grouped(policy.retain.keep)
        ),
        VerdictReason::NoValidBoundary => {
            "The retention boundary may stand nowhere without parting a call from its result or summarising nothing."
                .to_owned()
        }
        VerdictReason::NothingGained => {
            "A summary would take as much room as what it stands for.".to_owned()
        }
        VerdictReason::NothingNew => {
            "Nothing was added since the last summary: another would be of the same.".to_owned()
        }
        _ if head.trigger.source == Source::Nothing => {
            "Summarising goes by reported usage alone, and none was reported.".to_owned()
        }
        _ => format!(
            "Summarising would fire above {threshold}: {} to go{}.",
            grouped(head.trigger.threshold.saturating_sub(head.trigger.tokens)),
            if head.trigger.source == Source::Reported { " by reported usage" } else { "" }
        ),
    }
}

/// A warning about settings that work against each other, if they do.
#[must_use]
pub fn warning(head: &Head, policy: &Policy) -> Option<String> {
    let policy = &policy.resolved();
    let threshold = head.trigger.threshold;
    let keep = policy.retain.budget(threshold);
    if policy.retain.enabled && keep >= threshold {
        return Some(format!(
            "keep {} is no less than the threshold of {}: it would compact on every turn.",
            grouped(keep),
            grouped(threshold)
        ));
    }
    if head.whole() > policy.model.context && head.whole_after() > policy.model.context {
        return Some(format!(
            "Even afterwards the context is {} over the window.",
            grouped(head.whole_after() - policy.model.context)
        ));
    }
    if head.retain.applied && head.whole_after() > head.trigger.threshold {
        return Some(format!(
            "Afterwards the context is still above {}, so it would compact again at once.",
            grouped(head.trigger.threshold)
        ));
    }
    None
}

/// What of the window stays free when summarising fires.
#[must_use]
pub fn left_free(head: &Head) -> u64 {
    head.trigger.context.saturating_sub(head.trigger.threshold)
}

/// How the tokens are estimated: `estimated: UTF-16 units ÷ 4, rounded up`.
#[must_use]
pub fn estimate_words(estimator: &Estimator) -> String {
    let unit = match estimator.unit {
        Unit::Utf16 => "UTF-16 units",
        Unit::CodePoints => "code points",
        Unit::Bytes => "bytes",
        Unit::Classes => "by kinds of characters",
    };
    let rounding = match estimator.rounding {
        Rounding::Floor => "down",
        Rounding::Nearest => "to the nearest",
        Rounding::Ceil => "up",
    };
    if estimator.unit == Unit::Classes {
        return format!("estimated: {unit}, rounded {rounding}");
    }
    format!("estimated: {unit} ÷ {}, rounded {rounding}", estimator.per_token)
}

/// What the picture of the window shows, for those who do not see it.
#[must_use]
pub fn picture(head: &Head, policy: &Policy) -> String {
    format!(
        "Before: {} tokens, {} of the context window of {}. After: {} tokens. {} kept free. {} pruned, {} summarised.",
        grouped(head.whole()),
        percent(head.whole(), policy.model.context),
        grouped(policy.model.context),
        grouped(head.whole_after()),
        grouped(left_free(head)),
        counted(if head.prune.applied { head.prune.outputs as u64 } else { 0 }, "output"),
        counted(if head.retain.applied { head.retain.messages as u64 } else { 0 }, "message"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::Desk;

    /// What is said about the sample when `knobs` are turned.
    fn said(knobs: &[(&str, &str)]) -> String {
        let (desk, _) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let mut policy = ebbline::profiles::ALL[0].policy();
        for (knob, value) in knobs {
            policy.set(knob, value).unwrap();
        }
        let head = desk.plan(&policy, false).head;
        let warning = warning(&head, &policy).map(|warning| format!("\n  ! {warning}")).unwrap_or_default();
        format!("{}\n  {}{warning}", plain(&headline(&head, &policy)), plain(&grounds(&head, &policy)))
    }

    #[test]
    fn every_verdict_is_a_sentence_with_its_numbers() {
        insta::assert_snapshot!(
            [
                said(&[]),
                said(&[("prune.enabled", "false")]),
                said(&[("prune.enabled", "false"), ("retain.enabled", "false")]),
                said(&[("prune.protect", "400000")]),
                said(&[("prune.minimum", "400000")]),
                said(&[("prune.minimum", "400000"), ("prune.minimumIs", "above")]),
                said(&[("prune.minimumTurns", "40")]),
                said(&[("prune.minimumContext", "95%")]),
                said(&[("model.context", "60000")]),
                said(&[("model.context", "60000"), ("prune.enabled", "false")]),
                said(&[("model.context", "60000"), ("retain.keep", "400000")]),
                said(&[("model.context", "30000")]),
                said(&[("model.context", "9000"), ("retain.enabled", "false")]),
            ]
            .join("\n")
        );
    }

    #[test]
    fn the_estimate_and_the_picture_are_named() {
        let policy = ebbline::profiles::ALL[0].policy();
        assert_eq!(estimate_words(&policy.estimator), "estimated: by kinds of characters, rounded up");
    }
}

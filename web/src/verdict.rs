//! The verdict: what the policy does to this session, in one sentence that can be understood alone.

use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

use ebbline::effect::Idle;
use ebbline::length::Unit;
use ebbline::plan::{Source, VerdictReason};
use ebbline::policy::{Comparison, Estimator, Measure, Rounding};
use ebbline::{Policy, Verdict};

use crate::figures::Figures;
use crate::idle;
use crate::knob::Knob;
use crate::lever::{self, Lever, Tried};
use ebbline::numbers::{counted, grouped, percent};

/// A piece of a sentence; important figures are strong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The text of the piece.
    pub text: String,
    /// Whether it is set in bold.
    pub strong: bool,
}

/// What is said about a plan. The worker words it, because the sentences are long and the page's program is fetched
/// first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// How full the context is and what happens.
    pub headline: Vec<Piece>,
    /// Why.
    pub details: Vec<Piece>,
    /// A warning if settings work against each other; empty if they do not.
    pub warning: String,
    /// What is said of each knob of [`Knob::ALL`].
    pub knobs: Vec<OfKnob>,
    /// The knobs that matter at this moment.
    pub first: Vec<Knob>,
    /// What a forced compaction does to the retention window; empty if it does nothing else.
    pub forced: String,
    /// What is at each edge of the picture, as in [`Edge::ALL`](crate::edge::Edge::ALL).
    pub levers: [Lever; 3],
    /// A description of the strip for screen readers.
    pub picture: String,
}

/// What is said of a knob.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfKnob {
    /// What it does.
    pub about: String,
    /// Why it has no effect; empty if it has one.
    pub idle: String,
    /// What it does to this context, against nothing in its place: `−31,000 here`; empty where that has no meaning.
    pub here: String,
}

impl OfKnob {
    fn new(knob: Knob, figures: &Figures, policy: &Policy, tried: Tried) -> Self {
        let idle = idle::said(knob, figures, policy, tried.turns);
        let here = match figures.after.checked_sub(tried.at_nothing) {
            _ if knob == Knob::Context || !tried.turns => String::new(),
            Some(0) => "0 here".to_owned(),
            Some(more) => format!("+{} here", grouped(more)),
            None => format!("−{} here", grouped(tried.at_nothing - figures.after)),
        };
        Self { about: knob.explanation(policy), idle, here }
    }
}

/// What is said about a plan with these figures; `tried` is what turning each knob changes.
pub fn said(figures: &Figures, policy: &Policy, tried: &[Tried]) -> Said {
    let levers = lever::levers(figures, policy, tried);
    let of_knob = |(knob, tried): (Knob, &Tried)| OfKnob::new(knob, figures, policy, *tried);
    Said {
        headline: headline(figures, policy),
        details: details(figures, policy),
        warning: warning(figures, policy).unwrap_or_default(),
        knobs: Knob::ALL.into_iter().zip(tried).map(of_knob).collect(),
        first: lever::matter(&levers, tried),
        forced: idle::forced(figures, policy),
        levers,
        picture: picture(figures, policy),
    }
}

/// The size that the policy which ran until here found, where the one on the knobs measures another.
pub fn other_size(name: &str, found: u64) -> Piece {
    let text =
        format!(" {name}, which ran until here, measures {}: it estimates in its own way.", grouped(found));
    Piece { text, strong: false }
}

/// Splits a sentence into pieces; `*` surrounds those that are strong.
fn pieces(text: &str) -> Vec<Piece> {
    text.split('*')
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(index, text)| Piece { text: text.to_owned(), strong: index % 2 == 1 })
        .collect()
}

/// The sentence without emphasis, for announcements and titles.
pub fn plain(sentence: &[Piece]) -> String {
    sentence.iter().map(|piece| piece.text.as_str()).collect()
}

/// The first sentence: how full the context is and what happens, with the totals.
pub fn headline(figures: &Figures, policy: &Policy) -> Vec<Piece> {
    let context = match policy.model.context {
        None => {
            format!("Context *{}* tokens, of a window that is not known", grouped(figures.total_before()))
        }
        Some(window) => {
            format!("Context *{}* of {} tokens", grouped(figures.total_before()), grouped(window.get()))
        }
    };
    let change = || format!("*{} → {}*", grouped(figures.total_before()), grouped(figures.total_after()));
    let outputs = || {
        format!(
            "*{}* (−{})",
            counted(figures.prune.outputs as u64, "old output"),
            grouped(figures.prune.reclaimed)
        )
    };
    let messages = || {
        let count = figures.retain.messages as u64;
        let verb = if count == 1 { "becomes" } else { "become" };
        format!("*{}* {verb} one summary", counted(count, "message"))
    };
    let text = match figures.verdict {
        Verdict::Prune => format!("{context}. Pruning clears {}: {}.", outputs(), change()),
        Verdict::Summarize => format!("{context}. {}: {}.", messages(), change()),
        Verdict::PruneThenSummarize => {
            format!("{context}. Pruning clears {}, then {}: {}.", outputs(), messages(), change())
        }
        Verdict::Refuse => format!("{context}: *too full*, but nothing safe can be done."),
        _ if figures.reason == VerdictReason::Empty => {
            "The session has no messages that would be sent.".to_owned()
        }
        _ if figures.trigger.context.is_some_and(|window| figures.total_after() > window.get()) => {
            format!("{context}: *it does not fit*, and nothing gives way.")
        }
        _ => format!("{context}. *Nothing to do.*"),
    };
    pieces(&text)
}

/// The details after the headline: why each step does what it does.
pub fn details(figures: &Figures, policy: &Policy) -> Vec<Piece> {
    if figures.reason == VerdictReason::Empty {
        return Vec::new();
    }
    let policy = &policy.resolved();
    let clauses =
        [prune_clause(figures, policy), retain_clause(figures, policy), size_clause(figures, policy)];
    pieces(clauses.join(" ").trim_end())
}

/// Why the size differs from the sum of the messages, and how another profile would measure it.
fn size_clause(figures: &Figures, policy: &Policy) -> String {
    let mut said = Vec::new();
    let not_in_file = figures.not_in_file();
    if not_in_file > 0 {
        let by = if figures.size.source == Source::Reported { " by reported usage" } else { "" };
        said.push(format!(
            "The messages of the file are {} of it, the system prompt and tools about {}{by}.",
            grouped(figures.before),
            grouped(not_in_file)
        ));
    }
    let measured = figures.size.measured;
    if figures.size.source == Source::Reported && measured < figures.before {
        said.push(format!(
            "Reported usage is {}, {} less than the sum of the messages' estimates.",
            grouped(measured),
            grouped(figures.before - measured)
        ));
    }
    if figures.total_before() != figures.size.by_default
        && let Some(default) = ebbline::profiles::ALL.first()
    {
        let uses = match policy.trigger.measure {
            Measure::Estimate => "uses its own estimate",
            Measure::Reported => "uses reported usage alone",
            _ => "uses reported usage and its own estimate of the rest",
        };
        let name = policy.profile.trim_end_matches('*');
        said.push(format!(
            "{name} measures {}: it {uses}. {} measures {}.",
            grouped(figures.total_before()),
            default.name,
            grouped(figures.size.by_default)
        ));
    }
    said.join(" ")
}

fn prune_clause(figures: &Figures, policy: &Policy) -> String {
    let prune = &policy.prune;
    match figures.prune.reason {
        VerdictReason::OutputsBeyondProtection => {
            let protected = format!("newest {} tokens of tool output are protected.", grouped(prune.protect));
            if prune.only_when_full && !figures.situation.force {
                let threshold = grouped(figures.trigger.threshold);
                format!("Pruning fires above {threshold}; the {protected}")
            } else {
                format!("The {protected}")
            }
        }
        VerdictReason::Disabled => "Pruning is switched off.".to_owned(),
        VerdictReason::TooFewTurns => format!(
            "Nothing is pruned: the session has {}, the policy asks for {}.",
            counted(figures.turns, "turn"),
            grouped(prune.minimum_turns)
        ),
        VerdictReason::ContextSmall => format!(
            "Nothing is pruned: the context holds {}, and the policy prunes from {} on.",
            counted(figures.context(), "token"),
            grouped(prune.minimum_context)
        ),
        VerdictReason::NotFull if can_be_full(figures, policy) => format!(
            "Nothing is pruned until the context is full, above {}: {}.",
            grouped(figures.trigger.threshold),
            to_go(figures)
        ),
        VerdictReason::NotFull => {
            "Nothing is pruned: the policy prunes only when the context is full, and it is not.".to_owned()
        }
        VerdictReason::Deferred => {
            "Nothing is pruned yet: it would break more of the provider's cache than it frees.".to_owned()
        }
        VerdictReason::OverheadFillsWindow => {
            "Nothing is pruned: the system prompt and the tools alone fill the context window.".to_owned()
        }
        VerdictReason::RoomNeeded => {
            let size = figures.pruned.saturating_add(figures.not_in_file());
            let short = if size > prune.down_to {
                format!(" Every output that may go has gone, and {} remain.", grouped(size))
            } else {
                String::new()
            };
            format!(
                "Protected outputs are pruned as well, oldest first, to bring the context down to {} tokens before anything is summarized.{short}",
                grouped(prune.down_to)
            )
        }
        VerdictReason::TooLarge => format!(
            "Outputs that the model has not answered yet are larger than the room for them, so they are cut to head and tail, {} tokens together.",
            grouped(prune.preview)
        ),
        VerdictReason::Needless => "What newer content makes needless gives way.".to_owned(),
        VerdictReason::BelowMinimum => format!(
            "Nothing is pruned: {} tokens of tool output are beyond the protection boundary, and the policy asks for {} {}.",
            grouped(figures.prune.candidates),
            at_least(prune.minimum_is),
            grouped(prune.minimum)
        ),
        VerdictReason::NothingGained => {
            "Nothing is pruned: the placeholders would take as much room as the outputs.".to_owned()
        }
        _ => format!(
            "Nothing is pruned: there is no prunable output beyond the newest {} tokens of tool output.",
            grouped(prune.protect)
        ),
    }
}

/// Whether the context of this session can count as full under this policy.
fn can_be_full(figures: &Figures, policy: &Policy) -> bool {
    policy.trigger.enabled && policy.model.context.is_some() && figures.trigger.source != Source::Nothing
}

/// How far the context is from being full.
fn to_go(figures: &Figures) -> String {
    format!(
        "{} to go{}",
        grouped(figures.trigger.threshold.saturating_sub(figures.trigger.tokens)),
        if figures.trigger.source == Source::Reported { " by reported usage" } else { "" }
    )
}

pub(crate) fn at_least(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Above => "more than",
        Comparison::AtLeast => "at least",
    }
}

fn retain_clause(figures: &Figures, policy: &Policy) -> String {
    let threshold = grouped(figures.trigger.threshold);
    let tokens = match figures.trigger.source {
        Source::Reported => format!("{} by reported usage", grouped(figures.trigger.tokens)),
        _ => grouped(figures.trigger.tokens),
    };
    match figures.retain.reason {
        VerdictReason::OverThreshold => format!(
            "Summarizing fires above {threshold} and there are {tokens}; the newest {} tokens stay word for word.",
            grouped(figures.retain.kept)
        ),
        VerdictReason::Forced => {
            let limit = match ebbline::effect::idle(policy, "retain.keep", figures.situation) {
                Some(Idle::ForcedHalf(half)) => {
                    format!("it keeps at most half of the history, {}; ", grouped(half))
                }
                Some(Idle::ForcedKeepsNothing) => "it keeps nothing; ".to_owned(),
                _ => String::new(),
            };
            format!("Compaction is forced: {limit}the newest {} tokens stay word for word.", grouped(figures.retain.kept))
        }
        VerdictReason::Disabled => "Summarizing is switched off.".to_owned(),
        VerdictReason::HistoryBelowKeep => format!(
            "The whole history ({}) is smaller than the retention window of {}: there is nothing to summarize.",
            grouped(figures.pruned),
            grouped(policy.retain.keep)
        ),
        VerdictReason::NoValidBoundary => {
            "No retention boundary is valid: each would separate a call from its result or leave nothing to summarize."
                .to_owned()
        }
        VerdictReason::NothingGained => {
            "A summary would be as large as the messages that it replaces.".to_owned()
        }
        VerdictReason::NothingNew => {
            "Nothing was added since the last summary, so there is nothing new to summarize.".to_owned()
        }
        _ if !policy.trigger.enabled => "The policy never summarizes by itself.".to_owned(),
        _ if policy.model.context.is_none() => {
            "The context window is not known, so summarizing never fires.".to_owned()
        }
        _ if figures.trigger.source == Source::Nothing => {
            "Summarizing triggers on reported usage alone, and the session has none.".to_owned()
        }
        _ if figures.prune.reason == VerdictReason::NotFull => {
            "Summarizing follows only if pruning does not make enough room.".to_owned()
        }
        _ if figures.prune.applied && policy.prune.only_when_full => {
            format!("What is left is below {threshold}, so nothing is summarized.")
        }
        _ => format!("Summarizing would fire above {threshold}: {}.", to_go(figures)),
    }
}

/// A warning if settings work against each other.
pub fn warning(figures: &Figures, policy: &Policy) -> Option<String> {
    let policy = &policy.resolved();
    // Nothing can be said to fill a window that is not known.
    let window = policy.model.context?.get();
    let threshold = figures.trigger.threshold;
    let keep = policy.retain.budget(threshold);
    if policy.retain.enabled && keep >= threshold {
        return Some(format!(
            "Keep ({}) is at least the threshold ({}): the session would be compacted on every turn.",
            grouped(keep),
            grouped(threshold)
        ));
    }
    if figures.total_before() > window && figures.total_after() > window {
        return Some(format!(
            "Even afterwards the context is {} over the window.",
            grouped(figures.total_after() - window)
        ));
    }
    if figures.retain.applied && figures.total_after() > figures.trigger.threshold {
        return Some(format!(
            "Afterwards the context is still above {}, so it would be compacted again at once.",
            grouped(figures.trigger.threshold)
        ));
    }
    None
}

/// What fires when the context is full, as the beginning of a label: `summarizing fires at`.
pub fn fires_at(policy: &Policy) -> &'static str {
    match (policy.prune.enabled && policy.prune.only_when_full, policy.retain.enabled) {
        (true, true) => "compaction fires at ",
        (true, false) => "pruning fires at ",
        (false, _) => "summarizing fires at ",
    }
}

/// How much of the window stays free when summarizing fires.
pub fn left_free(figures: &Figures) -> u64 {
    let left = |window: NonZeroU64| window.get().saturating_sub(figures.trigger.threshold);
    figures.trigger.context.map_or(0, left)
}

/// How the tokens are estimated: `estimated: UTF-16 units ÷ 4, rounded up`.
pub fn estimate_words(estimator: &Estimator) -> String {
    let unit = match estimator.unit {
        Unit::Utf16 => "UTF-16 units",
        Unit::CodePoints => "code points",
        Unit::Bytes => "bytes",
        _ => "by kinds of characters",
    };
    let rounding = match estimator.rounding {
        Rounding::Floor => "down",
        Rounding::Nearest => "to the nearest",
        Rounding::Ceil => "up",
    };
    if matches!(estimator.unit, Unit::Classes | Unit::ClassesOfJson) {
        return format!("estimated: {unit}, rounded {rounding}");
    }
    format!("estimated: {unit} ÷ {}, rounded {rounding}", estimator.per_token)
}

/// A description of the strip for screen readers.
pub fn picture(figures: &Figures, policy: &Policy) -> String {
    let window = Knob::Context.value(policy);
    format!(
        "Before: {} tokens, {} of the context window of {}. After: {} tokens. {} kept free. {} pruned, {} summarized.",
        grouped(figures.total_before()),
        percent(figures.total_before(), window),
        grouped(window),
        grouped(figures.total_after()),
        grouped(left_free(figures)),
        counted(if figures.prune.applied { figures.prune.outputs as u64 } else { 0 }, "output"),
        counted(if figures.retain.applied { figures.retain.messages as u64 } else { 0 }, "message"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences about the sample under `profile` after setting `knobs`.
    fn said_under(profile: &str, knobs: &[(&str, &str)]) -> String {
        let (session, _) = crate::sample::opened();
        let mut policy = ebbline::profiles::get(profile).unwrap();
        for (knob, value) in knobs {
            policy.set(knob, value).unwrap();
        }
        let figures = session.plan(&policy, false).figures;
        let warning =
            warning(&figures, &policy).map(|warning| format!("\n  ! {warning}")).unwrap_or_default();
        format!("{}\n  {}{warning}", plain(&headline(&figures, &policy)), plain(&details(&figures, &policy)))
    }

    fn of_every_verdict(profile: &str) -> String {
        let said = |knobs: &[(&str, &str)]| said_under(profile, knobs);
        [
            said(&[]),
            said(&[("prune.enabled", "false")]),
            said(&[("prune.enabled", "false"), ("retain.enabled", "false")]),
            said(&[("prune.protect", "400000")]),
            said(&[("prune.minimum", "400000")]),
            said(&[("prune.minimum", "400000"), ("prune.minimumIs", "above")]),
            said(&[("prune.minimumTurns", "40")]),
            said(&[("prune.minimumContext", "95%")]),
            said(&[("prune.onlyWhenFull", "true"), ("trigger.floor", "95%")]),
            said(&[("prune.onlyWhenFull", "true"), ("prune.downTo", "25%")]),
            said(&[("model.context", "60000")]),
            said(&[("model.context", "60000"), ("prune.enabled", "false")]),
            said(&[("model.context", "60000"), ("retain.keep", "400000")]),
            said(&[("model.context", "30000")]),
            said(&[("model.context", "9000"), ("retain.enabled", "false")]),
            said(&[("trigger.enabled", "false")]),
            said(&[("model.context", "0")]),
        ]
        .join("\n")
    }

    #[test]
    fn every_verdict_is_a_sentence_with_its_numbers() {
        insta::assert_snapshot!(of_every_verdict(ebbline::profiles::DEFAULT));
    }

    /// It prunes before the context is full, and summarizes where the default prunes more.
    #[test]
    fn every_verdict_of_the_first_profile_is_a_sentence_with_its_numbers() {
        insta::assert_snapshot!(of_every_verdict("ebbline@1"));
    }

    #[test]
    fn the_default_says_when_it_fires_and_what_follows() {
        for (knobs, expected) in [
            (
                &[("model.context", "400000")][..],
                "Context 187,317 of 400,000 tokens. Nothing to do.\n  Nothing is pruned until the context is full, above 340,000: 152,683 to go. Summarizing follows only if pruning does not make enough room.",
            ),
            (
                &[("model.context", "400000"), ("retain.enabled", "false")],
                "Context 187,317 of 400,000 tokens. Nothing to do.\n  Nothing is pruned until the context is full, above 340,000: 152,683 to go. Summarizing is switched off.",
            ),
        ] {
            assert_eq!(said_under(ebbline::profiles::DEFAULT, knobs), expected);
        }
        let mut policy = ebbline::profiles::get(ebbline::profiles::DEFAULT).unwrap();
        assert_eq!(fires_at(&policy), "compaction fires at ");
        policy.retain.enabled = false;
        assert_eq!(fires_at(&policy), "pruning fires at ");
        assert_eq!(fires_at(&ebbline::profiles::get("ebbline@1").unwrap()), "summarizing fires at ");
    }

    #[test]
    fn the_estimate_and_the_picture_are_named() {
        let policy = ebbline::profiles::ALL[0].policy();
        assert_eq!(estimate_words(&policy.estimator), "estimated: by kinds of characters, rounded up");
    }
}

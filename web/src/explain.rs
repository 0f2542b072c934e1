//! Why a message has its fate, as one sentence with its values.

use ebbline::plan::Source;
use ebbline::sentences::{filled, is_of_pruning, of_reason};
use ebbline::{Policy, Reason};

use crate::figures::Figures;
use crate::verdict::at_least;
use ebbline::numbers::{counted, grouped};

/// What the sentence is made from.
#[derive(Clone, Copy, Debug)]
pub struct ReasonContext<'g> {
    /// The plan's reason.
    pub reason: Reason,
    /// Whether an output is pruned before its message is summarized.
    pub pruned_first: bool,
    /// The tokens of the output that decides.
    pub tokens: u64,
    /// The tokens of newer tool output, if the protection boundary counts the output.
    pub newer: Option<u64>,
    /// The tokens of the placeholder.
    pub placeholder: u64,
    /// The tool's name.
    pub tool: Option<&'g str>,
    /// The plan's figures.
    pub figures: &'g Figures,
    /// The policy.
    pub policy: &'g Policy,
}

/// The sentence that explains the reason.
pub fn why(context: &ReasonContext<'_>) -> String {
    let ReasonContext { tokens, figures, policy, .. } = *context;
    let policy = &*policy.resolved();
    let prune = &policy.prune;
    let newer = grouped(context.newer.unwrap_or(0));
    let protect = grouped(prune.protect);
    let placeholder = counted(context.placeholder, "token");
    let reason =
        if !prune.enabled && is_of_pruning(context.reason) { Reason::PruneDisabled } else { context.reason };
    let turns = match prune.protected_turns {
        0 | 1 => "the newest turn".to_owned(),
        turns => format!("the newest {} turns", grouped(turns)),
    };
    let values: [(&str, &str); 19] = [
        ("newer", &newer),
        ("tokens", &grouped(tokens)),
        ("size", &counted(tokens, "token")),
        ("protect", &protect),
        ("placeholder", &placeholder),
        ("turns", &turns),
        ("outputs", &counted(prune.keep_outputs, "output")),
        ("tool", context.tool.unwrap_or("this tool")),
        ("session_turns", &counted(figures.turns, "turn")),
        ("minimum_turns", &grouped(prune.minimum_turns)),
        ("context", &counted(figures.context(), "token")),
        ("minimum_context", &grouped(prune.minimum_context)),
        ("down_to", &grouped(prune.down_to)),
        ("candidates", &grouped(figures.prune.candidates)),
        ("minimum", &format!("{} {}", at_least(prune.minimum_is), grouped(prune.minimum))),
        ("kept", &grouped(figures.retain.kept)),
        ("is_idle", &summarizing_is_idle(figures, policy)),
        ("window", &window(figures)),
        ("pruned", pruned_first(context)),
    ];
    filled(of_reason(reason).sentence, &values)
}

/// Why summarizing does not fire, as the end of a sentence.
fn summarizing_is_idle(figures: &Figures, policy: &Policy) -> String {
    if !policy.retain.enabled {
        "is switched off".to_owned()
    } else if !policy.trigger.enabled {
        "never fires by itself under this policy".to_owned()
    } else if policy.model.context.is_none() {
        "does not fire: the context window is not known".to_owned()
    } else if figures.trigger.source == Source::Nothing {
        "does not fire: it triggers on reported usage alone, and the session has none".to_owned()
    } else {
        format!(
            "does not fire: {} tokens are not above {}",
            grouped(figures.trigger.tokens),
            grouped(figures.trigger.threshold)
        )
    }
}

fn window(figures: &Figures) -> String {
    match figures.retain.boundary {
        Some(boundary) => format!(
            "the window of the newest {} tokens begins at #{}",
            grouped(figures.retain.kept),
            grouped(boundary as u64 + 1)
        ),
        None => "nothing is kept word for word".to_owned(),
    }
}

fn pruned_first(context: &ReasonContext<'_>) -> &'static str {
    if context.pruned_first {
        " Its output is pruned first: the summarizer sees the placeholder, not the text."
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_pruning_no_sentence_mentions_the_boundary() {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::get("pi@1.5").unwrap();
        let figures = session.plan(&policy, false).figures;
        for reason in Reason::ALL
            .iter()
            .copied()
            .filter(|reason| is_of_pruning(*reason) || *reason == Reason::PruneDisabled)
        {
            let context = ReasonContext {
                reason,
                pruned_first: false,
                tokens: 1_234,
                newer: Some(41_322),
                placeholder: 9,
                tool: Some("skill"),
                figures: &figures,
                policy: &policy,
            };
            assert_eq!(
                why(&context),
                "Pruning is switched off under this policy, so tool outputs stay.",
                "{reason:?}"
            );
        }
    }

    #[test]
    fn a_message_stays_for_the_reason_why_summarizing_does_not_fire() {
        let (session, _) = crate::sample::opened();
        for (knob, value, expected) in [
            ("retain.enabled", "false", "is switched off."),
            ("trigger.enabled", "false", "never fires by itself under this policy."),
            ("model.context", "0", "does not fire: the context window is not known."),
            (
                "trigger.measure",
                "reported",
                "does not fire: it triggers on reported usage alone, and the session has none.",
            ),
            ("model.context", "2000000", " are not above 1,700,000."),
        ] {
            let mut policy = ebbline::profiles::ALL[0].policy();
            policy.set(knob, value).unwrap();
            let plan = session.plan(&policy, false);
            let context = ReasonContext {
                reason: Reason::NotToolOutput,
                pruned_first: false,
                tokens: 1_234,
                newer: None,
                placeholder: 9,
                tool: None,
                figures: &plan.figures,
                policy: &policy,
            };
            let said = why(&context);
            assert!(said.ends_with(expected), "{knob}: {said}");
        }
    }

    #[test]
    fn every_reason_is_a_sentence() {
        let (session, _) = crate::sample::opened();
        let mut policy = ebbline::profiles::ALL[0].policy();
        policy.set("model.context", "60000").unwrap();
        let figures = session.plan(&policy, false).figures;
        let sentences: Vec<_> = Reason::ALL
            .iter()
            .map(|reason| {
                let context = ReasonContext {
                    reason: *reason,
                    pruned_first: true,
                    tokens: 1_234,
                    newer: Some(41_322),
                    placeholder: 9,
                    tool: Some("skill"),
                    figures: &figures,
                    policy: &policy,
                };
                format!("{reason:?}: {}", why(&context))
            })
            .collect();
        insta::assert_snapshot!(sentences.join("\n"));
    }
}

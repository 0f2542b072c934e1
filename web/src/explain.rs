//! Why a message has its fate, in one plain sentence with its numbers.

use ebbline::sentences::{filled, is_of_pruning, of_reason};
use ebbline::{Policy, Reason};

use crate::number::{counted, grouped};
use crate::planned::Head;
use crate::verdict::at_least;

/// What a sentence is made from.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'g> {
    /// The reason that the plan gives.
    pub reason: Reason,
    /// Whether an output is pruned before its message is summarised.
    pub pruned_first: bool,
    /// Tokens of the output that decides.
    pub tokens: u64,
    /// Tokens of newer tool output, where the protection boundary counts them.
    pub newer: Option<u64>,
    /// Tokens of the placeholder.
    pub placeholder: u64,
    /// The tool.
    pub tool: Option<&'g str>,
    /// The plan's figures.
    pub head: &'g Head,
    /// The policy.
    pub policy: &'g Policy,
}

/// The sentence.
#[must_use]
pub fn why(grounds: &Grounds<'_>) -> String {
    let Grounds { tokens, head, policy, .. } = *grounds;
    let policy = &*policy.resolved();
    let prune = &policy.prune;
    let newer = grouped(grounds.newer.unwrap_or(0));
    let protect = grouped(prune.protect);
    let placeholder = counted(grounds.placeholder, "token");
    let reason =
        if !prune.enabled && is_of_pruning(grounds.reason) { Reason::PruneDisabled } else { grounds.reason };
    let turns = match prune.protected_turns {
        0 | 1 => "the newest turn".to_owned(),
        turns => format!("the newest {} turns", grouped(turns)),
    };
    let figures: [(&str, &str); 17] = [
        ("newer", &newer),
        ("tokens", &grouped(tokens)),
        ("size", &counted(tokens, "token")),
        ("protect", &protect),
        ("placeholder", &placeholder),
        ("turns", &turns),
        ("tool", grounds.tool.unwrap_or("this tool")),
        ("session_turns", &counted(head.turns, "turn")),
        ("minimum_turns", &grouped(prune.minimum_turns)),
        ("context", &counted(head.context(), "token")),
        ("minimum_context", &grouped(prune.minimum_context)),
        ("candidates", &grouped(head.prune.candidates)),
        ("minimum", &format!("{} {}", at_least(prune.minimum_is), grouped(prune.minimum))),
        ("kept", &grouped(head.retain.kept)),
        ("is_idle", &summarising_is_idle(head, policy)),
        ("window", &window(head)),
        ("pruned", pruned_first(grounds)),
    ];
    filled(of_reason(reason).sentence, &figures)
}

/// Why summarising does not come, behind the word itself.
fn summarising_is_idle(head: &Head, policy: &Policy) -> String {
    if policy.retain.enabled {
        format!(
            "does not fire: {} tokens are not above {}",
            grouped(head.trigger.tokens),
            grouped(head.trigger.threshold)
        )
    } else {
        "is switched off".to_owned()
    }
}

/// Where the window begins.
fn window(head: &Head) -> String {
    match head.retain.boundary {
        Some(boundary) => format!(
            "the window of the newest {} tokens begins at #{}",
            grouped(head.retain.kept),
            grouped(boundary as u64 + 1)
        ),
        None => "nothing is kept word for word".to_owned(),
    }
}

fn pruned_first(grounds: &Grounds<'_>) -> &'static str {
    if grounds.pruned_first {
        " Its output is pruned first: the summariser sees the placeholder, not the text."
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::Desk;

    #[test]
    fn a_policy_that_does_not_prune_has_no_boundary_to_speak_of() {
        let (desk, _) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let policy = ebbline::profiles::get("pi@1.5").unwrap();
        let head = desk.plan(&policy, false).head;
        for reason in Reason::ALL
            .iter()
            .copied()
            .filter(|reason| is_of_pruning(*reason) || *reason == Reason::PruneDisabled)
        {
            let grounds = Grounds {
                reason,
                pruned_first: false,
                tokens: 1_234,
                newer: Some(41_322),
                placeholder: 9,
                tool: Some("skill"),
                head: &head,
                policy: &policy,
            };
            assert_eq!(
                why(&grounds),
                "Pruning is switched off under this policy, so tool outputs stay.",
                "{reason:?}"
            );
        }
    }

    #[test]
    fn every_reason_is_a_sentence() {
        let (desk, _) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let mut policy = ebbline::profiles::ALL[0].policy();
        policy.set("model.context", "60000").unwrap();
        let head = desk.plan(&policy, false).head;
        let sentences: Vec<_> = Reason::ALL
            .iter()
            .map(|reason| {
                let grounds = Grounds {
                    reason: *reason,
                    pruned_first: true,
                    tokens: 1_234,
                    newer: Some(41_322),
                    placeholder: 9,
                    tool: Some("skill"),
                    head: &head,
                    policy: &policy,
                };
                format!("{reason:?}: {}", why(&grounds))
            })
            .collect();
        insta::assert_snapshot!(sentences.join("\n"));
    }
}

//! Why a message has its fate, in one plain sentence with its numbers.

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
    match reason {
        Reason::NotToolOutput => not_tool_output(head, policy),
        Reason::ProtectedByBudget => format!(
            "{newer} tool tokens are newer than this output; with its own {} that is within the protected {protect}, so it stays.",
            grouped(tokens)
        ),
        Reason::NewestTurns => format!(
            "It belongs to {}, whose outputs are never pruned nor counted.",
            match prune.protected_turns {
                0 | 1 => "the newest turn".to_owned(),
                turns => format!("the newest {} turns", grouped(turns)),
            }
        ),
        Reason::ProtectedTool => {
            format!("Outputs of {} are never pruned under this policy.", grounds.tool.unwrap_or("this tool"))
        }
        Reason::ErrorOutput => {
            "Its call failed, and the outputs of failed calls stay under this policy.".to_owned()
        }
        Reason::SealedOutput => {
            "The provider made this output and verifies it, so it must go back as it came.".to_owned()
        }
        Reason::ShortOutput => format!(
            "It lies beyond the boundary, but with {} it is no longer than the placeholder ({placeholder}): clearing it would gain nothing.",
            counted(tokens, "token")
        ),
        Reason::BeforeSummary => {
            "A summary follows it, and this policy looks no further back than a summary.".to_owned()
        }
        Reason::BeforePruned => {
            "An output that was pruned before follows it, and this policy looks no further back than that."
                .to_owned()
        }
        Reason::TooFewTurns => format!(
            "{newer} tool tokens are newer than this output, beyond the limit of {protect}; but the session has {} and the policy asks for {}, so it stays.",
            counted(head.turns, "turn"),
            grouped(prune.minimum_turns)
        ),
        Reason::BelowMinimum => format!(
            "It lies beyond the newest {protect} tool tokens, but all outputs there hold only {}, and {} {} are asked for, so it stays.",
            grouped(head.prune.candidates),
            at_least(prune.minimum_is),
            grouped(prune.minimum)
        ),
        Reason::PruneDisabled => {
            "Pruning is switched off under this policy, so tool outputs stay.".to_owned()
        }
        Reason::CrossedBoundary => format!(
            "{newer} tool tokens are newer than this output; its own {} cross the limit of {protect}, so it is cleared whole and the placeholder takes its place ({placeholder}).",
            grouped(tokens)
        ),
        Reason::BeyondBoundary => format!(
            "{newer} tool tokens are newer than this output; the limit is {protect}, so it is cleared and the placeholder takes its place ({placeholder})."
        ),
        Reason::AlreadyPruned => "A placeholder stood in its place when the session was read.".to_owned(),
        Reason::BeforeWindow => before_window(grounds),
        Reason::InWindow => format!(
            "It is among the newest messages, which hold {} tokens together and stay word for word.",
            grouped(head.retain.kept)
        ),
        Reason::SystemMessage => "System messages are always kept.".to_owned(),
        Reason::AlwaysSent => {
            "The agent sends it with every request, whatever a summary stands for, so it stays.".to_owned()
        }
        Reason::Inactive => {
            "The agent does not send it now: it lies before a recorded compaction or on another branch."
                .to_owned()
        }
    }
}

/// Whether a reason is one that pruning has: a policy that does not prune has no boundary and protects nothing.
fn is_of_pruning(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::ProtectedByBudget
            | Reason::NewestTurns
            | Reason::ProtectedTool
            | Reason::ErrorOutput
            | Reason::ShortOutput
            | Reason::BeforeSummary
            | Reason::BeforePruned
            | Reason::TooFewTurns
            | Reason::BelowMinimum
    )
}

fn not_tool_output(head: &Head, policy: &Policy) -> String {
    if policy.retain.enabled {
        format!(
            "Pruning clears only tool outputs, and summarising does not fire: {} tokens are not above {}.",
            grouped(head.trigger.tokens),
            grouped(head.trigger.threshold)
        )
    } else {
        "Pruning clears only tool outputs, and summarising is switched off.".to_owned()
    }
}

fn before_window(grounds: &Grounds<'_>) -> String {
    let first = match grounds.head.retain.boundary {
        Some(boundary) => format!(
            "the window of the newest {} tokens begins at #{}",
            grouped(grounds.head.retain.kept),
            grouped(boundary as u64 + 1)
        ),
        None => "nothing is kept word for word".to_owned(),
    };
    let pruned = if grounds.pruned_first {
        " Its output is pruned first: the summariser sees the placeholder, not the text."
    } else {
        ""
    };
    format!("It goes into the summary: {first}.{pruned}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::Desk;
    use crate::kind::REASONS;

    #[test]
    fn a_policy_that_does_not_prune_has_no_boundary_to_speak_of() {
        let (desk, _) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let policy = ebbline::profiles::get("pi@1.5").unwrap();
        let head = desk.plan(&policy, false).head;
        for reason in
            REASONS.into_iter().filter(|reason| is_of_pruning(*reason) || *reason == Reason::PruneDisabled)
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
        let sentences: Vec<_> = REASONS
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

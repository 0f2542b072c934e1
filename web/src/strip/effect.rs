//! What a boundary does, as the label beside it.

use ebbline::plan::VerdictReason;

use crate::figures::Figures;
use crate::knob::Knob;
use ebbline::numbers::{counted, grouped};

/// What the boundary does, in a few words behind its number.
pub fn effect(knob: Knob, figures: &Figures) -> String {
    let reason = if knob == Knob::Protect { figures.prune.reason } else { figures.retain.reason };
    match (knob, reason) {
        (_, VerdictReason::Disabled) => "off".to_owned(),
        (Knob::Protect, VerdictReason::OutputsBeyondProtection) => {
            format!("{} pruned", counted(figures.prune.outputs as u64, "older output"))
        }
        (Knob::Protect, VerdictReason::RoomNeeded) => {
            format!("{} pruned, protected ones too", counted(figures.prune.outputs as u64, "output"))
        }
        (Knob::Protect, VerdictReason::TooLarge) => {
            format!("{} pruned or cut", counted(figures.prune.outputs as u64, "output"))
        }
        (Knob::Protect, VerdictReason::NotFull) => "context not full: nothing to prune".to_owned(),
        (Knob::Protect, VerdictReason::BelowMinimum) => "too little to prune".to_owned(),
        (Knob::Protect, VerdictReason::ContextSmall) => "context small: nothing to prune".to_owned(),
        (Knob::Protect, VerdictReason::TooFewTurns) => "too few turns to prune".to_owned(),
        (_, VerdictReason::NothingGained) => "nothing to gain".to_owned(),
        (Knob::Protect, _) => "nothing to prune".to_owned(),
        (_, VerdictReason::OverThreshold | VerdictReason::Forced) => {
            format!("→ {} kept", grouped(figures.retain.kept))
        }
        (_, VerdictReason::HistoryBelowKeep) => "everything fits".to_owned(),
        (_, VerdictReason::NoValidBoundary) => "no valid place".to_owned(),
        (_, VerdictReason::NothingNew) => "nothing new to summarize".to_owned(),
        _ => "would be here".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_say_what_the_boundaries_do() {
        let (session, _) = crate::sample::opened();
        let mut said = Vec::new();
        for (profile, context) in
            [("ebbline@2", 200_000), ("ebbline@2", 32_000), ("ebbline@1", 64_000), ("pi@1.5", 64_000)]
        {
            let mut policy = ebbline::profiles::get(profile).unwrap();
            Knob::Context.set(&mut policy, context);
            let [protect, keep] = session.plan(&policy, false).said.boundaries;
            said.push(format!("{profile} {context}: {protect} | {keep}"));
        }
        insta::assert_snapshot!(said.join("\n"));
    }
}

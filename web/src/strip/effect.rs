//! What happens at an edge, as the label of its handle.

use ebbline::numbers::{counted, grouped};
use ebbline::plan::VerdictReason;

use crate::edge::Edge;
use crate::figures::Figures;

/// What happens at the edge, in a few words behind its number.
pub fn effect(edge: Edge, figures: &Figures) -> String {
    let outputs = |what: &str| counted(figures.prune.outputs as u64, what);
    match (edge, figures.prune.reason, figures.retain.reason) {
        (Edge::Prune, VerdictReason::OutputsBeyondProtection, _) => {
            format!("{} pruned", outputs("older output"))
        }
        (Edge::Prune, VerdictReason::RoomNeeded, _) => format!("{} pruned", outputs("output")),
        (Edge::Prune, VerdictReason::TooLarge, _) => format!("{} pruned or cut", outputs("output")),
        (Edge::Prune, ..) => "nothing pruned".to_owned(),
        (Edge::Keep, _, VerdictReason::OverThreshold | VerdictReason::Forced) => {
            format!("→ {} kept", grouped(figures.retain.kept))
        }
        (Edge::Keep, _, VerdictReason::HistoryBelowKeep) => "everything fits".to_owned(),
        (Edge::Keep, ..) => "nothing summarized".to_owned(),
        (Edge::Limit, ..) => format!("full above {}", grouped(figures.trigger.threshold)),
    }
}

//! What can be turned at the moment that is planned: which knob decides at each edge of the picture, and what turning a
//! knob changes. Nothing is inferred: other values are tried, and the decisions are compared.

use ebbline::plan::{BoundaryLimit, Decision, VerdictReason};
use ebbline::{PlanOptions, Policy, Session, Verdict};
use serde::{Deserialize, Serialize};

use crate::edge::Edge;
use crate::figures::Figures;
use crate::idle;
use crate::knob::Knob;
use crate::strip;

/// What is at an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lever {
    /// The knob that a handle there turns; `None` where none changes what happens, and no handle is drawn.
    pub knob: Option<Knob>,
    /// The value of the knob that belongs to the edge as it is drawn.
    pub from: u64,
    /// What happens there in a few words; without a handle, why there is none, as a sentence.
    pub said: String,
    /// Without a handle, the knob that decides instead, if one does.
    pub instead: Option<Knob>,
}

/// What turning a knob changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Whether any value changes what happens.
    pub turns: bool,
    /// How large the context is afterwards with the knob at nothing.
    pub at_nothing: u64,
}

/// What happens, as far as people see it.
fn outcome(decision: &Decision) -> (Verdict, usize, u64, usize, u64) {
    let Decision { prune, retain, .. } = decision;
    let outputs = if prune.applied { (prune.outputs, prune.reclaimed) } else { (0, 0) };
    let messages = if retain.applied { retain.messages } else { 0 };
    (decision.verdict, outputs.0, outputs.1, messages, decision.tokens_after)
}

/// The values to try: nothing, and larger and smaller ones than now.
fn others(knob: Knob, policy: &Policy, size: u64) -> Vec<u64> {
    let (now, most) = (knob.value(policy), knob.slider_max(policy, size));
    let mut values = if knob == Knob::Context {
        vec![size * 2 / 3, size, size * 3 / 2, now / 2, now.saturating_mul(2)]
    } else {
        vec![0, now / 2, now.saturating_add(now / 2), most / 2, most]
    };
    values.retain(|value| *value != now && (*value > 0 || knob != Knob::Context));
    values
}

/// Tries other values of every knob of [`Knob::ALL`] on the messages of `session`.
pub fn tried(session: &mut Session, options: PlanOptions, policy: &Policy, figures: &Figures) -> Vec<Tried> {
    session.set_policy(policy);
    let now = outcome(&session.decide(options));
    let mut decided = |knob: Knob, value: u64| {
        let mut turned = policy.clone();
        knob.set(&mut turned, value);
        session.set_policy(&turned);
        outcome(&session.decide(options))
    };
    let mut all = Vec::new();
    for knob in Knob::ALL {
        let mut tried = Tried { turns: false, at_nothing: now.4 };
        for value in others(knob, policy, figures.total_before()) {
            let then = decided(knob, value);
            if value == 0 {
                tried.at_nothing = then.4;
            }
            tried.turns |= then != now;
            if tried.turns {
                break;
            }
        }
        all.push(tried);
    }
    session.set_policy(policy);
    all
}

/// Whether turning `knob` changes what happens.
pub fn turns(tried: &[Tried], knob: Knob) -> bool {
    tried.get(knob as usize).is_some_and(|tried| tried.turns)
}

/// The knob that decides where pruning ends.
fn decides(by: BoundaryLimit) -> Option<Knob> {
    Some(match by {
        BoundaryLimit::Protect => Knob::Protect,
        BoundaryLimit::KeepOutputs => Knob::KeepOutputs,
        BoundaryLimit::ProtectedTurns => Knob::Turns,
        BoundaryLimit::DownTo => Knob::DownTo,
        _ => return None,
    })
}

/// What is at each edge.
pub fn levers(figures: &Figures, policy: &Policy, tried: &[Tried]) -> [Lever; 3] {
    Edge::ALL.map(|edge| lever(edge, figures, policy, tried))
}

fn lever(edge: Edge, figures: &Figures, policy: &Policy, tried: &[Tried]) -> Lever {
    let does = |knob: &Knob| turns(tried, *knob);
    let by = figures.prune.boundary.and_then(|boundary| decides(boundary.by));
    let knob = match (edge, by) {
        (Edge::Prune, Some(knob)) => Some(knob).filter(does),
        _ => edge.knobs().iter().copied().find(does),
    };
    let Some(knob) = knob else {
        const OTHERS: [Knob; 6] =
            [Knob::Context, Knob::Reserve, Knob::Minimum, Knob::DownTo, Knob::Protect, Knob::Keep];
        let is_too_little = figures.prune.reason == VerdictReason::BelowMinimum;
        let minimum = [Knob::Minimum].into_iter().filter(|_| is_too_little && edge == Edge::Prune);
        let others = edge.knobs().iter().copied().chain(minimum).chain(OTHERS);
        let instead = others.into_iter().find(does);
        return Lever { knob: None, from: 0, said: idle::without_handle(edge, figures, policy), instead };
    };
    let value = knob.value(policy);
    // Where an edge is drawn, its knob may have gone on without an effect: a drag begins at the value that has one.
    let from = match knob {
        Knob::DownTo if figures.prune.applied => figures.pruned.saturating_add(figures.not_in_file()),
        Knob::Protect if figures.prune.boundary.is_none() => value.min(figures.prune.counted),
        Knob::Keep if figures.retain.reason == VerdictReason::HistoryBelowKeep => value.min(figures.pruned),
        _ => value,
    };
    Lever { knob: Some(knob), from, said: strip::effect(edge, figures), instead: None }
}

/// How many knobs stand on the first screen.
pub const FIRST: usize = 4;

/// The knobs that matter at this moment: those of the edges, then others that change what happens, then others.
pub fn matter(levers: &[Lever; 3], tried: &[Tried]) -> Vec<Knob> {
    const ORDER: [Knob; 11] = [
        Knob::Context,
        Knob::DownTo,
        Knob::Protect,
        Knob::Keep,
        Knob::Reserve,
        Knob::Minimum,
        Knob::KeepTurns,
        Knob::Turns,
        Knob::KeepOutputs,
        Knob::Preview,
        Knob::UserWords,
    ];
    let of_edges = levers.iter().filter_map(|lever| lever.knob);
    let turning = ORDER.into_iter().filter(|knob| turns(tried, *knob));
    let mut first = Vec::new();
    for knob in of_edges.chain(turning).chain(ORDER) {
        if first.len() < FIRST && !first.contains(&knob) {
            first.push(knob);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(profile: &str, context: u64) -> (crate::verdict::Said, Policy) {
        let (session, _) = crate::sample::opened();
        let mut policy = ebbline::profiles::get(profile).unwrap();
        Knob::Context.set(&mut policy, context);
        (session.plan(&policy, false).said, policy)
    }

    #[test]
    fn the_edges_turn_the_knobs_that_decide_there() {
        for (profile, context, expected) in [
            ("ebbline@2", 200_000, [Some(Knob::Protect), None, Some(Knob::Context)]),
            ("ebbline@2", 32_000, [Some(Knob::DownTo), None, Some(Knob::Context)]),
            ("ebbline@2", 400_000, [None, None, Some(Knob::Context)]),
            ("pi@1.5", 64_000, [None, Some(Knob::Keep), Some(Knob::Context)]),
        ] {
            let (said, _) = planned(profile, context);
            let found = said.levers.each_ref().map(|lever| lever.knob);
            assert_eq!(found, expected, "{profile} {context}: {:?}", said.levers);
            assert!(said.levers.iter().all(|lever| !lever.said.is_empty()));
            for lever in said.levers.iter().filter(|lever| lever.knob.is_none()) {
                assert!(lever.said.ends_with('.'), "a sentence: {}", lever.said);
            }
        }
    }

    /// Where a handle stands, some value changes the headline; where none stands, none does.
    #[test]
    fn a_handle_stands_where_it_changes_what_happens() {
        let (session, _) = crate::sample::opened();
        for (profile, context) in
            [("ebbline@2", 200_000), ("ebbline@2", 64_000), ("ebbline@1", 64_000), ("pi@1.5", 64_000)]
        {
            let (said, policy) = planned(profile, context);
            let changes = |knob: Knob| {
                (0..40).map(|step| context * step / 20).any(|value| {
                    let mut turned = policy.clone();
                    knob.set(&mut turned, value);
                    session.plan(&turned, false).said.headline != said.headline
                })
            };
            for (edge, lever) in Edge::ALL.into_iter().zip(&said.levers) {
                match lever.knob {
                    Some(knob) => assert!(changes(knob), "{profile} {context} {edge:?} {knob:?}"),
                    None if edge == Edge::Keep => {
                        assert!(!changes(Knob::Keep), "{profile} {context} {edge:?}");
                    }
                    None => {}
                }
            }
            assert_eq!(said.first.len(), FIRST);
        }
    }
}

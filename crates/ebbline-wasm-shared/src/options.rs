//! Options as they cross.

use ebbline::PlanOptions;

/// The options of a plan; `known_tokens` is 0 when it is not known, the others are negative.
pub fn plan_options(
    force: bool,
    known_tokens: f64,
    overhead: f64,
    idle: f64,
    changed_at: f64,
) -> PlanOptions {
    PlanOptions::new()
        .force(force)
        .known_tokens(Some(known_tokens as u64).filter(|tokens| *tokens > 0))
        .overhead(known(overhead))
        .idle(known(idle))
        .changed_at(known(changed_at).map(|messages| messages as usize))
}

/// An amount that is negative when it is not known.
pub fn known(amount: f64) -> Option<u64> {
    (amount >= 0.0).then_some(amount as u64)
}

/// The same the other way round.
pub fn or_negative(amount: Option<u64>) -> f64 {
    amount.map_or(-1.0, |amount| amount as f64)
}

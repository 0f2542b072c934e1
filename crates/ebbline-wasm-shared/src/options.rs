//! Options as they cross.

use ebbline::PlanOptions;

/// The options of a plan; `known_tokens` is 0 when it is not known.
#[must_use]
pub fn plan_options(force: bool, known_tokens: f64) -> PlanOptions {
    PlanOptions::new().force(force).known_tokens(Some(known_tokens as u64).filter(|tokens| *tokens > 0))
}

//! Economics: what the requests of a replayed session cost under a provider's rules for its cache.
//!
//! Everything is counted in the price of one fresh input token, so that no prices have to be known. A caller who knows
//! the prices of a model passes them as rates, and multiplies the result by the price of an input token.

mod bill;
mod compare;
mod rates;
mod report;
mod terms;

pub use bill::{Bill, Charge, Payback};
pub use compare::{Outcome, compare};
pub use rates::{Cache, Rates};
pub use report::{CompactionReport, ReplayReport, RequestReport, SCHEMA};
pub use terms::Terms;

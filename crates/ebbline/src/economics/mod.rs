//! Economics: what the requests of a replayed session cost under a provider's rules for its cache.
//!
//! Everything is counted in the price of one fresh input token, so that no prices have to be known. A caller who knows
//! the prices of a model passes them as rates, and multiplies the result by the price of an input token.

mod bill;
mod check;
mod compare;
mod frontier;
mod grid;
mod rates;
mod report;
pub(crate) mod summary_content;
mod sweep;
mod terms;
mod totals;

pub use bill::{Bill, Charge, Payback};
pub use check::{CacheCheck, CheckedRequest};
pub use compare::{Outcome, compare};
pub use frontier::{Merits, Standing, frontier};
pub use grid::{Grid, MOST_POINTS, Point};
pub use rates::{Cache, Rates};
pub use report::{CompactionReport, ReplayReport, RequestReport, SCHEMA};
pub use summary_content::SummaryContent;
pub use sweep::{PointReport, SWEEP_SCHEMA, Sweep, SweepReport, weigh};
pub use terms::Terms;
pub use totals::Totals;

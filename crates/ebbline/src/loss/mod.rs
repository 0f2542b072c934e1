//! Loss: what the compactions of a session cost it in knowledge, measured from its texts and without a model.
//!
//! [`measure`] takes a session and a list of [`Departure`]s: which parts left the context, and when. [`recorded`] finds
//! the departures that agents recorded themselves; a simulation of a policy brings its own. The session's messages
//! are read once, in the order in which they were written, in time linear in their texts.
//!
//! `docs/metrics.md` defines every figure and says what it cannot show. The most important limit: the messages after a
//! simulated departure are those of an agent that had not lost anything.

mod carried_names;
mod context;
mod decisions;
mod departure;
mod measure;
mod meter;
mod moment;
mod owner;
mod recorded;
mod report;
mod summaries;
mod timeline;

pub use crate::holdings::{Held, Holdings};
pub use crate::identifiers::Class;
pub use departure::{Departure, Left, LossInput};
pub use measure::measure;
pub use meter::Meter;
pub(crate) use recorded::{Life, Lived, life, lived};
pub use recorded::{recorded, recorded_summaries};
pub use report::{
    Coverage, DecisionLoss, Finding, LossKind, LossReport, OrderLoss, ReReads, References, Share, Thrash,
    Utilization, WordsKept,
};

#[cfg(test)]
mod tests;

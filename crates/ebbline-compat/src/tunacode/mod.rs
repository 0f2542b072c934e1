//! TunaCode: the controller of 0.2.3 with everything that it reads, requests and stores, and what the earlier pruning
//! reported.
//!
//! Estimate, threshold and retention boundary are numbers of the profile `tunacode@0.2`; those of pruning are in
//! `tunacode@2026-01`.

mod call;
mod controller;
mod inject;
mod load;
mod overflow;
mod prompt;
mod prune;
mod question;
mod record;
mod serialize;

pub use call::{Call, Compaction, Outcome, Reply};
pub use controller::{Controller, ControllerSettings};
pub use inject::{SummaryMessage, summary_message};
pub use overflow::is_context_overflow;
pub use prompt::summary_prompt;
pub use prune::{PruneVersion, Pruned, prune};
pub use record::CompactionRecord;
pub use serialize::serialize;

pub(crate) use question::ask;

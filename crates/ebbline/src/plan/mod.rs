//! What a plan says: fates, reasons, totals and the verdict, and how it is written as JSON.
//!
//! This module holds words and figures only. `decide/` computes the decision, and `explain.rs` the messages.

mod decision;
pub(crate) mod form;
mod given;
mod report;
mod write;

pub use decision::Decision;
pub(crate) use given::{Becomes, Given};
pub use report::{
    Boundary, BoundaryLimit, Fate, MessagePlan, PartPlan, Plan, PlanOptions, Position, Preview, PruneReport,
    Reason, RetainReport, SCHEMA, Source, TriggerReport, Verdict, VerdictReason,
};

//! pi (pi-mono): estimates, the context of a session tree, the cut point and the preparation of a compaction,
//! as pi 0.58, 0.84 and 1.5 compute them.
//!
//! All functions take views of stored values: [`Message`]s of a list, [`Entry`]s of a session file. pi reads these
//! without validation; if it raises an exception, the functions here return `invalid_settings`.
//!
//! - [`estimate_tokens`], [`estimate_context`], [`should_compact`]: sizes and the threshold.
//! - [`check_compaction`]: whether a compaction is made now, and why.
//! - [`Context::build`]: what is sent from a leaf of the tree.
//! - [`find_cut_point`], [`prepare`]: what is kept and what would be summarized.
//! - [`serialize`], [`FileOperations`]: the transcript for the summarizer and the file lists under a summary.
//!
//! [`Version`] answers all questions about differences between the versions.

mod answer;
mod branch;
mod branch_summary;
mod check;
mod coerce;
mod context;
mod cut;
mod entry;
mod estimate;
mod files;
mod last_answer;
mod message;
mod moment;
mod outcome;
mod overflow;
mod prepare;
mod reply;
mod serialize;
mod situation;
mod summary;
mod system;
mod version;
pub(crate) mod walk;
mod wording;

pub(crate) use answer::ask;
pub use branch::{BranchMessages, LeftBranch};
pub use branch_summary::{BranchSummary, summarize_branch};
pub use check::check_compaction;
pub use context::{Context, ContextEntry, Leaf, ModelChoice};
pub use cut::{CutPoint, find_cut_point};
pub use entry::{Entry, EntryKind, EntryName, Id};
pub use estimate::{
    ContextEstimate, Settings, Tokens, estimate_context, estimate_tokens, should_compact, usage_total,
};
pub use files::{FileLists, FileOperations};
pub use message::{Content, Message, Role};
pub use outcome::{Action, Check, Trigger, Why};
pub use overflow::{Overflow, overflow};
pub use prepare::{Preparation, prepare};
pub use reply::{SummaryUsage, UsageSum};
pub use serialize::serialize;
pub use situation::{CheckPoint, CurrentModel, Situation};
pub use summary::{Compaction, Exchange, Summarizer, compact};
pub use version::Version;

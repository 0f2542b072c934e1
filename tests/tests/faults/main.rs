//! The faults of other systems, each by name: what they do, and that `ebbline@1` does not.
//!
//! A test builds a session of its own, shows what the system's profile or compat function of the version makes of it
//! (and, where the system mended it, that the later version does not), and then what `ebbline@1` makes of the same
//! session. [`ours::Ours::carried_out`] checks every time what must hold of every compaction.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "an index that is out of range is a failure to see")]

mod limits;
mod opencode;
mod opencode_v2;
mod ours;
mod peers;
mod pi;
mod pi_summaries;
mod tunacode;

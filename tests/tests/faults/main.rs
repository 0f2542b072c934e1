//! The faults of other systems, by name: what they do, and that `ebbline@1` does not.
//!
//! A test builds a session, shows what the system's profile or compat function of the version does with it (and, if a
//! later version fixed the fault, that it does not), and then what `ebbline@1` does with the same session.
//! [`ours::Ours::carried_out`] checks each time what must be true of every compaction.
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

//! The messages of a session as texts: what is read of them, what is counted, pinned and edited in them.
//!
//! It is the half of a compactor that has to see texts. It knows nothing of steps and answers.

mod glob;
pub(crate) mod joined;
mod live;
mod metadata;
mod outcome;
mod pins;
mod token_counts;

pub(crate) use joined::{JoinedMessages, MessageText, elements};
pub use live::{LiveMessages, SUMMARIZES_ALL};
pub(crate) use metadata::with_current_metadata;
pub use outcome::Outcome;
pub(crate) use outcome::view_json;
pub(crate) use pins::Pins;
pub(crate) use token_counts::{TokenCounts, count_by_caller, figures};

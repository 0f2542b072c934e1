//! OpenCode's event-based core: its checkpoint contains a summary and the recent history as text.
//!
//! [`Version::V2026_06`] is reproduced exactly; [`Version::Later`] by reading its code, and only in its observable
//! behavior: its tail, its checks, its failures, its trigger.

mod compaction;
pub mod june;
pub mod later;
mod prompt;
mod question;
mod reply;
mod select;
mod serialize;
mod tail;
mod usage;
mod version;

pub use compaction::{Checkpoint, Compaction, CompactionRequest, Failure, checkpoint_text};
pub use prompt::{follows_template, instruction, june_prompt, reminder};
pub use reply::Reply;
pub use select::{Selection, select};
pub use serialize::serialize;
pub use tail::{Tail, tail};
pub use usage::{estimate, is_required};
pub use version::{Limits, Settings, Version};

pub(crate) use question::ask;

//! pi (pi-mono): estimates, the context of a session tree, the cut point and the preparation of a compaction,
//! as pi 0.58, 0.84 and 1.5 compute them.

mod coerce;
mod entry;
mod estimate;
mod files;
mod message;
mod serialize;
mod system;
mod version;

pub use entry::{Entry, EntryKind, Id};
pub use estimate::{
    ContextEstimate, Settings, Tokens, estimate_context, estimate_tokens, should_compact, usage_total,
};
pub use files::{FileLists, FileOperations};
pub use message::{Content, Message, Role};
pub use serialize::serialize;
pub use version::Version;

use super::question::Question;
use crate::error::Error;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    Err(question.unknown("pi"))
}

//! What every module of the npm package shares: text in memory, and errors as JavaScript sees them.

mod buffer;
mod error;

pub use buffer::TextBuffer;
pub use error::EbblineError;

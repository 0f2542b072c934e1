//! Shared by all modules of the npm package: texts in memory, and JavaScript's error class.

mod buffer;
mod error;

pub use buffer::TextBuffer;
pub use error::EbblineError;

//! Shared by the modules of the npm package: texts in memory, JavaScript's error class, results as JSON.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "only bindings call it"
)]

mod buffer;
mod error;
mod json;
mod options;

pub use buffer::TextBuffer;
pub use error::EbblineError;
pub use json::to_json;
pub use options::{known, or_negative, plan_options};

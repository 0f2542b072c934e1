//! Summaries: what a model is asked, section by section.
//!
//! The headings are those of the system whose request it is, byte for byte; the wording is ours.

mod outline;
mod request;

pub use outline::{CLOSING, LANGUAGE, Section, outline};
pub use request::{RequestMessage, SummaryRequest};

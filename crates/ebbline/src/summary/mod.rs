//! Summaries: what a model is asked, section by section, and what becomes of its answer.
//!
//! In a request that another system makes, the headings are that system's, byte for byte; the wording is ours.
//! ebbline's own request is made by [`Session::summary_request`](crate::Session::summary_request) for every
//! format that is read, and [`finish`] makes a summary of the answer. Nothing here talks to a model.

mod budget;
mod check;
mod escape;
mod files;
mod original;
mod outline;
mod prompt;
mod reasoning;
mod request;
mod serialise;
mod task;

pub use crate::blank::is_blank;
pub use check::{Answer, Finished, Warning, finish, review};
pub use files::FileLists;
pub use original::request_of_texts;
pub use outline::{CLOSING, LANGUAGE, Section, outline};
pub use request::{RequestMessage, SummaryRequest};
pub use task::{SummaryContext, SummaryOptions, SummaryTask};

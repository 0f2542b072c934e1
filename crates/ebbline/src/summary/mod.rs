//! Summaries: the request to the model, and the check of its answer.
//!
//! A request that imitates another system uses that system's headings byte for byte and ebbline's own words below
//! them. [`Session::summary_request`](crate::Session::summary_request) writes ebbline's own request for a session of
//! any format, and [`finish`] turns the answer into a summary. Nothing here calls a model.

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

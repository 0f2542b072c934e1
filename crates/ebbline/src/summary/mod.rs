//! Summaries: the request to the model, and the check of its answer.
//!
//! A request that imitates another system uses that system's headings byte for byte and ebbline's own words below
//! them. [`SessionText::summary_request`](crate::SessionText::summary_request) writes ebbline's own request for a session of
//! any format, and [`finish`] turns the answer into a summary. Nothing here calls a model.

mod acceptance;
mod again;
mod budget;
mod carried;
mod check;
mod command;
mod conclusions;
mod deterministic;
mod ending;
mod escape;
mod files;
mod fingerprint;
mod language;
mod names;
mod nothing;
mod original;
mod outline;
mod plan_list;
mod prompt;
mod reasoning;
mod request;
mod serialize;
mod steps;
mod task;
mod texts;
mod topic;
mod words;

pub use crate::blank::is_blank;
pub(crate) use acceptance::shortcomings;
pub use acceptance::{Acceptance, Shortcoming, Shortcomings, no_summary, shortcomings_of_texts};
pub use again::again;
pub(crate) use carried::carried;
pub use carried::{Carried, CarriedOrder, Pin, carried_of_texts};
pub use check::{Answer, Finished, Warning, finish, reminder, review};
pub(crate) use deterministic::by_rule;
pub use deterministic::deterministic_of_texts;
pub use files::FileLists;
pub(crate) use files::{Access, access_of};
pub(crate) use fingerprint::of_texts as fingerprint;
pub use original::request_of_texts;
pub(crate) use original::{Original, original};
pub use outline::{CLOSING, LANGUAGE, Section, outline};
pub use plan_list::{PlanItem, PlanState};
pub use request::{RequestMessage, SummaryRequest};
pub(crate) use steps::outcome;
pub use task::{SummaryContext, SummaryOptions, SummaryTask};
pub(crate) use task::{drafted, request};
pub use texts::Texts;
pub(crate) use words::with_words;
pub use words::words_of_texts;

//! opencode

mod failure;

pub use failure::{ErrorData, Metadata, StoredError, Thrown, from_error, is_context_overflow};

use super::question::Question;
use crate::error::Error;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    match question.name {
        "isContextOverflow" => failure::ask_is_overflow(question),
        "fromError" => failure::ask_from_error(question),
        _ => Err(question.unknown("opencode")),
    }
}

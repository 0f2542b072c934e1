//! TunaCode: what its loader refuses.

mod load;
mod overflow;

pub(crate) use load::*;
pub use overflow::is_context_overflow;

use super::question::Question;
use crate::error::Error;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    match question.name {
        "isContextOverflow" => overflow::ask_overflow(question),
        _ => Err(question.unknown("TunaCode")),
    }
}

//! opencode

use super::question::Question;
use crate::error::Error;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    Err(question.unknown("opencode"))
}

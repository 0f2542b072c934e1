//! Not read yet.

use super::recorder::Recorder;
use super::source::Source;
use super::summary::{Ending, Summary};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};

pub(super) fn read(_source: &Source<'_>, _recorder: &mut Recorder) -> Result<Ending, Error> {
    Err(Error::new(ErrorCode::UnsupportedFormat, "not read yet"))
}

pub(super) fn summarise(_summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    Err(Error::new(ErrorCode::NoPlaceForSummary, "not written yet"))
}

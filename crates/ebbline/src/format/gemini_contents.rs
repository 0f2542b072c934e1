//! Not read yet.

use super::recorder::Recorder;
use super::source::Source;
use super::summary::Ending;
use crate::error::{Error, ErrorCode};

pub(super) fn read(_source: &Source<'_>, _recorder: &mut Recorder) -> Result<Ending, Error> {
    Err(Error::new(ErrorCode::UnsupportedFormat, "not read yet"))
}

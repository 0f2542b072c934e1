//! x
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::summary::Summary;
pub(in crate::format) fn summarise(_summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    Err(Error::new(ErrorCode::NoPlaceForSummary, "not written yet"))
}

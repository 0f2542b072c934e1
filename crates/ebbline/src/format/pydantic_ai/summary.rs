//! A summary among pydantic-ai's messages.

use crate::format::moment::iso_moment;
use crate::format::placement::ListSummary;
use crate::json::quote;

/// The prompt of a request.
pub(super) static LISTED: ListSummary = ListSummary::of(|summary| {
    let (text, moment) = (quote(&summary.marked()), quote(&iso_moment(summary.now)));
    format!(
        r#"{{"kind":"request","parts":[{{"part_kind":"user-prompt","content":{text},"timestamp":{moment}}}]}}"#
    )
});

//! pydantic-ai in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{List, Sign, has, is};
use crate::format::usage::ReportedInput;
use crate::rules::{Opening, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        name: "pydantic_ai",
        title: "pydantic-ai",
        is_live: false,
        reported_input: Some(ReportedInput::IncludesCache),
        family: Some("tunacode"),
    },
    rules: Rules { opening: Opening::SystemCounts, ..Rules::COMMON },
    signs: SIGNS,
    read: super::read,
};

const SIGNS: &[Sign] = &[Sign::list(50, "kind request and response with parts", is_pydantic)];

/// Whether a list holds pydantic-ai's requests and responses.
pub(in crate::format) fn is_pydantic(list: &List<'_>) -> bool {
    list.any(|message| {
        has(message, &["parts"]) && (is(message, "kind", "request") || is(message, "kind", "response"))
    })
}

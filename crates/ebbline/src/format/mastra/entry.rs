//! Messages of a Mastra store in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, has};
use crate::rules::{Results, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, ..Description::of("mastra", "Mastra") },
    rules: Rules {
        results: Results::SameMessage,
        // Calls without a result are left out of a prompt.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const SIGNS: &[Sign] = &[Sign::list(105, "content with format and parts", |list| {
    list.any(|message| {
        message
            .get("content")
            .is_some_and(|content| content.is_object() && has(content, &["format", "parts"]))
    })
})];

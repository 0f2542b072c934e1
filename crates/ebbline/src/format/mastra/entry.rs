//! Messages of a Mastra store in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, has};
use crate::format::store::Store;
use crate::rules::{Results, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        name: "mastra",
        title: "Mastra",
        is_live: true,
        reported_input: None,
        family: None,
    },
    rules: Rules {
        results: Results::SameMessage,
        // Calls without a result are left out of a prompt.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    signs: SIGNS,
    read: super::read,
    fault_of: None,
    layout: None,
    is_read_whole: false,
    store: &Store::NONE,
};

const SIGNS: &[Sign] = &[Sign::list(105, "content with format and parts", |list| {
    list.any(|message| {
        message
            .get("content")
            .is_some_and(|content| content.is_object() && has(content, &["format", "parts"]))
    })
})];

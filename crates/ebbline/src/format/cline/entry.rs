//! Cline in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, count_of, has};
use crate::format::usage::ReportedInput;
use crate::rules::{Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        name: "cline",
        title: "Cline",
        is_live: false,
        reported_input: Some(ReportedInput::IncludesCache),
        family: None,
    },
    rules: Rules {
        // Cline answers open calls itself when another message follows; a late result then has no call any more.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    signs: SIGNS,
    read: super::read,
};

const SIGNS: &[Sign] = &[Sign::document(90, |root| {
    let is_session = has(root, &["agent", "sessionId", "messages"]);
    // The record of a compaction, which Cline keeps beside the session, has no agent and session id of its own.
    let is_record = has(root, &["version", "updated_at", "source_message_count", "messages"]);
    (is_session || is_record)
        .then(|| format!("an envelope of Cline with {} messages", count_of(root, "messages")))
})];

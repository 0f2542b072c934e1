//! Cline in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Layout, Listed, anthropic_block};
use crate::format::signs::{Sign, count_of, has};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::rules::{Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("cline", "Cline") },
    rules: Rules {
        // Cline itself answers open calls when another message follows; a result that comes later has no call any
        // more.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[Place::of("Cline", ".cline", ".messages.json")],
        extensions: &[
            Place::of("Cline", "saoudrizwan.claude-dev/tasks", "api_conversation_history.json"),
            Place::of("Roo Code", "rooveterinaryinc.roo-cline/tasks", "api_conversation_history.json"),
            Place::of("Kilo", "kilocode.kilo-code/tasks", "api_conversation_history.json"),
        ],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout::of(&[Listed::at(&["content"], anthropic_block)]);

const SIGNS: &[Sign] = &[Sign::document(90, |root| {
    let is_session = has(root, &["agent", "sessionId", "messages"]);
    // The record of a compaction, which Cline stores beside the session, has no agent and no session id.
    let is_record = has(root, &["version", "updated_at", "source_message_count", "messages"]);
    (is_session || is_record)
        .then(|| format!("an envelope of Cline with {} messages", count_of(root, "messages")))
})];

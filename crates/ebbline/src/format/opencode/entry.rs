//! OpenCode in the table of formats.

use super::rows::{is_newer, is_row, is_table};
use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, has};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::rules::{Results, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::ExcludesCache), ..Description::of("opencode", "OpenCode") },
    rules: Rules {
        // Call and result are one part. When OpenCode sends the list, it supplies missing results and skips empty
        // messages (anomalyco/opencode, `packages/opencode/src/session/message-v2.ts`).
        results: Results::SameMessage,
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    is_read_whole: true,
    store: &Store {
        places: &[
            Place::databases("OpenCode", ".local/share/opencode", "opencode"),
            Place::stores("OpenCode", ".local/share/opencode/storage"),
            Place::databases("Kilo", ".local/share/kilo", "kilo"),
            Place::stores("Kilo", ".local/share/kilo/storage"),
        ],
        database: Some(("OPENCODE_DB", ".local/share/opencode")),
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const SIGNS: &[Sign] = &[
    Sign::document(50, |root| {
        let id = root.get("info").and_then(|info| info.text_of("id"));
        let is_export = id.is_some_and(|id| id.starts_with("ses_")) && has(root, &["messages"]);
        is_export.then(|| "info.id begins with ses_ and there are messages".to_owned())
    }),
    Sign::document(60, |root| is_table(root).then(|| "tables of messages and parts".to_owned())),
    Sign::row_of_list(10, |line| is_row(line) || is_newer(line)),
    Sign::line_of_list(20, |line| has(line, &["info", "parts"])),
    Sign::list(60, "info and parts", |list| list.with(&["info", "parts"])),
    Sign::list(70, "rows of messages and parts", |list| list.any(is_row)),
    Sign::list(80, "messages with a type and content", |list| list.any(is_newer)),
];

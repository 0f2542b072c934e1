//! Claude Code in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::gemini_contents;
use crate::format::layout::{Layout, Listed, anthropic_block};
use crate::format::signs::{Sign, count_of, has, is};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::json::Value;
use crate::rules::{Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::ExcludesCache), ..Description::of("claude_code", "Claude Code") },
    rules: Rules {
        // When Claude Code resumes a session, it answers open calls with the note that they were interrupted.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[
            Place::of("Claude Code", ".claude/projects", ".jsonl"),
            Place::of("Claude Code", ".config/claude/projects", ".jsonl"),
            Place::of("Qwen Code", ".qwen/tmp", ".jsonl").below("chats"),
            Place::of("Qwen Code", ".qwen/projects", ".jsonl").below("chats"),
            Place::of("iFlow", ".iflow/projects", ".jsonl"),
        ],
        moved: &[("CLAUDE_CONFIG_DIR", ".claude")],
        parents: &["parentUuid", "logicalParentUuid"],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    inside: &["message"],
    chain: Some(("uuid", "parentUuid")),
    // Qwen Code has Gemini's parts in its lines.
    ..Layout::of(&[
        Listed::at(&["content"], anthropic_block),
        Listed::at(&["parts"], gemini_contents::element),
    ])
};

const SIGNS: &[Sign] = &[
    Sign::document(100, |root| {
        has(root, &["parentUuid", "isSidechain"]).then(|| "a single line with parentUuid".to_owned())
    }),
    Sign::document(110, |root| {
        has(root, &["loglines"]).then(|| format!("{} loglines", count_of(root, "loglines")))
    }),
    Sign::log(70, |log| {
        let is_title = |line| is(line, "type", "summary") && has(line, &["leafUuid"]);
        (log.head().any(is_line) || log.head().any(is_title))
            .then(|| format!("{} of {} lines carry parentUuid", log.count(is_line), log.total()))
    }),
];

/// Whether a line is part of the tree. Qwen Code writes no sidechains.
fn is_line(line: Value<'_>) -> bool {
    has(line, &["parentUuid"]) && (has(line, &["isSidechain"]) || has(line, &["uuid", "sessionId"]))
}

//! Codex in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::Layout;
use crate::format::openai_responses;
use crate::format::signs::{Sign, has, is};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::json::Value;
use crate::rules::{Results, Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("codex", "Codex") },
    rules: Rules {
        results: Results::Later,
        // When Codex resumes a session, it gives an output to every call without one.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    }
    .except(&[Rule::FirstRole]),
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[
            Place::of("Codex", ".codex/sessions", ".jsonl"),
            Place::of("Codex", ".codex/sessions", ".jsonl.zst"),
            Place::of("Codex", ".codex/archived_sessions", ".jsonl"),
            Place::of("Codex", ".codex/archived_sessions", ".jsonl.zst"),
        ],
        moved: &[("CODEX_HOME", ".codex")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout { inside: &["payload"], whole: openai_responses::element, ..Layout::of(&[]) };

const SIGNS: &[Sign] = &[
    Sign::log(20, |log| {
        let evidence = || format!("{} of {} lines carry a payload", log.count(is_line), log.total());
        log.head().any(is_line).then(evidence)
    }),
    Sign::log(30, |log| {
        let is_old = has(log.first, &["id", "timestamp", "instructions"])
            || log.head().any(|line| is(line, "record_type", "state"));
        is_old.then(|| "a rollout of mid 2025".to_owned())
    }),
];

/// Whether a line has a payload of a kind that Codex writes.
fn is_line(line: Value<'_>) -> bool {
    let kinds = ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"];
    has(line, &["payload"])
        && line.text_of("type").is_some_and(|found| kinds.iter().any(|kind| found.is(kind)))
}

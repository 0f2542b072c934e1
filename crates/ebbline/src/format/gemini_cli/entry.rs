//! Gemini CLI in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Layout, Listed, call};
use crate::format::signs::{Sign, has, is};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::rules::{Results, Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("gemini_cli", "Gemini CLI") },
    rules: Rules { results: Results::SameOrNextMessage, ..Rules::COMMON }
        // Gemini CLI sends the session's context first, in the user's name.
        .except(&[Rule::FirstRole]),
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[
            Place::of("Gemini CLI", ".gemini/tmp", ".json").below("chats"),
            Place::of("Gemini CLI", ".gemini/tmp", ".jsonl").below("chats"),
        ],
        home: Some(("GEMINI_CLI_HOME", ".gemini")),
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

/// A call has its result in it, so that only calls without one are ever alone.
const LAYOUT: Layout = Layout::of(&[Listed::at(&["toolCalls"], call)]);

const SIGNS: &[Sign] = &[
    Sign::document(70, |root| {
        has(root, &["sessionId", "projectHash", "messages"])
            .then(|| "sessionId, projectHash and messages".to_owned())
    }),
    Sign::log(50, |log| {
        let is_header = |line| has(line, &["sessionId", "projectHash"]);
        log.head().take(3).any(is_header).then(|| "a first line with sessionId and projectHash".to_owned())
    }),
    Sign::log(60, |log| {
        let is_answer = |line| is(line, "type", "gemini") && has(line, &["id", "timestamp"]);
        log.head()
            .any(is_answer)
            .then(|| format!("{} of {} lines are messages of type gemini", log.count(is_answer), log.total()))
    }),
];

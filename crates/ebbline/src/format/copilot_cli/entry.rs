//! Copilot CLI in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Element, Layout, Listed, by_type, call};
use crate::format::signs::{Sign, has, is};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::rules::{Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("copilot_cli", "Copilot CLI") },
    rules: Rules {
        // Copilot CLI itself answers open calls when the session continues.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[Place::of("Copilot CLI", ".copilot/session-state", "events.jsonl")],
        moved: &[("COPILOT_HOME", ".copilot")],
        parents: &["parentId"],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |event| by_type(event, &[("tool.execution_complete", Element::Result)]),
    chain: Some(("id", "parentId")),
    ..Layout::of(&[Listed::at(&["data", "toolRequests"], call)])
};

const SIGNS: &[Sign] = &[Sign::log(40, |log| {
    (is(log.first, "type", "session.start") && has(log.first, &["data"]))
        .then(|| "a first line of type session.start".to_owned())
})];

//! TunaCode in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Layout, result_by_role};
use crate::format::pydantic_ai::{PARTS, REQUEST, is_pydantic};
use crate::format::signs::{Sign, has};
use crate::format::store::{Place, Store};
use crate::format::tinyagent::CONTENT;
use crate::format::usage::ReportedInput;
use crate::rules::{Opening, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::Either), family: Some("tunacode"), ..Description::of("tunacode", "TunaCode") },
    rules: Rules { opening: Opening::SystemCounts, ..Rules::COMMON },
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[Place::of("TunaCode", ".local/share/tunacode/sessions", ".json")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |message| result_by_role(message, &["tool_result"]),
    answers: Some(REQUEST),
    ..Layout::of(&[PARTS, CONTENT])
};

const SIGNS: &[Sign] = &[
    Sign::document(80, |root| {
        has(root, &["session_id", "project_id", "current_model", "messages"])
            .then(|| "session_id, project_id, current_model and messages".to_owned())
    }),
    Sign::list(40, "kind request and response among thoughts and plain messages", |list| {
        is_pydantic(list) && (list.with(&["thought"]) || list.with(&["role"]))
    }),
];

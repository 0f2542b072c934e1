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
    description: &Description {
        name: "tunacode",
        title: "TunaCode",
        is_live: false,
        reported_input: Some(ReportedInput::Either),
        family: Some("tunacode"),
    },
    rules: Rules { opening: Opening::SystemCounts, ..Rules::COMMON },
    signs: SIGNS,
    read: super::read,
    fault_of: None,
    layout: Some(&LAYOUT),
    is_read_whole: false,
    store: &Store {
        places: &[Place::of("TunaCode", ".local/share/tunacode/sessions", ".json")],
        ..Store::NONE
    },
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

//! OpenHands in the table of formats.

use super::events::is_event;
use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, has};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::json::Value;
use crate::rules::{Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("openhands", "OpenHands") },
    rules: Rules { unanswered: Unanswered::Anywhere, ..Rules::COMMON }
        // OpenHands sends neither calls without results nor results without calls (`_filter_unmatched_tool_calls`).
        .except(&[Rule::ResultWithoutCall]),
    is_read_whole: true,
    store: &Store {
        places: &[
            Place::stores("OpenHands", ".openhands/conversations"),
            Place::stores("OpenHands", ".openhands/sessions"),
            Place::stores("OpenHands", ".openhands/users"),
            Place::stores("OpenHands", ".openhands-state/sessions"),
        ],
        moved: &[
            ("OPENHANDS_CONVERSATIONS_DIR", ".openhands/conversations"),
            ("OPENHANDS_PERSISTENCE_DIR", ".openhands"),
        ],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const SIGNS: &[Sign] = &[
    Sign::document(190, |root| is_evaluation(root).then(|| "history and instance_id".to_owned())),
    Sign::document(200, |root| is_event(root).then(|| "a single event".to_owned())),
    Sign::document(210, |root| {
        let holds_events = |key: &&str| root.elements_of(key).next().is_some_and(is_event);
        let key = ["trajectory", "events", "items"].into_iter().find(holds_events)?;
        Some(format!("events in the member {key}"))
    }),
    Sign::log(80, |log| {
        log.head()
            .any(is_event)
            .then(|| format!("{} of {} lines are events with a source", log.count(is_event), log.total()))
    }),
    Sign::list(90, "action, observation or kind of event with source", |list| list.any(is_event)),
    Sign::conversation(10, is_evaluation),
];

/// Whether an object is the result of an evaluation: a task and the events of its solution.
fn is_evaluation(value: Value<'_>) -> bool {
    has(value, &["history"]) && (has(value, &["instance_id"]) || has(value, &["issue"]))
}

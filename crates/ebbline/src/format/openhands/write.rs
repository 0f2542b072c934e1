//! A condensation as `OpenHands` records it: the events it forgets, the summary, and the summary's position.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::events::{Event, Events, Holder, scalar};
use super::view::{View, first_words, name_in_view, newest_event};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::container;
use crate::format::moment::iso_moment;
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::format::uuid::fresh_uuid;
use crate::json::quote;
use crate::plan::Fate;

/// A condensation after the last event.
pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// Appends the event that records `summary` after the last event of its conversation.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let mut source = Source::parse(summary.source)?;
    // Only one of many conversations is active, and only that one is summarized.
    let bytes = summarized(summary).next().unwrap_or_default();
    if let Some(place) = container::around(&source, bytes) {
        source.focus(place);
    }
    let events = Events::of(&source);
    let by_start: HashMap<usize, usize> =
        events.list.iter().enumerate().map(|(index, event)| (event.value.span().start, index)).collect();
    let gone: HashSet<usize> =
        summarized(summary).filter_map(|start| by_start.get(&start).copied()).collect();
    let what = Forgotten::of(&events, &gone)?;
    let last = events.list.last().ok_or_else(|| no_place("there are no events"))?;
    let event = if events.is_sdk { of_sdk(summary, &events, &what) } else { of_v0(summary, &events, &what)? };
    let end = last.value.span().end;
    match events.holder {
        Holder::Array => {
            Ok(vec![Edit::new(end..end, format!("{}{event}", separator(&events.list, summary.source)))])
        }
        Holder::Lines => {
            let end = summary.source.len();
            let text =
                if summary.source.ends_with('\n') { format!("{event}\n") } else { format!("\n{event}") };
            Ok(vec![Edit::new(end..end, text)])
        }
        Holder::Pairs => {
            Err(no_place("pairs of actions and observations have no ids that a condensation could name"))
        }
        Holder::Alone => Err(no_place("a single event is not a list that a condensation could be added to")),
    }
}

/// The starts of the summarized messages in the source.
fn summarized<'s>(summary: &'s Summary<'_>) -> impl Iterator<Item = usize> + 's {
    let messages = summary.plan.messages.iter().enumerate();
    messages
        .filter(|(_, message)| message.fate == Fate::Summarized)
        .map(|(index, _)| summary.session.span(index).start)
}

fn no_place(why: &str) -> Error {
    Error::new(ErrorCode::NoPlaceForSummary, format!("a condensation cannot be recorded here: {why}"))
}

/// What a condensation removes from the view.
struct Forgotten<'d> {
    ids: Vec<Cow<'d, str>>,
    /// How many events of the view precede the summary.
    offset: usize,
}

impl<'d> Forgotten<'d> {
    /// Forgets the events of the view in `gone`. Version 0 always sends the user's first message, so it stays.
    fn of(events: &Events<'d>, gone: &HashSet<usize>) -> Result<Self, Error> {
        let view = View::of(events);
        let stays = if events.is_sdk { None } else { first_words(&events.list) };
        let is_gone = |index: &usize| gone.contains(index) && Some(*index) != stays;
        let names = view.kept.iter().filter(|index| is_gone(index));
        let ids: Option<Vec<_>> =
            names.map(|index| events.list.get(*index).and_then(|event| name(event, events.is_sdk))).collect();
        let ids = ids.ok_or_else(|| no_place("an event has no id that a condensation could name"))?;
        let end = view.kept.iter().rposition(is_gone);
        let end = end.ok_or_else(|| no_place("there is nothing to forget"))?;
        let offset = view.kept.iter().take(end).filter(|index| !is_gone(index)).count();
        Ok(Self { ids, offset })
    }
}

fn name<'d>(event: &Event<'d>, is_sdk: bool) -> Option<Cow<'d, str>> {
    if is_sdk {
        name_in_view(event)
    } else {
        scalar(event.value.get("id").filter(|id| id.number().is_some()))
    }
}

/// `{"action": "condensation", …}`: ids are consecutive numbers.
fn of_v0(summary: &Summary<'_>, events: &Events<'_>, what: &Forgotten<'_>) -> Result<String, Error> {
    let ids = events.list.iter().filter_map(|event| event.value.get("id")?.number());
    let newest = ids.fold(None, |newest: Option<f64>, id| Some(newest.map_or(id, |newest| newest.max(id))));
    let newest = newest.ok_or_else(|| no_place("the events have no ids"))?;
    Ok(format!(
        concat!(
            r#"{{"id":{},"timestamp":{},"source":"agent","message":{},"action":"condensation","#,
            r#""args":{{"forgotten_event_ids":[{}],"forgotten_events_start_id":null,"#,
            r#""forgotten_events_end_id":null,"summary":{},"summary_offset":{}}}}}"#
        ),
        (newest as u64).saturating_add(1),
        quote(&moment(summary, events)),
        quote(&format!("Summary: {}", summary.text)),
        what.ids.join(","),
        quote(summary.text),
        what.offset,
    ))
}

/// `{"kind": "Condensation", …}`: in a tree of events, a child of the newest one.
fn of_sdk(summary: &Summary<'_>, events: &Events<'_>, what: &Forgotten<'_>) -> String {
    let is_tree = events.list.iter().any(|event| event.value.text_of("parent_id").is_some());
    let parent = newest_event(events).filter(|_| is_tree);
    let parent = parent.map_or_else(String::new, |parent| format!(r#","parent_id":{}"#, quote(&parent)));
    let ids: Vec<String> = what.ids.iter().map(|id| quote(id)).collect();
    let taken: HashSet<Cow<'_, str>> = events.list.iter().filter_map(Event::id).collect();
    let id = fresh_uuid(events.list.len(), |id| taken.contains(id));
    // No model's response belongs to it, but the SDK requires an id of one.
    let response = fresh_uuid(events.list.len() + 1, |response| taken.contains(response) || response == id);
    format!(
        concat!(
            r#"{{"id":{},"timestamp":{},"source":"environment"{},"forgotten_event_ids":[{}],"summary":{},"#,
            r#""summary_offset":{},"llm_response_id":{},"kind":"Condensation"}}"#
        ),
        quote(&id),
        quote(&moment(summary, events)),
        parent,
        ids.join(","),
        quote(summary.text),
        what.offset,
        quote(&response),
    )
}

/// The current time as both versions write it: local time without a zone. Without a clock, the newest event's time.
fn moment(summary: &Summary<'_>, events: &Events<'_>) -> String {
    let newest = || events.list.iter().rev().find_map(|event| event.value.text_of("timestamp"));
    match newest().filter(|_| summary.now == 0) {
        Some(newest) => newest.decode().into_owned(),
        None => iso_moment(summary.now).trim_end_matches('Z').to_owned(),
    }
}

/// What stands between two elements of the list.
fn separator<'s>(list: &[Event<'_>], source: &'s str) -> &'s str {
    let between = match list {
        [.., previous, newest] => source.get(previous.value.span().end..newest.value.span().start),
        _ => None,
    };
    between.filter(|between| between.trim() == ",").unwrap_or(",")
}

//! The events that remain after every condensation: `View.from_events` of both versions.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::events::{Event, Events, scalar};
use super::standing::Standing;
use crate::json::Value;

/// The history as the agent sends it.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The remaining events, in order; a condensation represents its summary.
    pub(super) events: Vec<usize>,
    /// The same without summaries and restored messages: positions refer to this list.
    pub(super) kept: Vec<usize>,
    /// The last condensation that changed anything.
    pub(super) newest_condensation: Option<usize>,
    held: HashSet<usize>,
}

impl View {
    pub(super) fn of(events: &Events<'_>) -> Self {
        let mut view = if events.is_sdk { of_sdk(&events.list) } else { of_v0(&events.list) };
        view.held = view.events.iter().copied().collect();
        view
    }

    /// Whether event `index` remains or, for a condensation, its summary.
    pub(super) fn holds(&self, index: usize) -> bool {
        self.held.contains(&index)
    }
}

/// Version 0: all events that any condensation forgets are removed, and the newest summary is inserted.
fn of_v0(events: &[Event<'_>]) -> View {
    let mut forgotten: HashSet<Cow<'_, str>> = HashSet::new();
    let mut ranges: Vec<(f64, f64)> = Vec::new();
    let (mut newest_condensation, mut summary) = (None, None);
    for (index, event) in events.iter().enumerate().filter(|(_, event)| is_condensation(event)) {
        let what = event.condensation();
        forgotten.extend(forgotten_ids(what));
        let bound = |key: &str| what.get(key).and_then(Value::number);
        ranges.extend(bound("forgotten_events_start_id").zip(bound("forgotten_events_end_id")));
        newest_condensation = Some(index);
        summary = event.summary().and_then(|_| Some((index, offset(what)?))).or(summary);
    }
    let is_kept = |event: &Event<'_>| {
        let Some(id) = event.id() else { return true };
        let number = event.value.get("id").and_then(Value::number);
        let in_range = |(start, end): &(f64, f64)| number.is_some_and(|id| (*start..=*end).contains(&id));
        !forgotten.contains(&id) && !ranges.iter().any(in_range)
    };
    let is_history = |event: &Event<'_>| matches!(event.standing, Standing::Sent | Standing::Silent);
    let delegated = delegated(events);
    let kept: Vec<usize> = (0..events.len())
        .filter(|index| events.get(*index).is_some_and(|event| is_history(event) && is_kept(event)))
        .filter(|index| !delegated.iter().any(|inside| inside.contains(index)))
        .collect();
    let mut left = kept.clone();
    if let Some((condensation, offset)) = summary {
        left.insert(offset.min(left.len()), condensation);
    }
    put_back_first_words(events, &mut left);
    View { events: left, kept, newest_condensation, ..View::default() }
}

/// The events between a delegate's task and its outcome: the delegate's own conversation, which is not sent.
fn delegated(events: &[Event<'_>]) -> Vec<Range<usize>> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (index, event) in events.iter().enumerate() {
        if event.is("action", "delegate") {
            open.push(index);
        } else if event.is("observation", "delegate") {
            found.extend(open.pop().map(|begun| begun + 1..index));
        }
    }
    found
}

/// The user's first message is sent after the system prompt even if it was forgotten
/// (`_ensure_initial_user_message`).
fn put_back_first_words(events: &[Event<'_>], left: &mut Vec<usize>) {
    let Some(first) = first_words(events).filter(|first| !left.contains(first)) else { return };
    let is_system = |index: &usize| events.get(*index).is_some_and(|event| event.is("action", "system"));
    let place = usize::from(left.first().is_some_and(is_system));
    left.insert(place, first);
}

/// The first message of a person, in a file of version 0.
pub(super) fn first_words(events: &[Event<'_>]) -> Option<usize> {
    events.iter().position(|event| event.is("action", "message") && event.is("source", "user"))
}

/// The SDK: each condensation is applied to the events that the earlier ones left; only events that are sent count.
/// Abandoned branches are skipped.
fn of_sdk(events: &[Event<'_>]) -> View {
    let mut left: Vec<usize> = Vec::new();
    let mut newest_condensation = None;
    for index in path(events) {
        let Some(event) = events.get(index) else { continue };
        match event.standing {
            Standing::Sent => left.push(index),
            Standing::Condensation => {
                let what = event.condensation();
                let forgotten: HashSet<Cow<'_, str>> = forgotten_ids(what).collect();
                left.retain(|at| {
                    events.get(*at).and_then(name_in_view).is_none_or(|id| !forgotten.contains(&id))
                });
                if let Some(offset) = offset(what).filter(|_| event.summary().is_some()) {
                    left.insert(offset.min(left.len()), index);
                }
                newest_condensation = Some(index);
            }
            Standing::Silent | Standing::Noise => {}
        }
    }
    View { kept: left.clone(), events: left, newest_condensation, ..View::default() }
}

/// The SDK's name for an event in its view: a summary has an id of its own.
pub(super) fn name_in_view<'d>(event: &Event<'d>) -> Option<Cow<'d, str>> {
    let id = event.id()?;
    Some(if is_condensation(event) { Cow::Owned(format!("{id}-summary")) } else { id })
}

/// The id of the newest event on the path, which is the parent of the next recorded event.
pub(super) fn newest_event<'d>(events: &Events<'d>) -> Option<Cow<'d, str>> {
    path(&events.list).last().and_then(|index| events.list.get(*index)?.id())
}

/// The events from the root to the newest one. An event without `parent_id` follows the one before it; state updates
/// are not part of the tree.
fn path(events: &[Event<'_>]) -> Vec<usize> {
    if events.iter().all(|event| event.value.text_of("parent_id").is_none()) {
        return (0..events.len()).collect();
    }
    let by_id: HashMap<Cow<'_, str>, usize> =
        events.iter().enumerate().filter_map(|(index, event)| Some((event.id()?, index))).collect();
    let is_node = |event: &Event<'_>| {
        !["ConversationStateUpdateEvent", "ConversationErrorEvent"].iter().any(|kind| event.is("kind", kind))
    };
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = events.iter().rposition(is_node);
    while let Some(index) = next.filter(|index| seen.insert(*index)) {
        path.push(index);
        let parent = events.get(index).and_then(|event| event.value.text_of("parent_id"));
        next = match parent {
            Some(root) if root.is("__root__") => None,
            Some(parent) => by_id.get(&parent.decode()).copied().or_else(|| index.checked_sub(1)),
            None => index.checked_sub(1),
        };
    }
    path.reverse();
    path
}

fn is_condensation(event: &Event<'_>) -> bool {
    event.standing == Standing::Condensation
}

fn forgotten_ids(what: Value<'_>) -> impl Iterator<Item = Cow<'_, str>> {
    what.elements_of("forgotten_event_ids").filter_map(|id| scalar(Some(id)))
}

/// Where the summary goes.
fn offset(what: Value<'_>) -> Option<usize> {
    what.get("summary_offset").and_then(Value::number).map(|offset| offset as usize)
}

//! The events of a file, and which of them are sent to the model.

use std::borrow::Cow;

use super::standing::{self, Standing};
use crate::format::signs::has;
use crate::format::source::Source;
use crate::json::{Text, Value};

/// The form in which a file stores its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// One event per line.
    Lines,
    /// The elements of an array.
    Array,
    /// An array of pairs of an action and its observation (evaluations of 2024).
    Pairs,
    /// A single event as the whole document.
    Alone,
}

/// One event.
#[derive(Clone, Debug)]
pub(super) struct Event<'d> {
    pub(super) value: Value<'d>,
    pub(super) standing: Standing,
    /// The pair it belongs to, if the file stores pairs.
    pub(super) pair: Option<usize>,
}

/// The events of a conversation, in order of the file.
#[derive(Debug)]
pub(super) struct Events<'d> {
    pub(super) list: Vec<Event<'d>>,
    pub(super) holder: Holder,
    /// Whether they are from the SDK, which states each event's `kind`.
    pub(super) is_sdk: bool,
}

impl<'d> Events<'d> {
    pub(super) fn of(source: &'d Source<'_>) -> Self {
        let (values, mut holder) = held(source);
        let mut list = Vec::with_capacity(values.len());
        for (pair, value) in values.into_iter().enumerate() {
            if value.is_array() {
                holder = Holder::Pairs;
                list.extend(value.elements().map(|value| (value, Some(pair))));
            } else {
                list.push((value, None));
            }
        }
        list.retain(|(value, _)| value.is_object());
        let is_sdk = list.iter().any(|(value, _)| value.text_of("kind").is_some());
        let standing = if is_sdk { standing::of_sdk } else { standing::of_v0 };
        let list =
            list.into_iter().map(|(value, pair)| Event { value, standing: standing(value), pair }).collect();
        Self { list, holder, is_sdk }
    }
}

/// The values that are events or pairs of them.
fn held<'d>(source: &'d Source<'_>) -> (Vec<Value<'d>>, Holder) {
    if source.is_lines {
        return (source.values().collect(), Holder::Lines);
    }
    let Some(root) = source.root() else { return (Vec::new(), Holder::Array) };
    if root.is_array() {
        return (root.elements().collect(), Holder::Array);
    }
    // The result of an evaluation, and the responses of the server.
    let lists = ["history", "trajectory", "events", "items"];
    match lists.iter().find_map(|key| root.get(key).filter(|list| list.is_array())) {
        Some(list) => (list.elements().collect(), Holder::Array),
        None if is_event(root) => (vec![root], Holder::Alone),
        None => (Vec::new(), Holder::Array),
    }
}

impl<'d> Event<'d> {
    /// The event's own id.
    pub(super) fn id(&self) -> Option<Cow<'d, str>> {
        scalar(self.value.get("id"))
    }

    /// Whether it is an action or observation called `name`.
    pub(super) fn is(&self, member: &str, name: &str) -> bool {
        self.value.text_of(member).is_some_and(|text| text.is(name))
    }

    /// The content of a condensation: its arguments in version 0, the event itself in the SDK.
    pub(super) fn condensation(&self) -> Value<'d> {
        self.value.get("args").unwrap_or(self.value)
    }

    /// The summary of a condensation.
    pub(super) fn summary(&self) -> Option<Text<'d>> {
        self.condensation().text_of("summary")
    }
}

/// An id: a number in version 0, a text in the SDK.
pub(super) fn scalar(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    let value = value?;
    value.text().map(Text::decode).or_else(|| value.number().map(|_| Cow::Borrowed(value.source())))
}

/// Whether a value is an event: it has an action or observation, or a kind with such a name. A step of ATIF may have
/// a source and an observation too.
pub(super) fn is_event(value: Value<'_>) -> bool {
    let is_kind = || value.text_of("kind").is_some_and(|kind| kind.decode().ends_with("Event"));
    has(value, &["source"])
        && !has(value, &["step_id"])
        && (has(value, &["action"]) || has(value, &["observation"]) || is_kind())
}

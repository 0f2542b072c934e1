//! Answers of the model that are stored in several events: parallel calls.

use std::borrow::Cow;

use super::events::{Event, Events, scalar};
use super::standing::Standing;
use super::view::View;

/// The place of an event in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Whether it continues an answer, or comes between two events of one.
    pub(super) continues: bool,
    /// Whether the answer ends with it.
    pub(super) is_last: bool,
}

/// The place of every event.
#[derive(Debug)]
pub(super) struct Answers(Vec<Place>);

impl Answers {
    /// Events of one response form an answer unless another message comes between them.
    pub(super) fn of(events: &Events<'_>, view: &View) -> Self {
        let mut places = vec![Place { continues: false, is_last: true }; events.list.len()];
        let mut open: Option<(usize, Cow<'_, str>)> = None;
        for (index, event) in events.list.iter().enumerate() {
            if event.standing != Standing::Sent || !view.holds(index) || is_observation(event) {
                continue;
            }
            let response = response_id(event);
            let begun =
                open.as_ref().filter(|(_, id)| response.as_ref() == Some(id)).map(|(begun, _)| *begun);
            match (begun, response) {
                // Version 0 runs one call after the other, so results come between them.
                (Some(begun), _) => {
                    for place in places.iter_mut().take(index + 1).skip(begun + 1) {
                        place.continues = true;
                    }
                    for place in places.iter_mut().take(index).skip(begun) {
                        place.is_last = false;
                    }
                }
                (None, Some(response)) => open = Some((index, response)),
                (None, None) => open = None,
            }
        }
        Self(places)
    }

    pub(super) fn place(&self, index: usize) -> Place {
        self.0.get(index).copied().unwrap_or_default()
    }
}

fn is_observation(event: &Event<'_>) -> bool {
    let value = event.value;
    value.text_of("observation").is_some()
        || ["observation", "error", "rejection_reason"].iter().any(|key| value.get(key).is_some())
}

/// The response that an action belongs to.
fn response_id<'d>(event: &Event<'d>) -> Option<Cow<'d, str>> {
    let metadata = event.value.get("tool_call_metadata");
    let response = metadata.and_then(|metadata| metadata.get("model_response"));
    scalar(event.value.get("llm_response_id").or_else(|| response.and_then(|response| response.get("id"))))
}

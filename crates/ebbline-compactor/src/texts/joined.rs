//! Messages as texts, and many of them as one JSON array.

use std::ops::Range;
use std::sync::Arc;

use ebbline::json::Document;
use ebbline::{Error, SessionText};

use crate::error::invalid;

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct MessageText {
    /// How it is written.
    pub(crate) json: Arc<str>,
    /// The pins that name it, a bit for each.
    pub(crate) pins: u64,
}

impl MessageText {
    /// A message that no pin names.
    pub(crate) fn of(json: &str) -> Self {
        Self { json: Arc::from(json), pins: 0 }
    }

    /// The same message, written otherwise.
    pub(crate) fn with(&self, json: &str) -> Self {
        Self { json: Arc::from(json), pins: self.pins }
    }
}

/// The elements of a JSON array, each as it is written.
///
/// # Errors
///
/// `not_json`; `invalid_option` for what is no array.
pub(crate) fn elements(messages: &str) -> Result<Vec<MessageText>, Error> {
    let document = Document::parse(messages)?;
    if !document.root().is_array() {
        return Err(invalid("messages are a JSON array"));
    }
    Ok(document.root().elements().map(|element| MessageText::of(element.source())).collect())
}

/// Messages read as one text.
#[derive(Clone, Debug)]
pub(crate) struct JoinedMessages {
    pub(crate) session: SessionText<'static>,
    /// Where each message stands in it.
    pub(crate) spans: Vec<Range<usize>>,
    /// The parts that are pinned.
    pub(crate) pinned: Vec<usize>,
}

impl JoinedMessages {
    /// The place among the elements of the array of a message that was read.
    pub(crate) fn place_of(&self, message: usize) -> usize {
        place_of(&self.session, &self.spans, message)
    }
}

/// The place of a message among the elements of an array; `spans` are those of the elements.
pub(super) fn place_of(session: &SessionText<'_>, spans: &[Range<usize>], message: usize) -> usize {
    let start = session.span(message).start;
    spans.partition_point(|span| span.end <= start)
}

/// The array of these messages, and where each of them is in it.
pub(crate) fn joined<'t>(messages: impl Iterator<Item = &'t str> + Clone) -> (String, Vec<Range<usize>>) {
    let length: usize = messages.clone().map(|message| message.len() + 1).sum();
    let mut text = String::with_capacity(length + 2);
    let mut spans = Vec::new();
    text.push('[');
    for message in messages {
        if !spans.is_empty() {
            text.push(',');
        }
        let start = text.len();
        text.push_str(message);
        spans.push(start..text.len());
    }
    text.push(']');
    (text, spans)
}

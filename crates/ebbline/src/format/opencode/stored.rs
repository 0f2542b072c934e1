//! Stored messages with their parts.

use super::order::Outline;
use crate::json::{Origins, Text, Value};

/// A message with its parts, wherever they are in the source.
#[derive(Debug)]
pub(super) struct Stored<'d> {
    pub(super) id: Option<Text<'d>>,
    pub(super) session: Option<Text<'d>>,
    pub(super) info: Value<'d>,
    pub(super) parts: Vec<StoredPart<'d>>,
    pub(super) span: std::ops::Range<usize>,
    /// Whether it belongs to another session than the newest one.
    pub(super) is_foreign: bool,
}

/// A part, and its origins if it is inside a string.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredPart<'d> {
    pub(super) id: Option<Text<'d>>,
    pub(super) value: Value<'d>,
    pub(super) origins: Option<&'d Origins>,
}

impl<'d> Stored<'d> {
    /// A message `{info, parts}`.
    pub(super) fn whole(message: Value<'d>) -> Self {
        let info = message.get("info").unwrap_or(message);
        let parts = message.elements_of("parts");
        let parts = parts.map(|value| StoredPart { id: value.text_of("id"), value, origins: None }).collect();
        let (id, session) = (info.text_of("id"), info.text_of("sessionID"));
        Self { id, session, info, parts, span: message.span(), is_foreign: false }
    }

    /// When the message was created, in milliseconds since 1970.
    pub(super) fn created(&self) -> Option<u64> {
        let created = self.info.get("time").and_then(|time| time.get("created"))?.number();
        created.filter(|moment| (0.0..9e15).contains(moment)).map(|moment| moment as u64)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = Value<'d>> {
        self.parts.iter().map(|part| part.value)
    }

    pub(super) fn is(&self, role: &str) -> bool {
        self.info.text_of("role").is_some_and(|text| text.is(role))
    }

    pub(super) fn outline(&self) -> Outline {
        // The database has the id in a column.
        let mut outline = Outline::of(self.info, self.values());
        outline.id = self.id.map(Into::into);
        outline
    }
}

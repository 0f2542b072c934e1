//! Model messages as they are sent, and how stored ones become them.

use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::message::{estimate, flag, to_number};
use super::object::{Json, Object};

/// The model messages of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelMessages {
    messages: Vec<Json>,
}

impl ModelMessages {
    /// The messages, each as `JSON.stringify` writes it.
    #[must_use]
    pub fn messages(&self) -> &[Json] {
        &self.messages
    }

    /// All of them as one list.
    #[must_use]
    pub fn to_json(&self) -> Json {
        Json::list(&self.messages)
    }

    /// The length of that list in UTF-16 units.
    #[must_use]
    pub fn json_length(&self) -> usize {
        JsonSize::of(self).list_length()
    }

    /// The estimated tokens: a quarter of the length, with halves rounded up.
    #[must_use]
    pub fn estimate(&self) -> u64 {
        estimate(self.json_length())
    }

    /// Appends a message and empties `content`; without content no message is appended.
    pub(super) fn push(&mut self, role: &str, content: &mut Vec<Json>) {
        if content.is_empty() {
            return;
        }
        let written = Object::new().word("role", role).json("content", Json::list(&*content).as_str()).end();
        self.messages.push(written);
        content.clear();
    }
}

/// The number of model messages and their length, so that the sizes of slices can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JsonSize {
    count: usize,
    units: usize,
}

impl JsonSize {
    pub(super) fn of(messages: &ModelMessages) -> Self {
        let units = messages.messages.iter().map(Json::utf16_length).sum();
        Self { count: messages.messages.len(), units }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, units: self.units + other.units }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { count: self.count - other.count, units: self.units - other.units }
    }

    /// The length of the list: brackets, and commas between the messages.
    pub(super) fn list_length(self) -> usize {
        2 + self.units + self.count.saturating_sub(1)
    }
}

/// A text in a message.
pub(super) fn text_content(text: &Utf16) -> Json {
    Object::typed("text").text("text", text).end()
}

impl Conversion {
    /// For a summarizer: without media, and with cut outputs.
    pub(super) const FOR_SUMMARY: Self =
        Self { strip_media: true, tool_output_max: Some(2_000.0), tool_output: None };

    /// For a request about what was done, which does not need the outputs.
    pub(super) const WITHOUT_OUTPUTS: Self =
        Self { strip_media: false, tool_output_max: None, tool_output: Some("[TOOL OUTPUT PRUNED]") };

    /// The options `stripMedia` and `toolOutputMaxChars`.
    #[must_use]
    pub fn of(options: Value<'_>) -> Self {
        Self {
            strip_media: flag(options, "stripMedia"),
            tool_output_max: options.present("toolOutputMaxChars").map(to_number),
            tool_output: None,
        }
    }
}

/// How to convert stored messages to model messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// Whether a line of text replaces images and PDFs.
    pub strip_media: bool,
    /// How many UTF-16 units of a tool's output are kept; `None` or 0 for all.
    pub tool_output_max: Option<f64>,
    /// What replaces every output of a completed tool; `None` to keep the outputs.
    pub tool_output: Option<&'static str>,
}

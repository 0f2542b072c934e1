//! Converts stored messages to the model messages that are sent: `toModelMessages`, and then `convertToModelMessages`
//! of the package `ai` (6.0), including the order of keys.
//!
//! The length of their JSON is the basis of every size estimate.

use ebbline::json::{Text, Value};
use ebbline::notation::javascript::Utf16;

use super::answer::{Answer, is_left_out};
use super::media::{attachment_note, file_content, is_media, is_read_as_text};
use super::message::{MARKER_TEXT, StoredMessage, estimate, flag, to_number};
use super::model::Model;
use super::object::{Json, Object};

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

/// Converts stored messages to model messages.
///
/// Calls without an end are answered with an error, so that every call has a result; a failed answer is left out
/// unless it was aborted with content; the thinking of another model becomes plain text without signatures; an empty
/// text between signed thinking becomes a space.
///
/// Source: `MessageV2.toModelMessages` (June 2026); the package `ai` 6.0.168.
///
/// # Example
///
/// ```
/// use ebbline_compat::opencode::{Conversion, Model, StoredMessage, model_messages};
/// let document = ebbline::json::Document::parse(
///     r#"[{"info": {"role": "user"}, "parts": [{"type": "text", "text": "hello"}]}]"#,
/// )?;
/// let messages = StoredMessage::list(document.root())?;
/// let sent = model_messages(&messages, &Model::default(), Conversion::default());
/// assert_eq!(sent.to_json().as_str(), r#"[{"role":"user","content":[{"type":"text","text":"hello"}]}]"#);
/// assert_eq!(sent.estimate(), 15);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn model_messages(
    messages: &[StoredMessage<'_>],
    model: &Model,
    conversion: Conversion,
) -> ModelMessages {
    let mut sent = ModelMessages::default();
    for message in messages {
        if message.is_user() {
            sent.push("user", &mut user_content(*message, conversion));
        } else if message.is_assistant() && !is_left_out(*message) {
            Answer::new(*message, model, conversion).write(*message, &mut sent);
        }
    }
    sent
}

fn user_content(message: StoredMessage<'_>, conversion: Conversion) -> Vec<Json> {
    let mut content = Vec::new();
    for part in message.parts() {
        let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
        match kind.as_ref() {
            "text" if !flag(part, "ignored") && !part.text_of("text").is_some_and(Text::is_empty) => {
                content.push(Object::typed("text").value("text", part.get("text")).end());
            }
            "file" if !is_read_as_text(part) => {
                if conversion.strip_media && is_media(part) {
                    content.push(text_content(&attachment_note(part)));
                } else {
                    content.push(file_content(part));
                }
            }
            "compaction" => content.push(text_content(&Utf16::from(MARKER_TEXT))),
            "subtask" => {
                content.push(text_content(&Utf16::from("The following tool was executed by the user")));
            }
            _ => {}
        }
    }
    content
}

/// A text in a message.
pub(super) fn text_content(text: &Utf16) -> Json {
    Object::typed("text").text("text", text).end()
}

impl Conversion {
    /// For a summariser: without media, and with cut outputs.
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ebbline::json::Document;

    pub(in crate::opencode) const MODEL: &str =
        r#"{"providerID":"p","id":"m","api":{"npm":"@ai-sdk/anthropic","id":"m"}}"#;

    pub(in crate::opencode) fn sent(messages: &str, model: &str, conversion: Conversion) -> String {
        let (messages, model) = (Document::parse(messages).unwrap(), Document::parse(model).unwrap());
        let messages = StoredMessage::list(messages.root()).unwrap();
        let sent = model_messages(&messages, &Model::of(Some(model.root())), conversion);
        assert_eq!(sent.json_length(), sent.to_json().as_str().encode_utf16().count());
        sent.to_json().as_str().to_owned()
    }

    fn user(parts: &str) -> String {
        format!(r#"[{{"info":{{"role":"user"}},"parts":[{parts}]}}]"#)
    }

    #[test]
    fn a_users_parts_are_texts_files_and_markers() {
        let cases = [
            (r#"{"type":"text","text":""},{"type":"text","text":"x","ignored":true}"#, "[]"),
            (
                r#"{"type":"compaction"},{"type":"subtask"}"#,
                r#"[{"role":"user","content":[{"type":"text","text":"What did we do so far?"},{"type":"text","text":"The following tool was executed by the user"}]}]"#,
            ),
            (r#"{"type":"file","mime":"text/plain","url":"file:///a"}"#, "[]"),
            (
                r#"{"type":"file","mime":"image/gif","url":"data:,R"}"#,
                r#"[{"role":"user","content":[{"type":"file","mediaType":"image/gif","data":"data:,R"}]}]"#,
            ),
        ];
        for (parts, expected) in cases {
            assert_eq!(sent(&user(parts), MODEL, Conversion::default()), expected, "{parts}");
        }
        let stripped = sent(
            &user(r#"{"type":"file","mime":"application/pdf","url":"u","filename":"a.pdf"}"#),
            MODEL,
            Conversion::FOR_SUMMARY,
        );
        assert!(stripped.contains("[Attached application/pdf: a.pdf]"), "{stripped}");
    }
}

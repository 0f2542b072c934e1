//! Converts stored messages to the model messages that are sent: `toModelMessages`, and then `convertToModelMessages`
//! of the package `ai` (6.0), including the order of keys.
//!
//! The length of their JSON is the basis of every size estimate.

use ebbline::json::Text;
use ebbline::notation::javascript::Utf16;

use super::answer::{Answer, is_left_out};
use super::media::{attachment_note, file_content, is_media, is_read_as_text};
use super::message::{MARKER_TEXT, StoredMessage, flag};
use super::model::Model;
use super::object::{Json, Object};
use super::sent::{Conversion, ModelMessages, text_content};

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

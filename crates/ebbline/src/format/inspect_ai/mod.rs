//! Inspect AI logs: an evaluation of samples, each of them a conversation.
//!
//! The first sample is the session; the others are inactive. A log records an evaluation that has been scored and is
//! never continued, so it has no place for a summary.
//!
//! Structures from the package `inspect-ai` 0.3 (`model/_chat_message.py`, `_util/content.py`).

mod entry;

pub(super) use entry::ENTRY;

use std::collections::HashMap;

use super::media::{ANY, priced};
use super::openai_chat::{has_text, joined, sole_text};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

/// The beginning of a reference to a text or image that is stored once per sample.
const ATTACHED: &str = "attachment://";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let log = source.root().filter(|root| !source.is_lines && root.get("samples").is_some());
    if let Some(log) = log {
        for (index, sample) in log.elements_of("samples").enumerate() {
            Sample::of(sample, index == 0).read(sample.elements_of("messages"), recorder);
        }
    } else {
        let alone = source.root().filter(|root| !source.is_lines && root.is_object());
        let sample = alone.map_or_else(Sample::default, |sample| Sample::of(sample, true));
        sample.read(source.list().into_iter(), recorder);
    }
    Ok(SummaryPlacement::None)
}

/// One conversation of the log.
#[derive(Default)]
struct Sample<'d> {
    is_beside: bool,
    attachments: HashMap<String, Text<'d>>,
    /// The usage of the last request.
    usage: Option<u32>,
}

impl<'d> Sample<'d> {
    fn of(sample: Value<'d>, is_first: bool) -> Self {
        let attachments = sample.get("attachments").into_iter().flat_map(Value::members);
        let output = sample.get("output").and_then(|output| output.get("usage"));
        Self {
            is_beside: !is_first,
            attachments: attachments
                .filter_map(|(name, value)| Some((name.decode().into_owned(), value.text()?)))
                .collect(),
            usage: usage::total(output, &usage::PYDANTIC_AI),
        }
    }

    fn read(&self, messages: impl Iterator<Item = Value<'d>>, recorder: &mut Recorder) {
        let messages: Vec<_> = messages.collect();
        let role = |message: &Value<'d>| message.text_of("role").map(Text::decode);
        let last = messages.iter().rposition(|message| role(message).as_deref() == Some("assistant"));
        let mut has_person = false;
        for (index, message) in messages.iter().copied().enumerate() {
            let content = message.present("content");
            let begun = match role(&message).as_deref() {
                Some("system") => Message::new(Role::System),
                Some("user") => {
                    // Messages by which an agent's loop keeps the model going are not marked as input.
                    let is_input = message.text_of("source").is_some_and(|source| source.is("input"));
                    let is_person = is_input || !has_person;
                    has_person = true;
                    let turn = if is_person { Turn::Person } else { Turn::Synthetic };
                    Message { turn, ..Message::new(Role::User) }
                }
                Some("assistant") => {
                    let ended = has_text(content) && message.elements_of("tool_calls").next().is_none();
                    let usage = self.usage.filter(|_| last == Some(index));
                    Message { ended, usage, ..Message::new(Role::Assistant) }
                }
                Some("tool") => Message::new(Role::Tool),
                _ => Message::new(Role::Other),
            };
            recorder.begin(Message { active: !self.is_beside, ..begun }, message.span());
            if begun.role == Role::Tool {
                self.read_result(message, content, recorder);
                continue;
            }
            self.read_content(content, recorder);
            for call in message.elements_of("tool_calls") {
                recorder.call(call.text_of("id"), call.text_of("function"), call.get("arguments"));
            }
        }
    }

    /// Resolves a text that names an attachment.
    fn resolve(&self, text: Text<'d>) -> Text<'d> {
        let decoded = text.decode();
        let attached = decoded.strip_prefix(ATTACHED).and_then(|name| self.attachments.get(name));
        attached.copied().unwrap_or(text)
    }

    fn length(&self, value: Value<'d>) -> Length {
        value.text().map_or_else(|| length_of_value(value), |text| self.resolve(text).length())
    }

    fn read_content(&self, content: Option<Value<'d>>, recorder: &mut Recorder) {
        let Some(content) = content else { return };
        if let Some(text) = content.text() {
            if !text.is_empty() {
                recorder.text(PartKind::Text, Some(self.resolve(text)));
            }
            return;
        }
        for block in content.elements() {
            let text = |key: &str| block.text_of(key).map(|text| self.resolve(text));
            match block.text_of("type").map(Text::decode).as_deref() {
                Some("text") => recorder.text(PartKind::Text, text("text")),
                Some("reasoning") => {
                    // Redacted content is opaque: it is sent back unchanged and is not text.
                    let is_redacted = block.get("redacted").is_some_and(Value::is_truthy);
                    recorder.text(PartKind::Thinking, text("reasoning").filter(|_| !is_redacted));
                    recorder.sign(block.text_of("signature"));
                    recorder.sign(block.text_of("reasoning").filter(|_| is_redacted));
                }
                Some(kind @ ("image" | "audio" | "video" | "document")) => {
                    let data = block.get(kind);
                    let length = data.map(|data| self.length(data)).unwrap_or_default();
                    let sort = media_kind(kind);
                    recorder.media(sort, priced(sort, length, data, block, ANY), None);
                }
                // A tool that the provider runs: call and result are one block, which is sent back unchanged.
                Some("tool_use") => {
                    recorder.call(block.text_of("id"), block.text_of("name"), block.get("arguments"));
                    let result = block.get("result");
                    let length = result.map(length_of_value).unwrap_or_default();
                    let part = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
                    recorder.result(block.text_of("id"), None, part, None);
                    recorder.set_places(result.map(Value::span));
                }
                _ => recorder.value(PartKind::Other, Some(block)),
            }
        }
    }

    fn read_result(&self, message: Value<'d>, content: Option<Value<'d>>, recorder: &mut Recorder) {
        let id = message.text_of("tool_call_id");
        let name = message.text_of("function");
        // If a tool failed, the model gets the error.
        let error = message.present("error").filter(|error| error.text_of("message").is_some());
        if let Some(error) = error {
            let text = error.text_of("message").map(|text| self.resolve(text));
            let length = text.map(Text::length).unwrap_or_default();
            let output = recorder.output_of(text, id, true);
            let part = Part { output, ..Part::new(PartKind::ToolResult, length) };
            recorder.result(id, name, part, Some(Slot::of_member(error, "message", Shape::Text)));
            return recorder.set_places(text.map(Text::span));
        }
        let blocks = || content.into_iter().flat_map(Value::elements);
        let one = content.and_then(Value::text).map(|text| self.resolve(text));
        let texts: Vec<_> = one
            .into_iter()
            .chain(blocks().filter_map(|block| block.text_of("text")).map(|text| self.resolve(text)))
            .collect();
        let (length, pieces) = joined(texts.iter().copied());
        let media = || blocks().filter(|block| block.get("text").is_none());
        // Images belong to a call's result. Without a call they would stay after pruning, and so must the result.
        let is_fixed = id.is_none() && media().next().is_some();
        let output = match one.or_else(|| sole_text(content)) {
            _ if is_fixed => Output::Sealed,
            text => recorder.output_of(text, id, false),
        };
        let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
        let slot = Slot::of_member(message, "content", Shape::Text);
        let call = recorder.result(id, name, part, Some(slot).filter(|_| !is_fixed));
        recorder.set_places(texts.into_iter().map(Text::span));
        for block in media() {
            let kind = block.text_of("type").map(Text::decode).unwrap_or_default();
            let data = block.get(&kind);
            let length = data.map_or_else(|| length_of_value(block), |data| self.length(data));
            let sort = media_kind(&kind);
            recorder.media(sort, priced(sort, length, data, block, ANY), call);
        }
    }
}

fn media_kind(kind: &str) -> PartKind {
    if kind == "image" { PartKind::Image } else { PartKind::File }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::transcript::{Output, PartKind, Turn};

    fn log(samples: &str) -> String {
        format!(r#"{{"version":2,"eval":{{"task":"t"}},"samples":[{samples}]}}"#)
    }

    #[test]
    fn the_first_sample_is_the_session() {
        let sample = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"output":{"usage":{"total_tokens":9}}}"#;
        let session = read(&log(&format!("{sample},{sample}")));
        let messages = session.transcript().messages();
        assert_eq!(
            messages.iter().map(|message| message.active).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert_eq!((messages[1].usage, messages[0].usage), (Some(9), None));
    }

    #[test]
    fn attachments_are_measured_where_they_are_named() {
        let text = log(concat!(
            r#"{"attachments":{"aa":"data:image/png;base64,iVBO","bb":"a long text"},"messages":["#,
            r#"{"role":"user","content":[{"type":"text","text":"attachment://bb"},{"type":"image","image":"attachment://aa"},{"type":"text","text":"attachment://no"}]},"#,
            r#"{"role":"tool","tool_call_id":"c","function":"f","content":"attachment://bb"}]}"#
        ));
        let session = read(&text);
        let lengths: Vec<_> = session.transcript().parts().iter().map(|part| part.length.utf16).collect();
        assert_eq!(lengths, [11, 26, 15, 11]);
        assert_eq!(session.transcript().parts()[1].kind, PartKind::Image);
    }

    #[test]
    fn calls_results_and_errors() {
        let long = "x".repeat(200);
        let text = |result: &str, error: &str| {
            log(&format!(
                concat!(
                    r#"{{"messages":[{{"role":"user","content":"a","source":"input"}},{{"role":"assistant","content":[{{"type":"reasoning","reasoning":"gAAA","redacted":true}},"#,
                    r#"{{"type":"tool_use","id":"s","name":"web_search","arguments":"{{}}","result":"r"}}],"tool_calls":[{{"id":"c","function":"f","arguments":{{}}}},{{"id":"d","function":"g","arguments":{{}}}}]}},"#,
                    r#"{{"role":"tool","tool_call_id":"c","function":"f","content":{}}},"#,
                    r#"{{"role":"tool","tool_call_id":"d","function":"g","content":"","error":{{"type":"timeout","message":{}}}}},"#,
                    r#"{{"role":"user","content":"Please proceed."}}]}}"#
                ),
                result, error
            ))
        };
        let list = format!(r#"[{{"type":"text","text":"{long}"}},{{"type":"image","image":"data:x"}}]"#);
        let source = text(&list, &format!("{long:?}"));
        let session = read(&source);
        let parts = session.transcript().parts_of(1);
        assert!(parts[0].signed && parts[0].length.utf16 == 0);
        assert_eq!(
            (parts[2].output, session.transcript().parts_of(3)[0].output),
            (Output::Sealed, Output::Error)
        );
        assert_eq!(session.transcript().messages()[4].turn, Turn::Synthetic);
        let counts = session.counts();
        assert_eq!((counts.calls_without_result, counts.results_without_call, counts.images), (0, 0, 1));
        let placeholder = r#""[Old tool result content cleared]""#;
        assert_eq!(pruned(&source, false), text(placeholder, placeholder));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let text = log(
            r#"7,null,{},{"messages":7,"attachments":7},{"messages":[7,{"role":"tool","error":{"message":"e"}},{"role":"tool","content":[{"type":"image"}]},{"role":"assistant","content":[7],"tool_calls":[7]}]}"#,
        );
        assert_eq!(read(&text).counts().messages, 4);
        pruned(&text, true);
    }
}

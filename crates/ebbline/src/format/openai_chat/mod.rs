//! OpenAI Chat Completions messages: a list, a request, or a line each.
//!
//! Structures from `resources/chat/completions` of npm `openai` 6.49.

mod entry;
pub(super) mod summary;

pub(super) use entry::ENTRY;

use std::collections::{HashMap, VecDeque};

use super::media::{OPENAI, priced};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::signs::is;
use super::slot::{Shape, Slot};
use super::source::Source;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// The role of a message in which Hermes Agent's gateway describes the session. No model gets it.
const ABOUT_SESSION: &str = "session_meta";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let messages = messages_of(source);
    // Hermes Agent exports its prompt beside the messages. Where one of them is the prompt, it is counted there.
    let is_apart = !messages.first().is_some_and(|first| is(*first, "role", "system") || is(*first, "role", "developer"));
    if let Some(system) = source.root().filter(|_| is_apart).and_then(|root| root.text_of("system_prompt")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        recorder.text(PartKind::Text, Some(system));
    }
    let mut open = OpenFunctions::default();
    for message in messages {
        read_message(message, &mut open, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

/// Calls of the deprecated kind, which have no ids: a result answers the oldest open call with its name.
#[derive(Debug, Default)]
struct OpenFunctions {
    made: usize,
    open: HashMap<String, VecDeque<u32>>,
}

impl OpenFunctions {
    fn call(&mut self, name: Option<Text<'_>>, recorder: &mut Recorder) -> Option<u32> {
        let name = name?.decode().into_owned();
        self.made += 1;
        // No provider produces such an id.
        let call = recorder.pair(&format!("\0function {}", self.made));
        self.open.entry(name).or_default().push_back(call);
        Some(call)
    }

    fn answer(&mut self, name: Option<Text<'_>>) -> Option<u32> {
        self.open.get_mut(name?.decode().as_ref())?.pop_front()
    }
}

fn read_message(message: Value<'_>, open: &mut OpenFunctions, recorder: &mut Recorder) {
    let role = message.text_of("role").map(Text::decode).unwrap_or_default();
    let content = message.present("content");
    let calls = message.elements_of("tool_calls").count();
    let said = content.and_then(Value::text);
    match role.as_ref() {
        "user" => {
            recorder.begin(Message::person(), message.span());
            recorder.check_summary(said);
        }
        "assistant" => {
            let ended = calls == 0 && message.present("function_call").is_none() && has_text(content);
            recorder.begin(Message { ended, ..Message::new(Role::Assistant) }, message.span());
            recorder.check_summary(said);
        }
        "tool" | "function" => {
            recorder.begin(Message::new(Role::Tool), message.span());
            let is_function = role == "function" && message.text_of("tool_call_id").is_none();
            let answered = if is_function { open.answer(message.text_of("name")) } else { None };
            return read_result(message, answered, content, recorder);
        }
        "system" | "developer" => {
            recorder.begin(Message::new(Role::System), message.span());
            recorder.check_summary(said);
        }
        ABOUT_SESSION => {
            recorder.begin(Message { active: false, ..Message::new(Role::Other) }, message.span());
        }
        _ => recorder.begin(Message::new(Role::Other), message.span()),
    }
    read_thinking(message, recorder);
    read_content(content, recorder);
    if let Some(refusal) = message.text_of("refusal") {
        recorder.text(PartKind::Text, Some(refusal));
    }
    for call in message.elements_of("tool_calls") {
        read_call(call, recorder);
    }
    if let Some(function) = message.present("function_call") {
        let name = function.text_of("name");
        let call = open.call(name, recorder);
        recorder.call_as(call, name.map(Text::decode).as_deref(), function.get("arguments"));
    }
}

/// Thinking as a text (`DeepSeek`) or as details (`OpenRouter`), which also contain signatures or encrypted data.
fn read_thinking(message: Value<'_>, recorder: &mut Recorder) {
    let details = || message.elements_of("reasoning_details");
    let sign = |detail: Value<'_>, recorder: &mut Recorder| {
        recorder.sign(detail.text_of("signature"));
        recorder.sign(detail.text_of("data"));
    };
    let mut has_text = false;
    for thinking in ["reasoning_content", "reasoning"].into_iter().filter_map(|key| message.text_of(key)) {
        has_text = true;
        recorder.text(PartKind::Thinking, Some(thinking));
        details().for_each(|detail| sign(detail, recorder));
    }
    if has_text {
        return;
    }
    for detail in details() {
        let text = detail.text_of("text").or_else(|| detail.text_of("summary"));
        if text.is_some() || detail.text_of("data").is_some() {
            recorder.text(PartKind::Thinking, text);
            sign(detail, recorder);
        }
    }
}

/// The content of a message: a text, or a list of texts, images and files.
pub(super) fn read_content(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("image_url") => recorder.media(PartKind::Image, image_length(block), None),
            Some("input_audio" | "audio_url" | "file" | "video_url" | "input_video") => {
                let length = priced(PartKind::File, length_of_value(block), data_of(block), block, OPENAI);
                recorder.media(PartKind::File, length, None);
            }
            Some("refusal") => recorder.text(PartKind::Text, block.text_of("refusal")),
            Some(_) | None => match block.text_of("text") {
                Some(text) => recorder.text(PartKind::Text, Some(text)),
                None => recorder.value(PartKind::Other, Some(block)),
            },
        }
    }
}

/// The data of a file or of audio, or its name.
fn data_of(block: Value<'_>) -> Option<Value<'_>> {
    let holders = ["file", "input_audio", "audio_url", "video_url", "input_video"];
    let holder = holders.into_iter().find_map(|key| block.present(key))?;
    let keys = ["file_data", "data", "url", "file_id"];
    if holder.is_string() { Some(holder) } else { keys.into_iter().find_map(|key| holder.present(key)) }
}

/// A tool message: the placeholder replaces its whole content.
fn read_result(
    message: Value<'_>,
    answered: Option<u32>,
    content: Option<Value<'_>>,
    recorder: &mut Recorder,
) {
    let text = content.and_then(Value::text);
    let (length, pieces) = text.map_or_else(
        || joined(content.into_iter().flat_map(Value::elements).filter_map(|block| block.text_of("text"))),
        |text| (text.length(), 1),
    );
    let sole = text.or_else(|| sole_text(content));
    let id = message.text_of("tool_call_id").filter(|_| answered.is_none());
    let output = recorder.output_of(sole, id, false);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(message, "content", Shape::Text);
    let name = message.text_of("name");
    match answered {
        Some(call) => {
            recorder.result_as(Some(call), name.map(Text::decode).as_deref(), part, Some(slot));
        }
        None => drop(recorder.result(id, name, part, Some(slot))),
    }
    recorder.set_text_places(content);
}

/// The total length of several texts, and their number.
pub(super) fn joined<'d>(texts: impl Iterator<Item = Text<'d>>) -> (Length, u16) {
    let (length, count) = texts.fold((Length::default(), 0_u16), |(length, count), text| {
        (length.plus(text.length()), count.saturating_add(1))
    });
    (length, count)
}

/// The text of a list that contains one block, which is a text.
pub(super) fn sole_text(content: Option<Value<'_>>) -> Option<Text<'_>> {
    let mut blocks = content?.elements();
    let first = blocks.next()?;
    if blocks.next().is_some() { None } else { first.text_of("text") }
}

/// Whether the content contains text that is not blank.
pub(super) fn has_text(content: Option<Value<'_>>) -> bool {
    let Some(content) = content else { return false };
    match content.text() {
        Some(text) => !text.is_blank(),
        None => content.elements().filter_map(|block| block.text_of("text")).any(|text| !text.is_blank()),
    }
}

/// The messages of a list or a request, or the first choice of a response.
fn messages_of<'d>(source: &'d Source<'_>) -> Vec<Value<'d>> {
    let choices =
        source.root().filter(|_| !source.is_lines).and_then(|root| root.elements_of("choices").next());
    choices.and_then(|choice| choice.get("message")).map_or_else(|| source.list(), |answer| vec![answer])
}

/// One call of an answer.
pub(super) fn read_call(call: Value<'_>, recorder: &mut Recorder) {
    let function = call.get("function").or_else(|| call.get("custom"));
    let name = function.and_then(|function| function.text_of("name"));
    let arguments = function.and_then(|function| function.get("arguments").or_else(|| function.get("input")));
    recorder.call(call.text_of("id"), name, arguments);
    // Gemini's compatible endpoint stores a call's signature here.
    let google = call.get("extra_content").and_then(|extra| extra.get("google"));
    recorder.sign(google.and_then(|google| google.text_of("thought_signature")));
}

/// The length of an image's URL, which may contain the image itself.
pub(super) fn image_length(block: Value<'_>) -> Length {
    let image = block.get("image_url");
    let url = image.and_then(|image| image.text_of("url").or_else(|| image.text()));
    url.map(Text::length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_text::SessionText;

    #[test]
    fn what_hermes_exports_is_read_and_its_prompt_counted_once() {
        let said = r#"{"role":"user","content":"u"}"#;
        let about = r#"{"role":"session_meta","content":null,"tools":"[]"}"#;
        let system = r#"{"role":"system","content":"S"}"#;
        for (first, roles) in [(about, ["system", "user"]), (system, ["system", "user"])] {
            let source = format!(r#"{{"system_prompt":"S","messages":[{first},{said}]}}"#);
            let session = SessionText::read(&source).unwrap();
            let sent = session.transcript().messages().iter().filter(|message| message.active);
            assert_eq!(sent.map(|message| message.role.as_str()).collect::<Vec<_>>(), roles, "{source}");
        }
    }

    #[test]
    fn calls_of_the_deprecated_kind_are_paired_by_name_and_order() {
        let call = |name: &str| {
            format!(
                r#"{{"role":"assistant","content":null,"function_call":{{"name":"{name}","arguments":"{{}}"}}}}"#
            )
        };
        let result = |name: &str| format!(r#"{{"role":"function","name":"{name}","content":"x"}}"#);
        let cases = [
            (vec![call("f"), result("f"), call("f"), result("f")], (0, 0)),
            (vec![call("f"), call("g"), result("g"), result("f")], (0, 0)),
            (vec![call("f"), result("g")], (1, 0)),
            (vec![result("f"), call("f")], (1, 0)),
        ];
        for (messages, orphans) in cases {
            let source = format!(r#"[{{"role":"user","content":"u"}},{}]"#, messages.join(","));
            let counts = SessionText::read(&source).unwrap().counts();
            assert_eq!((counts.calls_without_result, counts.results_without_call), orphans, "{source}");
        }
    }

    #[test]
    fn thinking_is_found_wherever_a_server_puts_it() {
        let cases = [
            (r#""reasoning_content":"abc""#, vec![(3, false)]),
            (
                r#""reasoning":"abc","reasoning_details":[{"type":"reasoning.text","text":"abc","signature":"s"}]"#,
                vec![(3, true)],
            ),
            (
                r#""reasoning_details":[{"type":"reasoning.text","text":"ab","signature":"s"},{"type":"reasoning.summary","summary":"c"}]"#,
                vec![(2, true), (1, false)],
            ),
            (
                r#""reasoning_details":[{"type":"reasoning.encrypted","data":"AAAA"},null,{"format":"x"}]"#,
                vec![(0, true)],
            ),
        ];
        for (members, expected) in cases {
            let source = format!(r#"[{{"role":"assistant","content":null,"tool_calls":[],{members}}}]"#);
            let session = SessionText::read(&source).unwrap();
            let thinking =
                session.transcript().parts_of(0).iter().filter(|part| part.kind == PartKind::Thinking);
            let found: Vec<_> = thinking.map(|part| (part.length.utf16, part.signed)).collect();
            assert_eq!(found, expected, "{members}");
        }
    }
}

#[cfg(test)]
mod response_tests {
    use crate::format::carried_out::read;

    #[test]
    fn the_first_choice_of_a_response_is_its_message() {
        let session = read(concat!(
            r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"#,
            r#""tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]}},"#,
            r#"{"index":1,"message":{"role":"assistant","content":"b"}}]}"#
        ));
        let counts = session.counts();
        assert_eq!((counts.messages, counts.calls), (1, 1));
    }
}

//! Model messages of the Vercel AI SDK: `ModelMessage` of version 5 and later, `CoreMessage` of version 4.
//!
//! Structures from `modelMessageSchema` of npm `ai` 6.0.326.

mod entry;
mod summary;

pub(super) use entry::ENTRY;

use std::borrow::Cow;

use super::media::{ANY, data_length, priced};
use super::openai_chat::{joined, sole_text};
use super::placement::SummaryPlacement;
use super::provider_metadata::{item_of, signature_of};
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use crate::error::Error;
use crate::json::{Text, Value, compact_length};
use crate::length::Length;
use crate::notation::javascript::stringified_length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// The text that providers get for a call that the user refused without a reason.
const DENIED: &str = "Tool execution denied.";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    // A call of `generateText` has its instructions beside the messages.
    let root = source.root().filter(|_| !source.is_lines);
    if let Some(system) = root.and_then(|root| root.get("system")).filter(|system| system.is_string()) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        recorder.text(PartKind::Text, system.text());
    }
    for message in source.list() {
        read_message(message, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let content = message.get("content");
    let begun = match message.text_of("role").map(Text::decode).as_deref() {
        Some("system") => Message::new(Role::System),
        Some("user") => Message::person(),
        Some("assistant") => Message { ended: has_ended(content), ..Message::new(Role::Assistant) },
        Some("tool") => Message { continues: only_permits(content), ..Message::new(Role::Tool) },
        _ => Message::new(Role::Other),
    };
    recorder.begin(begun, message.span());
    if begun.role == Role::User {
        recorder.check_summary(content.and_then(Value::text).or_else(|| sole_text(content)));
    }
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for part in content.elements() {
        read_part(part, begun.role, recorder);
    }
}

/// Whether a tool message contains only the user's approvals of calls, and no results. It comes between calls and
/// results but separates nothing, because it is not sent.
fn only_permits(content: Option<Value<'_>>) -> bool {
    let mut parts = content.into_iter().flat_map(Value::elements).peekable();
    parts.peek().is_some() && parts.all(|part| is_type(part, "tool-approval-response"))
}

/// An answer with text and without open calls ends the turn.
fn has_ended(content: Option<Value<'_>>) -> bool {
    let parts = || content.into_iter().flat_map(Value::elements);
    let calls = parts().any(|part| is_type(part, "tool-call") && !is_by_provider(part));
    let says = content.and_then(Value::text).is_some_and(|text| !text.is_blank())
        || parts().filter_map(text_of_part).any(|text| !text.is_blank());
    says && !calls
}

fn is_type(part: Value<'_>, name: &str) -> bool {
    part.text_of("type").is_some_and(|kind| kind.is(name))
}

fn is_by_provider(part: Value<'_>) -> bool {
    part.get("providerExecuted").is_some_and(Value::is_truthy)
}

fn text_of_part(part: Value<'_>) -> Option<Text<'_>> {
    part.text_of("text").filter(|_| is_type(part, "text"))
}

fn read_part(part: Value<'_>, role: Role, recorder: &mut Recorder) {
    let options = part.get("providerOptions");
    match part.text_of("type").map(Text::decode).as_deref() {
        Some("text") => {
            recorder.text(PartKind::Text, part.text_of("text"));
            recorder.sign(signature_of(options));
        }
        Some("reasoning") => {
            recorder.text(PartKind::Thinking, part.text_of("text"));
            recorder.sign(signature_of(options));
            recorder.sign(item_of(options));
            recorder.sign(part.text_of("signature"));
        }
        // Content that the server encrypted is sent, but its number of tokens is unknown.
        Some("redacted-reasoning") => {
            recorder.text(PartKind::Thinking, None);
            recorder.sign(part.text_of("data"));
        }
        Some("image") => {
            recorder.media(PartKind::Image, part.get("image").map(data_length).unwrap_or_default(), None);
        }
        Some("file" | "reasoning-file") => recorder.media(media_kind(part), media_length(part), None),
        Some("tool-call") => {
            let arguments = part.get("input").or_else(|| part.get("args"));
            recorder.call(part.text_of("toolCallId"), part.text_of("toolName"), arguments);
            recorder.sign(signature_of(options));
        }
        Some("tool-result") => read_result(part, role == Role::Assistant, recorder),
        // Between the SDK and the application; they are not sent to the model.
        Some("tool-approval-request" | "tool-approval-response") => {}
        _ => recorder.value(PartKind::Other, Some(part)),
    }
}

/// The output of a tool: `output` with its type, or the bare `result` in version 4.
struct Answer<'d> {
    kind: Cow<'d, str>,
    value: Option<Value<'d>>,
    /// The blocks that are sent instead of a single value.
    blocks: Option<Value<'d>>,
    /// Whether the blocks are beside the result (version 4); both cannot be pruned together.
    beside: bool,
}

impl<'d> Answer<'d> {
    fn of(part: Value<'d>) -> Self {
        Self::of_output(part.get("output"), part)
    }

    /// The same with an output that stands elsewhere.
    fn of_output(output: Option<Value<'d>>, part: Value<'d>) -> Self {
        let typed = output.filter(|output| output.is_object());
        let kind = typed.and_then(|output| output.text_of("type")).map(Text::decode).unwrap_or_default();
        let value = match typed {
            Some(output) if kind == "execution-denied" => output.present("reason"),
            Some(output) => output.get("value"),
            None => output.or_else(|| part.get("result")),
        };
        let beside = part.present("experimental_content").filter(|_| output.is_none());
        let blocks = if kind == "content" { value } else { beside };
        Self { kind, value, blocks, beside: beside.is_some() }
    }

    fn failed(&self) -> bool {
        self.kind.starts_with("error-") || self.kind == "execution-denied"
    }

    /// Whether the value is sent as JSON even if it is a text.
    fn is_json(&self) -> bool {
        self.kind == "json" || self.kind == "error-json"
    }

    /// The length, and the number of texts.
    fn length(&self) -> (Length, u16) {
        match self.value {
            _ if self.blocks.is_some() => joined(self.each_block().filter_map(text_of_part)),
            Some(value) if self.is_json() => (compact_length(value), 1),
            Some(value) => (length_of_value(value), 1),
            None if self.kind == "execution-denied" => (Length::of(DENIED), 1),
            None => (Length::default(), 1),
        }
    }

    /// The text that providers get for a value that is not a text.
    fn written(&self) -> Option<usize> {
        let value = self.value.filter(|value| self.is_json() || !value.is_string());
        value.filter(|_| self.blocks.is_none()).map(stringified_length)
    }

    /// The text, if the output is one: it may be the placeholder.
    fn said(&self) -> Option<Text<'d>> {
        if self.kind == "content" { sole_text(self.value) } else { self.value.and_then(Value::text) }
    }

    fn each_block(&self) -> impl Iterator<Item = Value<'d>> {
        self.blocks.into_iter().flat_map(Value::elements)
    }
}

/// A tool result. The provider made a result that is inside the answer.
fn read_result(part: Value<'_>, by_provider: bool, recorder: &mut Recorder) {
    let names = [part.text_of("toolCallId"), part.text_of("toolName")];
    let has_failed = part.get("isError").is_some_and(Value::is_truthy);
    let slot = (!by_provider).then(|| slot_of(part));
    read_answer(names, &Answer::of(part), has_failed, slot, &[], recorder);
}

/// An output with its type that stands in the member `key` of `holder`: the result of a call with this id and of this
/// tool. The file stores `copies` of it.
pub(super) fn read_told(
    names: [Option<Text<'_>>; 2],
    holder: Value<'_>,
    key: &str,
    copies: &[Slot],
    recorder: &mut Recorder,
) {
    let slot = Slot::of_member(holder, key, TYPED);
    read_answer(names, &Answer::of_output(holder.get(key), holder), false, Some(slot), copies, recorder);
}

/// Records the result of a call with this id and of this tool; without a slot it stays.
fn read_answer(
    [id, tool]: [Option<Text<'_>>; 2],
    answer: &Answer<'_>,
    has_failed: bool,
    slot: Option<Slot>,
    copies: &[Slot],
    recorder: &mut Recorder,
) {
    let is_media = |block: &Value<'_>| !is_type(*block, "text") && !is_type(*block, "custom");
    let media: Vec<_> = answer.each_block().filter(is_media).collect();
    // Media belong to a result by its id, so without an id they would stay.
    let slot = slot.filter(|_| !answer.beside && (id.is_some() || media.is_empty()));
    let output = match slot {
        Some(_) => recorder.output_of(answer.said(), id, answer.failed() || has_failed),
        None => Output::Sealed,
    };
    let (length, pieces) = answer.length();
    let result = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result(id, tool, result, slot);
    recorder.set_native_length(answer.written());
    match answer.blocks {
        Some(_) => recorder.set_text_places(answer.blocks),
        None => recorder.set_places(answer.value.map(Value::span)),
    }
    for copy in copies {
        recorder.add_copy(copy.clone());
    }
    for block in media {
        recorder.media(media_kind(block), media_length(block), call);
    }
}

/// How a text is written in the place of an output with its type.
const TYPED: Shape = Shape::Within(r#"{"type":"text","value":"#, "}");

/// A text is a valid replacement of any output.
fn slot_of(part: Value<'_>) -> Slot {
    if part.get("output").is_none() && part.get("result").is_some() {
        Slot::of_member(part, "result", Shape::Text)
    } else {
        Slot::of_member(part, "output", TYPED)
    }
}

/// Whether a file is an image: by its type or else by its media type.
pub(super) fn media_kind(part: Value<'_>) -> PartKind {
    let media = ["mediaType", "mimeType", "contentType"].into_iter().find_map(|key| part.text_of(key));
    let is_image = part.text_of("type").is_some_and(|kind| kind.starts_with("image"))
        || media.is_some_and(|media| media.starts_with("image/"));
    if is_image { PartKind::Image } else { PartKind::File }
}

/// A file's data, its URL, or the name under which the provider keeps it.
pub(super) fn file_of(part: Value<'_>) -> Option<Value<'_>> {
    let named = || part.get("url").or_else(|| part.get("fileId")).filter(|name| name.is_string());
    data_of(part).or_else(named)
}

/// A file's data; in version 7 it may stand in an object that says what it is.
fn data_of(part: Value<'_>) -> Option<Value<'_>> {
    let data = part.present("data")?;
    let told = data.text_of("type").map(Text::decode);
    let inner = told.filter(|told| ["data", "url", "text"].contains(&told.as_ref()));
    Some(inner.and_then(|key| data.present(&key)).unwrap_or(data))
}

/// The length of a file's data, its URL, or the name under which the provider keeps it.
pub(super) fn media_length(part: Value<'_>) -> Length {
    let named = || part.text_of("url").or_else(|| part.text_of("fileId")).map(Text::length);
    let length = data_of(part).map(data_length).or_else(named).unwrap_or_default();
    priced(media_kind(part), length, file_of(part), part, ANY)
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::outline::{cleared, outline};

    fn outlined(messages: &str) -> String {
        outline(&format!("[{messages}]"), Format::VercelModel)
    }

    fn result(member: &str) -> String {
        format!(r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c"{member}}}]}}"#)
    }

    #[test]
    fn each_kind_of_output_is_measured_as_it_is_sent() {
        let content = r#"[{"type":"text","text":"abc"},{"type":"image-data","data":"iVBO"},{"type":"media",
            "mediaType":"text/csv","data":"YQ=="},{"type":"custom"}]"#;
        let cases = [
            (r#","output":{"type":"text","value":"abc"}"#.to_owned(), "t =0:3"),
            (r#","output":{"type":"json","value":"abc"}"#.to_owned(), "t =0:5"),
            (r#","output":{"type":"json","value":{"a": 1}}"#.to_owned(), "t =0:7"),
            (r#","output":{"type":"error-text","value":"abc"}"#.to_owned(), "t =x0:3"),
            (r#","output":{"type":"error-json","value":[1]}"#.to_owned(), "t =x0:3"),
            (r#","output":{"type":"execution-denied"}"#.to_owned(), "t =x0:22"),
            (r#","output":{"type":"execution-denied","reason":"no"}"#.to_owned(), "t =x0:2"),
            (format!(r#","output":{{"type":"content","value":{content}}}"#), "t =0:3 image0:4 file0:4"),
            (
                r#","output":{"type":"text","value":"[Old tool result content cleared]"}"#.to_owned(),
                "t =h0:33",
            ),
            (r#","result":"abc""#.to_owned(), "t =0:3"),
            (r#","result":{"a": null}"#.to_owned(), "t =0:10"),
            (r#","result":"abc","isError":true"#.to_owned(), "t =x0:3"),
            (r#","result":"a","experimental_content":[{"type":"text","text":"abc"}]"#.to_owned(), "t =s0:3"),
            (String::new(), "t =0:0"),
        ];
        for (member, expected) in cases {
            assert_eq!(outlined(&result(&member)), expected, "{member}");
        }
    }

    #[test]
    fn an_output_becomes_a_text_whatever_it_was() {
        for (before, after) in [
            (
                r#","output":{"type":"json","value":[1,2]},"providerOptions":{}"#,
                r#","output":{"type":"text","value":"P"},"providerOptions":{}"#,
            ),
            (r#","result":{"a":1},"isError":false"#, r#","result":"P","isError":false"#),
            (r#","result":"a","experimental_content":[]"#, r#","result":"a","experimental_content":[]"#),
            ("", r#","output":{"type":"text","value":"P"}"#),
        ] {
            // A message alone may be the only line of a list.
            assert_eq!(cleared(&result(before), Format::VercelModel, false), result(after));
            let list = |member: &str| format!("[{}]", result(member));
            assert_eq!(cleared(&list(before), Format::VercelModel, false), list(after));
        }
    }

    #[test]
    fn what_the_provider_made_goes_back_as_it_came() {
        let answer = r#"{"role":"assistant","content":[
            {"type":"tool-call","toolCallId":"s","toolName":"search","input":{},"providerExecuted":true},
            {"type":"tool-result","toolCallId":"s","toolName":"search","output":{"type":"json","value":[]}},
            {"type":"text","text":"found","providerOptions":{"google":{"thoughtSignature":"x"}}}]}"#;
        assert_eq!(outlined(answer), "a! c0:2 =s0:2 \"5^");
        let list = format!("[{answer}]");
        assert_eq!(cleared(&list, Format::VercelModel, false), list);
    }

    #[test]
    fn reasoning_is_signed_and_images_are_no_text() {
        let answer = r#"{"role":"assistant","content":[
            {"type":"reasoning","text":"hm","providerOptions":{"anthropic":{"signature":"x"}}},
            {"type":"reasoning","text":"","providerOptions":{"openai":{"itemId":"rs_1"}}},
            {"type":"reasoning","text":"hm"},
            {"type":"redacted-reasoning","data":"xyz"},
            {"type":"tool-call","toolCallId":"c","toolName":"ls","args":{"a":1}}]}"#;
        assert_eq!(outlined(answer), "a ~2^ ~0^ ~2 ~0^ c0:7");
        let person = r#"{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","image":"iVBO"},
            {"type":"image","image":{"0":137,"1":80,"2":78,"3":71}},
            {"type":"file","data":"https://a.example/","mediaType":"image/png"},
            {"type":"file","data":{"type":"Buffer","data":[1]},"mediaType":"text/plain"}]}"#;
        assert_eq!(outlined(person), "u? \"3 image4 image8 image18 file4");
    }

    #[test]
    fn instructions_may_stand_beside_the_messages() {
        let call = r#"{"model":"m","system":"be brief","messages":[{"role":"user","content":"hi"}]}"#;
        assert_eq!(outline(call, Format::VercelModel), "s \"8 | u? \"2");
    }

    #[test]
    fn a_word_of_the_person_on_calls_parts_nothing() {
        let messages = r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"rm","input":1},
            {"type":"tool-approval-request","approvalId":"a","toolCallId":"c"}]},
            {"role":"tool","content":[{"type":"tool-approval-response","approvalId":"a","approved":true}]},
            {"role":"tool","content":[{"type":"tool-result","toolCallId":"c","output":{"type":"text","value":"ok"}}]}"#;
        assert_eq!(outlined(messages), "a c0:1 | t+ | t =0:2");
    }

    #[test]
    fn damage_is_read_as_far_as_it_makes_sense() {
        let messages = r#"null,7,{},{"role":"tool","content":"x"},{"role":"user","content":{}},
            {"role":"tool","content":[null,{"type":"tool-result","output":7},{"type":"tool-result","output":
            {"type":"content","value":"x"}}]},{"role":"assistant","content":[{"type":"tool-call"},{"type":"image"}]}"#;
        assert_eq!(outlined(messages), "o | o | o | t \"1 | u? | t other4 =1 =0 | a c0 image0");
    }
}

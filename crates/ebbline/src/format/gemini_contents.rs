//! Gemini API contents (formats.md, section 9): a list, a request, a checkpoint of Gemini CLI, or a line each.

use std::borrow::Cow;

use super::marker::MarkerKind;
use super::recorder::{Recorder, Shape, Slot, length_of_value};
use super::source::Source;
use super::summary::{Ending, LEAD, Style};
use crate::compat::javascript::stringify;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// How Gemini CLI begins a summary.
pub(super) const SNAPSHOT: &str = "<state_snapshot>";

/// How Gemini CLI begins an output that it has masked: a preview and the place of the whole.
const MASKED: &str = "<tool_output_masked>";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    if let Some(system) = root.and_then(system_instruction) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        let parts = either(system, "parts", "parts").map_or_else(|| parts_of(system), parts_of);
        read_parts(&parts, PartKind::Text, &mut Pairing::default(), recorder);
    }
    let listed = root.and_then(|root| root.get("contents").or_else(|| root.get("history")));
    let contents = listed.map_or_else(|| source.list(), |list| list.elements().collect());
    let mut pairing = Pairing::default();
    for content in contents {
        read_content(content, &mut pairing, recorder);
    }
    Ok(Ending::List(Style::GeminiContents))
}

/// The system prompt beside the contents; the JavaScript SDK keeps it in `config`.
fn system_instruction(root: Value<'_>) -> Option<Value<'_>> {
    let of = |object| either(object, "systemInstruction", "system_instruction");
    of(root).or_else(|| of(root.get("config")?))
}

fn read_content<'d>(content: Value<'d>, pairing: &mut Pairing<'d>, recorder: &mut Recorder) {
    let parts = content.present("parts").map(parts_of).unwrap_or_default();
    let role = content.present("role");
    let is = |name: &str| role.and_then(Value::text).is_some_and(|role| role.is(name));
    let message = if is("model") {
        pairing.model_speaks();
        answer(&parts)
    } else if is("user") || (role.is_none() && content.is_object()) {
        pairing.user_speaks();
        spoken(&parts)
    } else if is("function") || is("tool") {
        pairing.user_speaks();
        Message::new(Role::Tool)
    } else if is("system") {
        Message::new(Role::System)
    } else {
        Message::new(Role::Other)
    };
    recorder.begin(message, content.span());
    read_parts(&parts, words_in(message), pairing, recorder);
}

/// What the words of a message are.
pub(super) fn words_in(message: Message) -> PartKind {
    if message.summary { PartKind::Summary } else { PartKind::Text }
}

/// The parts of a list, or the one part that stands for it.
pub(super) fn parts_of(content: Value<'_>) -> Vec<Value<'_>> {
    if content.is_array() { content.elements().collect() } else { vec![content] }
}

/// A member that is spelled in either way: JavaScript writes camelCase, Python and REST write both, `null` included.
pub(super) fn either<'d>(object: Value<'d>, camel: &str, snake: &str) -> Option<Value<'d>> {
    object.present(camel).or_else(|| object.present(snake))
}

pub(super) fn call_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionCall", "function_call").filter(|call| call.is_object())
}

pub(super) fn response_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionResponse", "function_response").filter(|response| response.is_object())
}

/// The words of a part, or the part that is nothing but words.
pub(super) fn words_of(part: Value<'_>) -> Option<Text<'_>> {
    part.text().or_else(|| part.text_of("text"))
}

pub(super) fn is_thought(part: Value<'_>) -> bool {
    part.get("thought").is_some_and(Value::is_truthy)
}

fn is_media(part: Value<'_>) -> bool {
    media_in(part).is_some()
}

fn media_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "inlineData", "inline_data").or_else(|| either(part, "fileData", "file_data"))
}

/// A message of the model: it has ended when it says something and calls nothing.
pub(super) fn answer(parts: &[Value<'_>]) -> Message {
    let calls = parts.iter().any(|part| call_in(*part).is_some());
    let says = |part: &Value<'_>| !is_thought(*part) && words_of(*part).is_some_and(|text| !text.is_blank());
    Message { ended: !calls && parts.iter().any(says), ..Message::new(Role::Assistant) }
}

/// A message in the user's place: the results of calls and what belongs to them, a summary, or a person's words.
pub(super) fn spoken(parts: &[Value<'_>]) -> Message {
    let has_responses = parts.iter().any(|part| response_in(*part).is_some());
    let says = |part: &Value<'_>| response_in(*part).is_none() && !is_media(*part);
    if has_responses && !parts.iter().any(says) {
        Message::new(Role::Tool)
    } else if parts.first().and_then(|part| words_of(*part)).is_some_and(is_summary) {
        Message::earlier_summary()
    } else {
        Message::person()
    }
}

fn is_summary(text: Text<'_>) -> bool {
    text.starts_with(LEAD.trim_end()) || text.starts_with(SNAPSHOT)
}

/// Pairs calls and results without ids: by name and order, inside the user's next turn (formats.md, section 9).
#[derive(Debug, Default)]
pub(super) struct Pairing<'d> {
    /// The names of the calls that wait for a result, and the keys that stand for their ids.
    open: Vec<(Option<Cow<'d, str>>, String)>,
    made: usize,
    model_spoke: bool,
}

impl<'d> Pairing<'d> {
    /// The model speaks: what it called before it was answered stays open no longer.
    pub(super) fn model_speaks(&mut self) {
        if !std::mem::replace(&mut self.model_spoke, true) {
            self.open.clear();
        }
    }

    pub(super) fn user_speaks(&mut self) {
        self.model_spoke = false;
    }

    /// What stands for the id of a call.
    pub(super) fn call(&mut self, call: Value<'d>) -> Cow<'d, str> {
        if let Some(id) = id_of(call) {
            return id;
        }
        self.made += 1;
        let key = format!("call without id {}", self.made);
        self.open.push((name_of(call), key.clone()));
        Cow::Owned(key)
    }

    /// What stands for the id of a result; `None` when it answers no call.
    pub(super) fn result(&mut self, response: Value<'d>) -> Option<Cow<'d, str>> {
        id_of(response).or_else(|| self.take(name_of(response).as_deref()))
    }

    /// The oldest open call of this name; it is answered now.
    pub(super) fn take(&mut self, name: Option<&str>) -> Option<Cow<'d, str>> {
        let at = self.open.iter().position(|(called, _)| called.as_deref() == name)?;
        Some(Cow::Owned(self.open.remove(at).1))
    }
}

/// The id of a call or result; an empty one is none, as for Gemini CLI.
pub(super) fn id_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("id").map(Text::decode).filter(|id| !id.is_empty())
}

/// The name of the tool in a call or result.
pub(super) fn name_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("name").map(Text::decode)
}

/// Records parts; what follows a result and is no words belongs to it.
pub(super) fn read_parts<'d>(
    parts: &[Value<'d>],
    words: PartKind,
    pairing: &mut Pairing<'d>,
    recorder: &mut Recorder,
) {
    let mut rest = parts;
    while let [part, behind @ ..] = rest {
        rest = behind;
        if let Some(response) = response_in(*part) {
            let is_beside = |part: &&Value<'d>| is_media(**part) && response_in(**part).is_none();
            let count = behind.iter().take_while(is_beside).count();
            let (siblings, after) = behind.split_at_checked(count).unwrap_or((&[], behind));
            read_response(*part, response, siblings, pairing, recorder);
            rest = after;
        } else {
            read_part(*part, words, pairing, recorder);
        }
        recorder.sign(signature_of(*part).and_then(Value::text));
    }
}

fn read_part<'d>(part: Value<'d>, words: PartKind, pairing: &mut Pairing<'d>, recorder: &mut Recorder) {
    if let Some(call) = call_in(part) {
        let key = pairing.call(call);
        recorder.call_named(Some(&key), name_of(call).as_deref(), call.get("args"));
        if id_of(call).is_none() {
            recorder.paired_by_place();
        }
    } else if let Some(media) = media_in(part) {
        read_media(media, None, recorder);
    } else if let Some(text) = words_of(part) {
        recorder.text(if is_thought(part) { PartKind::Thinking } else { words }, Some(text));
    } else if let Some(made) = made_by_the_server(part) {
        recorder.value(PartKind::Other, Some(made));
    } else if signature_of(part).is_some() && part.members().all(|(key, _)| is_of_signature(key)) {
        recorder.text(PartKind::Thinking, None);
    } else {
        recorder.value(PartKind::Other, Some(part));
    }
}

/// Code that the model ran on the provider's side, and what that printed.
fn made_by_the_server(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "executableCode", "executable_code")
        .or_else(|| either(part, "codeExecutionResult", "code_execution_result"))
}

fn signature_of(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "thoughtSignature", "thought_signature")
}

fn is_of_signature(key: Text<'_>) -> bool {
    ["thoughtSignature", "thought_signature", "thought"].iter().any(|name| key.is(name))
}

fn read_media(media: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let mime = either(media, "mimeType", "mime_type").and_then(Value::text);
    let kind =
        if mime.is_some_and(|mime| mime.starts_with("image/")) { PartKind::Image } else { PartKind::File };
    let data = media.present("data").or_else(|| either(media, "fileUri", "file_uri"));
    recorder.media(kind, data.map(length_of_value).unwrap_or_default(), call);
}

/// A result and the media that belong to it: inside it since Gemini 3, behind it before that.
fn read_response<'d>(
    part: Value<'d>,
    response: Value<'d>,
    siblings: &[Value<'d>],
    pairing: &mut Pairing<'d>,
    recorder: &mut Recorder,
) {
    let key = pairing.result(response);
    let output = OutputOf::of(response, recorder);
    let slot = Slot::of_member(response, "response", Shape::Within(r#"{"output":"#, "}"));
    let call = recorder.result_named(key.as_deref(), name_of(response).as_deref(), output.part, Some(slot));
    recorder.stands_at(output.place.map(Value::span));
    if output.part.output == Output::Pruned && output.is_masked {
        recorder.mark(MarkerKind::Prune, "tool_output_masked", response.span());
    }
    let result = recorder.newest_part();
    if let Some(parts) = response.present("parts").filter(|_| call.is_some()) {
        recorder.also(result, Slot::of_value(parts, Shape::Fixed("[]")));
    }
    for inner in response.elements_of("parts") {
        read_inner(inner, call, recorder);
    }
    let mut previous = part;
    for sibling in siblings {
        if call.is_some() {
            recorder.also(result, Slot::removing(previous, *sibling));
        }
        previous = *sibling;
        read_inner(*sibling, call, recorder);
    }
}

/// Records what a result holds besides its `response`.
pub(super) fn read_inner(part: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    match media_in(part) {
        Some(media) => read_media(media, call, recorder),
        None => recorder.media(PartKind::File, length_of_value(part), call),
    }
}

fn native_length(value: Value<'_>) -> u32 {
    u32::try_from(stringify(value).len()).unwrap_or(u32::MAX)
}

/// What the `response` of a result says.
pub(super) struct OutputOf<'d> {
    pub(super) part: Part,
    pub(super) is_masked: bool,
    /// The text, or the whole response where it is no single text.
    pub(super) place: Option<Value<'d>>,
}

impl<'d> OutputOf<'d> {
    pub(super) fn of(response: Value<'d>, recorder: &Recorder) -> Self {
        let value = response.present("response");
        let mut members = value.into_iter().flat_map(Value::members);
        let sole = members.next().filter(|(_, text)| text.is_string()).filter(|_| members.next().is_none());
        let text = sole.map(|(_, text)| text).or_else(|| value.filter(|value| value.is_string()));
        let is_masked = text.and_then(Value::text).is_some_and(|text| text.starts_with(MASKED));
        let output = if is_masked {
            Output::Pruned
        } else if sole.is_some_and(|(key, _)| key.is("error")) {
            Output::Error
        } else {
            recorder.output_of(text.and_then(Value::text))
        };
        let place = text.or(value);
        let length = place.map_or_else(Length::default, length_of_value);
        // The CLI measures the response as a whole.
        let is_plain = value.is_none() || sole.is_some_and(|(key, _)| key.is("output"));
        let native = value.filter(|_| !is_plain).map(native_length);
        let part = Part { output, native, ..Part::new(PartKind::ToolResult, length) };
        Self { part, is_masked, place }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, PartKind, PlanOptions, ReadOptions, Role, Session, Turn, profiles};

    fn read(text: &str) -> Session {
        let format = Some(Format::GeminiContents);
        Session::read(text, &ReadOptions { format, ..ReadOptions::default() }).unwrap()
    }

    /// The calls and results of a session by the number of their call, 0 for none.
    fn pairs(session: &Session) -> String {
        let parts = session.transcript().parts().iter();
        let sign = |kind| match kind {
            PartKind::ToolCall => Some('c'),
            PartKind::ToolResult => Some('r'),
            PartKind::Image => Some('i'),
            _ => None,
        };
        let number = |call: Option<u32>| call.map_or(0, |call| call + 1);
        parts
            .filter_map(|part| Some(format!("{}{}", sign(part.kind)?, number(part.call))))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A session of contents from words: `c` and `r` with a name and perhaps an id, `t`ext, `i`mage; `/` parts contents.
    fn session(shape: &str) -> Session {
        let part = |word: &str| {
            let (name, id) = word.get(1..).unwrap_or_default().split_once('#').unwrap_or((&word[1..], ""));
            let id = if id.is_empty() { String::new() } else { format!(r#""id":"{id}","#) };
            match &word[..1] {
                "c" => format!(r#"{{"functionCall":{{{id}"name":"{name}","args":{{}}}}}}"#),
                "r" => {
                    format!(r#"{{"functionResponse":{{{id}"name":"{name}","response":{{"output":"o"}}}}}}"#)
                }
                "i" => r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#.to_owned(),
                _ => r#"{"text":"words"}"#.to_owned(),
            }
        };
        let contents = shape.split('/').map(|content| {
            let role = if content.trim_start().starts_with('m') { "model" } else { "user" };
            let parts = content.split_whitespace().skip(1).map(part).collect::<Vec<_>>().join(",");
            format!(r#"{{"role":"{role}","parts":[{parts}]}}"#)
        });
        read(&format!("[{}]", contents.collect::<Vec<_>>().join(",")))
    }

    #[test]
    fn calls_without_ids_are_paired_by_name_and_order_inside_the_next_turn() {
        for (shape, expected) in [
            ("u t/m ca cb/u ra rb", "c1 c2 r1 r2"),
            ("u t/m ca cb/u rb ra", "c1 c2 r2 r1"),
            ("u t/m ca ca/u ra ra", "c1 c2 r1 r2"),
            ("u t/m ca/u rb", "c1 r0"),
            ("u t/m ca/u t/m t/u ra", "c1 r0"),
            ("u t/m ca/m cb/u ra/u rb", "c1 c2 r1 r2"),
            ("u t/m ca#x ca/u ra ra#x", "c1 c2 r2 r1"),
            ("u t/m ca/u ra ra", "c1 r1 r0"),
            ("u t/m ca#x/u ra#x i i t i", "c1 r1 i1 i1 i0"),
            ("u i/m ca/u rb i", "i0 c1 r0 i0"),
        ] {
            assert_eq!(pairs(&session(shape)), expected, "{shape}");
        }
        let counts = session("u t/m ca cb#x cc/u ra rb#x").counts();
        assert_eq!(
            (counts.calls_without_result, counts.paired_by_place, counts.results_without_call),
            (2, 1, 0)
        );
    }

    #[test]
    fn only_what_a_person_says_begins_a_turn() {
        for (content, role, turn) in [
            (r#"{"parts":[{"text":"hi"}]}"#, Role::User, Turn::Person),
            (r#"{"role":"user","parts":[{"inlineData":{}}]}"#, Role::User, Turn::Person),
            (r#"{"role":"user","parts":[{"functionResponse":{}},{"inlineData":{}}]}"#, Role::Tool, Turn::No),
            (r#"{"role":"user","parts":[{"functionResponse":{}},{"text":"and"}]}"#, Role::User, Turn::Person),
            (r#"{"role":"user","parts":{"function_response":{}}}"#, Role::Tool, Turn::No),
            (r#"{"role":"user","parts":[{"text":"<state_snapshot>"}]}"#, Role::User, Turn::Synthetic),
            (r#"{"role":"function","parts":[]}"#, Role::Tool, Turn::No),
            (r#"{"role":7,"parts":null}"#, Role::Other, Turn::No),
            ("null", Role::Other, Turn::No),
        ] {
            let session = read(&format!("[{content}]"));
            let message = session.transcript().messages()[0];
            assert_eq!((message.role, message.turn), (role, turn), "{content}");
        }
    }

    #[test]
    fn neither_data_nor_signatures_count_as_text() {
        let parts = [
            (r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#, PartKind::Image, 4),
            (r#"{"file_data":{"mime_type":"audio/ogg","file_uri":"gs://b/o"}}"#, PartKind::File, 8),
            (r#"{"text":"so","thought":true,"thoughtSignature":"AAAA"}"#, PartKind::Thinking, 2),
            (r#"{"thoughtSignature":"AAAA"}"#, PartKind::Thinking, 0),
            (r#"{"executableCode":{"code":"1"}}"#, PartKind::Other, 12),
            (r#"{"functionCall":7}"#, PartKind::Other, 18),
        ];
        for (part, kind, length) in parts {
            let session = read(&format!(r#"[{{"role":"model","parts":[{part}]}}]"#));
            let read = session.transcript().parts()[0];
            assert_eq!((read.kind, read.length.utf16), (kind, length), "{part}");
            assert_eq!(read.signed, part.contains("Signature"), "{part}");
        }
    }

    #[test]
    fn a_pruned_response_stays_an_object_and_its_images_go() {
        let call = r#"{"role":"model","parts":[{"functionCall":{"id":"a","name":"n"}}]}"#;
        let image = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#;
        let pruned = r#"{"output":"-"}"#;
        for (before, after) in [
            (
                r#""id":"a","response":{"output":"long enough"}}}"#.to_owned(),
                format!(r#""id":"a","response":{pruned}}}}}"#),
            ),
            (
                r#""id":"a","response":{"b":[1.0]},"x":29.0}}"#.to_owned(),
                format!(r#""id":"a","response":{pruned},"x":29.0}}}}"#),
            ),
            (
                r#""id":"a","response":"words and words"}}"#.to_owned(),
                format!(r#""id":"a","response":{pruned}}}}}"#),
            ),
            (
                format!(r#""id":"a","response":{{"error":"long enough"}},"parts":[{image}]}}}}"#),
                format!(r#""id":"a","response":{pruned},"parts":[]}}}}"#),
            ),
            (
                format!(r#""id":"a","response":{{"c":"long enough"}}}}}} , {image},{image},{{"text":"t"}}"#),
                format!(r#""id":"a","response":{pruned}}}}},{{"text":"t"}}"#),
            ),
        ] {
            let wrap =
                |rest: &str| format!(r#"[{call},{{"role":"user","parts":[{{"functionResponse":{{{rest}]}}]"#);
            let source = wrap(&before);
            let mut policy = profiles::get("tunacode@2026-01").unwrap();
            (policy.prune.protect, policy.prune.minimum, policy.prune.minimum_turns) = (0, 0, 0);
            (policy.prune.protected_turns, policy.prune.errors, policy.prune.short_outputs) = (0, true, true);
            policy.prune.placeholder = "-".to_owned();
            let session = read(&source);
            let plan = session.plan(&policy, PlanOptions::default());
            let written = session.compact(&source, &plan, &policy, &crate::EditOptions::default()).unwrap();
            assert_eq!(written, wrap(&after), "{before}");
        }
    }
}

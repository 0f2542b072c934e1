//! Parts and how their members are spelled.

use std::borrow::Cow;

use super::super::layout::Element;
use super::super::media::{GEMINI, priced};
use super::super::recorder::{Recorder, length_of_value};
use super::Pairing;
use super::response::read_response;
use crate::json::{Text, Value};
use crate::transcript::PartKind;

/// The parts of a list, or the single part that replaces a list.
pub(in crate::format) fn parts_of(content: Value<'_>) -> Vec<Value<'_>> {
    if content.is_array() { content.elements().collect() } else { vec![content] }
}

/// A member in either spelling: JavaScript writes camelCase, Python and REST write both, including `null`.
pub(super) fn either<'d>(object: Value<'d>, camel: &str, snake: &str) -> Option<Value<'d>> {
    object.present(camel).or_else(|| object.present(snake))
}

pub(in crate::format) fn call_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionCall", "function_call").filter(|call| call.is_object())
}

pub(in crate::format) fn response_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "functionResponse", "function_response").filter(|response| response.is_object())
}

/// The text of a part, which may be a bare string.
pub(in crate::format) fn words_of(part: Value<'_>) -> Option<Text<'_>> {
    part.text().or_else(|| part.text_of("text"))
}

pub(in crate::format) fn is_thought(part: Value<'_>) -> bool {
    part.get("thought").is_some_and(Value::is_truthy)
}

pub(super) fn is_media(part: Value<'_>) -> bool {
    media_in(part).is_some()
}

pub(super) fn media_in(part: Value<'_>) -> Option<Value<'_>> {
    either(part, "inlineData", "inline_data").or_else(|| either(part, "fileData", "file_data"))
}

/// The id of a call or result; an empty one counts as missing, as in Gemini CLI.
pub(in crate::format) fn id_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("id").map(Text::decode).filter(|id| !id.is_empty())
}

/// The name of the tool in a call or result.
pub(in crate::format) fn name_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    object.text_of("name").map(Text::decode)
}

/// What a part is to a repair.
pub(in crate::format) fn element(part: Value<'_>) -> Option<Element> {
    if response_in(part).is_some() {
        Some(Element::Result)
    } else if call_in(part).is_some() {
        Some(Element::Call)
    } else if is_media(part) {
        Some(Element::Enclosure)
    } else {
        words_of(part).map(|_| if is_thought(part) { Element::Thinking } else { Element::Text })
    }
}

/// Records parts; parts after a result that are not text belong to it.
pub(in crate::format) fn read_parts<'d>(
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

/// Code that the model ran on the provider's side, and its output.
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

pub(super) fn read_media(media: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    let mime = either(media, "mimeType", "mime_type").and_then(Value::text);
    let kind =
        if mime.is_some_and(|mime| mime.starts_with("image/")) { PartKind::Image } else { PartKind::File };
    let data = media.present("data").or_else(|| either(media, "fileUri", "file_uri"));
    let length = data.map(length_of_value).unwrap_or_default();
    recorder.media(kind, priced(kind, length, data, media, GEMINI), call);
}

//! The parts of a content.

use super::super::layout::Element;
use super::super::recorder::Recorder;
use super::Pairing;
use super::media::{media_in, read_media};
use super::response::read_response;
use super::spelling::{call_in, either, id_of, is_thought, name_of, response_in, words_of};
use crate::json::{Text, Value};
use crate::transcript::PartKind;

pub(super) fn is_media(part: Value<'_>) -> bool {
    media_in(part).is_some()
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

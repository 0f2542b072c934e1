//! Results: their texts, the media that belong to them, and how both are pruned.

use std::num::NonZeroU32;

use super::super::marker::MarkerKind;
use super::super::recorder::{Recorder, length_of_value};
use super::super::slot::{Shape, Slot};
use super::Pairing;
use super::media::{media_in, read_media};
use super::spelling::name_of;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::notation::javascript::stringified_length;
use crate::transcript::{Output, Part, PartKind};

/// The beginning of an output that Gemini CLI has masked: a preview and the path of the whole output, whose name
/// contains the id of the call. A tool can write such a beginning but is not told the id.
const MASKED: &str = "<tool_output_masked>";

/// A result and its media: inside it since Gemini 3, after it before that.
pub(super) fn read_response<'d>(
    part: Value<'d>,
    response: Value<'d>,
    siblings: &[Value<'d>],
    pairing: &mut Pairing<'d>,
    recorder: &mut Recorder,
) {
    let key = pairing.result(response);
    let id = response.text_of("id");
    let output = OutputOf::of(response, id, recorder);
    let slot = Slot::of_member(response, "response", Shape::Within(r#"{"output":"#, "}")).answering(id);
    let call = recorder.result_named(key.as_deref(), name_of(response).as_deref(), output.part, Some(slot));
    recorder.set_places(output.place.map(Value::span));
    if output.part.output == Output::Pruned && output.is_masked {
        recorder.mark(MarkerKind::Prune, "tool_output_masked", response.span());
    }
    let result = recorder.newest_part();
    if let Some(parts) = response.present("parts").filter(|_| call.is_some()) {
        recorder.add_slot(result, Slot::of_value(parts, Shape::Fixed("[]")));
    }
    for inner in response.elements_of("parts") {
        read_inner(inner, call, recorder);
    }
    let mut previous = part;
    for sibling in siblings {
        if call.is_some() {
            recorder.add_slot(result, Slot::removing(previous, *sibling));
        }
        previous = *sibling;
        read_inner(*sibling, call, recorder);
    }
}

/// Records the contents of a result other than its `response`.
pub(in crate::format) fn read_inner(part: Value<'_>, call: Option<u32>, recorder: &mut Recorder) {
    match media_in(part) {
        Some(media) => read_media(media, call, recorder),
        None => recorder.media(PartKind::File, length_of_value(part), call),
    }
}

fn native_length(value: Value<'_>) -> u32 {
    u32::try_from(stringified_length(value)).unwrap_or(u32::MAX)
}

/// The content of a result's `response`.
pub(in crate::format) struct OutputOf<'d> {
    pub(in crate::format) part: Part,
    pub(in crate::format) is_masked: bool,
    /// The text, or the whole response if it is not a single text.
    pub(in crate::format) place: Option<Value<'d>>,
}

impl<'d> OutputOf<'d> {
    pub(in crate::format) fn of(response: Value<'d>, id: Option<Text<'_>>, recorder: &Recorder) -> Self {
        let value = response.present("response");
        let mut members = value.into_iter().flat_map(Value::members);
        let sole = members.next().filter(|(_, text)| text.is_string()).filter(|_| members.next().is_none());
        let text = sole.map(|(_, text)| text).or_else(|| value.filter(|value| value.is_string()));
        let is_masked = text.and_then(Value::text).is_some_and(|text| {
            text.starts_with(MASKED)
                && id.is_some_and(|id| !id.is_empty() && text.decode().contains(id.decode().as_ref()))
        });
        let has_failed = sole.is_some_and(|(key, _)| key.is("error"));
        let output = if is_masked {
            Output::Pruned
        } else {
            recorder.output_of(text.and_then(Value::text), id, has_failed)
        };
        let place = text.or(value);
        let length = place.map_or_else(Length::default, length_of_value);
        // The CLI measures the whole response.
        let is_plain = value.is_none() || sole.is_some_and(|(key, _)| key.is("output"));
        let native = value.filter(|_| !is_plain).map(native_length).and_then(NonZeroU32::new);
        let part = Part { output, native, ..Part::new(PartKind::ToolResult, length) };
        Self { part, is_masked, place }
    }
}

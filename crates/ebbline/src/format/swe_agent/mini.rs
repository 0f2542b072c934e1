//! mini-swe-agent's `messages`. Models with tool calls get `tool` messages or Responses items; for other models,
//! commands and outputs are text of the model and the user, without a structure that could be pruned.

use super::answer::{is_type, read_answer};
use super::history::read_observation;
use crate::format::openai_chat::{has_text, joined, read_content};
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::format::usage;
use crate::json::{Text, Value};
use crate::transcript::{Message, Part, PartKind, Role, Turn};

pub(super) fn read(messages: &[Value<'_>], recorder: &mut Recorder) {
    let mut has_task = false;
    for message in messages {
        read_message(*message, &mut has_task, recorder);
    }
}

fn read_message(message: Value<'_>, has_task: &mut bool, recorder: &mut Recorder) {
    let content = message.present("content");
    if message.text_of("object").is_some_and(|object| object.is("response")) {
        return read_response(message, recorder);
    }
    if is_type(message, "function_call_output") {
        return read_output(message, recorder);
    }
    match message.text_of("role").map(Text::decode).as_deref() {
        Some("system") => recorder.begin(Message::new(Role::System), message.span()),
        Some("user") => {
            let is_person = !*has_task || is_interruption(message);
            *has_task = true;
            let turn = if is_person { Turn::Person } else { Turn::Synthetic };
            recorder.begin(Message { turn, ..Message::new(Role::User) }, message.span());
            recorder.check_summary(content.and_then(Value::text));
        }
        Some("assistant") => {
            let response = message.get("extra").and_then(|extra| extra.get("response"));
            let usage = usage::total(response.and_then(|response| response.get("usage")), &usage::COMPLETION);
            recorder.begin(Message { usage, ..Message::new(Role::Assistant) }, message.span());
            return read_answer(message, recorder);
        }
        Some("tool") => {
            recorder.begin(Message::new(Role::Tool), message.span());
            read_observation(message, false, recorder);
            return;
        }
        // How the run ended; it is not sent.
        Some("exit") => return recorder.begin(Message::new(Role::Other), message.span()),
        _ => recorder.begin(Message::new(Role::Other), message.span()),
    }
    read_content(content, recorder);
}

/// Whether the user interrupted the run with a message. Since 2.0 this is marked; before, only the wording shows it.
fn is_interruption(message: Value<'_>) -> bool {
    let kind = message.get("extra").and_then(|extra| extra.text_of("interrupt_type"));
    let text = message.text_of("content");
    kind.is_some_and(|kind| kind.starts_with("User"))
        || text.is_some_and(|text| {
            text.starts_with("Interrupted by user") || text.starts_with("The user added a new task")
        })
}

/// A whole response of the Responses API in one entry: one answer.
fn read_response(message: Value<'_>, recorder: &mut Recorder) {
    let items = || message.elements_of("output");
    let calls = items().any(|item| is_type(item, "function_call"));
    let ended = !calls && items().any(|item| has_text(item.present("content")));
    let usage = usage::total(message.get("usage"), &usage::PYDANTIC_AI);
    recorder.begin(Message { ended, usage, ..Message::new(Role::Assistant) }, message.span());
    for item in items() {
        match item.text_of("type").map(Text::decode).as_deref() {
            Some("message") => read_content(item.present("content"), recorder),
            Some("function_call") => {
                recorder.call(item.text_of("call_id"), item.text_of("name"), item.get("arguments"));
            }
            Some("reasoning") => {
                let summary = item.elements_of("summary").filter_map(|block| block.text_of("text"));
                let texts: Vec<_> = summary.collect();
                let (length, pieces) = joined(texts.iter().copied());
                recorder.transcript.push(Part { pieces, ..Part::new(PartKind::Thinking, length) });
                recorder.set_places(texts.into_iter().map(Text::span));
                recorder.sign(item.text_of("encrypted_content"));
            }
            _ => recorder.value(PartKind::Other, Some(item)),
        }
    }
}

/// The output of a command, as a Responses item.
fn read_output(item: Value<'_>, recorder: &mut Recorder) {
    recorder.begin(Message::new(Role::Tool), item.span());
    let output = item.get("output");
    let text = output.and_then(Value::text);
    let part = Part {
        output: recorder.output_of(text, item.text_of("call_id"), false),
        ..Part::new(PartKind::ToolResult, output.map(length_of_value).unwrap_or_default())
    };
    let slot = Slot::of_member(item, "output", Shape::Text);
    recorder.result(item.text_of("call_id"), None, part, Some(slot));
    recorder.set_places(output.map(Value::span));
}

//! OpenAI Chat in the table of formats.

use crate::format::chat::{Fault, fault_among, is_typed};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing, call, result_by_role, text_block};
use crate::format::signs::{Sign, Stream, is};
use crate::format::store::{Place, Store};
use crate::json::Value;
use crate::rules::{Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, ..Description::of("openai_chat", "OpenAI Chat") },
    rules: Rules { unanswered: Unanswered::Nowhere, ..Rules::COMMON }
        // The first message may be an answer.
        .except(&[Rule::FirstRole])
        .also(&[Rule::UnknownRole, Rule::EmptyMessage, Rule::EmptyResult])
        .also(&[Rule::EmptyList, Rule::EmptyCalls, Rule::CallWithoutId, Rule::ImageInAnswer]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    // Hermes Agent's database comes out as such messages.
    store: &Store {
        places: &[
            Place::databases(HERMES, ".hermes", "state.db"),
            Place::databases(HERMES, ".hermes/profiles/*", "state.db"),
            Place::databases(HERMES, "AppData/Local/hermes", "state.db"),
            Place::databases(HERMES, "AppData/Local/hermes/profiles/*", "state.db"),
        ],
        moved: &[("HERMES_HOME", ".hermes")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const HERMES: &str = "Hermes Agent";

const LAYOUT: Layout = Layout {
    whole: |message| result_by_role(message, &["tool", "function"]),
    sole_call: Some("function_call"),
    answers: Some(Answers::Messages),
    unknown: Some(|Missing { id, text, .. }| {
        Some(format!(r#"{{"role":"tool","tool_call_id":{id},"content":{text}}}"#))
    }),
    ..Layout::of(&[
        // Beside calls, an answer needs no content.
        Listed { goes_when_empty: true, ..Listed::at(&["content"], text_block) },
        Listed { goes_when_empty: true, ..Listed::at(&["tool_calls"], call) },
    ])
};

const SIGNS: &[Sign] = &[
    Sign::document(140, |root| {
        is(root, "object", "chat.completion").then(|| "a response: object chat.completion".to_owned())
    }),
    Sign::line_of_list(10, |line| line.text_of("role").is_some()),
    Sign::list(240, "role tool, tool_calls", |list| list.role(&["tool"]) || list.with(&["tool_calls"])),
    // Several formats write the remaining lists the same way.
    Sign::shared_list(260, "plain chat", |list| list.all(|message| fault_of(message).is_none())),
    Sign::stream(
        20,
        Stream {
            name: "OpenAI Chat Completions",
            kind: |chunk| {
                is(chunk, "object", "chat.completion.chunk").then(|| "chat.completion.chunk".to_owned())
            },
            is_answer: false,
        },
    ),
];

/// The roles of messages.
const ROLES: [&str; 6] = ["user", "assistant", "tool", "system", "developer", "function"];

/// The blocks of a content: those of the provider, and those that servers behind its format take besides.
const BLOCKS: [&str; 19] = [
    "text",
    "image_url",
    "input_audio",
    "file",
    "refusal",
    "audio_url",
    "video_url",
    "document_url",
    "image",
    "audio",
    "video",
    "document",
    "thinking",
    "reasoning",
    "reference",
    "input_text",
    "output_text",
    "input_image",
    "input_file",
];

fn fault_of(message: Value<'_>) -> Option<Fault> {
    if is(message, "role", super::ABOUT_SESSION) {
        return None;
    }
    fault_among(message, &ROLES, |block| is_typed(block, &BLOCKS)).or_else(|| {
        let is_result = is(message, "role", "tool") || message.get("call_id").is_some();
        if is_result && !names_call(message) {
            return Some(Fault::Answer);
        }
        let is_call = |call: Value<'_>| {
            ["function", "custom"].iter().any(|of| call.get(of).is_some_and(Value::is_object))
        };
        message.elements_of("tool_calls").position(|call| !is_call(call)).map(Fault::Call)
    })
}

/// Whether a result says which call it answers. Without anything else it may be of a server that has no ids.
fn names_call(message: Value<'_>) -> bool {
    let names = ["tool_call_id", "name", "tool_name", "id"];
    let is_named = |name: &&str| message.get(name).is_some();
    // A message of another role may have an id of its own.
    let known = if is(message, "role", "tool") { names.as_slice() } else { &["tool_call_id"] };
    known.iter().any(is_named) || message.members().count() <= 2
}

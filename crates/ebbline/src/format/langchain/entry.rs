//! LangChain in the table of formats.

use super::{is_moment, state_in};
use crate::format::chat::Fault;
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, call};
use crate::format::signs::{Sign, has, is};
use crate::format::usage::ReportedInput;
use crate::json::Value;

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::IncludesCache), ..Description::of("langchain", "LangChain") },
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    inside: &["kwargs", "data"],
    whole: super::element,
    answers: Some(Answers::Messages),
    unknown: Some(super::unknown),
    ..Layout::of(&[
        Listed::at(&["content"], super::blocks::element),
        Listed::at(&["tool_calls"], call),
        Listed::at(&["invalid_tool_calls"], call),
        Listed::at(&["additional_kwargs", "tool_calls"], call),
    ])
};

const SIGNS: &[Sign] = &[
    Sign::list_in(220, "in the state of a graph", |root| {
        state_in(root).and_then(|state| state.get("messages"))
    }),
    Sign::conversation(20, is_moment),
    Sign::line_of_list(50, |line| has(line, &["lc", "kwargs"])),
    Sign::list(10, "lc", |list| list.with(&["lc"])),
    Sign::list(20, "type and data.content", |list| {
        list.any(|message| {
            has(message, &["type"]) && message.get("data").is_some_and(|data| has(data, &["content"]))
        })
    }),
    Sign::list(30, "messages of type human and ai", |list| {
        list.any(|message| {
            ["human", "ai", "AIMessageChunk"].iter().any(|name| is(message, "type", name))
                && message.get("content").is_some_and(is_content)
        }) || list.with(&["kwargs", "id"])
    }),
];

/// Whether a value can be the content of a message.
fn is_content(content: Value<'_>) -> bool {
    content.is_string() || content.is_null() || content.is_array()
}

/// A message says what it is by its type, in one of the ways in which it is stored, and has a content.
fn fault_of(message: Value<'_>) -> Option<Fault> {
    if !message.is_object() {
        return Some(Fault::Message);
    }
    if ["lc", "kwargs", "data"].iter().any(|key| message.get(key).is_some()) {
        return None;
    }
    if ["type", "role"].iter().all(|key| message.text_of(key).is_none()) {
        return Some(Fault::Role);
    }
    let is_removal = is(message, "type", "remove");
    (!is_removal && !message.get("content").is_some_and(is_content)).then_some(Fault::Content)
}

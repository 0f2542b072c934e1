//! AI SDK model messages in the table of formats.

use crate::format::chat::{Fault, fault_among, is_typed, names_call};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Element, Layout, Listed, Missing, by_type};
use crate::format::signs::{Sign, is};
use crate::json::Value;
use crate::rules::{Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, ..Description::of("vercel_model", "AI SDK model messages") },
    rules: // The SDK checks its messages before it sends them.
        Rules::COMMON.also(&[Rule::EmptyList, Rule::CallWithoutId]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    answers: Some(Answers::Wrapped(|results| format!(r#"{{"role":"tool","content":[{results}]}}"#))),
    unknown: Some(|Missing { id, tool, text, .. }| {
        Some(format!(
            r#"{{"type":"tool-result","toolCallId":{id},"toolName":{tool},"output":{{"type":"text","value":{text}}}}}"#
        ))
    }),
    ..Layout::of(&[Listed::at(&["content"], |part| {
        let kinds = [
            ("text", Element::Text),
            ("reasoning", Element::Thinking),
            ("redacted-reasoning", Element::Thinking),
            ("tool-call", Element::Call),
            ("tool-result", Element::Result),
        ];
        by_type(part, &kinds)
    })])
};

const SIGNS: &[Sign] = &[
    Sign::list(190, "blocks tool-call and tool-result", |list| list.block(&["tool-call", "tool-result"])),
    // Without calls, only the data of images and files distinguishes them from OpenAI's.
    Sign::list(200, "blocks with image, data or providerOptions", |list| {
        list.block_with("image", "image")
            || list.block_with("file", "data")
            || ["text", "reasoning"].iter().any(|name| list.block_with(name, "providerOptions"))
    }),
];

/// The parts of a content.
const PARTS: [&str; 13] = [
    "text",
    "reasoning",
    "redacted-reasoning",
    "reasoning-file",
    "image",
    "file",
    "source",
    "custom",
    "tool-call",
    "tool-result",
    "tool-error",
    "tool-approval-request",
    "tool-approval-response",
];

fn fault_of(message: Value<'_>) -> Option<Fault> {
    fault_among(message, &["system", "user", "assistant", "tool"], |part| {
        let is_of_call = ["tool-call", "tool-result", "tool-error"].iter().any(|kind| is(part, "type", kind));
        is_typed(part, &PARTS) && (!is_of_call || names_call(part, "toolCallId"))
    })
}

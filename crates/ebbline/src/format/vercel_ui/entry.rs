//! AI SDK UI messages in the table of formats.

use crate::format::chat::Fault;
use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, Stream, has, type_of};
use crate::format::usage::ReportedInput;
use crate::json::Value;
use crate::rules::{Results, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::IncludesCache), ..Description::of("vercel_ui", "AI SDK UI messages") },
    rules: Rules {
        results: Results::SameMessage,
        // `ignoreIncompleteToolCalls` leaves out calls that wait for their tool or the user.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    fault_of: Some(fault_of),
    ..FormatEntry::of(SIGNS, super::read)
};

const SIGNS: &[Sign] = &[
    Sign::list(110, "role and parts with a type", |list| {
        list.any(|message| has(message, &["role"]) && message.elements_of("parts").any(is_part))
    }),
    Sign::list(120, "role and toolInvocations", |list| list.with(&["role", "toolInvocations"])),
    Sign::stream(
        50,
        Stream {
            name: "the AI SDK",
            kind: |chunk| {
                let kinds = ["text-start", "text-delta", "text-end", "reasoning-delta", "tool-input-delta"];
                type_of(chunk).filter(|kind| kinds.contains(&kind.as_str()))
            },
            is_answer: false,
        },
    ),
];

/// Whether a part is of a type that the package knows, or of a tool's or an application's own.
fn is_part(part: Value<'_>) -> bool {
    let known = [
        "text",
        "reasoning",
        "reasoning-file",
        "file",
        "custom",
        "step-start",
        "dynamic-tool",
        "source",
        "source-url",
        "source-document",
    ];
    type_of(part).is_some_and(|kind| {
        known.contains(&kind.as_str())
            || ["tool-", "data-"].iter().any(|beginning| kind.starts_with(beginning))
    })
}

/// A message has parts, or as of older versions a content.
fn fault_of(message: Value<'_>) -> Option<Fault> {
    let roles = ["system", "user", "assistant", "data", "tool"];
    if !message.is_object() {
        return Some(Fault::Message);
    }
    if !message.text_of("role").is_some_and(|role| roles.iter().any(|known| role.is(known))) {
        return Some(Fault::Role);
    }
    let is_said = message.get("parts").is_some_and(Value::is_array)
        || message.get("content").is_some_and(|content| content.is_string() || content.is_array())
        || has(message, &["toolInvocations"]);
    if !is_said {
        return Some(Fault::Content);
    }
    // Types of tomorrow are no fault. A text or a call that is not where this format has it would be read as nothing.
    let is_right = |part: Value<'_>| match type_of(part) {
        Some(kind) if kind == "text" => has(part, &["text"]),
        Some(kind) => !kind.starts_with("tool") || is_part(part),
        None => true,
    };
    message.elements_of("parts").position(|part| !is_right(part)).map(Fault::Block)
}

//! Checks what a message contains: nothing empty, no part that belongs to another role, and thinking only in its
//! place.

use std::collections::HashSet;

use super::{Checks, is_inside_result};
use crate::rules::Rule;
use crate::rules::{Results, Rules};
use crate::run::is_result;
use crate::transcript::{Message, Output, Part, PartKind, Role};

pub(super) fn check(checks: &mut Checks<'_>) {
    let messages: Vec<_> = checks.active.iter().collect();
    let counts = |message: &Message| message.role != Role::System || checks.rules.system_is_listed;
    if !messages.iter().any(|(_, message, _)| counts(message)) {
        checks.report(Rule::EmptyList, 0, None, "the list has no messages: there is nothing to answer");
    }
    for (at, (index, message, parts)) in messages.iter().copied().enumerate() {
        empty(checks, index, message, parts);
        roles(checks, index, message, parts);
        if message.role == Role::Assistant {
            calls_and_images(checks, index, parts);
            thinking(checks, index, parts);
            // Some formats write an answer as several entries.
            let is_whole = messages.get(at + 1).is_none_or(|(_, next, _)| !next.continues);
            if is_whole && parts.last().is_some_and(is_thinking) {
                let text = "the message ends with thinking: words or a call have to follow";
                checks.report(Rule::ThinkingLast, index, Some(parts.len() - 1), text);
            }
        }
    }
}

fn empty(checks: &mut Checks<'_>, index: usize, message: &Message, parts: &[Part]) {
    let is_last_answer = message.role == Role::Assistant && checks.active.last() == Some(index);
    if parts.is_empty() && !(is_last_answer && checks.rules.begun_answer) {
        checks.report(Rule::EmptyMessage, index, None, "the message has no content");
    }
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            PartKind::Text | PartKind::Summary if part.length.utf16 == 0 => {
                checks.report(Rule::EmptyText, index, Some(at), "the text is empty");
            }
            PartKind::ToolResult if part.pieces == 0 && part.length.utf16 == 0 => {
                let text = format!("the result{} has no content", checks.active.of_tool(part));
                checks.report(Rule::EmptyResult, index, Some(at), text);
            }
            _ => {}
        }
    }
}

fn roles(checks: &mut Checks<'_>, index: usize, message: &Message, parts: &[Part]) {
    for (at, part) in parts.iter().enumerate() {
        if let Some(text) = misplaced(part, message.role, checks.rules) {
            checks.report(Rule::WrongRole, index, Some(at), text);
        }
    }
}

/// What is wrong with a part in a message of this role. A message with an unknown role may contain anything.
fn misplaced(part: &Part, role: Role, rules: &Rules) -> Option<&'static str> {
    let answers_itself = matches!(rules.results, Results::SameMessage | Results::SameOrNextMessage);
    match (part.kind, role) {
        (_, Role::Other) | (PartKind::ToolCall | PartKind::Thinking, Role::Assistant) => None,
        (PartKind::ToolCall, _) => Some("a call in a message that is not the model's"),
        (PartKind::Thinking, _) => Some("thinking in a message that is not the model's"),
        (PartKind::ToolResult, Role::Assistant) if is_result(part) && !answers_itself => {
            Some("the result of a call in a message that is the model's")
        }
        _ => None,
    }
}

fn calls_and_images(checks: &mut Checks<'_>, index: usize, parts: &[Part]) {
    for (at, part) in parts.iter().enumerate() {
        match part.kind {
            PartKind::ToolCall if part.call.is_none() => {
                let text = format!("the call{} has no id", checks.active.of_tool(part));
                checks.report(Rule::CallWithoutId, index, Some(at), text);
            }
            PartKind::Image if !is_inside_result(part) => {
                checks.report(
                    Rule::ImageInAnswer,
                    index,
                    Some(at),
                    "an image in a message that is the model's",
                );
            }
            _ => {}
        }
    }
}

fn is_sealed(part: &Part) -> bool {
    part.kind == PartKind::ToolResult && part.output == Output::Sealed
}

/// Anthropic verifies the signature of thinking, and also its place: before the calls that it led to.
fn thinking(checks: &mut Checks<'_>, index: usize, parts: &[Part]) {
    for (at, _) in parts.iter().enumerate().filter(|(_, part)| is_thinking(part) && !part.signed) {
        checks.report(Rule::UnsignedThinking, index, Some(at), "the thinking has no signature");
    }
    // A call that the provider executes itself is answered in the same message, and more thinking may follow.
    let answered: HashSet<u32> =
        parts.iter().filter(|part| is_sealed(part)).filter_map(|part| part.call).collect();
    let is_call = |part: &Part| {
        part.kind == PartKind::ToolCall && part.call.is_none_or(|call| !answered.contains(&call))
    };
    if let Some(call) = parts.iter().position(is_call) {
        for (at, _) in parts.iter().enumerate().filter(|(at, part)| *at > call && is_thinking(part)) {
            let text = "the thinking stands behind a call: it has to stand in front of it";
            checks.report(Rule::ThinkingAfterCall, index, Some(at), text);
        }
        if let Some(at) = parts.iter().position(is_thinking).filter(|at| *at > 0) {
            let text = "a message that thinks and calls a tool has to begin with the thinking";
            checks.report(Rule::ThinkingNotFirst, index, Some(at), text);
        }
    }
}

fn is_thinking(part: &Part) -> bool {
    part.kind == PartKind::Thinking
}

//! Gemini contents in the table of formats.

use crate::format::chat::Fault;
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing};
use crate::format::signs::{Sign, Stream, has, is};
use crate::json::Value;
use crate::rules::{Results, Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, ..Description::of("gemini_contents", "Gemini contents") },
    rules: Rules { results: Results::NextMessage, system_is_listed: false, ..Rules::COMMON }.also(&[
        Rule::UnknownRole,
        Rule::EmptyMessage,
        Rule::EmptyList,
    ]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    is_read_whole: true,
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    answers: Some(Answers::Front(|results| format!(r#"{{"role":"user","parts":[{results}]}}"#))),
    unknown: Some(|Missing { id, tool, text, .. }| {
        let id = if id == r#""""# { String::new() } else { format!(r#""id":{id},"#) };
        Some(format!(r#"{{"functionResponse":{{{id}"name":{tool},"response":{{"output":{text}}}}}}}"#))
    }),
    text: Some(|text| format!(r#"{{"text":{text}}}"#)),
    ..Layout::of(&[Listed::at(&["parts"], super::part::element)])
};

const SIGNS: &[Sign] = &[
    Sign::document(150, |root| {
        let contents = root.get("contents").filter(|contents| contents.is_array())?;
        Some(format!("a request with {} contents", contents.elements().count()))
    }),
    Sign::list_in(180, "in the member history", |root| root.get("history")),
    Sign::line_of_list(30, |line| has(line, &["parts"])),
    Sign::list(130, "role and parts without a type", |list| {
        list.any(|message| has(message, &["role"]) && message.get("parts").is_some_and(are_parts))
    }),
    Sign::list(140, "parts of text or functionCall", |list| {
        list.any(|message| !has(message, &["role"]) && message.elements_of("parts").any(is_part))
    }),
    Sign::stream(
        40,
        Stream {
            name: "Gemini",
            kind: |chunk| {
                let candidates = chunk.get("candidates").filter(|list| list.is_array());
                candidates.map(|_| "candidates".to_owned())
            },
            is_answer: true,
        },
    ),
];

/// Whether a part is a text, a call or a result.
fn is_part(part: Value<'_>) -> bool {
    let keys = ["text", "functionCall", "functionResponse", "function_call", "function_response"];
    keys.iter().any(|key| part.get(key).is_some())
}

/// What a part may be beside a text, a call and a result.
const OTHER_PARTS: [&str; 15] = [
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
    "thought",
    "thoughtSignature",
    "inline_data",
    "file_data",
    "executable_code",
    "code_execution_result",
    "tool_call",
    "tool_response",
    "thought_signature",
];

/// Whether these are the parts of a content: none, or at least one that is known. A single part may stand for a list.
fn are_parts(parts: Value<'_>) -> bool {
    let is_known = |part: Value<'_>| {
        let is_other = || OTHER_PARTS.iter().any(|key| part.get(key).is_some());
        part.get("type").is_none() && (part.is_string() || is_part(part) || is_other())
    };
    if !parts.is_array() {
        return is_known(parts);
    }
    parts.elements().next().is_none() || parts.elements().any(is_known)
}

/// A content has parts; an answer that was cut off may lack them. Parts of tomorrow are no fault, but types are.
fn fault_of(message: Value<'_>) -> Option<Fault> {
    let roles = ["user", "model", "function", "tool", "system"];
    if !message.is_object() {
        return Some(Fault::Message);
    }
    let is_known = |role: Value<'_>| role.text().is_some_and(|role| roles.iter().any(|known| role.is(known)));
    if message.present("role").is_some_and(|role| !is_known(role)) {
        return Some(Fault::Role);
    }
    let Some(parts) = message.present("parts") else {
        let is_cut_off =
            is(message, "role", "model") && !has(message, &["content"]) && !has(message, &["text"]);
        return (!is_cut_off).then_some(Fault::Content);
    };
    let mut listed = parts.elements();
    listed.position(|part| part.get("type").is_some() && !is_part(part)).map(Fault::Block)
}

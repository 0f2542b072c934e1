//! Gemini contents in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing};
use crate::format::signs::{Sign, Stream, has};
use crate::rules::{Results, Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        name: "gemini_contents",
        title: "Gemini contents",
        is_live: true,
        reported_input: None,
        family: None,
    },
    rules: Rules { results: Results::NextMessage, system_is_listed: false, ..Rules::COMMON }.also(&[
        Rule::UnknownRole,
        Rule::EmptyMessage,
        Rule::EmptyList,
    ]),
    signs: SIGNS,
    read: super::read,
    layout: Some(&LAYOUT),
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
    Sign::list(130, "role and parts without a type", |list| list.with(&["role", "parts"])),
    Sign::list(140, "parts of text or functionCall", |list| {
        let keys = ["text", "functionCall", "functionResponse", "function_call", "function_response"];
        list.any(|message| {
            message.elements_of("parts").any(|part| keys.iter().any(|key| part.get(key).is_some()))
        })
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

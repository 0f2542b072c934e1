//! OpenAI Chat in the table of formats.

use crate::format::chat::fault_of;
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing, call, result_by_role, text_block};
use crate::format::signs::{Sign, Stream, is};
use crate::rules::{Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        name: "openai_chat",
        title: "OpenAI Chat",
        is_live: true,
        reported_input: None,
        family: None,
    },
    rules: Rules { unanswered: Unanswered::Nowhere, ..Rules::COMMON }
        // The first message may be an answer.
        .except(&[Rule::FirstRole])
        .also(&[Rule::UnknownRole, Rule::EmptyMessage, Rule::EmptyResult])
        .also(&[Rule::EmptyList, Rule::EmptyCalls, Rule::CallWithoutId, Rule::ImageInAnswer]),
    signs: SIGNS,
    read: super::read,
    layout: Some(&LAYOUT),
};

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

//! Items of the OpenAI Agents SDK in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Missing};
use crate::format::openai_responses::element_of;
use crate::format::signs::{Sign, has, is};
use crate::json::Value;
use crate::rules::{Results, Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        is_live: true,
        // A list of messages may be of the Responses API as well.
        family: Some("openai_responses"),
        ..Description::of("openai_agents", "OpenAI Agents")
    },
    // As items of the Responses API: the SDK sends them there.
    rules: Rules { results: Results::Later, ..Rules::COMMON }.except(&[Rule::FirstRole]).also(&[
        Rule::EmptyList,
        Rule::CallWithoutId,
        Rule::ThinkingLast,
    ]),
    fault_of: Some(crate::format::openai_responses::fault_of),
    layout: Some(&LAYOUT),
    is_read_whole: true,
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |item| element_of(super::spelling::kind_of(item)),
    answers: Some(Answers::Messages),
    unknown: Some(|Missing { entry, id, tool, text }| {
        // Other calls have outputs of a shape of their own, which says more than a text.
        is(entry, "type", "function_call").then(|| {
            format!(
                r#"{{"type":"function_call_result","name":{tool},"callId":{id},"status":"completed","output":{{"type":"text","text":{text}}}}}"#
            )
        })
    }),
    ..Layout::of(&[])
};

const SIGNS: &[Sign] = &[
    Sign::list_in(125, "in the member input", |root| {
        if has(root, &["messages"]) { None } else { root.get("input") }
    }),
    Sign::row_of_list(20, is_item),
    Sign::list(175, "items with callId or providerData", |list| list.any(is_item)),
];

/// The types of items that the Responses API does not have.
const TYPES: &[&str] = &["function_call_result", "computer_call_result", "hosted_tool_call"];

fn is_item(item: Value<'_>) -> bool {
    TYPES.iter().any(|name| is(item, "type", name))
        || has(item, &["type", "callId"])
        || has(item, &["providerData"]) && (has(item, &["type"]) || has(item, &["role"]))
}

//! OpenAI Responses in the table of formats.

use crate::format::chat::{Fault, fault_among, is_typed};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Missing};
use crate::format::signs::{Sign, Stream, has, is, type_of};
use crate::format::usage::ReportedInput;
use crate::json::{Text, Value};
use crate::rules::{Results, Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::IncludesCache), ..Description::of("openai_responses", "OpenAI Responses") },
    rules: Rules { results: Results::Later, ..Rules::COMMON }
        // A list of items may begin with an answer, and other items may come between a call and its output.
        .except(&[Rule::FirstRole])
        .also(&[Rule::EmptyList, Rule::CallWithoutId, Rule::ThinkingLast]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    is_read_whole: true,
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: super::spelling::element,
    answers: Some(Answers::Messages),
    unknown: Some(|Missing { entry, id, text, .. }| {
        let kind = entry.text_of("type").map(Text::decode).unwrap_or_default();
        if kind == "mcp_approval_request" {
            return Some(format!(
                r#"{{"type":"mcp_approval_response","approval_request_id":{id},"approve":false}}"#
            ));
        }
        // Other calls have outputs of a shape of their own, which says more than a text.
        let output = ["function_call", "custom_tool_call"].contains(&kind.as_ref());
        output.then(|| format!(r#"{{"type":"{kind}_output","call_id":{id},"output":{text}}}"#))
    }),
    ..Layout::of(&[])
};

const SIGNS: &[Sign] = &[
    Sign::document(130, |root| {
        let is_response = root.text_of("object").is_some_and(|object| object.starts_with("response"));
        let is_request = has(root, &["input", "model"]) && !has(root, &["messages"]);
        (is_response || is_request).then(|| "a Responses request or response".to_owned())
    }),
    Sign::list_in(170, "in the member input", |root| {
        if has(root, &["messages"]) { None } else { root.get("input") }
    }),
    Sign::list_in(171, "in the member data of a list", |root| {
        root.get("data").filter(|_| is(root, "object", "list"))
    }),
    Sign::line_of_list(40, is_item),
    Sign::list(180, "Responses items", |list| {
        let items = ["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"];
        list.kind(&items)
            || list.kind(&["reasoning", "item_reference"])
            || list.block(&["input_text", "output_text"])
    }),
    Sign::stream(
        30,
        Stream {
            name: "OpenAI Responses",
            kind: |chunk| type_of(chunk).filter(|kind| kind.starts_with("response.")),
            is_answer: false,
        },
    ),
];

/// Whether a line is an item by its type.
fn is_item(line: Value<'_>) -> bool {
    line.text_of("type").map(Text::decode).is_some_and(|kind| {
        matches!(kind.as_ref(), "message" | "reasoning")
            || kind.ends_with("_call")
            || kind.ends_with("_call_output")
    })
}

/// The blocks of a message's content.
const BLOCKS: [&str; 16] = [
    "input_text",
    "output_text",
    "text",
    "refusal",
    "input_image",
    "input_file",
    "input_audio",
    "output_audio",
    "computer_screenshot",
    "reasoning_text",
    "summary_text",
    "image",
    "file",
    "audio",
    "image_url",
    "encrypted_content",
];

/// Items say by their type what they are, and there are new ones each month; only messages may omit it.
pub(in crate::format) fn fault_of(item: Value<'_>) -> Option<Fault> {
    if !item.is_object() {
        return Some(Fault::Message);
    }
    match type_of(item).as_deref() {
        Some("message") => {}
        Some(_) => return None,
        // A reference may be an id alone.
        None if item.get("role").is_none() && has(item, &["id"]) => return None,
        None => {}
    }
    let roles = ["user", "assistant", "system", "developer", "critic", "discriminator"];
    fault_among(item, &roles, |block| is_typed(block, &BLOCKS))
}

//! Anthropic Messages in the table of formats.

use crate::format::chat::{Fault, fault_among, has_content, is_typed, names_call};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Called, Layout, Listed, Missing, anthropic_block, typed_text};
use crate::format::signs::{Sign, Stream, has, is, type_of};
use crate::format::usage::ReportedInput;
use crate::json::Value;
use crate::rules::{Results, Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::ExcludesCache), ..Description::of("anthropic_messages", "Anthropic Messages") },
    rules: Rules {
        results: Results::NextMessage,
        unanswered: Unanswered::Nowhere,
        unique_calls: true,
        begun_answer: true,
        system_is_listed: false,
        ..Rules::COMMON
    }
    .also(&[
        Rule::ResultNotFirst,
        Rule::SystemNotFirst,
        Rule::UnknownRole,
        Rule::EmptyText,
        Rule::EmptyMessage,
        Rule::UnsignedThinking,
        Rule::ThinkingAfterCall,
        Rule::ThinkingLast,
        Rule::EmptyList,
        Rule::CallWithoutId,
        Rule::CallId,
        Rule::CallName,
        Rule::CallInput,
        Rule::ImageInAnswer,
        Rule::CacheMarks,
    ]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    answers: Some(Answers::Front(|results| format!(r#"{{"role":"user","content":[{results}]}}"#))),
    // Without `is_error`: nobody knows whether the call failed.
    unknown: Some(|Missing { id, text, .. }| {
        Some(format!(r#"{{"type":"tool_result","tool_use_id":{id},"content":{text}}}"#))
    }),
    text: Some(typed_text),
    called: |block| {
        let call = is(block, "type", "tool_use").then_some(block)?;
        Some(Called { id: call.text_of("id"), name: call.text_of("name"), input: call.get("input") })
    },
    answered: |block| is(block, "type", "tool_result").then_some(block),
    ..Layout::of(&[Listed::at(&["content"], anthropic_block)])
};

const SIGNS: &[Sign] = &[
    Sign::document(160, |root| {
        (is(root, "type", "message") && is(root, "role", "assistant"))
            .then(|| "a response: type message, role assistant".to_owned())
    }),
    Sign::envelope(10, "a request with system and max_tokens", |root| has(root, &["max_tokens", "system"])),
    Sign::list(210, "blocks tool_use and tool_result", |list| {
        !list.role(&["tool"])
            && list.block(&[
                "tool_use",
                "tool_result",
                "server_tool_use",
                "mcp_tool_use",
                "compaction",
                "redacted_thinking",
            ])
    }),
    Sign::list(220, "blocks of text with citations", |list| {
        !list.role(&["tool"]) && list.block_with("text", "citations")
    }),
    // Roo and older versions of Cline write tool calls as text, so their lists show no other sign.
    Sign::list(230, "images or documents with a source", |list| {
        !list.role(&["tool"])
            && list.any(|message| {
                let is_media = |block| is(block, "type", "image") || is(block, "type", "document");
                message.elements_of("content").any(|block| is_media(block) && has(block, &["source"]))
            })
    }),
    Sign::shared_list(250, "blocks thinking", |list| list.block(&["thinking"]) && list.all(has_content)),
    Sign::stream(
        10,
        Stream {
            name: "Anthropic Messages",
            kind: |chunk| {
                let kinds = ["message_start", "message_delta", "message_stop"];
                let blocks = ["content_block_start", "content_block_delta", "content_block_stop"];
                let kind = type_of(chunk);
                kind.filter(|kind| kinds.contains(&kind.as_str()) || blocks.contains(&kind.as_str()))
            },
            is_answer: false,
        },
    ),
];

/// The blocks of a content; results of the provider's own tools have a type for each.
const BLOCKS: [&str; 12] = [
    "text",
    "thinking",
    "redacted_thinking",
    "reasoning",
    "image",
    "document",
    "search_result",
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "container_upload",
    "compaction",
];

fn fault_of(message: Value<'_>) -> Option<Fault> {
    fault_among(message, &["user", "assistant", "system"], |block| {
        let is_result = type_of(block).is_some_and(|kind| kind.ends_with("tool_result"));
        if is_result { names_call(block, "tool_use_id") } else { is_typed(block, &BLOCKS) }
    })
}

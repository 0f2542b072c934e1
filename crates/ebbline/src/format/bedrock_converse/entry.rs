//! Bedrock Converse in the table of formats.

use crate::format::chat::{Fault, fault_among, has_content};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Called, Layout, Listed, Missing};
use crate::format::signs::{Sign, Stream, has};
use crate::format::usage::ReportedInput;
use crate::json::{Text, Value};
use crate::rules::{Results, Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::ExcludesCache), ..Description::of("bedrock_converse", "Bedrock Converse") },
    rules: Rules {
        results: Results::NextMessage,
        unanswered: Unanswered::Nowhere,
        system_is_listed: false,
        user_answers_calls: true,
        cache_mark: "cachePoint",
        ..Rules::COMMON
    }
    .also(&[
        Rule::Alternation,
        Rule::UnknownRole,
        Rule::EmptyText,
        Rule::EmptyMessage,
        Rule::EmptyList,
        Rule::CallWithoutId,
        Rule::CallId,
        Rule::CallName,
        Rule::CallInput,
        Rule::CacheMarks,
    ]),
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    answers: Some(Answers::Front(|results| format!(r#"{{"role":"user","content":[{results}]}}"#))),
    unknown: Some(|Missing { id, text, .. }| {
        Some(format!(r#"{{"toolResult":{{"toolUseId":{id},"content":[{{"text":{text}}}]}}}}"#))
    }),
    text: Some(|text| format!(r#"{{"text":{text}}}"#)),
    called: |block| {
        let call = block.present("toolUse")?;
        Some(Called { id: call.text_of("toolUseId"), name: call.text_of("name"), input: call.get("input") })
    },
    answered: |block| block.present("toolResult"),
    ..Layout::of(&[Listed::at(&["content"], super::element)])
};

const SIGNS: &[Sign] = &[
    Sign::document(155, |root| {
        let is_response = root.get("output").is_some_and(|output| has(output, &["message"]));
        (is_response && has(root, &["stopReason"]))
            .then(|| "a response: output.message and stopReason".to_owned())
    }),
    Sign::envelope(5, "a request with modelId", |root| has(root, &["modelId"])),
    Sign::list(205, "blocks of one member: toolUse, toolResult, reasoningContent", |list| {
        list.any(|message| message.elements_of("content").any(is_of_converse))
    }),
    Sign::shared_list(245, "blocks of text without a type", |list| {
        let is_text = |block: Value<'_>| block.get("type").is_none() && block.text_of("text").is_some();
        list.any(|message| message.elements_of("content").any(is_text)) && list.all(has_content)
    }),
    Sign::stream(
        45,
        Stream {
            name: "Bedrock Converse",
            kind: |chunk| {
                let mut members = chunk.members();
                let only = members.next().filter(|_| members.next().is_none());
                let kind = only.map(|(key, _)| Text::decode(key).into_owned());
                kind.filter(|kind| EVENTS.contains(&kind.as_str()))
            },
            is_answer: false,
        },
    ),
];

/// The events of a stream that no other provider has.
const EVENTS: [&str; 5] =
    ["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"];

/// Whether a block is one that no other format has: its only member says what it is.
fn is_of_converse(block: Value<'_>) -> bool {
    let keys =
        ["toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"];
    block.get("type").is_none() && keys.iter().any(|key| block.get(key).is_some_and(Value::is_object))
}

/// The members that say what a block is.
const BLOCKS: [&str; 14] = [
    "text",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "cachePoint",
    "guardContent",
    "citationsContent",
    "searchResult",
    "image",
    "document",
    "video",
    "audio",
    "SDK_UNKNOWN_MEMBER",
    "$unknown",
];

fn fault_of(message: Value<'_>) -> Option<Fault> {
    fault_among(message, &["user", "assistant", "system"], |block| {
        block.get("type").is_none() && BLOCKS.iter().any(|key| block.get(key).is_some())
    })
}

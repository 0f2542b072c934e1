//! TinyAgent in the table of formats.

use crate::format::chat::{Fault, fault_among};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Element, Layout, Listed, by_type, result_by_role};
use crate::format::signs::{Sign, type_of};
use crate::format::usage::ReportedInput;
use crate::json::Value;

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::ExcludesCache), family: Some("tunacode"), ..Description::of("tinyagent", "TinyAgent") },
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |message| result_by_role(message, &["tool_result"]),
    answers: Some(Answers::Messages),
    ..Layout::of(&[CONTENT])
};

/// The blocks of a message.
pub(in crate::format) const CONTENT: Listed = Listed::at(&["content"], |block| {
    by_type(block, &[("thinking", Element::Thinking), ("tool_call", Element::Call)])
});

const SIGNS: &[Sign] = &[
    Sign::list(150, "role tool_result or block tool_call", |list| {
        list.role(&["tool_result"]) || list.block(&["tool_call"])
    }),
    // A summary may have replaced all calls.
    Sign::list(160, "compaction_summary", |list| list.with(&["role", "compaction_summary"])),
];

fn fault_of(message: Value<'_>) -> Option<Fault> {
    fault_among(message, &["user", "assistant", "tool_result", "system"], |block| {
        let any = |members: &[&str]| members.iter().any(|member| block.get(member).is_some());
        match type_of(block).as_deref() {
            // A block may omit its type, and a damaged one is nothing.
            None => block.is_object() || block.is_null(),
            Some("text") => any(&["text"]),
            Some("thinking") => any(&["thinking"]),
            Some("tool_call") => any(&["id", "name", "arguments", "partial_json"]),
            Some(kind) => kind == "image",
        }
    })
}

//! pydantic-ai in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Element, Layout, Listed, Missing, by_member};
use crate::format::signs::{List, Sign, has, is};
use crate::format::usage::ReportedInput;
use crate::rules::{Opening, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), family: Some("tunacode"), ..Description::of("pydantic_ai", "pydantic-ai") },
    rules: Rules { opening: Opening::SystemCounts, ..Rules::COMMON },
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    answers: Some(REQUEST),
    unknown: Some(|Missing { id, tool, text, .. }| {
        Some(format!(
            r#"{{"tool_name":{tool},"content":{text},"tool_call_id":{id},"part_kind":"tool-return"}}"#
        ))
    }),
    ..Layout::of(&[PARTS])
};

/// Results are parts of a request.
pub(in crate::format) const REQUEST: Answers =
    Answers::Wrapped(|results| format!(r#"{{"parts":[{results}],"kind":"request"}}"#));

/// The parts of requests and responses.
pub(in crate::format) const PARTS: Listed = Listed::at(&["parts"], |part| {
    let kinds = [
        ("thinking", Element::Thinking),
        ("tool-call", Element::Call),
        ("builtin-tool-call", Element::Call),
        ("tool-return", Element::Result),
        ("builtin-tool-return", Element::Result),
        ("retry-prompt", Element::Result),
    ];
    let found = by_member(part, "part_kind", &kinds);
    // Without a tool's name a retry prompt is a reminder and no result.
    let is_reminder = part.text_of("tool_name").is_none() && found == Some(Element::Result);
    found.filter(|_| !is_reminder || part.text_of("part_kind").is_some_and(|kind| !kind.is("retry-prompt")))
});

const SIGNS: &[Sign] = &[Sign::list(50, "kind request and response with parts", is_pydantic)];

/// Whether a list holds pydantic-ai's requests and responses.
pub(in crate::format) fn is_pydantic(list: &List<'_>) -> bool {
    list.any(|message| {
        has(message, &["parts"]) && (is(message, "kind", "request") || is(message, "kind", "response"))
    })
}

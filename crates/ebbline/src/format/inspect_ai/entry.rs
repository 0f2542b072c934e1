//! Inspect AI in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing, call, result_by_role, text_block};
use crate::format::signs::{Sign, count_of, has};
use crate::format::usage::ReportedInput;

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description {
        // Inspect AI copies what the provider calls its input.
        reported_input: Some(ReportedInput::Either),
        ..Description::of("inspect_ai", "Inspect AI")
    },
    layout: Some(&LAYOUT),
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |message| result_by_role(message, &["tool"]),
    answers: Some(Answers::Messages),
    unknown: Some(|Missing { id, tool, text, .. }| {
        Some(format!(r#"{{"content":{text},"role":"tool","tool_call_id":{id},"function":{tool}}}"#))
    }),
    ..Layout::of(&[Listed::at(&["content"], text_block), Listed::at(&["tool_calls"], call)])
};

const SIGNS: &[Sign] = &[
    Sign::document(40, |root| {
        has(root, &["eval", "samples"]).then(|| {
            let samples = count_of(root, "samples");
            let noun = if samples == 1 { "sample" } else { "samples" };
            format!("an eval with {samples} {noun}")
        })
    }),
    // A sample by itself, as a log in the form of an archive has them.
    Sign::document(42, |root| {
        has(root, &["epoch", "target", "messages"]).then(|| "a sample: epoch, target and messages".to_owned())
    }),
];

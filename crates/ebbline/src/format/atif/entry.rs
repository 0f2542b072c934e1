//! ATIF in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::signs::{Sign, count_of};
use crate::format::usage::ReportedInput;
use crate::rules::{Results, Rule, Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("atif", "ATIF") },
    rules: Rules {
        // Terminus writes results without the ids of calls, but a step contains both the calls and their results.
        results: Results::SameMessage,
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    }
    .except(&[Rule::ResultWithoutCall]),
    ..FormatEntry::of(SIGNS, super::read)
};

const SIGNS: &[Sign] = &[
    Sign::document(10, |root| {
        let version = root.text_of("schema_version").filter(|version| version.starts_with("ATIF"))?;
        Some(format!("schema_version {} and {} steps", version.decode(), count_of(root, "steps")))
    }),
    Sign::list(100, "step_id and source", |list| list.with(&["step_id", "source"])),
];

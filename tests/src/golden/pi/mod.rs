//! pi.

mod session;
mod summaries;

use std::collections::HashMap;

use ebbline::format::Entry;
use ebbline::json::Value;
use ebbline::{Format, ReadOptions, SessionText};

use super::{Case, equal};

/// The adapter for `<version>-<function>`; `None` if it is not covered yet.
pub(super) fn adapter(rest: &str) -> Option<super::Adapter> {
    if rest == "all-real-sessions" {
        return Some(session::real_sessions);
    }
    match rest.rsplit_once('-')?.1 {
        "migrate" => Some(migrate),
        "overflow" => Some(super::overflow::pi),
        "compact" => Some(summaries::compact),
        "branch" => Some(summaries::branch),
        "branchSummary" => Some(summaries::branch_summary),
        "estimate" => Some(session::estimate),
        "context" => Some(session::context),
        "cut" => Some(session::cut),
        "prepare" => Some(session::prepare),
        "serialize" => Some(session::serialize),
        _ => None,
    }
}

/// Old session files migrated to version 3.
fn migrate(case: &Case<'_>) -> Result<(), String> {
    let source: Vec<Value<'_>> = case.input.elements_of("lines").collect();
    let lines: Vec<&str> = source.iter().map(|line| line.source()).collect();
    let options = ReadOptions::new().format(Format::Pi);
    let session = SessionText::read_with(lines.join("\n"), &options).map_err(|error| error.to_string())?;
    let expected: Vec<Value<'_>> = case.expected.elements_of("entries").collect();
    equal("entries", &session.entries().len(), &expected.len())?;
    // In a compaction of version 1, pi replaces the index by the entry's id and removes it. The engine keeps no
    // copies of entries; that it has migrated such a file shows in the ids that it gave.
    let keeps_index = |line: Value<'_>, entry: &Entry| {
        let index = line.get("firstKeptEntryIndex");
        let is_replaced = entry.kind == "compaction"
            && entry.id.as_deref() != line.text_of("id").map(|id| id.decode()).as_deref()
            && index.is_some_and(|index| index.number().is_some());
        index.is_some() && !is_replaced
    };
    let lines_by_id: HashMap<&str, usize> = session
        .entries()
        .iter()
        .enumerate()
        .filter_map(|(line, entry)| Some((entry.id.as_deref()?, line)))
        .collect();
    let shown = |id: Option<&str>| match id {
        Some(id) => lines_by_id.get(id).map_or_else(|| id.to_owned(), |line| format!("@{line}")),
        None => "null".to_owned(),
    };
    for (line, (ours, expected)) in session.entries().iter().zip(&expected).enumerate() {
        for (key, value) in expected.members() {
            if key.is("hasFirstKeptEntryIndex") {
                let source = source.get(line).copied().ok_or("there are more entries than lines")?;
                let ours = keeps_index(source, ours);
                equal(&format!("line {line}, index"), &ours, &value.is_truthy())?;
                continue;
            }
            let (key, value) =
                (key.decode(), value.text().map_or(value.source().into(), |text| text.decode()));
            equal(&format!("line {line}, {key}"), &field(ours, &key, &shown), &value.into_owned())?;
        }
    }
    Ok(())
}

fn field(entry: &Entry, key: &str, shown: &dyn Fn(Option<&str>) -> String) -> String {
    match key {
        "type" => entry.kind.clone(),
        "version" => entry.version.clone().unwrap_or_default(),
        "id" => shown(entry.id.as_deref()),
        "parentId" => shown(entry.parent_id.as_deref()),
        "role" => entry.role.clone().unwrap_or_default(),
        "firstKeptEntryId" => shown(entry.first_kept_entry_id.as_deref()),
        _ => format!("no field {key}"),
    }
}

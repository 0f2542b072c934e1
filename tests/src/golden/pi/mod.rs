//! pi.

mod session;
mod summaries;

use std::collections::HashMap;

use ebbline::format::Entry;
use ebbline::json::Value;
use ebbline::{Format, ReadOptions, Session};

use super::{Case, equal};

/// The adapter for `<version>-<function>`; `None` when it is not covered yet.
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

/// Old session files brought to version 3.
fn migrate(case: &Case<'_>) -> Result<(), String> {
    let lines: Vec<&str> = case.input.elements_of("lines").map(Value::source).collect();
    let options = ReadOptions { format: Some(Format::Pi), ..ReadOptions::default() };
    let session = Session::read(&lines.join("\n"), &options).map_err(|error| error.to_string())?;
    let expected: Vec<Value<'_>> = case.expected.elements_of("entries").collect();
    equal("entries", &session.entries().len(), &expected.len())?;
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
        "hasFirstKeptEntryIndex" => entry.has_first_kept_entry_index.to_string(),
        _ => format!("no field {key}"),
    }
}

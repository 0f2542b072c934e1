//! A summary as pi records it: an entry of the session tree.

use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::Entry;
use crate::format::moment::iso_moment;
use crate::format::placement::{ListSummary, OldMessages, SummaryRecord};
use crate::format::summary::Summary;
use crate::json::quote;
use crate::plan::Fate;

/// In a list, a message with pi's own role.
pub(super) static LISTED: ListSummary = ListSummary::of(|summary| {
    format!(
        r#"{{"role":"compactionSummary","summary":{},"tokensBefore":{},"timestamp":{},"keptMessages":{}}}"#,
        quote(summary.text),
        summary.plan.decision.tokens_before,
        summary.now,
        summary.kept_behind(),
    )
});

/// In a file of version 1, whose entry names the first kept one by its index.
pub(super) static BY_INDEX: SummaryRecord =
    SummaryRecord { write: |summary| summarize(summary, true), old: OldMessages::Stay };

/// In a file of version 2 or 3, whose entry names it by its id.
pub(super) static BY_ID: SummaryRecord =
    SummaryRecord { write: |summary| summarize(summary, false), old: OldMessages::Stay };

/// Appends a compaction entry, as pi does (badlogic/pi-mono, `packages/coding-agent/src/core/session-manager.ts`). A
/// torn last line stays unchanged, on a line of its own.
fn summarize(summary: &Summary<'_>, indexed: bool) -> Result<Vec<Edit>, Error> {
    let entries = &summary.session.entries;
    let kept = |index: usize| {
        entries
            .iter()
            .enumerate()
            .find(|(_, entry)| entry.message == Some(index))
            .map(|(line, entry)| (line, entry.id.clone()))
    };
    let missing =
        || Error::new(ErrorCode::NoPlaceForSummary, "the session has no entry that the summary could name");
    let leaf = entries.iter().rfind(|entry| entry.kind != "session").and_then(|entry| entry.id.clone());
    let id = fresh_id(entries);
    let boundary = summary.plan.decision.retain.boundary.unwrap_or(summary.plan.messages.len());
    // The first kept message counts, not the summary of an earlier compaction.
    let first_kept = (boundary..summary.plan.messages.len())
        .filter(|index| {
            summary.plan.messages.get(*index).is_some_and(|message| message.fate != Fate::Inactive)
        })
        .find_map(kept);
    let mut entry = String::from(r#"{"type":"compaction""#);
    if !indexed {
        let parent = leaf.ok_or_else(missing)?;
        entry.push_str(&format!(r#","id":{},"parentId":{}"#, quote(&id), quote(&parent)));
    }
    entry.push_str(&format!(
        r#","timestamp":{},"summary":{}"#,
        quote(&iso_moment(summary.now)),
        quote(summary.text)
    ));
    match (indexed, first_kept) {
        (true, Some((line, _))) => entry.push_str(&format!(r#","firstKeptEntryIndex":{line}"#)),
        (true, None) => entry.push_str(&format!(r#","firstKeptEntryIndex":{}"#, entries.len())),
        (false, Some((_, kept))) => {
            entry.push_str(&format!(r#","firstKeptEntryId":{}"#, quote(&kept.ok_or_else(missing)?)));
        }
        (false, None) => entry.push_str(&format!(r#","firstKeptEntryId":{}"#, quote(&id))),
    }
    entry.push_str(&format!(r#","tokensBefore":{}}}"#, summary.plan.decision.tokens_before));
    let end = summary.source.len();
    let ends_line = summary.source.ends_with('\n') || summary.source.is_empty();
    // pi appends to the file without checking its end, so the next entry needs a new line.
    let text = if ends_line { format!("{entry}\n") } else { format!("\n{entry}\n") };
    Ok(vec![Edit::new(end..end, text)])
}

/// An unused id of eight hexadecimal digits, always the same for the same session.
fn fresh_id(entries: &[Entry]) -> String {
    let start = entries.len() as u32;
    (0..=start)
        .map(|step| format!("{:08x}", (start.wrapping_add(step)).wrapping_mul(0x9E37_79B1)))
        .find(|id| entries.iter().all(|entry| entry.id.as_deref() != Some(id)))
        .unwrap_or_default()
}

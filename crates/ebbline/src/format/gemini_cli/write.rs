//! A summary as the CLI's own compression leaves it: a message with the snapshot, the model's answer to it, and the
//! kept messages.

use super::super::gemini_contents::{ACKNOWLEDGED, snapshot};
use super::super::moment::iso_moment;
use super::super::placement::{ListSummary, OldMessages, SummaryRecord};
use super::super::summary::Summary;
use super::record::recorded_at;

use crate::edit::Edit;
use crate::error::Error;
use crate::json::{Document, quote};
use crate::plan::Fate;

/// In a JSON file, as two messages of the list.
pub(super) static LISTED: ListSummary = ListSummary::of(in_list);

/// The summary and its answer as elements of a list of messages.
fn in_list(summary: &Summary<'_>) -> String {
    // The answer follows it, before the kept messages.
    let text = summary.lead(1, ACKNOWLEDGED) + &snapshot(summary.text);
    let id = fresh_id(summary.source);
    let moment = quote(&moment(summary));
    let message = |id: &str, kind: &str, text: &str| {
        let (id, text) = (quote(id), quote(text));
        format!(r#"{{"id":{id},"timestamp":{moment},"type":"{kind}","content":[{{"text":{text}}}]}}"#)
    };
    format!("{},{}", message(&id, "user", &text), message(&format!("{id}-answer"), "gemini", ACKNOWLEDGED))
}

/// A line after the last one, which replaces the messages.
pub(super) static RECORDED: SummaryRecord =
    SummaryRecord { write: summarize, old: OldMessages::AreRewritten };

/// Appends a line that replaces the messages, as the CLI does after a compression; the old lines stay in the file.
///
/// The kept messages are copied unchanged, except for pruned outputs.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let mut messages = in_list(summary);
    for (index, planned) in summary.plan.messages.iter().enumerate() {
        if !matches!(planned.fate, Fate::Summarized | Fate::Inactive) {
            messages.push(',');
            messages.push_str(&summary.written(index)?);
        }
    }
    let moment = quote(&moment(summary));
    let line = format!(r#"{{"$set":{{"messages":[{messages}],"lastUpdated":{moment}}}}}"#);
    let end = summary.source.len();
    // The CLI continues after this line and does not begin a line itself.
    let lead = if summary.source.ends_with('\n') { "" } else { "\n" };
    Ok(vec![Edit::new(end..end, format!("{lead}{line}\n"))])
}

/// The current time, or that of the newest message: the summary is not older than the messages that follow it.
fn moment(summary: &Summary<'_>) -> String {
    let messages = (0..summary.plan.messages.len()).map(|index| summary.session.span(index));
    let recorded = messages.filter_map(|span| {
        let document = Document::parse_range(summary.source, span).ok()?;
        recorded_at(document.root())
    });
    recorded.chain([iso_moment(summary.now)]).max().unwrap_or_default()
}

/// An id that does not occur in the file.
fn fresh_id(source: &str) -> String {
    let id = |number: usize| format!("summary-{number}");
    let is_free = |id: &String| !source.contains(id.as_str());
    (1..=source.len() + 1).map(id).find(is_free).unwrap_or_default()
}

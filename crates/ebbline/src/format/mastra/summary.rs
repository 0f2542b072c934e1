//! A summary among messages of a Mastra store.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::{Document, Value, quote};

/// The beginning of the id of a summary.
const OF_SUMMARY: &str = "compaction-";

/// A message of the user. A list of Mastra's sorts its messages by time, and its stores keep them by id and thread: the
/// summary has those of the first message that it replaces. An earlier summary gives its id on.
pub(super) static LISTED: ListSummary = ListSummary::of(written);

fn written(summary: &Summary<'_>) -> String {
    let replaced = summary.first_replaced();
    let document = replaced.and_then(|span| Document::parse_range(summary.source, span).ok());
    let replaced = document.as_ref().map(Document::root);
    let id = replaced
        .and_then(|message| message.get("id"))
        .filter(|id| id.text().is_some_and(|id| !id.is_empty()));
    let own = id.and_then(|id| id.source().strip_prefix('"'));
    let own = own.map_or_else(|| format!("{}\"", summary.plan.messages.len()), str::to_owned);
    let is_summary = id.and_then(Value::text).is_some_and(|id| id.starts_with(OF_SUMMARY));
    let prefix = if is_summary { "" } else { OF_SUMMARY };
    let mut members = String::new();
    for name in ["createdAt", "threadId", "resourceId"] {
        if let Some(value) = replaced.and_then(|message| message.get(name)) {
            members.push_str(&format!(r#""{name}":{},"#, value.source()));
        }
    }
    let text = quote(&summary.marked());
    format!(
        r#"{{"id":"{prefix}{own},"role":"user",{members}"content":{{"format":2,"parts":[{{"type":"text","text":{text}}}]}}}}"#
    )
}

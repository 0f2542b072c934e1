//! A compaction as Kiro records it: a line with the summary, and the messages that stay.

use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::json::{Document, Value, quote};
use crate::plan::Fate;
use crate::transcript::Role;

/// A line after the last one, which replaces the messages.
pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::AreRewritten };

/// Kiro sends a summary at the head of the first message of the user, and its server refuses a list that begins with an answer:
/// in front of one stands this message.
pub(super) const GO_ON: &str = "Go on.";

/// Appends the line. A torn last line stays unchanged, on a line of its own.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    if !Source::parse(summary.source)?.is_lines {
        let why = "a single entry has no log that a summary could go into";
        return Err(Error::new(ErrorCode::NoPlaceForSummary, why));
    }
    let messages = summary.session.transcript.messages().iter().zip(&summary.plan.messages).enumerate();
    let kept: Vec<_> = messages
        .filter(|(_, (message, planned))| {
            !matches!(planned.fate, Fate::Summarized | Fate::Inactive) && !message.summary
        })
        .map(|(index, (message, _))| (index, message.role))
        .collect();
    let go_on =
        || Ok(format!(r#"{{"id":null,"role":"user","content":[{{"kind":"text","data":{}}}]}}"#, quote(GO_ON)));
    let lead = kept.first().filter(|(_, role)| *role == Role::Assistant).map(|_| go_on());
    let stays = lead.into_iter().chain(kept.iter().map(|(index, role)| message(summary, *index, *role)));
    let snapshot = stays.collect::<Result<Vec<_>, _>>()?.join(",");
    let line = format!(
        concat!(
            r#"{{"version":"v1","kind":"Compaction","data":{{"summary":{},"#,
            r#""strategy":{{"message_pairs_to_exclude":{},"context_window_percent_to_exclude":0,"#,
            r#""truncate_large_messages":false,"max_message_length":25000}},"messages_snapshot":[{}]}}}}"#
        ),
        quote(summary.text),
        kept.len() / 2,
        snapshot,
    );
    let end = summary.source.len();
    let written = if summary.source.ends_with('\n') { format!("{line}\n") } else { format!("\n{line}") };
    Ok(vec![Edit::new(end..end, written)])
}

/// Message `index` as an element of the snapshot; it is one already, or a line.
fn message(summary: &Summary<'_>, index: usize, role: Role) -> Result<String, Error> {
    let written = summary.written(index)?;
    let document = Document::parse(&written)?;
    let line = document.root();
    if line.get("kind").is_none() {
        return Ok(written);
    }
    let data = line.present("data").unwrap_or(line);
    let member = |key: &str| data.get(key).map_or("null", Value::source);
    let name = if role == Role::Assistant { "assistant" } else { "user" };
    let meta = data.present("meta").map(|meta| format!(r#","meta":{}"#, meta.source())).unwrap_or_default();
    let (id, content) = (member("message_id"), member("content"));
    Ok(format!(r#"{{"id":{id},"role":"{name}","content":{content}{meta}}}"#))
}

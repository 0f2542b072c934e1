//! A compaction as Codex records it: a line with the whole new context (codex-rs, `compact.rs` and
//! `rollout_reconstruction.rs`). Codex resumes from that line and ignores everything before it.

use super::log::following;
use super::words::{text_of, user_message};
use crate::edit::Edit;
use crate::error::Error;
use crate::format::moment::iso_moment;
use crate::format::openai_responses::speech::BRIDGE;
use crate::format::placement::{OldMessages, SummaryRecord};
use crate::format::source::Source;
use crate::format::summary::Summary;
use crate::json::{Document, quote};
use crate::plan::Fate;

/// A compaction line after the last line, which replaces the messages.
pub(super) static RECORDED: SummaryRecord =
    SummaryRecord { write: summarize, old: OldMessages::AreRewritten };

/// Appends the line: the summary, then the kept items, byte for byte. A torn last line stays unchanged, on a line of
/// its own.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let text = quote(&format!("{BRIDGE}\n{}", summary.text));
    let history = new_context(summary, user_message(&text))?.join(",");
    let source = Source::parse(summary.source)?;
    let (moment, ordinal) = following(&source);
    let moment = moment.filter(|_| summary.now == 0).unwrap_or_else(|| quote(&iso_moment(summary.now)));
    let ordinal = ordinal.map(|ordinal| format!(r#""ordinal":{ordinal},"#)).unwrap_or_default();
    let line = format!(
        r#"{{"timestamp":{moment},{ordinal}"type":"compacted","payload":{{"message":{text},"replacement_history":[{history}]}}}}"#
    );
    let end = summary.source.len();
    let written = if summary.source.ends_with('\n') { format!("{line}\n") } else { format!("\n{line}") };
    Ok(vec![Edit::new(end..end, written)])
}

/// The items of the new context. The summary takes the place of the first summarized message, but must follow the
/// server's own compaction: the server ignores everything before that.
fn new_context(summary: &Summary<'_>, told: String) -> Result<Vec<String>, Error> {
    let count = summary.plan.messages.len();
    let opaque = (0..count).rev().find(|index| summary.is_opaque(*index)).map(|index| index + 1);
    let place = opaque.or_else(|| (0..count).find(|index| summary.is_summarized(*index))).unwrap_or(count);
    let is_kept = |index: &usize| {
        let fate = summary.plan.messages.get(*index).map(|message| message.fate);
        !matches!(fate, Some(Fate::Summarized | Fate::Inactive)) || summary.is_opaque(*index)
    };
    let items = |range: std::ops::Range<usize>| {
        range.filter(is_kept).map(|index| item(summary, index)).filter_map(Result::transpose)
    };
    items(0..place).chain([Ok(told)]).chain(items(place..count)).collect()
}

/// Message `index` as an item; `None` for the system prompt, which is not in the list. A line that is not an item
/// becomes the item that Codex would make of it.
fn item(summary: &Summary<'_>, index: usize) -> Result<Option<String>, Error> {
    let written = summary.written(index)?;
    let document = Document::parse(&written)?;
    let value = document.root();
    if !value.is_object() {
        return Ok(None);
    }
    if value.get("type").is_some() || value.get("role").is_some() {
        return Ok(Some(written));
    }
    if let Some(message) = value.get("message") {
        return Ok(Some(user_message(message.source())));
    }
    let block = match value.text_of("encrypted_content") {
        Some(_) => format!(
            r#"{{"type":"encrypted_content","encrypted_content":{}}}"#,
            quote(&text_of(value, "encrypted_content"))
        ),
        None => format!(r#"{{"type":"input_text","text":{}}}"#, quote(&text_of(value, "content"))),
    };
    let [author, recipient] = ["author", "recipient"].map(|key| quote(&text_of(value, key)));
    Ok(Some(format!(
        r#"{{"type":"agent_message","author":{author},"recipient":{recipient},"content":[{block}]}}"#
    )))
}

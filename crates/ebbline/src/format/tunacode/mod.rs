//! TunaCode session files: pydantic-ai messages until 0.1, TinyAgent messages from 0.2 on, and files that mix them.
//!
//! Structures from alchemiststudiosDOTai/tunacode 0.1.41 (`core/state.py`, `core/compaction.py`) and 0.2.2
//! (`core/session/state.py`, `core/compaction`).

mod entry;

pub(super) use entry::ENTRY;

use super::marker::MarkerKind;
use super::moment::iso_moment;
use super::placement::{OldMessages, SummaryPlacement, SummaryRecord};
use super::reading::{ReadOptions, Reading};
use super::recorder::{Counts, Recorder};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::summary::{Summary, join};
use super::{pydantic_ai, tinyagent};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::{Document, Value, quote};
use crate::transcript::{Message, Part, PartKind, Role};

/// The beginning of TunaCode's summary messages.
pub(super) const LEAD: &str = "[Compaction summary]\n\n";

/// Reads a text with this format's reader alone.
pub(crate) fn read_alone(text: &str, options: &ReadOptions) -> Result<Reading, Error> {
    super::read_by(text, options, |_| read)
}

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    recorder.set_injected(Counts::AsTurn);
    let messages = source.list();
    let record =
        source.root().and_then(|root| root.present("compaction")).filter(|record| record.is_object());
    if let Some(record) = record {
        recorder.mark(MarkerKind::Compaction, "compaction", record.span());
    }
    // The record contains the summary. TunaCode sends it in front of the messages, unless they already begin with
    // one.
    let is_there = messages.first().is_some_and(|first| {
        first.text_of("role").is_some_and(|role| role.is("user"))
            && (tinyagent::is_flagged(*first) || begins_as_summary(*first))
    });
    let summary = record.filter(|_| !is_there).and_then(|record| record.text_of("summary"));
    if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
        let span = record.map(Value::span).unwrap_or_default();
        let message = Message::earlier_summary();
        recorder.begin_unlisted(message, span);
        recorder.transcript.push(Part::new(PartKind::Summary, summary.length()));
        recorder.set_places([summary.span()]);
        recorder.set_kept(record.and_then(|record| record.get("kept_message_count")));
    }
    for message in messages {
        // Plain objects may come between pydantic-ai's messages; only the messages have a kind.
        if message.get("kind").is_some() && message.get("parts").is_some() {
            pydantic_ai::read_message(message, recorder);
        } else if message.get("role").is_some() {
            tinyagent::read_message(message, recorder)?;
        } else {
            // `{"thought": …}`: stored for display, never sent.
            recorder.begin(Message { active: false, ..Message::new(Role::Other) }, message.span());
        }
    }
    Ok(SummaryPlacement::Record(&RECORDED))
}

/// Whether TunaCode recognizes a message as the summary by its text, and therefore adds none.
fn begins_as_summary(message: Value<'_>) -> bool {
    let text = tinyagent::first_text(message.present("content"));
    text.is_some_and(|text| text.starts_with(LEAD.trim_end()))
}

/// In the session's `compaction` record.
static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Leave };

/// Removes the messages and writes the record, as `core/compaction` of TunaCode 0.2 does.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let missing = || {
        let message =
            "a summary stands in the record of a TunaCode session file, and this is only its messages";
        Error::new(ErrorCode::NoPlaceForSummary, message)
    };
    let (document, _) = Document::parse_leading(summary.source).map_err(|_| missing())?;
    let root = document.root();
    let removed = summary.removed();
    // The record is in the same object as the messages, so a bare list, or lines, have no place for it.
    if !root.is_object()
        || removed.iter().any(|message| message.start <= root.span().start || message.end > root.span().end)
    {
        return Err(missing());
    }
    let mut edits = summary.remove(&removed);
    let previous = root.present("compaction");
    let count = previous.and_then(|record| record.get("compaction_count")?.number()).unwrap_or(0.0) as u64;
    let before = previous.and_then(|record| record.get("summary")).map_or("null", Value::source);
    let record = format!(
        concat!(
            r#"{{"summary":{},"compacted_message_count":{},"tokens_before":{},"tokens_after":{},"#,
            r#""compaction_count":{},"previous_summary":{},"last_compacted_at":{},"kept_message_count":{}}}"#
        ),
        quote(summary.text),
        removed.len(),
        summary.plan.decision.tokens_before,
        summary.plan.decision.retain.kept,
        count + 1,
        before,
        quote(&iso_moment(summary.now)),
        summary.session.listed.iter().filter(|listed| **listed).count() - removed.len(),
    );
    edits.push(Slot::of_member(root, "compaction", Shape::Text).written(&record));
    Ok(join(edits))
}

#[cfg(test)]
mod tests {
    use crate::session_text::SessionText;

    fn file(messages: &str) -> String {
        format!(
            r#"{{"session_id":"s","project_id":"p","current_model":"m","messages":[{messages}],"compaction":{{"summary":"before"}}}}"#
        )
    }

    #[test]
    fn the_recorded_summary_is_sent_once() {
        let summary = r#"{"role":"user","content":[{"type":"text","text":"[Compaction summary]\n\nbefore"}],"compaction_summary":true}"#;
        let user = r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#;
        for (messages, sent) in
            [(user.to_owned(), 2), (format!("{summary},{user}"), 2), (format!("{user},{summary}"), 3)]
        {
            let session = SessionText::read(file(&messages)).unwrap();
            assert_eq!(session.transcript().messages().len(), sent, "{messages}");
            assert!(session.transcript().messages()[0].summary, "{messages}");
            assert_eq!(session.markers()[0].name, "compaction");
        }
    }
}

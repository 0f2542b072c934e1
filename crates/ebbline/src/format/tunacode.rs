//! TunaCode session files (formats.md, section 2): pydantic-ai messages until 0.1, TinyAgent messages from 0.2
//! on, and files that mix them.

use super::recorder::Recorder;
use super::source::Source;
use super::summary::Ending;
use super::{pydantic_ai, tinyagent};
use crate::error::Error;
use crate::json::Value;
use crate::transcript::{Message, Part, PartKind, Role};

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    // The record holds the summary; TunaCode puts it in front of the messages when it sends them.
    let summary = source
        .root()
        .and_then(|root| root.present("compaction"))
        .and_then(|record| record.text_of("summary"))
        .filter(|summary| !summary.is_empty());
    if let Some(summary) = summary {
        let span = source.root().and_then(|root| root.get("compaction")).map(Value::span).unwrap_or_default();
        let message = Message::earlier_summary();
        recorder.begin_unlisted(message, span);
        recorder.transcript.push(Part::new(PartKind::Summary, summary.length()));
        recorder.stands_at([summary.span()]);
    }
    for message in source.list() {
        // Plain objects may stand between pydantic-ai's messages; only those have a kind.
        if message.get("kind").is_some() && message.get("parts").is_some() {
            pydantic_ai::read_message(message, recorder);
        } else if message.get("role").is_some() {
            tinyagent::read_message(message, recorder)?;
        } else {
            // `{"thought": …}`: kept in the file for display, never sent.
            recorder.begin(Message { active: false, ..Message::new(Role::Other) }, message.span());
        }
    }
    Ok(Ending::TunaCode)
}

//! TunaCode session files (formats.md, section 2): pydantic-ai messages until 0.1, TinyAgent messages from 0.2
//! on, and files that mix them.

use super::marker::MarkerKind;
use super::recorder::Recorder;
use super::source::Source;
use super::summary::Ending;
use super::{pydantic_ai, tinyagent};
use crate::error::Error;
use crate::json::Value;
use crate::transcript::{Message, Part, PartKind, Role};

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<Ending, Error> {
    let messages = source.list();
    let record =
        source.root().and_then(|root| root.present("compaction")).filter(|record| record.is_object());
    if let Some(record) = record {
        recorder.mark(MarkerKind::Compaction, "compaction", record.span());
    }
    // The record holds the summary; TunaCode puts it in front of the messages when it sends them, unless they begin with
    // one already.
    let is_there = messages.first().is_some_and(|first| {
        first.text_of("role").is_some_and(|role| role.is("user"))
            && tinyagent::is_summary(*first, first.present("content"))
    });
    let summary = record.filter(|_| !is_there).and_then(|record| record.text_of("summary"));
    if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
        let span = record.map(Value::span).unwrap_or_default();
        let message = Message::earlier_summary();
        recorder.begin_unlisted(message, span);
        recorder.transcript.push(Part::new(PartKind::Summary, summary.length()));
        recorder.stands_at([summary.span()]);
    }
    for message in messages {
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

#[cfg(test)]
mod tests {
    use crate::session::{ReadOptions, Session};

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
            let session = Session::read(&file(&messages), &ReadOptions::default()).unwrap();
            assert_eq!(session.transcript().messages().len(), sent, "{messages}");
            assert!(session.transcript().messages()[0].summary, "{messages}");
            assert_eq!(session.markers()[0].name, "compaction");
        }
    }
}

//! Compaction of the later version: a normal request with one more instruction, and a check of the answer.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;

use super::compaction::{Checkpoint, Compaction, CompactionRequest, Failure};
use super::prompt::{follows_template, instruction, reminder};
use super::reply::Reply;
use super::tail::{is_completed_checkpoint, tail};
use super::version::Version;

const STARTED: &str = "session.compaction.started";
const DELTA: &str = "session.compaction.delta";
const ENDED: &str = "session.compaction.ended";
const FAILED: &str = "session.compaction.failed";

/// Compacts with the given replies. An answer without any heading of the template is requested once more.
///
/// The request follows the messages before the tail, which are sent as in a normal request with the same system
/// prompt and tools, so that the provider's cache is used. The second request does not contain the rejected answer.
///
/// # Errors
///
/// As [`serialize`](super::serialize()).
pub fn compact(
    messages: &[Value<'_>],
    keep: f64,
    reason: &'static str,
    replies: &[Reply],
) -> Result<Compaction, Error> {
    let mut compaction = Compaction::default();
    let Some(tail) = tail(messages, keep)? else {
        compaction.fail("compaction.unavailable", "Nothing to compact yet".into());
        return Ok(compaction);
    };
    let update = messages.iter().take(tail.start).any(|message| is_completed_checkpoint(*message));
    compaction.events.push(STARTED);
    let mut asked = vec![instruction(update)];
    loop {
        compaction.request = Some(CompactionRequest::new(tail.start, asked.clone(), None));
        let Some(reply) = replies.get(asked.len() - 1) else {
            compaction.waiting = true;
            return Ok(compaction);
        };
        compaction.events.extend(std::iter::repeat_n(DELTA, reply.deltas));
        if let Some((kind, message)) = fault(reply) {
            compaction.fail(kind, message);
            return Ok(compaction);
        }
        if follows_template(&reply.text, Version::Later) {
            compaction.compacted = true;
            compaction.events.push(ENDED);
            compaction.checkpoint = Some(Checkpoint::new(reason, reply.text.clone(), tail.recent));
            return Ok(compaction);
        }
        if asked.len() > 1 {
            let message = if reply.text.trim().is_empty() {
                "Compaction produced no summary"
            } else {
                "Compaction summary did not match the required template"
            };
            compaction.fail("compaction.failed", message.into());
            return Ok(compaction);
        }
        asked.push(reminder());
    }
}

/// Why a reply is unusable, whatever its text.
fn fault(reply: &Reply) -> Option<(&'static str, Utf16)> {
    if let Some(error) = &reply.error {
        return Some(("provider.error", error.clone()));
    }
    match reply.finish.as_deref()? {
        "length" => Some(("compaction.failed", "The summary was cut off at the output limit".into())),
        "content-filter" => Some(("provider.content-filter", "The provider withheld the summary".into())),
        "unknown" => Some(("provider.error", "The summary ended for no known reason".into())),
        "error" => Some(("provider.error", "The summary ended with an error".into())),
        _ => None,
    }
}

impl Compaction {
    fn fail(&mut self, r#type: &'static str, message: Utf16) {
        self.events.push(FAILED);
        self.failure = Some(Failure { r#type, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const MESSAGES: &str = r#"[{"type":"user","text":"a"},{"type":"user","text":"b"}]"#;

    fn run(messages: &str, replies: &[Reply]) -> Compaction {
        let document = Document::parse(messages).unwrap();
        let messages: Vec<_> = document.root().elements().collect();
        compact(&messages, 1.0, "auto", replies).unwrap()
    }

    fn reply(text: &str) -> Reply {
        Reply { text: text.into(), deltas: 1, ..Reply::default() }
    }

    #[test]
    fn an_answer_without_headings_is_asked_for_once_more() {
        let good = reply("## Objective\n- x");
        let compaction = run(MESSAGES, &[reply("sorry"), good]);
        assert_eq!(compaction.events, [STARTED, DELTA, DELTA, ENDED]);
        let request = compaction.request.unwrap();
        assert_eq!((request.history, request.request.messages.len()), (1, 2));
        assert_eq!(compaction.checkpoint.unwrap().recent, Utf16::from("[User]: b"));
        let waiting = run(MESSAGES, &[reply("sorry")]);
        assert!(waiting.waiting && waiting.failure.is_none());
    }

    #[test]
    fn failures_are_named() {
        let finish = |reason: &str| Reply { finish: Some(reason.to_owned()), ..reply("## Objective") };
        for (messages, replies, kind, message) in [
            ("[]", vec![], "compaction.unavailable", "Nothing to compact yet"),
            (MESSAGES, vec![reply("no"), reply(" ")], "compaction.failed", "Compaction produced no summary"),
            (
                MESSAGES,
                vec![reply("no"), reply("no")],
                "compaction.failed",
                "Compaction summary did not match the required template",
            ),
            (
                MESSAGES,
                vec![finish("length")],
                "compaction.failed",
                "The summary was cut off at the output limit",
            ),
            (
                MESSAGES,
                vec![finish("content-filter")],
                "provider.content-filter",
                "The provider withheld the summary",
            ),
            (MESSAGES, vec![Reply { error: Some("down".into()), ..reply("") }], "provider.error", "down"),
        ] {
            let compaction = run(messages, &replies);
            let failure = compaction.failure.unwrap();
            assert_eq!((failure.r#type, failure.message), (kind, Utf16::from(message)));
            assert_eq!(compaction.events.last(), Some(&FAILED));
            assert!(!compaction.compacted && compaction.checkpoint.is_none());
        }
        run(MESSAGES, &[finish("stop")]).checkpoint.unwrap();
    }

    #[test]
    fn a_checkpoint_before_the_tail_is_brought_up_to_date() {
        let first = run(MESSAGES, &[]).request.unwrap();
        let checkpoint = r#"{"type":"compaction","status":"completed","summary":"s","recent":"r"}"#;
        let update = run(&MESSAGES.replacen('[', &format!("[{checkpoint},"), 1), &[]).request.unwrap();
        assert_eq!((first.history, update.history), (1, 2));
        assert_ne!(first.request.messages, update.request.messages);
    }
}

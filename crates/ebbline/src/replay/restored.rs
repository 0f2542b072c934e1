//! What an agent's own compactions took from a session, and what its file still has of it.

use std::borrow::Cow;

use crate::length::Length;
use crate::session_text::SessionText;
use crate::transcript::{Output, Part, Transcript};

/// The transcript of a session as it was before its agent compacted it. Outputs are whole again where the file still has
/// their text: `OpenCode` marks an output and leaves it; Claude Code names it on a line of its own. Answers have the usage that
/// they reported then; the reader forgets it, because it does not describe what is sent now.
pub(super) fn restored<'s>(session: &'s SessionText<'_>) -> Cow<'s, Transcript> {
    let log = session.transcript();
    let pruned = log.parts().iter().enumerate().filter(|(_, part)| part.output == Output::Pruned);
    let texts = pruned.filter_map(|(index, part)| {
        let text = session.reading.text_before_pruning(session.source(), index)?;
        Some((index, Part { output: Output::Ordinary, length: Length::of(&text), native: None, ..*part }))
    });
    let whole: Vec<(usize, Part)> = texts.collect();
    if whole.is_empty() && log.messages().iter().all(|message| message.active) {
        return Cow::Borrowed(log);
    }
    let mut log = log.clone();
    for (index, part) in whole {
        log.replace(index, part);
    }
    // A tail that was moved behind its summary is marked as one with it, so that no boundary falls in between.
    for index in session.moved_behind() {
        log.begin_answer(index);
    }
    for (index, report) in session.cache_reports().into_iter().enumerate() {
        let is_forgotten = log.messages().get(index).is_some_and(|message| message.usage.is_none());
        if let Some(report) = report.filter(|_| is_forgotten) {
            log.set_usage(index, u32::try_from(report.input.saturating_add(report.output)).ok());
        }
    }
    Cow::Owned(log)
}

#[cfg(test)]
mod tests {
    use crate::replay::{History, Known};
    use crate::{ReadOptions, SessionText};

    fn session(output: &str) -> String {
        format!(
            r#"{{"info":{{"id":"ses_1"}},"messages":[{{"info":{{"id":"msg_1","role":"user","time":{{"created":1}}}},"parts":[{{"id":"prt_1","type":"text","text":"go"}}]}},
            {{"info":{{"id":"msg_2","role":"assistant","time":{{"created":2}}}},"parts":[{{"id":"prt_2","type":"tool","callID":"c","tool":"read",
            "state":{{"status":"completed","input":{{}},"output":"{output}","time":{{"start":2,"end":3,"compacted":9}}}}}}]}}]}}"#
        )
    }

    #[test]
    fn what_the_file_still_has_is_whole_again() {
        let text = session(&"x".repeat(4_000));
        let session = SessionText::read_with(text, &ReadOptions::new()).unwrap();
        let history = History::from(&session);
        assert_eq!((history.known(), history.already_pruned()), (Known::Restored, 0));
        assert!(history.log().parts().iter().any(|part| part.length.utf16 == 4_000));
    }

    #[test]
    fn what_was_overwritten_stays_pruned() {
        let text = session("[Old tool result content cleared]");
        let session = SessionText::read_with(text, &ReadOptions::new()).unwrap();
        let history = History::from(&session);
        assert_eq!((history.known(), history.already_pruned()), (Known::Whole, 1));
    }
}

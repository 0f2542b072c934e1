//! What providers reported about their caches, request by request.

use crate::format::{CacheReport, report_in};
use crate::json::lines;
use crate::session_text::SessionText;
use crate::transcript::{Message, Role};

impl SessionText<'_> {
    /// For each message that begins an answer of the model, what the provider reported about its cache; `None` where the
    /// session does not say.
    ///
    /// Unlike [`Message::usage`], reports of requests that preceded a recorded compaction are among them: they say what
    /// was sent then.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.cache_reports(), [None]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn cache_reports(&self) -> Vec<Option<CacheReport>> {
        let messages = self.transcript().messages();
        let mut reports: Vec<Option<CacheReport>> = vec![None; messages.len()];
        let mut head = 0;
        let moved = self.moved_behind();
        for (index, message) in messages.iter().enumerate() {
            if !message.continues || moved.binary_search(&index).is_ok() {
                head = index;
            }
            let own = || self.source().get(self.span(index)).and_then(report_in);
            if let Some(report) = reports.get_mut(head).filter(|_| message.role == Role::Assistant) {
                *report = report.or_else(own);
            }
        }
        if self.reading.is_lines && reports.iter().all(Option::is_none) {
            self.read_lines_between(&mut reports);
        }
        reports
    }

    /// The messages that are sent behind one that was written later, and are said to continue it: what a compaction kept.
    pub(crate) fn moved_behind(&self) -> Vec<usize> {
        let mut newest = 0;
        let is_moved = |(index, message): (usize, &Message)| {
            let start = self.span(index).start;
            let is_moved = message.continues && start < newest;
            newest = newest.max(start);
            is_moved.then_some(index)
        };
        self.transcript().messages().iter().enumerate().filter_map(is_moved).collect()
    }

    /// Reads reports that stand on lines of their own, behind the answer or in front of it.
    fn read_lines_between(&self, reports: &mut [Option<CacheReport>]) {
        let messages = self.transcript().messages();
        // What a compaction kept may be sent behind what was written later; such answers have no report here.
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            let start = self.span(index).start;
            if message.role == Role::Assistant && spans.last().is_none_or(|(last, _)| *last <= start) {
                spans.push((start, index));
            }
        }
        let mut from = 0;
        for line in lines(self.source()) {
            let source = self.source().get(line.range.clone()).unwrap_or_default();
            let Some(report) = Some(source).filter(|text| text.contains("_tokens\"")).and_then(report_in)
            else {
                continue;
            };
            let total = report.input.saturating_add(report.output);
            let is_of = |(_, index): &&(usize, usize)| {
                messages.get(*index).and_then(|message| message.usage) == u32::try_from(total).ok()
            };
            // The reader found out which answer a report belongs to. Where it forgot the usage, because a compaction
            // followed, the report is the one of the answer in front of it.
            let behind = spans.partition_point(|(start, _)| *start < line.range.start);
            let known = spans.iter().skip(from).position(|span| is_of(&span)).map(|at| from + at);
            let forgotten =
                || behind.checked_sub(1).filter(|at| *at >= from && is_old(messages, &spans, *at));
            let Some(at) = known.or_else(forgotten) else { continue };
            from = at + 1;
            let index = spans.get(at).map_or(0, |(_, index)| *index);
            let heads = messages.iter().take(index + 1).rposition(|message| !message.continues);
            if let Some(slot) = heads.and_then(|head| reports.get_mut(head)) {
                *slot = slot.or(Some(report));
            }
        }
    }
}

/// Whether the answer at a place is no longer sent.
fn is_old(messages: &[Message], spans: &[(usize, usize)], at: usize) -> bool {
    spans.get(at).and_then(|(_, index)| messages.get(*index)).is_some_and(|message| !message.active)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_several_entries_has_one_report() {
        let text = r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1,"cache_read_input_tokens":5,"cache_creation_input_tokens":0,"output_tokens":1}}}
{"type":"assistant","uuid":"c","parentUuid":"b","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"y"}],"usage":{"input_tokens":1,"cache_read_input_tokens":5,"cache_creation_input_tokens":0,"output_tokens":9}}}"#;
        let session = SessionText::read(text).unwrap();
        assert_eq!(session.cache_reports().iter().flatten().count(), 1);
    }

    #[test]
    fn reports_on_lines_of_their_own_belong_to_the_answer_before() {
        let report = |input: u32, cached: u32| {
            format!(
                r#"{{"timestamp":"t","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":{input},"cached_input_tokens":1,"output_tokens":9}},"last_token_usage":{{"input_tokens":{input},"cached_input_tokens":{cached},"output_tokens":9}}}}}}}}"#
            )
        };
        let said = |role: &str, text: &str| {
            format!(
                r#"{{"timestamp":"t","type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"output_text","text":"{text}"}}]}}}}"#
            )
        };
        let header = r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/a"}}"#;
        let text = [
            header.to_owned(),
            said("user", "go"),
            said("assistant", "one"),
            report(100, 0),
            said("user", "on"),
            said("assistant", "two"),
            report(200, 128),
        ];
        let session = SessionText::read(text.join("\n")).unwrap();
        let reads: Vec<u64> = session.cache_reports().iter().flatten().map(|report| report.read).collect();
        assert_eq!(reads, [0, 128]);
    }
}

//! BRUTUS: a specification (2026-01-17) that follows OpenCode of January 2026 and was never implemented.
//!
//! Its differences in numbers are in the profile: a text costs a quarter of its bytes, rounded up. Its difference in
//! structure is here: any summary completes a compaction, even a failed one.

use ebbline::Error;
use ebbline::json::Value;

use super::opencode::{StoredMessage, back_to_marker};
use super::question::Question;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    match question.name {
        "filterCompacted" => {
            let messages: Vec<Value<'_>> = question.data.elements().collect();
            Question::answer(&filter_compacted(&messages))
        }
        _ => Err(question.unknown("BRUTUS")),
    }
}

/// The messages that go to the model, as positions in `messages`: OpenCode messages `{info, parts}`, oldest first.
///
/// They begin with the newest compaction marker that has a summary. In OpenCode the summary must be finished; here a
/// summary that was cut off or failed hides the history too.
///
/// # Example
///
/// ```
/// let json = r#"[{"info": {"id": "m1", "role": "user"}, "parts": []},
///   {"info": {"id": "m2", "role": "user"}, "parts": [{"type": "compaction"}]},
///   {"info": {"id": "m3", "role": "assistant", "summary": true, "parentID": "m2"}, "parts": []}]"#;
/// let document = ebbline::json::Document::parse(json)?;
/// let messages: Vec<_> = document.root().elements().collect();
/// assert_eq!(ebbline_compat::brutus::filter_compacted(&messages), [1, 2]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn filter_compacted(messages: &[Value<'_>]) -> Vec<usize> {
    let stored: Vec<StoredMessage<'_>> = messages.iter().copied().map(StoredMessage::new).collect();
    (back_to_marker(&stored, |_| true)..messages.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn a_summary_counts_however_it_ended() {
        let marker = r#"{"info":{"id":"m","role":"user"},"parts":[{"type":"compaction"}]}"#;
        let user = r#"{"info":{"id":"u","role":"user"},"parts":[]}"#;
        let answer = |more: &str| format!(r#"{{"info":{{"role":"assistant",{more}}},"parts":[]}}"#);
        for (summary, start) in [
            (r#""summary":true,"finish":"stop","parentID":"m""#, 1),
            (r#""summary":true,"parentID":"m""#, 1),
            (r#""summary":true,"error":{},"parentID":"m""#, 1),
            (r#""summary":false,"parentID":"m""#, 0),
            (r#""summary":true,"parentID":"u""#, 0),
            (r#""summary":true"#, 0),
        ] {
            let document = format!("[{user},{marker},{},{user}]", answer(summary));
            let document = Document::parse(&document).unwrap();
            let messages: Vec<_> = document.root().elements().collect();
            assert_eq!(filter_compacted(&messages), (start..4).collect::<Vec<_>>(), "{summary}");
        }
    }
}

//! The stored summary that TunaCode 0.2 puts before the messages it sends.

use ebbline::format::tinyagent::{BlockKind, block_kind};
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use ebbline::notation::python::strip;
use serde::Serialize;

use super::record::CompactionRecord;

const HEADER: &str = "[Compaction summary]";

/// The message with the summary. It is made for each request and never stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryMessage {
    role: &'static str,
    content: [SummaryText; 1],
    compaction_summary: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct SummaryText {
    r#type: &'static str,
    text: Utf16,
}

/// The message to put before `messages`; `None` if there is no summary or if it is already there.
///
/// It is already there if the first message is the user's and either has `compaction_summary: true` or begins with a
/// text that begins with the header, even if the user wrote it.
#[must_use]
pub fn summary_message(messages: &[Value<'_>], record: Option<&CompactionRecord>) -> Option<SummaryMessage> {
    let summary = strip(&record?.summary);
    if summary.is_empty() || messages.first().is_some_and(|first| is_summary(*first)) {
        return None;
    }
    let mut text = Utf16::from(HEADER);
    text.push_str("\n\n");
    text.push(&summary);
    Some(SummaryMessage {
        role: "user",
        content: [SummaryText { r#type: "text", text }],
        compaction_summary: true,
    })
}

fn is_summary(message: Value<'_>) -> bool {
    if !message.text_of("role").is_some_and(|role| role.is("user")) {
        return false;
    }
    let begins_with_header = |block: Value<'_>| {
        block_kind(block, BlockKind::OF_INPUT) == Some(BlockKind::Text)
            && block.text_of("text").is_some_and(|text| text.starts_with(HEADER))
    };
    message.get("compaction_summary").is_some_and(|flag| flag.source() == "true")
        || message.elements_of("content").next().is_some_and(begins_with_header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn injected(messages: &str, summary: &str) -> Option<String> {
        let document = Document::parse(messages).unwrap();
        let messages: Vec<_> = document.root().elements().collect();
        let record = CompactionRecord { summary: Utf16::from(summary), ..CompactionRecord::default() };
        summary_message(&messages, Some(&record)).map(|message| serde_json::to_string(&message).unwrap())
    }

    #[test]
    fn a_summary_is_put_in_front_once() {
        assert_eq!(
            injected("[]", " so far ").as_deref(),
            Some(
                r#"{"role":"user","content":[{"type":"text","text":"[Compaction summary]\n\nso far"}],"compaction_summary":true}"#
            )
        );
        let cases = [
            (r#"[{"role":"user","content":[{"text":"[Compaction summary] of mine"}]}]"#, false),
            (r#"[{"role":"user","compaction_summary":true}]"#, false),
            (r#"[{"role":"user","compaction_summary":1}]"#, true),
            (r#"[{"role":"assistant","content":[{"text":"[Compaction summary]"}]}]"#, true),
            (r#"[{"role":"user","content":[{"url":"u"},{"text":"[Compaction summary]"}]}]"#, true),
        ];
        for (messages, expected) in cases {
            assert_eq!(injected(messages, "s").is_some(), expected, "{messages}");
        }
        assert_eq!(injected("[]", "\u{1c} \n"), None);
        assert!(summary_message(&[], None).is_none());
    }
}

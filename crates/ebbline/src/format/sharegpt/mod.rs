//! `ShareGPT`: data sets of conversations with `from` and `value`, or with `role` and `content`.
//!
//! Shapes by the data sets that Axolotl and LLaMA-Factory take. Calls and results have no ids: a result answers the oldest call
//! of its run that has none.

use std::collections::VecDeque;

use super::entry::{Description, FormatEntry};
use super::openai_chat::has_text;
use super::placement::{ListSummary, SummaryPlacement};
use super::recorder::{Recorder, length_of_value};
use super::signs::{Sign, count_of, has};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::summary::Summary;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::rules::{Rule, Rules};
use crate::transcript::{Message, Part, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("sharegpt", "ShareGPT"),
    is_read_whole: true,
    // Calls that belong together are turns of their own, and their results follow in order.
    rules: Rules::COMMON.except(&[Rule::SplitBatch]),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(65, |root| {
        is_conversation(root).then(|| format!("conversations of {} turns", count_of(root, "conversations")))
    }),
    Sign::row_of_list(65, |line| has(line, &["from", "value"])),
    Sign::list(65, "from and value", |list| list.any(|turn| has(turn, &["from", "value"]))),
    Sign::conversation(65, is_conversation),
];

fn is_conversation(value: Value<'_>) -> bool {
    let is_turn = |turn| has(turn, &["from", "value"]) || has(turn, &["role", "content"]);
    value.elements_of("conversations").any(is_turn)
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| !source.is_lines && root.is_object());
    if let Some(system) = root.and_then(|root| root.text_of("system")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        recorder.text(PartKind::Text, Some(system));
    }
    let turns = root.map_or_else(|| source.list(), |root| root.elements_of("conversations").collect());
    let (mut made, mut open) = (0_usize, VecDeque::new());
    for turn in turns {
        let key = if turn.get("value").is_some() { "value" } else { "content" };
        let speaker = turn.text_of("from").or_else(|| turn.text_of("role")).map(Text::decode).unwrap_or_default();
        let said = turn.present(key);
        match speaker.as_ref() {
            "function_call" | "tool_call" => {
                recorder.begin(Message::new(Role::Assistant), turn.span());
                made += 1;
                let call = recorder.pair(&format!("call without id {made}"));
                open.push_back(call);
                recorder.call_as(Some(call), None, said);
                recorder.paired_by_place();
            }
            "observation" | "function_response" | "tool" | "tool_response" => {
                recorder.begin(Message::new(Role::Tool), turn.span());
                let length = said.map(length_of_value).unwrap_or_default();
                let output = recorder.output_of(said.and_then(Value::text), None, false);
                let part = Part { output, pieces: 1, ..Part::new(PartKind::ToolResult, length) };
                let slot = Slot::of_member(turn, key, Shape::Text);
                recorder.result_as(open.pop_front(), None, part, Some(slot));
                recorder.set_places(said.map(Value::span));
            }
            _ => {
                open.clear();
                let begun = match speaker.as_ref() {
                    "human" | "user" => Message::person(),
                    "gpt" | "assistant" | "chatgpt" | "model" | "bing" | "bard" => {
                        Message { ended: has_text(said), ..Message::new(Role::Assistant) }
                    }
                    "system" => Message::new(Role::System),
                    _ => Message::new(Role::Other),
                };
                recorder.begin(begun, turn.span());
                recorder.check_summary(said.and_then(Value::text));
                recorder.value(PartKind::Text, said);
            }
        }
    }
    Ok(SummaryPlacement::List(&LISTED))
}

static LISTED: ListSummary = ListSummary::of(written);

/// A turn of the person, in the words of the turn that it replaces.
fn written(summary: &Summary<'_>) -> String {
    let first = summary.first_replaced().and_then(|span| summary.source.get(span)).unwrap_or_default();
    let keys = if first.contains(r#""role""#) && !first.contains(r#""from""#) {
        ("role", "user", "content")
    } else {
        ("from", "human", "value")
    };
    format!(r#"{{"{}":"{}","{}":{}}}"#, keys.0, keys.1, keys.2, quote(&summary.marked()))
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::Role;

    #[test]
    fn calls_and_results_are_paired_by_their_places() {
        let text = format!(
            r#"[{{"conversations":[{{"from":"system","value":"s"}},{{"from":"human","value":"a"}},{{"from":"function_call","value":"{{}}"}},{{"from":"observation","value":"{}"}},{{"from":"gpt","value":"b"}}],"tools":"[]"}},{{"conversations":[{{"from":"human","value":"c"}}]}}]"#,
            "x".repeat(300)
        );
        let found = read(&text);
        assert_eq!(found.format().name(), "sharegpt");
        let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Assistant, Role::User]);
        assert_eq!((found.counts().paired_by_place, found.counts().inactive), (1, 1));
        assert!(pruned(&text, true).contains(r#"{"from":"observation","value":"[Old tool result"#));
    }

    #[test]
    fn a_summary_speaks_as_the_conversation_does() {
        let long = "word ".repeat(80);
        for (from, value, human, gpt) in
            [("from", "value", "human", "gpt"), ("role", "content", "user", "assistant")]
        {
            let turn = format!(
                r#"{{"{from}":"{human}","{value}":"{long}"}},{{"{from}":"{gpt}","{value}":"{long}"}}"#
            );
            let text = format!(r#"{{"conversations":[{}]}}"#, [turn.as_str(); 4].join(","));
            let written = summarized(&text, 200, "So far.");
            assert!(written.contains(&format!(r#"{{"{from}":"{human}","{value}":"[Compaction summary"#)), "{written}");
            assert!(read(&written).transcript().messages()[0].summary, "{written}");
        }
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"{"conversations":[7,{},{"from":7,"value":7},{"from":"tool","value":{}},{"from":"x","value":"y"}]}"#;
        assert_eq!(read(odd).counts().messages, 5);
        pruned(odd, true);
    }
}

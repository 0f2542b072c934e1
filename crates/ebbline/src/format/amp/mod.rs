//! Amp: a thread.
//!
//! Seen in public files of 2026; the program is closed. Threads are kept by Amp's server, which takes none back: a file can be read
//! and measured, and what is written is for other programs.

use super::entry::{Description, FormatEntry};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, blocks_in, either, fault_where, message_by, record, text_inside};
use super::signs::{Sign, count_of, has};
use super::slot::Shape;
use super::source::Source;
use super::store::{Place, Store};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::transcript::PartKind;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { family: Some("anthropic_messages"), ..Description::of("amp", "Amp") },
    store: &Store { places: &[Place::of("Amp", ".local/share/amp/threads", ".json")], ..Store::NONE },
    fault_of: Some(|message| fault_where(message.text_of("content").is_some())),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(77, |root| {
        let has_id = root.text_of("id").is_some_and(|id| id.starts_with("T-"));
        let is_thread = has(root, &["messages"]) && has_id && (has(root, &["v"]) || has(root, &["created"]));
        is_thread.then(|| format!("a thread of {} messages, whose id begins with T-", count_of(root, "messages")))
    }),
    Sign::list(77, "results with a toolUseID and a run", |list| {
        list.any(|message| message.elements_of("content").any(|block| has(block, &["toolUseID", "run"])))
    }),
];

/// Why no summary is written.
const ON_SERVER: &str =
    "Amp keeps its threads on its server and takes no file back, so a summary in this file would reach no model";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for message in source.list() {
        let blocks = blocks_in(message.present("content"), block);
        record(message_by(message.text_of("role"), &blocks), message.span(), &blocks, recorder);
    }
    Ok(SummaryPlacement::Refused(ON_SERVER))
}

fn block(block: Value<'_>) -> Block<'_> {
    match block.text_of("type").map(Text::decode).as_deref() {
        Some("text") => Block::Text(block.text_of("text")),
        Some("thinking") => Block::Thinking(block.text_of("thinking"), block.text_of("signature")),
        Some("redacted_thinking") => Block::Thinking(None, block.text_of("data")),
        Some("tool_use") => Block::Call(Called {
            id: block.text_of("id"),
            name: block.text_of("name"),
            input: block.get("input"),
        }),
        Some("tool_result") => {
            let run = block.present("run").unwrap_or(block);
            let has_failed = run.text_of("status").is_some_and(|status| status.is("error"));
            Block::Result(Answered {
                id: block.text_of("toolUseID"),
                name: None,
                holder: run,
                key: if has_failed && run.get("result").is_none() { "error" } else { "result" },
                has_failed,
                shape: Shape::Text,
                inside: text_inside,
            })
        }
        Some("image") => {
            let data = block.get("source").and_then(|source| either(source, ["data", "url"]));
            Block::Media(PartKind::Image, data, block)
        }
        _ => Block::Other(block),
    }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::transcript::{Output, Role};

    #[test]
    fn a_result_is_what_a_run_has_returned() {
        let text = format!(
            r#"{{"v":5,"id":"T-1","created":1,"messages":[{{"role":"user","content":[{{"type":"text","text":"Hi"}}]}},{{"role":"assistant","content":[{{"type":"thinking","thinking":"t","signature":"s"}},{{"type":"tool_use","complete":true,"id":"c","name":"Read","input":{{"path":"a"}}}},{{"type":"tool_use","id":"d","name":"Read","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","toolUseID":"c","run":{{"status":"done","result":{{"content":"{}"}}}}}},{{"type":"tool_result","toolUseID":"d","run":{{"status":"error","error":{{"message":"no"}}}}}}]}}]}}"#,
            "x".repeat(300)
        );
        let found = read(&text);
        assert_eq!(found.format().name(), "amp");
        assert_eq!(found.transcript().messages()[2].role, Role::Tool);
        let outputs: Vec<_> = found.transcript().parts_of(2).iter().map(|part| part.output).collect();
        assert_eq!(outputs, [Output::Ordinary, Output::Error]);
        assert_eq!(found.counts().calls_without_result, 0);
        assert!(pruned(&text, true).contains(r#""run":{"status":"done","result":"[Old tool result content cleared]"}"#));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"{"v":1,"id":"T-1","messages":[7,null,{},{"role":"user","content":[7,{},{"type":"tool_result"},{"type":"tool_result","run":7},{"type":"image"}]}]}"#;
        assert_eq!(read(odd).counts().messages, 4);
        pruned(odd, true);
    }
}

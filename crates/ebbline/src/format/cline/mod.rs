//! Cline sessions: Anthropic's blocks, and files, in Cline's own envelope. The older `api_conversation_history.json`
//! of Cline and Roo is a plain list of Anthropic messages.
//!
//! Structures from the declarations of npm `@cline/shared` and `@cline/core` 0.0.86.

mod entry;

pub(super) use entry::ENTRY;

use super::anthropic_messages;
use super::marker::MarkerKind;
use super::media::{ANY, priced};
use super::openai_chat::{has_text, sole_text};
use super::pieces::PieceKind;
use super::placement::{ListSummary, SummaryPlacement};
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::summary::Summary;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role, Turn};

/// The kind of the message that replaces compacted messages.
const COMPACTED: &str = "compaction_summary";

/// The beginning of such a message's text.
const COMPACTED_LEAD: &str = "Context summary:\n\n";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|_| !source.is_lines);
    if let Some(system) = root.and_then(|root| root.text_of("system_prompt")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        recorder.text(PartKind::Text, Some(system));
    }
    let first = recorder.transcript.messages().len();
    let messages = source.list();
    for message in &messages {
        read_message(*message, recorder);
    }
    // Usage reported before a compaction describes the context that it replaced.
    let compacted = |message: &Value<'_>| kind_of(*message).is_some_and(|kind| kind.is(COMPACTED));
    let newest = messages.iter().filter(|message| compacted(message)).filter_map(|message| {
        message.get("metadata").and_then(|metadata| metadata.get("generatedAt")).and_then(Value::number)
    });
    let newest = newest.fold(0.0, f64::max);
    for (index, message) in messages.iter().enumerate() {
        if message.get("ts").and_then(Value::number).is_some_and(|moment| moment < newest) {
            recorder.transcript.forget_usage(first + index);
        }
    }
    Ok(SummaryPlacement::List(&LISTED))
}

/// The kind that Cline gives to a message.
fn kind_of(message: Value<'_>) -> Option<Text<'_>> {
    message.get("metadata").and_then(|metadata| metadata.text_of("kind"))
}

fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    recorder.moment(message.get("ts"));
    let content = message.present("content");
    let blocks = || content.into_iter().flat_map(Value::elements);
    let metadata = message.get("metadata");
    let is_shown_only =
        metadata.and_then(|metadata| metadata.get("displayOnly")).is_some_and(Value::is_truthy);
    let kind = kind_of(message);
    let begun = match message.text_of("role").map(Text::decode).as_deref() {
        Some("user") if kind.is_some_and(|kind| kind.is(COMPACTED)) => {
            recorder.mark(MarkerKind::Compaction, COMPACTED, message.span());
            recorder.moment(metadata.and_then(|metadata| metadata.get("generatedAt")));
            Message::earlier_summary()
        }
        Some("user") => {
            let results = blocks().filter(|block| is_type(*block, "tool_result")).count();
            if results > 0 && results == blocks().count() {
                Message::new(Role::Tool)
            } else if kind.is_some() {
                Message::context()
            } else {
                Message::person()
            }
        }
        Some("assistant") => {
            let ended = has_text(content) && !blocks().any(|block| is_type(block, "tool_use"));
            let usage = usage::total(message.get("metrics"), &usage::CLINE);
            Message { ended, usage, ..Message::new(Role::Assistant) }
        }
        Some("system") => Message::new(Role::System),
        _ => Message::new(Role::Other),
    };
    recorder.begin(Message { active: !is_shown_only, ..begun }, message.span());
    if begun.summary {
        recorder.set_kept(metadata.and_then(|metadata| metadata.get("keptMessages")));
    }
    let text_kind = if begun.summary { PartKind::Summary } else { PartKind::Text };
    if let Some(text) = content.and_then(Value::text) {
        recorder.text(text_kind, Some(text));
    }
    for block in blocks() {
        match block.text_of("type").map(Text::decode).as_deref() {
            Some("text") => {
                recorder.text(text_kind, block.text_of("text"));
                recorder.sign(block.text_of("signature"));
            }
            // A file that the user mentioned: its content is sent as text.
            Some("file") => {
                recorder.text(PartKind::Text, block.text_of("content"));
                recorder.set_piece_kind(PieceKind::Added);
            }
            Some("image") => recorder.media(PartKind::Image, data_length(block), None),
            Some("media") => recorder.media(PartKind::File, media_length(block), None),
            Some("tool_use") => {
                recorder.call(block.text_of("id"), block.text_of("name"), block.get("input"));
                recorder.sign(block.text_of("signature"));
            }
            Some("tool_result") => read_result(block, recorder),
            _ => anthropic_messages::read_block(block, recorder),
        }
    }
}

fn data_length(image: Value<'_>) -> Length {
    image.get("data").map(length_of_value).unwrap_or_default()
}

/// The length of an image or sound that the model produced.
fn media_length(block: Value<'_>) -> Length {
    let media = block.get("media");
    let data = ["data", "url", "path"].into_iter().find_map(|key| media?.present(key));
    priced(PartKind::File, data.map(length_of_value).unwrap_or_default(), data, block, ANY)
}

/// A tool result: a text, or a list of texts, files, images and objects with a query and its result, which Cline's
/// tools return and which are sent as JSON.
fn read_result(block: Value<'_>, recorder: &mut Recorder) {
    let content = block.present("content");
    let is_image = |inner: &Value<'_>| is_type(*inner, "image");
    let pieces: Vec<Value<'_>> = match content {
        Some(list) if list.is_array() => {
            list.elements().filter(|inner| !is_image(inner)).map(piece_of).collect()
        }
        other => other.into_iter().collect(),
    };
    let length = pieces.iter().fold(Length::default(), |sum, piece| sum.plus(length_of_value(*piece)));
    let text = content.and_then(Value::text).or_else(|| sole_text(content));
    let (id, has_failed) =
        (block.text_of("tool_use_id"), block.get("is_error").is_some_and(Value::is_truthy));
    let output = recorder.output_of(text, id, has_failed);
    let count = u16::try_from(pieces.len()).unwrap_or(u16::MAX);
    let part = Part { output, pieces: count, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(block, "content", Shape::Text);
    let call = recorder.result(id, block.text_of("name"), part, Some(slot));
    recorder.set_places(pieces.into_iter().map(Value::span));
    for image in content.into_iter().flat_map(Value::elements).filter(is_image) {
        recorder.media(PartKind::Image, data_length(image), call);
    }
}

/// The sent value of a block of a result: its text, the content of a file, or the whole block as JSON.
fn piece_of(block: Value<'_>) -> Value<'_> {
    let key = if is_type(block, "file") { "content" } else { "text" };
    block.get(key).filter(|text| text.is_string()).unwrap_or(block)
}

/// A message that Cline recognizes as a summary, in the place where Cline's own compaction puts it.
static LISTED: ListSummary = ListSummary::of(summary_message);

fn summary_message(summary: &Summary<'_>) -> String {
    let messages = summary.session.transcript.messages().iter().zip(&summary.plan.messages);
    let persons = messages
        .filter(|(message, planned)| {
            planned.fate == crate::plan::Fate::Summarized && message.turn == Turn::Person
        })
        .count();
    format!(
        concat!(
            r#"{{"role":"user","content":[{{"type":"text","text":{}}}],"metadata":{{"kind":"{}","#,
            r#""displayRole":"system","userRunSpan":{},"summary":{},"#,
            r#""details":{{"readFiles":[],"modifiedFiles":[]}},"tokensBefore":{},"generatedAt":{},"keptMessages":{}}}}}"#
        ),
        quote(&format!("{COMPACTED_LEAD}{}", summary.text)),
        COMPACTED,
        persons,
        quote(summary.text),
        summary.plan.decision.tokens_before,
        summary.now,
        summary.kept_behind(),
    )
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::{Output, PartKind, Role, Turn};

    fn session(messages: &str) -> String {
        format!(
            r#"{{"version":1,"agent":"lead","sessionId":"s","messages":[{messages}],"system_prompt":"You are Cline."}}"#
        )
    }

    #[test]
    fn blocks_are_anthropics_and_clines_own() {
        let text = session(concat!(
            r#"{"role":"user","content":[{"type":"text","text":"look"},{"type":"file","path":"/a","content":"12345"},{"type":"image","data":"iVBO","mediaType":"image/png"}]},"#,
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},"#,
            r#"{"type":"tool_use","id":"t1","name":"read_files","input":{}}],"metrics":{"inputTokens":900,"outputTokens":9,"cacheReadTokens":800}},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","name":"read_files","content":[{"query":"q","result":"r"},{"type":"file","path":"/b","content":"6789"},"#,
            r#"{"type":"text","text":"x"},{"type":"image","data":"iVBO"}]}]},"#,
            r#"{"role":"user","content":"note","metadata":{"kind":"mode_notice"}},{"role":"user","content":"shown","metadata":{"displayOnly":true}}"#
        ));
        let found = read(&text);
        let messages = found.transcript().messages();
        let kinds = |index| -> Vec<_> {
            found.transcript().parts_of(index).iter().map(|part| (part.kind, part.length.utf16)).collect()
        };
        assert_eq!(kinds(1), [(PartKind::Text, 4), (PartKind::Text, 5), (PartKind::Image, 4)]);
        assert_eq!(kinds(3), [(PartKind::ToolResult, 31), (PartKind::Image, 4)]);
        assert_eq!(
            (messages[0].role, messages[2].usage, messages[3].role),
            (Role::System, Some(909), Role::Tool)
        );
        assert_eq!((messages[1].turn, messages[4].turn), (Turn::Person, Turn::Context));
        assert!(messages[4].active && !messages[5].active);
        assert_eq!(found.counts().messages, 5);
        assert!(found.transcript().parts_of(2).iter().take(2).all(|part| part.signed));
        let cleared = r#""content":"[Old tool result content cleared]"}]}"#;
        let long = text.replace(r#""result":"r""#, &format!(r#""result":"{}""#, "r".repeat(200)));
        assert!(pruned(&long, false).contains(cleared));
    }

    #[test]
    fn errors_and_placeholders_are_told_apart() {
        let text = session(concat!(
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"e","is_error":true},"#,
            r#"{"type":"tool_result","tool_use_id":"b","content":"[Old tool result content cleared]"},{"type":"tool_result","tool_use_id":"c"}]}"#
        ));
        let found = read(&text);
        let outputs: Vec<_> = found.transcript().parts_of(1).iter().map(|part| part.output).collect();
        assert_eq!(outputs, [Output::Error, Output::Placeholder, Output::Ordinary]);
    }

    #[test]
    fn what_was_used_before_a_compaction_says_nothing_of_the_present_context() {
        let text = session(concat!(
            r#"{"role":"user","content":[{"type":"text","text":"Context summary:\n\ns"}],"metadata":{"kind":"compaction_summary","generatedAt":50}},"#,
            r#"{"role":"assistant","content":"a","ts":40,"metrics":{"inputTokens":9}},{"role":"assistant","content":"b","ts":60,"metrics":{"inputTokens":8}}"#
        ));
        let found = read(&text);
        let usage: Vec<_> = found.transcript().messages().iter().map(|message| message.usage).collect();
        assert_eq!(usage, [None, None, None, Some(8)]);
        assert!(found.transcript().messages()[1].summary);
        assert_eq!(found.transcript().parts_of(1)[0].kind, PartKind::Summary);
        assert_eq!(found.markers()[0].name, "compaction_summary");
    }

    #[test]
    fn a_summary_is_one_that_cline_knows() {
        let long = "word ".repeat(80);
        let turn = format!(
            r#"{{"role":"user","content":"{long}","ts":1}},{{"role":"assistant","content":"{long}","ts":2,"metrics":{{"inputTokens":9}}}}"#
        );
        let text = session(&[turn.as_str(); 4].join(","));
        let written = summarized(&text, 200, "It went \"well\".");
        let found = read(&written);
        assert!(found.transcript().messages()[1].summary && found.counts().messages < 8);
        assert!(
            written.contains(concat!(
                r#"{"role":"user","content":[{"type":"text","text":"Context summary:\n\nIt went \"well\"."}],"#,
                r#""metadata":{"kind":"compaction_summary","displayRole":"system","userRunSpan":3,"#
            )),
            "{written}"
        );
        assert!(found.transcript().messages().iter().all(|message| message.usage.is_none()));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"7,null,{},{"role":7},{"role":"user","content":[7,{},{"type":"tool_result"},{"type":"file"},{"type":"media"},{"type":"image"}]},
            {"role":"assistant","content":{},"metrics":7,"ts":"x","metadata":7},{"role":"system","content":"s"}"#;
        let text = session(odd);
        assert_eq!(read(&text).counts().messages, 7);
        pruned(&text, true);
    }
}

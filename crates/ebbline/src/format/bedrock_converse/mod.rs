//! Messages of Amazon Bedrock's Converse: a request, a response, a list, or a line each.
//!
//! Shapes by `dist-types/models/models_0.d.ts` of npm `@aws-sdk/client-bedrock-runtime` 3.1164. A block is an object with
//! one member, which says what it is.

mod entry;
mod summary;

pub(super) use entry::ENTRY;

use super::layout::Element;
use super::media::{ANY, data_length, priced};
use super::openai_chat::{has_text, sole_text};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::summary::ACKNOWLEDGED;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| root.is_object() && !source.is_lines);
    if let Some(system) = root.and_then(|root| root.present("system")) {
        recorder.begin_unlisted(Message::new(Role::System), system.span());
        read_content(Some(system), false, recorder);
    }
    let answer = root.and_then(|root| Some((root, root.get("output")?.get("message")?)));
    if let Some((response, message)) = answer {
        read_message(message, Some(response), recorder);
        return Ok(SummaryPlacement::None);
    }
    for message in source.list() {
        read_message(message, None, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

/// Reads a message; `response` is what it came in, if that is there.
fn read_message(message: Value<'_>, response: Option<Value<'_>>, recorder: &mut Recorder) {
    let content = message.get("content");
    let begun = match message.text_of("role").map(Text::decode).as_deref() {
        Some("assistant") => {
            let calls = message.elements_of("content").any(|block| in_block(block, "toolUse").is_some());
            let has_stopped = response.is_some_and(|response| response.present("stopReason").is_some());
            let ended = has_stopped || has_text(content) && !calls;
            let reported = response.and_then(|response| response.get("usage"));
            let usage = usage::total(reported, &usage::CONVERSE);
            // The answer to a summary belongs to it.
            let acknowledges = said_alone(content).is_some_and(|text| text.is(ACKNOWLEDGED));
            let summary = acknowledges && recorder.is_proved_by(ACKNOWLEDGED);
            Message { ended, summary, usage, ..Message::new(Role::Assistant) }
        }
        Some("user") if has_only_results(message) => Message::new(Role::Tool),
        Some("user") => Message::person(),
        Some("system") => Message::new(Role::System),
        _ => Message::new(Role::Other),
    };
    recorder.begin(begun, message.span());
    if begun.role == Role::User {
        recorder.check_summary(said_alone(content));
    }
    read_content(content, begun.role == Role::Assistant, recorder);
}

/// The text of a content that is nothing else.
fn said_alone(content: Option<Value<'_>>) -> Option<Text<'_>> {
    content.and_then(Value::text).or_else(|| sole_text(content))
}

/// What a block is to a repair.
fn element(block: Value<'_>) -> Option<Element> {
    if block.text_of("text").is_some() {
        return Some(Element::Text);
    }
    let kinds = [
        ("toolUse", Element::Call),
        ("toolResult", Element::Result),
        ("reasoningContent", Element::Thinking),
    ];
    kinds.into_iter().find(|(name, _)| in_block(block, name).is_some()).map(|(_, element)| element)
}

/// Whether nobody says anything: a message in the user's place of results, and of places for the cache.
fn has_only_results(message: Value<'_>) -> bool {
    let mut blocks = message.elements_of("content").filter(|block| !is_cache_point(*block)).peekable();
    blocks.peek().is_some() && blocks.all(|block| in_block(block, "toolResult").is_some())
}

fn is_cache_point(block: Value<'_>) -> bool {
    in_block(block, "cachePoint").is_some()
}

/// What a block is, if it is this.
fn in_block<'d>(block: Value<'d>, name: &str) -> Option<Value<'d>> {
    block.get(name).filter(|value| value.is_object())
}

fn read_content(content: Option<Value<'_>>, is_answer: bool, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        read_block(block, is_answer, recorder);
    }
}

fn read_block(block: Value<'_>, is_answer: bool, recorder: &mut Recorder) {
    if let Some(text) = block.text_of("text") {
        recorder.text(PartKind::Text, Some(text));
    } else if let Some(call) = in_block(block, "toolUse") {
        recorder.call(call.text_of("toolUseId"), call.text_of("name"), call.get("input"));
    } else if let Some(result) = in_block(block, "toolResult") {
        read_result(result, is_answer, recorder);
    } else if let Some(reasoning) = in_block(block, "reasoningContent") {
        read_reasoning(reasoning, recorder);
    } else if let Some((kind, length)) = media_in(block) {
        recorder.media(kind, length, None);
    } else if let Some(found) = in_block(block, "searchResult") {
        recorder.value(PartKind::File, found.get("content"));
    } else if let Some(cited) = in_block(block, "citationsContent") {
        for text in cited.elements_of("content") {
            recorder.text(PartKind::Text, text.text_of("text"));
        }
    } else if let Some(text) = in_block(block, "guardContent").and_then(|guarded| in_block(guarded, "text")) {
        recorder.text(PartKind::Text, text.text_of("text"));
    } else if !is_cache_point(block) {
        // A place for the cache says nothing to the model.
        recorder.value(PartKind::Other, Some(block));
    }
}

/// What the provider encrypted is sent, too.
fn read_reasoning(reasoning: Value<'_>, recorder: &mut Recorder) {
    let said = in_block(reasoning, "reasoningText");
    recorder.text(PartKind::Thinking, said.and_then(|said| said.text_of("text")));
    recorder.sign(said.and_then(|said| said.text_of("signature")));
    let encrypted = reasoning.present("redactedContent");
    if let Some(data) = encrypted.filter(|data| data.text().is_none_or(|text| !text.is_empty())) {
        recorder.transcript.sign(data_length(data).utf16 as usize);
    }
}

/// A tool result: its texts and values are one part; its images and files are parts that go with it. What stands in an
/// answer was made by the provider.
fn read_result(result: Value<'_>, is_answer: bool, recorder: &mut Recorder) {
    let content = result.get("content");
    let blocks = || result.elements_of("content");
    let said: Vec<_> = blocks().filter_map(said_in).collect();
    let length = said.iter().fold(Length::default(), |sum, value| sum.plus(length_of_value(*value)));
    let id = result.text_of("toolUseId");
    // Media belong to a result by its id: without one, they could not be said to go with it.
    let stays = is_answer || (id.is_none() && blocks().any(|block| said_in(block).is_none()));
    let has_failed = result.text_of("status").is_some_and(|status| status.is("error"));
    // No block at all is the text that says nothing, which Bedrock refuses.
    let is_empty = blocks().next().is_none();
    let output = match recorder.output_of(sole_text(content), id, has_failed) {
        _ if stays => Output::Sealed,
        Output::Ordinary if is_empty && recorder.clears_to_nothing() => Output::Placeholder,
        Output::Error if is_empty && recorder.clears_to_nothing() => Output::FailedPlaceholder,
        output => output,
    };
    let pieces = u16::try_from(said.len().max(usize::from(is_empty))).unwrap_or(u16::MAX);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let shape = Shape::Within(r#"[{"text":"#, "}]");
    let slot = (!stays).then(|| Slot::of_member(result, "content", shape));
    let call = recorder.result(id, None, part, slot);
    recorder.set_places(said.into_iter().map(Value::span));
    for block in blocks().filter(|block| said_in(*block).is_none()) {
        let (kind, length) = media_in(block).unwrap_or_else(|| (PartKind::File, length_of_value(block)));
        recorder.media(kind, length, call);
    }
}

/// The text or the JSON of a block in a result.
fn said_in(block: Value<'_>) -> Option<Value<'_>> {
    block.get("text").filter(|text| text.is_string()).or_else(|| block.get("json"))
}

/// The image or file that a block is, and the length of its data.
fn media_in(block: Value<'_>) -> Option<(PartKind, Length)> {
    let kinds = [
        ("image", PartKind::Image),
        ("document", PartKind::File),
        ("video", PartKind::File),
        ("audio", PartKind::File),
    ];
    let guarded = in_block(block, "guardContent").unwrap_or(block);
    kinds.into_iter().find_map(|(name, kind)| {
        let media = in_block(guarded, name)?;
        let source = media.get("source");
        let length = source.map(source_length).unwrap_or_default();
        Some((kind, priced(kind, length, source.and_then(data_of), media, ANY)))
    })
}

/// The length of the bytes, the address, the text or the blocks of a source.
fn source_length(source: Value<'_>) -> Length {
    if let Some(bytes) = source.present("bytes") {
        return data_length(bytes);
    }
    let said = data_of(source).or_else(|| source.present("text")).or_else(|| source.present("content"));
    said.map(length_of_value).unwrap_or_default()
}

/// The bytes of a source or their address.
fn data_of(source: Value<'_>) -> Option<Value<'_>> {
    let address = || source.get("s3Location").and_then(|place| place.present("uri"));
    source.present("bytes").or_else(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::format::carried_out::summarized;
    use crate::profiles;
    use crate::session_text::{EditOptions, ReadOptions, SessionText};

    fn read(source: &str) -> SessionText<'static> {
        let options = ReadOptions { format: Some(Format::BedrockConverse), ..ReadOptions::default() };
        SessionText::read_with(source.to_owned(), &options).unwrap()
    }

    #[test]
    fn each_block_is_counted_as_what_is_sent_of_it() {
        let cases = [
            (r#"{"text":"abc"}"#, PartKind::Text, 3, false),
            (r#"{"image":{"format":"png","source":{"bytes":"AAAA"}}}"#, PartKind::Image, 4, false),
            (
                r#"{"image":{"format":"png","source":{"bytes":{"0":1,"1":2,"2":3,"3":4}}}}"#,
                PartKind::Image,
                8,
                false,
            ),
            (r#"{"video":{"source":{"s3Location":{"uri":"s3://b/v"}}}}"#, PartKind::File, 8, false),
            (r#"{"document":{"name":"d","source":{"text":"abcde"}}}"#, PartKind::File, 5, false),
            (r#"{"document":{"name":"d","source":{"content":[{"text":"a"}]}}}"#, PartKind::File, 14, false),
            (r#"{"audio":{"format":"mp3"}}"#, PartKind::File, 0, false),
            (r#"{"toolUse":{"toolUseId":"t","name":"n","input":{}}}"#, PartKind::ToolCall, 2, false),
            (
                r#"{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}}"#,
                PartKind::Thinking,
                2,
                true,
            ),
            (r#"{"reasoningContent":{"redactedContent":"AAAA"}}"#, PartKind::Thinking, 0, true),
            (r#"{"reasoningContent":{"redactedContent":{"0":1}}}"#, PartKind::Thinking, 0, true),
            (r#"{"guardContent":{"text":{"text":"ab","qualifiers":[]}}}"#, PartKind::Text, 2, false),
            (
                r#"{"guardContent":{"image":{"format":"png","source":{"bytes":"AAAA"}}}}"#,
                PartKind::Image,
                4,
                false,
            ),
            (r#"{"citationsContent":{"content":[{"text":"abc"}],"citations":[]}}"#, PartKind::Text, 3, false),
            (
                r#"{"searchResult":{"source":"u","title":"t","content":[{"text":"abc"}]}}"#,
                PartKind::File,
                16,
                false,
            ),
            (r#"{"toolAddition":{"a":1}}"#, PartKind::Other, 24, false),
            ("null", PartKind::Other, 4, false),
        ];
        for (block, kind, length, signed) in cases {
            let session =
                read(&format!(r#"[{{"role":"assistant","content":[{block},{{"cachePoint":{{}}}}]}}]"#));
            let parts = session.transcript().parts_of(0);
            assert_eq!(parts.len(), 1, "{block}");
            let part = parts[0];
            assert_eq!((part.kind, part.length.utf16, part.signed), (kind, length, signed), "{block}");
        }
    }

    #[test]
    fn a_message_of_results_alone_is_no_turn() {
        let result = r#"{"toolResult":{"toolUseId":"t","content":[]}}"#;
        for (blocks, role) in [
            (result.to_owned(), Role::Tool),
            (format!(r#"{result},{{"cachePoint":{{"type":"default"}}}}"#), Role::Tool),
            (format!(r#"{result},{{"text":"and"}}"#), Role::User),
            (r#"{"cachePoint":{"type":"default"}}"#.to_owned(), Role::User),
        ] {
            let session = read(&format!(r#"[{{"role":"user","content":[{blocks}]}}]"#));
            assert_eq!(session.transcript().messages()[0].role, role, "{blocks}");
        }
    }

    #[test]
    fn an_output_cleared_to_nothing_is_measured_as_planned_and_cleared_once() {
        let source = concat!(
            r#"[{"role":"user","content":[{"text":"go"}]},"#,
            r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}},{"toolUse":{"toolUseId":"b","name":"f","input":{}}}]},"#,
            r#"{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"one"}]}},{"toolResult":{"toolUseId":"b","content":[{"text":"two"}],"status":"error"}}]}]"#
        );
        let mut policy = profiles::get("tunacode@2026-01").unwrap();
        (policy.prune.protect, policy.prune.minimum, policy.prune.minimum_turns) = (0, 0, 0);
        (policy.prune.errors, policy.prune.placeholder, policy.estimator.per_token) =
            (true, String::new(), 1);
        policy.estimator.separator = 1;
        let options = ReadOptions::new().placeholder("");
        let session = SessionText::read_with(source, &options).unwrap();
        let plan = session.plan(&policy);
        let written = session.compact(&plan, &EditOptions::default()).unwrap();
        assert_eq!(written.matches(r#""content":[]"#).count(), 2);
        let again = SessionText::read_with(written, &options).unwrap().plan(&policy);
        assert_eq!(again.decision.tokens_before, plan.decision.tokens_after);
        assert!(!again.changes_something());
    }

    #[test]
    fn a_response_has_its_usage_with_what_came_from_the_cache() {
        let source = concat!(
            r#"{"output":{"message":{"role":"assistant","content":[{"text":"Done."}]}},"stopReason":"end_turn","#,
            r#""usage":{"inputTokens":3,"outputTokens":4,"totalTokens":7,"cacheReadInputTokens":100,"#,
            r#""cacheWriteInputTokens":20}}"#
        );
        let session = SessionText::read(source).unwrap();
        assert_eq!(session.format(), Format::BedrockConverse);
        let message = session.transcript().messages()[0];
        assert_eq!((message.usage, message.ended), (Some(127), true));
    }

    #[test]
    fn a_pruned_result_is_a_block_of_text_and_its_media_go() {
        let call = |name: &str| {
            format!(
                r#"{{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"t","name":"{name}","input":{{}}}}}}]}}"#
            )
        };
        let image = r#"{"image":{"format":"png","source":{"bytes":"AAAA"}}}"#;
        for (before, after) in [
            (
                r#""content":[{"text":"long enough"}],"status":"success""#,
                r#""content":[{"text":"-"}],"status":"success""#,
            ),
            (r#""content":[{"json":{"a":[1.0, 2]}}]"#, r#""content":[{"text":"-"}]"#),
            (
                &format!(r#""content":[{{"text":"long"}},{image},{{"json":"er"}}]"#),
                r#""content":[{"text":"-"}]"#,
            ),
            (
                r#""content":[{"text":"failed"}],"status":"error""#,
                r#""content":[{"text":"-"}],"status":"error""#,
            ),
        ] {
            let wrap = |rest: &str| {
                format!(
                    r#"[{{"role":"user","content":[{{"text":"go"}}]}},{},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"t",{rest}}}}}]}}]"#,
                    call("f")
                )
            };
            let source = wrap(before);
            let mut policy = profiles::get("tunacode@2026-01").unwrap();
            (policy.prune.protect, policy.prune.minimum, policy.prune.minimum_turns) = (0, 0, 0);
            (policy.prune.errors, policy.prune.placeholder) = (true, "-".to_owned());
            let session = read(&source);
            assert_eq!(session.validate(), []);
            let plan = session.plan(&policy);
            let written = session.compact(&plan, &EditOptions::default()).unwrap();
            assert_eq!(written, wrap(after), "{before}");
        }
    }

    #[test]
    fn a_summary_is_answered_only_in_front_of_a_message_of_the_user() {
        let said = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":[{{"text":"{text}"}}]}}"#);
        let told =
            [said("user", "one"), said("assistant", "two"), said("user", "three"), said("assistant", "four")];
        let answer = said("assistant", ACKNOWLEDGED);
        let list = |messages: &[String]| format!("[{}]", messages.join(", "));
        let lines = |messages: &[String]| messages.join("\n") + "\n";
        for (written, separator) in [(list(&told), ","), (lines(&told), "\n")] {
            let answered = summarized(&written, 3, "So far.");
            let is_answered = format!(r#"So far."}}]}}{separator}{answer}"#);
            assert!(answered.contains(&is_answered) && answered.contains("three"), "{answered}");
            let unanswered = summarized(&written, 1, "So far.");
            assert!(!unanswered.contains(&answer) && !unanswered.contains("three"), "{unanswered}");
            for again in [answered, unanswered].map(|text| read(&text)) {
                assert_eq!(again.validate(), []);
                let messages = again.transcript().messages();
                let kept = messages.len() as u32 - 1;
                assert_eq!((messages[0].summary, messages[0].kept), (true, Some(kept)));
                let is_answered = again.text().as_str().contains(ACKNOWLEDGED);
                assert_eq!((messages[1].role, messages[1].summary), (Role::Assistant, is_answered));
            }
        }
    }

    #[test]
    fn what_the_provider_made_stays() {
        let source = concat!(
            r#"[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":["#,
            r#"{"toolUse":{"toolUseId":"t","name":"n","input":{},"type":"server_tool_use"}},"#,
            r#"{"toolResult":{"toolUseId":"t","content":[{"text":"found"}],"type":"n_result"}},{"text":"So."}]}]"#
        );
        let outputs =
            read(source).transcript().parts().iter().filter(|part| part.output == Output::Sealed).count();
        assert_eq!(outputs, 1);
        assert_eq!(read(source).validate(), []);
    }
}

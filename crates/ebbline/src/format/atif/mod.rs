//! ATIF, the Agent Trajectory Interchange Format: a step contains calls and their results.
//!
//! Structures from Harbor's RFC 0001 (version 1.5) and the models of the Python package `atif` 1.8.
//!
//! Its schema forbids unknown keys and requires steps numbered from 1 without gaps, so the writer only changes the
//! contents of results. There is no place for a summary: the format records a compaction as another file, which the
//! first one names and whose steps are numbered from 1 again.

mod entry;

pub(super) use entry::ENTRY;

use super::marker::MarkerKind;
use super::media::{ANY, priced};
use super::openai_chat::{has_text, joined, sole_text};
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::usage;
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let trajectory = source.root().filter(|root| !source.is_lines && root.get("steps").is_some());
    let steps = trajectory.map_or_else(|| source.list(), |root| root.elements_of("steps").collect());
    for step in steps {
        read_step(step, recorder);
    }
    Ok(SummaryPlacement::None)
}

fn read_step(step: Value<'_>, recorder: &mut Recorder) {
    let message = step.present("message");
    match step.text_of("source").map(Text::decode).as_deref() {
        Some("agent") => {
            let ended = has_text(message) && step.elements_of("tool_calls").next().is_none();
            let usage = usage::total(step.get("metrics"), &usage::COMPLETION);
            recorder.begin(Message { ended, usage, ..Message::new(Role::Assistant) }, step.span());
        }
        Some("user") => {
            recorder.begin(Message::person(), step.span());
            recorder.check_summary(message.and_then(Value::text));
        }
        Some("system") => {
            if hands_over(step) {
                recorder.mark(MarkerKind::Compaction, "summarization", step.span());
            }
            recorder.begin(Message::new(Role::System), step.span());
        }
        _ => recorder.begin(Message::new(Role::Other), step.span()),
    }
    if let Some(thinking) = step.text_of("reasoning_content") {
        recorder.text(PartKind::Thinking, Some(thinking));
    }
    read_message(message, recorder);
    let calls: Vec<_> = step.elements_of("tool_calls").collect();
    for call in &calls {
        recorder.call(call.text_of("tool_call_id"), call.text_of("function_name"), call.get("arguments"));
    }
    let results: Vec<_> =
        step.get("observation").into_iter().flat_map(|seen| seen.elements_of("results")).collect();
    // Results without the ids of calls (Terminus) answer the step's calls in order if there are as many.
    let is_paired = calls.len() == results.len();
    for (index, result) in results.into_iter().enumerate() {
        let call = calls.get(index).filter(|_| is_paired && result.present("source_call_id").is_none());
        read_result(result, call.and_then(|call| call.text_of("function_name")), recorder);
    }
}

/// Whether a step records that sub-agents summarized the context, as Terminus does.
fn hands_over(step: Value<'_>) -> bool {
    let results = step.get("observation").into_iter().flat_map(|seen| seen.elements_of("results"));
    let mut refs = results.flat_map(|result| result.elements_of("subagent_trajectory_ref"));
    let summarized = |reference: Value<'_>| {
        let summary = reference.get("extra").and_then(|extra| extra.text_of("summary"));
        summary.is_some_and(|text| text.starts_with("Context summarization"))
    };
    refs.any(summarized)
}

fn read_message(message: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(message) = message else { return };
    if let Some(text) = message.text() {
        // A step that only calls tools must have a message, so Terminus writes an empty one.
        if !text.is_empty() {
            recorder.text(PartKind::Text, Some(text));
        }
        return;
    }
    for part in message.elements() {
        match part.text_of("type").map(Text::decode).as_deref() {
            Some("image") => recorder.media(PartKind::Image, path_length(part), None),
            Some("audio") => recorder.media(PartKind::File, file_length(part), None),
            _ => match part.text_of("text") {
                Some(text) => recorder.text(PartKind::Text, Some(text)),
                None => recorder.value(PartKind::Other, Some(part)),
            },
        }
    }
}

/// An image or sound is in a separate file; the trajectory contains its path.
fn path_length(part: Value<'_>) -> Length {
    part.get("source").and_then(|source| source.get("path")).map(length_of_value).unwrap_or_default()
}

fn file_length(part: Value<'_>) -> Length {
    let path = part.get("source").and_then(|source| source.get("path"));
    priced(PartKind::File, path_length(part), path, part, ANY)
}

fn read_result(result: Value<'_>, name: Option<Text<'_>>, recorder: &mut Recorder) {
    let content = result.present("content");
    let text = content.and_then(Value::text);
    let parts = || content.into_iter().flat_map(Value::elements);
    let (length, pieces) = text
        .map_or_else(|| joined(parts().filter_map(|part| part.text_of("text"))), |text| (text.length(), 1));
    let id = result.text_of("source_call_id");
    let media = || parts().filter(|part| part.get("text").is_none());
    let output = recorder.output_of(text.or_else(|| sole_text(content)), id, false);
    // Media of a result without a call would stay after pruning, so the result's text must stay as well. A result
    // that only names a sub-agent's trajectory has no text.
    let is_fixed = content.is_none() || id.is_none() && media().next().is_some();
    let output = if is_fixed { Output::Sealed } else { output };
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = Slot::of_member(result, "content", Shape::Text);
    let call = recorder.result(id, name, part, Some(slot).filter(|_| !is_fixed));
    recorder.set_text_places(content);
    for part in media() {
        let is_image = part.text_of("type").is_some_and(|kind| kind.is("image"));
        let kind = if is_image { PartKind::Image } else { PartKind::File };
        let length = if is_image { path_length(part) } else { file_length(part) };
        recorder.media(kind, length, call);
    }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::format::marker::MarkerKind;
    use crate::transcript::{Output, PartKind, Role};

    fn trajectory(steps: &str) -> String {
        format!(r#"{{"schema_version":"ATIF-v1.6","agent":{{"name":"a","version":"1"}},"steps":[{steps}]}}"#)
    }

    #[test]
    fn a_step_holds_its_calls_and_their_results() {
        let text = trajectory(concat!(
            r#"{"step_id":1,"source":"user","message":[{"type":"text","text":"a"},{"type":"image","source":{"path":"i.png"}}]},"#,
            r#"{"step_id":2,"source":"agent","message":"","reasoning_content":"t","tool_calls":[{"tool_call_id":"x","function_name":"f","arguments":{}},"#,
            r#"{"tool_call_id":"y","function_name":"g","arguments":{}}],"observation":{"results":[{"source_call_id":"y","content":"1"},"#,
            r#"{"source_call_id":"x","content":[{"type":"text","text":"2"},{"type":"image","source":{"path":"j.png"}}]}]},"#,
            r#""metrics":{"prompt_tokens":100,"completion_tokens":10,"cached_tokens":90,"prompt_token_ids":[1,2]}},"#,
            r#"{"step_id":3,"source":"agent","message":"done","is_copied_context":true}"#
        ));
        let session = read(&text);
        let messages = session.transcript().messages();
        let kinds: Vec<_> = session.transcript().parts_of(1).iter().map(|part| part.kind).collect();
        assert_eq!(
            kinds,
            [
                PartKind::Thinking,
                PartKind::ToolCall,
                PartKind::ToolCall,
                PartKind::ToolResult,
                PartKind::ToolResult,
                PartKind::Image
            ]
        );
        assert_eq!(messages.iter().map(|message| message.ended).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!((messages[1].usage, messages[2].active), (Some(110), true));
        let counts = session.counts();
        assert_eq!((counts.calls_without_result, counts.results_without_call, counts.images), (0, 0, 2));
        assert!(session.validate().is_empty());
    }

    #[test]
    fn results_without_a_call_belong_to_their_step() {
        let step = |results: &str| {
            trajectory(&format!(
                concat!(
                    r#"{{"step_id":1,"source":"user","message":"a"}},{{"step_id":2,"source":"agent","message":"b","#,
                    r#""tool_calls":[{{"tool_call_id":"x","function_name":"f","arguments":{{}}}}],"observation":{{"results":[{}]}}}}"#
                ),
                results
            ))
        };
        let named = |text: &str| {
            let session = read(text);
            assert!(session.validate().is_empty(), "{text}");
            let part = session.transcript().parts_of(1)[2];
            (part.call, part.tool.and_then(|tool| session.transcript().tool_name(tool)).map(str::to_owned))
        };
        assert_eq!(named(&step(r#"{"content":"1"}"#)), (None, Some("f".to_owned())));
        assert_eq!(named(&step(r#"{"content":"1"},{"content":"2"}"#)), (None, None));
        // The image would stay after pruning, so the result stays with it.
        let text = step(r#"{"content":[{"type":"text","text":"1"},{"type":"image","source":{"path":"i"}}]}"#);
        assert_eq!(read(&text).transcript().parts_of(1)[2].output, Output::Sealed);
    }

    #[test]
    fn the_content_alone_is_written() {
        let long = "x".repeat(200);
        let step = |first: &str, second: &str| {
            trajectory(&format!(
                concat!(
                    r#"{{"step_id": 1, "source": "agent", "message": "", "tool_calls": [{{"tool_call_id": "x", "function_name": "f", "arguments": {{}}}}],"#,
                    r#" "observation": {{"results": [{{"source_call_id": "x", "content": {}, "extra": {{"score": 29.0}}}}, {{"content": {}}}]}}}}"#
                ),
                first, second
            ))
        };
        let parts = format!(r#"[{{"type": "text", "text": "{long}"}}]"#);
        let placeholder = r#""[Old tool result content cleared]""#;
        assert_eq!(pruned(&step(&parts, &format!("{long:?}")), false), step(placeholder, placeholder));
    }

    #[test]
    fn a_handover_to_a_summary_is_marked() {
        let text = trajectory(concat!(
            r#"{"step_id":1,"source":"system","message":"Performed context summarization","observation":{"results":["#,
            r#"{"subagent_trajectory_ref":[{"session_id":"s","extra":{"summary":"Context summarization 1: Step 1"}}]}]}},"#,
            r#"{"step_id":2,"source":"robot","message":7,"observation":{"results":[7,{},null]},"tool_calls":[7]},7"#
        ));
        let session = read(&text);
        assert_eq!(session.markers()[0].kind, MarkerKind::Compaction);
        assert_eq!(session.transcript().messages()[1].role, Role::Other);
        assert_eq!((session.counts().messages, session.counts().results), (3, 4));
    }
}

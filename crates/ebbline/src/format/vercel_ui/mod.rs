//! UI messages of the Vercel AI SDK: the state of `useChat`, which applications store.
//!
//! What is sent is the result of `convertToModelMessages` (ai 6.0; `convertToCoreMessages` of version 4).

mod entry;
mod summary;

pub(super) use entry::ENTRY;

use super::media::{ANY, data_length, priced};
use super::placement::SummaryPlacement;
use super::provider_metadata::{item_of, signature_of};
use super::recorder::{Recorder, length_of_value};
use super::slot::Slot;
use super::source::Source;
use super::structure;
use super::usage;
use super::vercel_model::{media_kind, media_length};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::notation::javascript::stringified_length;
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// The text that the model gets for a call that the user refused without a reason.
const DENIED: &str = "Tool call execution denied.";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for message in source.list() {
        read_message(message, recorder);
    }
    Ok(SummaryPlacement::List(&summary::LISTED))
}

fn read_message(message: Value<'_>, recorder: &mut Recorder) {
    let begun = match message.text_of("role").map(Text::decode).as_deref() {
        Some("system") => Message::new(Role::System),
        Some("user") => Message::person(),
        Some("assistant") => {
            Message { ended: has_ended(message), usage: reported(message), ..Message::new(Role::Assistant) }
        }
        // Version 4 let applications stream data between the messages; it is not sent.
        Some("data") => Message { active: false, ..Message::new(Role::Other) },
        _ => Message::new(Role::Other),
    };
    recorder.begin(begun, message.span());
    if !begun.active {
        return;
    }
    if begun.role == Role::User {
        let first = message.elements_of("parts").next();
        recorder.check_summary(
            first.and_then(|part| part.text_of("text")).or_else(|| message.text_of("content")),
        );
    }
    if message.get("parts").is_some_and(Value::is_array) {
        for part in message.elements_of("parts") {
            read_part(part, begun.role, message, recorder);
        }
    } else {
        read_without_parts(message, begun.role, recorder);
    }
    if begun.role == Role::User {
        for file in message.elements_of("experimental_attachments") {
            recorder.media(media_kind(file), media_length(file), None);
        }
    }
}

/// Whether the answer ends with text; after calls, another step would follow.
fn has_ended(message: Value<'_>) -> bool {
    let is_said = |text: Text<'_>| !text.is_blank();
    if !message.get("parts").is_some_and(Value::is_array) {
        return message.text_of("content").is_some_and(is_said);
    }
    let sent = |part: &Value<'_>| {
        let kind = part.text_of("type").map(Text::decode).unwrap_or_default();
        matches!(kind.as_ref(), "text" | "reasoning" | "file" | "dynamic-tool") || kind.starts_with("tool-")
    };
    let last = message.elements_of("parts").filter(sent).last().filter(|part| is_type(*part, "text"));
    last.and_then(|part| part.text_of("text")).is_some_and(is_said)
}

/// Usage is only there if the application put it into the metadata. For an answer of several steps it may be the sum,
/// which describes no context.
fn reported(message: Value<'_>) -> Option<u32> {
    let steps = message.elements_of("parts").filter(|part| is_type(*part, "step-start")).count();
    let metadata = message.get("metadata").filter(|_| steps < 2)?;
    let usage = metadata.present("usage").or_else(|| metadata.present("totalUsage"));
    usage::total(usage, &usage::VERCEL)
}

fn is_type(part: Value<'_>, name: &str) -> bool {
    part.text_of("type").is_some_and(|kind| kind.is(name))
}

/// A message of version 4 before messages had parts: calls, then text.
fn read_without_parts(message: Value<'_>, role: Role, recorder: &mut Recorder) {
    if role == Role::Assistant {
        for invocation in message.elements_of("toolInvocations") {
            read_invocation(invocation, None, recorder);
        }
    }
    if let Some(text) = message.text_of("content") {
        recorder.text(PartKind::Text, Some(text));
    }
}

fn read_part(part: Value<'_>, role: Role, message: Value<'_>, recorder: &mut Recorder) {
    let kind = part.text_of("type");
    let metadata = part.get("providerMetadata");
    match kind.map(Text::decode).as_deref() {
        Some("text") => {
            recorder.text(PartKind::Text, part.text_of("text"));
            recorder.sign(signature_of(metadata));
        }
        // A system message consists of its texts, a user message of its texts and files.
        Some("file") if role != Role::System => {
            recorder.media(media_kind(part), file_length(part), None);
            recorder.set_places(part.text_of("filename").map(Text::span));
        }
        _ if matches!(role, Role::System | Role::User) => {}
        Some("reasoning") => {
            recorder.text(PartKind::Thinking, part.text_of("text").or_else(|| part.text_of("reasoning")));
            recorder.sign(signature_of(metadata));
            recorder.sign(item_of(metadata));
            for detail in part.elements_of("details") {
                recorder.sign(detail.text_of("signature"));
                recorder.sign(detail.text_of("data"));
            }
        }
        Some("tool-invocation") if part.get("toolInvocation").is_some() => {
            if let Some(invocation) = part.get("toolInvocation") {
                read_invocation(invocation, Some(message), recorder);
            }
        }
        Some("dynamic-tool") => read_tool(part, part.text_of("toolName"), recorder),
        Some(name) if name.starts_with("tool-") => {
            read_tool(part, kind.and_then(|kind| kind.strip_prefix("tool-")), recorder);
        }
        // Sources, data and step markers are not sent.
        _ => {}
    }
}

/// A file's URL; version 4 stored its data.
fn file_length(part: Value<'_>) -> Length {
    let Some(url) = part.present("url") else { return media_length(part) };
    priced(media_kind(part), data_length(url), Some(url), part, ANY)
}

/// A tool part is call and result in one. While its input is being streamed, it is neither.
fn read_tool(part: Value<'_>, name: Option<Text<'_>>, recorder: &mut Recorder) {
    let state = part.text_of("state").map(Text::decode).unwrap_or_default();
    if state == "input-streaming" {
        return;
    }
    let id = part.text_of("toolCallId");
    let raw = || part.get("rawInput").filter(|_| state == "output-error");
    recorder.call(id, name, part.present("input").or_else(raw));
    recorder.sign(signature_of(part.get("callProviderMetadata")));
    let by_provider = part.get("providerExecuted").is_some_and(Value::is_truthy);
    let (value, output, slot) = match state.as_ref() {
        "output-available" => {
            let value = part.get("output");
            (value, recorder.output_of(value.and_then(structure::text_in), id, false), "output")
        }
        "output-error" => {
            let value = part.get("errorText");
            (value, recorder.output_of(value.and_then(Value::text), id, true), "errorText")
        }
        "output-denied" if !by_provider => return read_denial(part, id, name, recorder),
        // Not carried out yet, or waiting for the user.
        _ => return,
    };
    // The provider's own output is sent back unchanged.
    let output = if by_provider { Output::Sealed } else { output };
    let slot = (!by_provider).then(|| structure::slot_of(part, slot));
    add_result([id, name], output, value, slot, recorder);
}

/// Records a result. An output that is not a text is measured as providers get it: written by `JSON.stringify`.
fn add_result(
    [id, name]: [Option<Text<'_>>; 2],
    output: Output,
    value: Option<Value<'_>>,
    slot: Option<Slot>,
    recorder: &mut Recorder,
) {
    let said = value.and_then(structure::text_in);
    let length = said.map_or_else(|| value.map(length_of_value).unwrap_or_default(), Text::length);
    recorder.result(id, name, Part { output, ..Part::new(PartKind::ToolResult, length) }, slot);
    recorder.set_native_length(value.filter(|_| said.is_none()).map(stringified_length));
    recorder.set_places(said.map(Text::span).or_else(|| value.map(Value::span)));
}

/// The model gets the refusal instead of a result. It is short, and its text is the user's.
fn read_denial(part: Value<'_>, id: Option<Text<'_>>, name: Option<Text<'_>>, recorder: &mut Recorder) {
    let reason = part.get("approval").and_then(|approval| approval.text_of("reason"));
    let length = reason.map_or_else(|| Length::of(DENIED), Text::length);
    let result = Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length) };
    recorder.result(id, name, result, None);
    recorder.set_places(reason.map(Text::span));
}

/// A tool invocation of version 4. `toolInvocations` contains a copy of each invocation in the parts.
fn read_invocation(invocation: Value<'_>, beside: Option<Value<'_>>, recorder: &mut Recorder) {
    if invocation.text_of("state").is_some_and(|state| state.is("partial-call")) {
        return;
    }
    let (id, name) = (invocation.text_of("toolCallId"), invocation.text_of("toolName"));
    recorder.call(id, name, invocation.get("args"));
    let Some(value) = invocation.get("result") else { return };
    let output = recorder.output_of(structure::text_in(value), id, false);
    add_result([id, name], output, Some(value), Some(structure::slot_of(invocation, "result")), recorder);
    let Some(id) = id.map(Text::decode) else { return };
    for copy in beside.into_iter().flat_map(|message| message.elements_of("toolInvocations")) {
        let is_same = copy.text_of("toolCallId").is_some_and(|other| other.is(&id));
        if is_same && copy.get("result").is_some() {
            recorder.add_copy(structure::slot_of(copy, "result"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::outline::{cleared, outline};

    fn answer(parts: &str) -> String {
        format!(r#"[{{"id":"a","role":"assistant","parts":[{parts}]}}]"#)
    }

    fn tool(state: &str, rest: &str) -> String {
        answer(&format!(r#"{{"type":"tool-ls","toolCallId":"c","state":"{state}","input":{{}}{rest}}}"#))
    }

    #[test]
    fn each_state_of_a_tool_is_what_the_model_is_told() {
        let long = r#","output":"[Old tool result content cleared]""#;
        for (state, rest, expected) in [
            ("input-streaming", "", "a"),
            ("input-available", "", "a c0:2"),
            ("approval-requested", r#","approval":{"id":"x"}"#, "a c0:2"),
            ("approval-responded", r#","approval":{"id":"x","approved":true}"#, "a c0:2"),
            ("output-available", r#","output":"abc""#, "a c0:2 =0:3"),
            ("output-available", r#","output":{"a": 1}"#, "a c0:2 =0:7"),
            ("output-available", r#","output":[],"providerExecuted":true"#, "a c0:2 =s0:2"),
            ("output-available", long, "a c0:2 =h0:33"),
            ("output-available", "", "a c0:2 =0:0"),
            ("output-error", r#","errorText":"abc""#, "a c0:2 =x0:3"),
            ("output-error", r#","errorText":"abc","providerExecuted":true"#, "a c0:2 =s0:3"),
            ("output-denied", r#","approval":{"id":"x","approved":false}"#, "a c0:2 =s0:27"),
            ("output-denied", r#","approval":{"id":"x","reason":"no"}"#, "a c0:2 =s0:2"),
        ] {
            assert_eq!(outline(&tool(state, rest), Format::VercelUi), expected, "{state} {rest}");
        }
    }

    #[test]
    fn a_part_is_pruned_in_its_own_member() {
        for (state, before, after) in [
            ("output-available", r#","output":"abc","x":2"#, r#","output":"P","x":2"#),
            (
                "output-available",
                r#","output":{"a": 1},"x":2"#,
                r#","output":{"content":[{"type":"text","text":"P"}]},"x":2"#,
            ),
            ("output-available", r#","output":[1,2]"#, r#","output":[{"type":"text","text":"P"}]"#),
            ("output-available", r#","output":7"#, r#","output":"P""#),
            ("output-error", r#","errorText":"abc""#, r#","errorText":"P""#),
            (
                "output-available",
                r#","output":[],"providerExecuted":true"#,
                r#","output":[],"providerExecuted":true"#,
            ),
            ("output-denied", r#","approval":{"reason":"no"}"#, r#","approval":{"reason":"no"}"#),
        ] {
            assert_eq!(cleared(&tool(state, before), Format::VercelUi, true), tool(state, after));
        }
    }

    #[test]
    fn what_is_left_of_a_value_has_its_members() {
        let long = "the ledger was read, line by line";
        for (before, after) in [
            (
                format!(r#"{{"rows":[{{"at":1,"text":"{long}"}},{{"at":2}}],"note":"{long}","ok":true}}"#),
                r#"{"rows":[{"at":1,"text":"P"}],"note":"","ok":true}"#,
            ),
            (format!(r#"["{long}","{long}"]"#), r#"["P"]"#),
            (
                format!(r#"{{"status":"done","text":"{long}","none":null,"list":[],"empty":{{}}}}"#),
                r#"{"status":"done","text":"P","none":null,"list":[],"empty":{}}"#,
            ),
            (
                format!(r#"{{"content":[{{"type":"text","text":"{long}"}}],"isError":false}}"#),
                r#"{"content":[{"type":"text","text":"P"}]}"#,
            ),
            (format!(r#"{{"1":"{long}"}}"#), r#"{"content":[{"type":"text","text":"P"}]}"#),
        ] {
            let text = tool("output-available", &format!(r#","output":{before}"#));
            let left = tool("output-available", &format!(r#","output":{after}"#));
            assert_eq!(cleared(&text, Format::VercelUi, true), left);
            let pruned = left.replace("\"P\"", "\"[Old tool result content cleared]\"");
            assert_eq!(outline(&pruned, Format::VercelUi), "a c0:2 =h0:33", "{pruned}");
        }
    }

    #[test]
    fn what_people_see_is_not_sent() {
        let parts = r#"{"type":"step-start"},{"type":"reasoning","text":"hm","providerMetadata":{"bedrock":{"signature":"x"}}},
            {"type":"dynamic-tool","toolName":"ls","toolCallId":"c","state":"output-available","input":1,"output":2},
            {"type":"text","text":"done"},{"type":"source-url","url":"https://a.example/"},{"type":"data-x","data":1}"#;
        assert_eq!(outline(&answer(parts), Format::VercelUi), "a! ~2^ c0:1 =0:1 \"4");
        let person = r#"[{"role":"user","parts":[{"type":"text","text":"see"},{"type":"reasoning","text":"hm"},
            {"type":"file","mediaType":"image/png","url":"data:image/png;base64,iVBO"}]},
            {"role":"system","parts":[{"type":"text","text":"be"},{"type":"file","url":"x"}]},{"role":"data","content":"x"}]"#;
        assert_eq!(outline(person, Format::VercelUi), "u? \"3 image26 | s \"2 | o-");
    }

    #[test]
    fn usage_counts_only_of_a_single_step() {
        let metadata = |usage: &str, steps: usize| {
            let mut parts = vec![r#"{"type":"step-start"}"#; steps];
            parts.push(r#"{"type":"data-x"}"#);
            let parts = parts.join(",");
            format!(r#"[{{"role":"assistant","metadata":{usage},"parts":[{parts}]}}]"#)
        };
        for (usage, steps, expected) in [
            (r#"{"usage":{"inputTokens":7,"outputTokens":2}}"#, 1, "a@9"),
            (r#"{"totalUsage":{"totalTokens":9}}"#, 0, "a@9"),
            (r#"{"totalUsage":{"totalTokens":9}}"#, 2, "a"),
            (r#"{"usage":7}"#, 1, "a"),
            ("null", 1, "a"),
        ] {
            assert_eq!(outline(&metadata(usage, steps), Format::VercelUi), expected, "{usage}");
        }
    }

    #[test]
    fn version_4_keeps_invocations_beside_or_in_the_place_of_parts() {
        let invocation = r#"{"state":"result","toolCallId":"c","toolName":"ls","args":{},"result":[1]}"#;
        let begun = r#"{"state":"partial-call","toolCallId":"d","toolName":"ls","args":{}}"#;
        let with_parts = format!(
            r#"[{{"role":"assistant","content":"ok","toolInvocations":[{invocation}],"parts":[
            {{"type":"reasoning","reasoning":"hm","details":[{{"type":"text","signature":"x"}}]}},
            {{"type":"tool-invocation","toolInvocation":{invocation}}},{{"type":"text","text":"ok"}}]}}]"#
        );
        assert_eq!(outline(&with_parts, Format::VercelUi), "a! ~2^ c0:2 =0:3 \"2");
        let list = r#"[{"type":"text","text":"P"}]"#;
        let once = with_parts.replacen("[1]", list, 2).replacen(list, "[1]", 1);
        assert_eq!(cleared(&with_parts, Format::VercelUi, false), once);
        assert_eq!(cleared(&with_parts, Format::VercelUi, true), with_parts.replace("[1]", list));

        let without =
            format!(r#"[{{"role":"assistant","content":"ok","toolInvocations":[{invocation},{begun}]}}]"#);
        assert_eq!(outline(&without, Format::VercelUi), "a! c0:2 =0:3 \"2");
        assert_eq!(cleared(&without, Format::VercelUi, false), without.replace("[1]", list));
    }

    #[test]
    fn two_calls_of_one_id_share_their_copy() {
        let invocation = r#"{"state":"result","toolCallId":"c","toolName":"ls","args":{},"result":[1]}"#;
        let part = format!(r#"{{"type":"tool-invocation","toolInvocation":{invocation}}}"#);
        let text = format!(
            r#"[{{"role":"assistant","toolInvocations":[{invocation},{invocation}],"parts":[{part},{part}]}}]"#
        );
        let list = r#"[{"type":"text","text":"P"}]"#;
        assert_eq!(cleared(&text, Format::VercelUi, true), text.replace("[1]", list));
    }

    #[test]
    fn damage_is_read_as_far_as_it_makes_sense() {
        let messages = r#"[null,7,{},{"role":"user"},{"role":"assistant","parts":{},"toolInvocations":[null]},
            {"role":"assistant","parts":[null,{"type":"tool-"},{"type":"tool-invocation","toolInvocation":null},{"type":7}]}]"#;
        assert_eq!(outline(messages, Format::VercelUi), "o | o | o | u? | a c0 | a c0 c0");
    }
}

//! LangChain messages, in the three forms of its Python and JavaScript packages: `dumpd` (also `JSON.stringify` of a
//! message), `messages_to_dict`, `model_dump`; a list or a LangGraph state.
//!
//! Structures from langchain-core 1.7.2.

mod blocks;
mod calls;
mod entry;
mod summary;

pub(super) use entry::ENTRY;

use std::borrow::Cow;
use std::collections::HashSet;

use super::layout::{Element, Missing};
use super::openai_chat::joined;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::signs::has;
use super::slot::{Shape, Slot};
use super::source::Source;
use super::{MarkerKind, usage};
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::transcript::{Message, Output, Part, PartKind, Role};

/// Used as an id, it removes all messages before.
const REMOVE_ALL: &str = "__remove_all__";
/// LangChain's own summarization marks the message with its summary with this member.
const SUMMARIZATION: &str = "summarization";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let state = source.root().filter(|_| !source.is_lines).and_then(state_in);
    let messages = state.map_or_else(|| source.list(), |state| state.elements_of("messages").collect());
    let opened: Vec<_> = messages.iter().copied().map(Opened::from).collect();
    for message in &opened {
        read_message(message, recorder);
    }
    take_back_removed(&opened, recorder);
    let spelling = messages.first().map_or(&summary::FLAT, |first| match first {
        first if first.get("kwargs").is_some() => {
            let core = first.elements_of("id").next().and_then(Value::text);
            if core.is_some_and(|core| core.is("langchain_core")) {
                &summary::CORE_DUMP
            } else {
                &summary::PYTHON_DUMP
            }
        }
        first if first.get("data").is_some() => &summary::DICT,
        _ => &summary::FLAT,
    });
    Ok(SummaryPlacement::List(spelling))
}

/// The state of a graph, if it contains messages: in the report of a thread (`values`), in a checkpoint
/// (`channel_values`), or in what a store keeps of one (`checkpoint`).
pub(super) fn state_in(root: Value<'_>) -> Option<Value<'_>> {
    let kept = root.get("checkpoint").and_then(|checkpoint| checkpoint.get("channel_values"));
    let mut states = ["values", "channel_values"].into_iter().filter_map(|key| root.get(key)).chain(kept);
    states.find(|state| state.get("messages").is_some())
}

/// Whether an object is a state of a graph at one moment; before its first input it contains no messages.
pub(super) fn is_moment(root: Value<'_>) -> bool {
    let is_snapshot = root.get("values").is_some_and(Value::is_object) && has(root, &["next", "metadata"]);
    is_snapshot || state_in(root).is_some_and(|state| state.get("messages").is_some_and(Value::is_array))
}

/// A message without its envelope.
struct Opened<'d> {
    /// The message with its envelope.
    whole: Value<'d>,
    /// The object with the content.
    body: Value<'d>,
    kind: Kind,
}

/// What a message is, however its class is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Human,
    Ai,
    System,
    Result,
    Chat,
    Remove,
    Other,
}

impl<'d> From<Value<'d>> for Opened<'d> {
    fn from(whole: Value<'d>) -> Self {
        let inside = |key: &str| whole.get(key).filter(|value| value.is_object());
        let (body, name) = if let Some(body) = inside("kwargs") {
            // The class is the last element of the constructor's path.
            let class = whole.elements_of("id").last().and_then(Value::text);
            (body, class.or_else(|| body.text_of("type")))
        } else {
            (inside("data").unwrap_or(whole), whole.text_of("type").or_else(|| whole.text_of("role")))
        };
        Self { whole, body, kind: name.map_or(Kind::Other, Kind::named) }
    }
}

impl Kind {
    /// By its type (`ai`), its class (`AIMessageChunk`) or its role (`assistant`).
    fn named(name: Text<'_>) -> Self {
        let name = name.decode();
        let class = name.strip_suffix("Chunk").unwrap_or(&name);
        match class.strip_suffix("Message").unwrap_or(class) {
            "human" | "Human" | "user" => Self::Human,
            "ai" | "AI" | "assistant" => Self::Ai,
            "system" | "System" | "developer" => Self::System,
            "tool" | "Tool" | "function" | "Function" => Self::Result,
            "chat" | "Chat" | "generic" => Self::Chat,
            "remove" | "Remove" => Self::Remove,
            _ => Self::Other,
        }
    }
}

/// What a message is to a repair: only results name the call that they answer.
fn element(body: Value<'_>) -> Option<Element> {
    body.text_of("tool_call_id").map(|_| Element::Result)
}

/// A result of unknown outcome, in the form of the message with the call.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every format")]
fn unknown(missing: Missing<'_>) -> Option<String> {
    let Missing { entry, id, tool, text } = missing;
    let body = format!(r#""content":{text},"tool_call_id":{id},"name":{tool}"#);
    let path = entry.elements_of("id").filter_map(Value::text).map(Text::decode);
    let path: Vec<_> = path.collect();
    Some(match path.split_last() {
        Some((_, package)) if entry.get("kwargs").is_some() => {
            let package = package.iter().map(|name| quote(name)).collect::<Vec<_>>().join(",");
            format!(
                r#"{{"lc":1,"type":"constructor","id":[{package},"ToolMessage"],"kwargs":{{{body},"type":"tool"}}}}"#
            )
        }
        _ if entry.get("data").is_some() => format!(r#"{{"type":"tool","data":{{{body},"type":"tool"}}}}"#),
        _ => format!(r#"{{{body},"type":"tool"}}"#),
    })
}

fn read_message(message: &Opened<'_>, recorder: &mut Recorder) {
    let Opened { whole, body, kind } = *message;
    let content = body.get("content");
    // The application chooses the role of a chat message.
    let kind = match (kind, body.text_of("role")) {
        (Kind::Chat, Some(role)) => Kind::named(role),
        (kind, _) => kind,
    };
    let begun = match kind {
        Kind::Human if is_by_summarization(body) => {
            recorder.mark(MarkerKind::Summary, SUMMARIZATION, whole.span());
            Message::earlier_summary()
        }
        Kind::Human => Message::person(),
        Kind::Ai => {
            let ended = !calls::are_in(body) && blocks::texts(content).any(|text| !text.is_blank());
            let usage = usage::total(body.get("usage_metadata"), &usage::LANGCHAIN);
            Message { ended, usage, ..Message::new(Role::Assistant) }
        }
        Kind::System => Message::new(Role::System),
        Kind::Result => Message::new(Role::Tool),
        Kind::Remove => Message { active: false, ..Message::new(Role::Other) },
        Kind::Chat | Kind::Other => Message::new(Role::Other),
    };
    recorder.begin(begun, whole.span());
    if matches!(kind, Kind::Human) {
        recorder.check_summary(content.and_then(Value::text));
    }
    match kind {
        Kind::Remove => {}
        Kind::Result => read_result(body, recorder),
        Kind::Ai => {
            let known = calls::ids(body);
            calls::read_reasoning(body, recorder);
            let made = blocks::read(content, Some(&known), recorder);
            calls::read(body, &made, recorder);
        }
        _ => {
            blocks::read(content, None, recorder);
        }
    }
}

fn is_by_summarization(body: Value<'_>) -> bool {
    let source = body.get("additional_kwargs").and_then(|extra| extra.text_of("lc_source"));
    source.is_some_and(|source| source.is(SUMMARIZATION))
}

/// A tool message: its texts are one part; its images are separate parts of the same call. The artifact is for the
/// application.
fn read_result(body: Value<'_>, recorder: &mut Recorder) {
    let content = body.get("content");
    let (length, pieces) = joined(blocks::texts(content));
    let inside = content.into_iter().flat_map(Value::elements);
    let media: Vec<_> = inside.filter(|block| blocks::text_of(*block).is_none()).collect();
    let id = body.text_of("tool_call_id");
    let output = if id.is_none() && !media.is_empty() {
        // Media belong to a result by its id, so without an id they would stay.
        Output::Sealed
    } else {
        let has_failed = body.text_of("status").is_some_and(|status| status.is("error"));
        let texts: Vec<_> = blocks::texts(content).collect();
        let is_all = content.is_some_and(|content| content.elements().count() <= 1);
        recorder.output_of(
            texts.first().copied().filter(|_| is_all),
            body.text_of("tool_call_id"),
            has_failed,
        )
    };
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = (output != Output::Sealed).then(|| Slot::of_member(body, "content", Shape::Text));
    let call = recorder.result(id, body.text_of("name"), part, slot);
    recorder.set_places(blocks::texts(content).map(Text::span));
    for block in media {
        recorder.media(blocks::media_kind(block), blocks::media_length(block), call);
    }
}

/// Messages that a later `RemoveMessage` names are no longer sent (`add_messages` of LangGraph), and usage reported
/// before it describes the context with them.
fn take_back_removed(messages: &[Opened<'_>], recorder: &mut Recorder) {
    let mut removed: HashSet<Cow<'_, str>> = HashSet::new();
    let (mut all, mut any) = (false, false);
    for (index, message) in messages.iter().enumerate().rev() {
        let id = message.body.text_of("id").map(Text::decode);
        if message.kind == Kind::Remove {
            any = true;
            all |= id.as_deref() == Some(REMOVE_ALL);
            removed.extend(id);
            continue;
        }
        if all || id.is_some_and(|id| removed.contains(&id)) {
            recorder.transcript.set_active(index, false);
        }
        if any {
            recorder.transcript.forget_usage(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::outline::{cleared, outline};

    fn outlined(messages: &str) -> String {
        outline(&format!("[{messages}]"), Format::Langchain)
    }

    /// A message in each of the forms.
    fn spelled(kind: &str, class: &str, members: &str) -> [String; 4] {
        [
            format!(
                r#"{{"lc":1,"type":"constructor","id":["langchain","schema","messages","{class}"],"kwargs":{{{members}}}}}"#
            ),
            format!(r#"{{"type":"{kind}","data":{{{members}}}}}"#),
            format!(r#"{{"type":"{kind}",{members}}}"#),
            format!(r#"{{"type":"{class}","data":{{{members}}}}}"#),
        ]
    }

    #[test]
    fn the_three_spellings_say_the_same() {
        let call = r#""content":"","tool_calls":[{"name":"ls","args":{},"id":"c"}],"usage_metadata":{"input_tokens":7,"output_tokens":2}"#;
        for (kind, class, members, expected) in [
            ("human", "HumanMessage", r#""content":"hi""#, "u? \"2"),
            ("ai", "AIMessage", r#""content":"hi""#, "a! \"2"),
            ("ai", "AIMessageChunk", call, "a@9 \"0 c0:2"),
            ("system", "SystemMessage", r#""content":["a",{"type":"text","text":"b"}]"#, "s \"1 \"1"),
            ("tool", "ToolMessage", r#""content":"abc","tool_call_id":"c","artifact":[1,2]"#, "t =0:3"),
            ("function", "FunctionMessage", r#""content":"abc","name":"ls""#, "t =3"),
            ("chat", "ChatMessage", r#""content":"abc","role":"assistant""#, "a! \"3"),
            ("generic", "ChatMessageChunk", r#""content":"abc","role":"critic""#, "o \"3"),
            ("remove", "RemoveMessage", r#""content":"","id":"x""#, "o-"),
        ] {
            for message in spelled(kind, class, members) {
                assert_eq!(outlined(&message), expected, "{message}");
            }
        }
    }

    #[test]
    fn a_result_is_pruned_in_its_envelope_and_the_artifact_stays() {
        let members = |content: &str| {
            format!(r#""content":{content},"tool_call_id":"c","status":"error","artifact":{{"a":[1]}}"#)
        };
        let blocks = r#"["a",{"type":"text","text":"bc"},{"type":"image","base64":"iVBO"}]"#;
        let (before, after) = (members(blocks), members("\"P\""));
        for (before, after) in
            spelled("tool", "ToolMessage", &before).into_iter().zip(spelled("tool", "ToolMessage", &after))
        {
            assert_eq!(outlined(&before), "t =x0:3 image0:4");
            assert_eq!(cleared(&format!("[{before}]"), Format::Langchain, true), format!("[{after}]"));
        }
    }

    #[test]
    fn removed_messages_are_not_sent() {
        let human = |id: &str| format!(r#"{{"type":"human","content":"x","id":"{id}"}}"#);
        let remove = |id: &str| format!(r#"{{"type":"remove","content":"","id":"{id}"}}"#);
        let answer = r#"{"type":"ai","content":"x","usage_metadata":{"total_tokens":9}}"#;
        let one = [human("1"), human("2"), answer.to_owned(), remove("2"), human("2"), answer.to_owned()];
        assert_eq!(outlined(&one.join(",")), "u? \"1 | u?- \"1 | a! \"1 | o- | u? \"1 | a!@9 \"1");
        let all = [human("1"), remove("__remove_all__"), human("2")];
        assert_eq!(outlined(&all.join(",")), "u?- \"1 | o- | u? \"1");
    }

    #[test]
    fn a_summary_by_langchain_itself_is_one() {
        let summary =
            r#"{"type":"human","content":"So far","additional_kwargs":{"lc_source":"summarization"}}"#;
        assert_eq!(outlined(summary), "u§ \"6");
        for key in ["values", "channel_values"] {
            let state = format!(r#"{{"{key}":{{"messages":[{summary}]}},"next":[]}}"#);
            assert_eq!(outline(&state, Format::Langchain), "u§ \"6");
        }
    }

    #[test]
    fn damage_is_read_as_far_as_it_makes_sense() {
        let messages = r#"null,7,"x",{},{"lc":1,"kwargs":null,"id":7},{"type":"ai","data":7},{"lc":1,"kwargs":{},"id":[7]},
            {"type":"ai","tool_calls":[null],"content":[null,{}]},{"type":"tool","content":[null]}"#;
        assert_eq!(outlined(messages), "o | o | o | o | o | a | o | a other4 other2 c0 | t =s0 file0");
    }
}

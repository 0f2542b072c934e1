//! Microsoft Agent Framework: the state of a session or thread, an object with messages, or a list of them.
//!
//! Shapes by `_types.py` and `_sessions.py` of `PyPI` `agent-framework-core` 1.23, and by `Microsoft.Extensions.AI` for .NET, which
//! writes `$type` and other cases.

use super::entry::{Description, FormatEntry};
use super::placement::{ListSummary, SummaryPlacement};
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, either, fault_where, message_by, record, text_inside};
use super::signs::{Sign, has};
use super::slot::Shape;
use super::source::Source;
use super::summary::Summary;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::transcript::{Message, PartKind};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("agent_framework", "Microsoft Agent Framework"),
    fault_of: Some(|message| fault_where(has(message, &["content"]) && !is_message(message))),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(69, |root| {
        let list = messages_in(root)?;
        list.elements().any(is_message).then(|| format!("a state with {} messages", list.elements().count()))
    }),
    Sign::row_of_list(69, is_message),
    Sign::list(69, "role and contents", |list| list.any(is_message)),
];

fn is_message(message: Value<'_>) -> bool {
    has(message, &["role", "contents"]) || has(message, &["Role", "Contents"])
}

/// The list of messages of a session's state, whatever the store is called, or of a thread's.
fn messages_in(root: Value<'_>) -> Option<Value<'_>> {
    let stores = ["storeState", "chat_message_store_state", "chatMessageStoreState"];
    let state = root.get("state").or_else(|| root.get("stateBag"));
    stores
        .into_iter()
        .find_map(|name| in_store(root.get(name)?))
        .or_else(|| state?.members().find_map(|(_, store)| in_store(store)))
}

fn in_store(store: Value<'_>) -> Option<Value<'_>> {
    either(store, ["messages", "Messages"]).filter(|list| list.is_array())
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| !source.is_lines && root.is_object());
    let list = root.and_then(messages_in);
    for message in list.map_or_else(|| source.list(), |list| list.elements().collect()) {
        let blocks: Vec<_> =
            either(message, ["contents", "Contents"]).into_iter().flat_map(Value::elements).map(block).collect();
        let role = either(message, ["role", "Role"]);
        let begun = message_by(role.and_then(|role| role.text().or_else(|| role.text_of("value"))), &blocks);
        // What its own compaction leaves out stays in the list, and says so.
        let is_excluded = ["additional_properties", "additionalProperties"].into_iter().any(|key| {
            message.get(key).and_then(|more| more.get("_excluded")).is_some_and(Value::is_truthy)
        });
        record(Message { active: !is_excluded, ..begun }, message.span(), &blocks, recorder);
    }
    Ok(SummaryPlacement::List(&LISTED))
}

/// What a content is: its type in small letters, which Python parts by underscores.
fn block(content: Value<'_>) -> Block<'_> {
    let kind = either(content, ["type", "$type"]).and_then(Value::text).map(Text::decode).unwrap_or_default();
    let kind: String = kind.chars().filter(|one| *one != '_').map(|one| one.to_ascii_lowercase()).collect();
    let text = |keys| either(content, keys).and_then(Value::text);
    let id = text(["call_id", "callId"]).or_else(|| content.text_of("CallId"));
    match kind.as_str() {
        "text" => Block::Text(text(["text", "Text"])),
        "textreasoning" | "reasoning" => {
            Block::Thinking(text(["text", "Text"]), text(["protected_data", "protectedData"]))
        }
        "functioncall" => Block::Call(Called {
            id,
            name: text(["name", "Name"]),
            input: either(content, ["arguments", "Arguments"]),
        }),
        "functionresult" => Block::Result(Answered {
            id,
            name: None,
            holder: content,
            key: if content.get("Result").is_some() { "Result" } else { "result" },
            has_failed: either(content, ["exception", "Exception"]).is_some(),
            shape: Shape::Text,
            inside: text_inside,
        }),
        "data" | "uri" | "hostedfile" => {
            let is_image = either(content, ["media_type", "mediaType"])
                .and_then(Value::text)
                .is_some_and(|kind| kind.starts_with("image"));
            let kind = if is_image { PartKind::Image } else { PartKind::File };
            Block::Media(kind, either(content, ["uri", "Uri"]), content)
        }
        "usage" => Block::Unsent,
        _ => Block::Other(content),
    }
}

static LISTED: ListSummary = ListSummary::of(written);

/// A message of the user, as the language writes it whose message it replaces.
fn written(summary: &Summary<'_>) -> String {
    let first = summary.first_replaced().and_then(|span| summary.source.get(span)).unwrap_or_default();
    let text = quote(&summary.marked());
    if first.contains(r#""Contents""#) {
        format!(r#"{{"Role":"user","Contents":[{{"$type":"text","Text":{text}}}]}}"#)
    } else if first.contains(r#""$type""#) {
        format!(r#"{{"role":"user","contents":[{{"$type":"text","text":{text}}}]}}"#)
    } else {
        format!(r#"{{"type":"message","role":"user","contents":[{{"type":"text","text":{text}}}]}}"#)
    }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::{Output, Role};

    #[test]
    fn both_languages_are_read() {
        let long = "x".repeat(300);
        let python = format!(
            r#"{{"type":"session","session_id":"s","state":{{"in_memory":{{"messages":[{{"type":"message","role":"user","contents":[{{"type":"text","text":"Hi"}}]}},{{"type":"message","role":"assistant","contents":[{{"type":"function_call","call_id":"c","name":"f","arguments":"{{}}"}},{{"type":"usage"}}]}},{{"type":"message","role":"tool","contents":[{{"type":"function_result","call_id":"c","result":"{long}","exception":"E"}}]}}]}}}}}}"#
        );
        let dotnet = format!(
            r#"{{"storeState":{{"messages":[{{"role":"user","contents":[{{"$type":"text","text":"Hi"}}]}},{{"role":"assistant","contents":[{{"$type":"functionCall","callId":"c","name":"f","arguments":{{}}}}]}},{{"role":"tool","contents":[{{"$type":"functionResult","callId":"c","result":"{long}"}}]}}]}}}}"#
        );
        for (text, output) in [(python, Output::Error), (dotnet, Output::Ordinary)] {
            let found = read(&text);
            assert_eq!(found.format().name(), "agent_framework");
            let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
            assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
            assert_eq!(found.transcript().parts_of(2)[0].output, output);
            assert_eq!(found.counts().calls_without_result, 0);
            assert!(pruned(&text, true).contains(r#""result":"[Old tool result content cleared]""#));
        }
    }

    #[test]
    fn a_summary_is_written_as_the_language_writes() {
        let long = "word ".repeat(80);
        for (kind, start) in [
            ("type", r#"[{"type":"message","role":"user","contents":[{"type":"text","text":"[Comp"#),
            ("$type", r#"[{"role":"user","contents":[{"$type":"text","text":"[Comp"#),
        ] {
            let turn = |role: &str| format!(r#"{{"role":"{role}","contents":[{{"{kind}":"text","text":"{long}"}}]}}"#);
            let text = format!("[{}]", vec![turn("user") + "," + &turn("assistant"); 4].join(","));
            let written = summarized(&text, 200, "So far.");
            assert!(written.starts_with(start), "{written}");
            assert!(read(&written).transcript().messages()[0].summary, "{written}");
        }
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"[7,null,{},{"role":7,"contents":7},{"role":"tool","contents":[7,{},{"type":"function_result"}]}]"#;
        assert_eq!(read(odd).counts().messages, 5);
        pruned(odd, true);
    }
}

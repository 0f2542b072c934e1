//! Semantic Kernel: a chat history, or a list of its messages.
//!
//! Shapes by `contents/chat_history.py` of `PyPI` `semantic-kernel` 1.45, and by `ChatMessageContent` for .NET, which writes `$type`
//! and capital letters.

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
use crate::transcript::PartKind;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("semantic_kernel", "Semantic Kernel"),
    fault_of: Some(|message| fault_where(has(message, &["content"]) && !is_message(message))),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::row_of_list(71, is_message),
    Sign::list(71, "role and items of a content", |list| list.any(is_message)),
];

fn is_message(message: Value<'_>) -> bool {
    has(message, &["role", "items"]) || has(message, &["Role", "Items"])
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for message in source.list() {
        let blocks: Vec<_> =
            either(message, ["items", "Items"]).into_iter().flat_map(Value::elements).map(block).collect();
        let role = either(message, ["role", "Role"]).map(|role| either(role, ["label", "Label"]).unwrap_or(role));
        record(message_by(role.and_then(Value::text), &blocks), message.span(), &blocks, recorder);
    }
    Ok(SummaryPlacement::List(&LISTED))
}

fn block(item: Value<'_>) -> Block<'_> {
    let kind = either(item, ["content_type", "$type"]).and_then(Value::text).map(Text::decode).unwrap_or_default();
    let text = |keys| either(item, keys).and_then(Value::text);
    match kind.as_ref() {
        "text" | "TextContent" => Block::Text(text(["text", "Text"])),
        "reasoning" | "ReasoningContent" => Block::Thinking(text(["text", "Text"]), None),
        "function_call" | "FunctionCallContent" => Block::Call(Called {
            id: text(["id", "Id"]),
            name: item.text_of("name").or_else(|| text(["function_name", "FunctionName"])),
            input: either(item, ["arguments", "Arguments"]),
        }),
        "function_result" | "FunctionResultContent" => Block::Result(Answered {
            id: item.text_of("call_id").or_else(|| text(["id", "CallId"])),
            name: item.text_of("name"),
            holder: item,
            key: if item.get("Result").is_some() { "Result" } else { "result" },
            has_failed: false,
            shape: Shape::Text,
            inside: text_inside,
        }),
        "image" | "ImageContent" => Block::Media(PartKind::Image, either(item, ["data_uri", "DataUri"]), item),
        _ => Block::Other(item),
    }
}

static LISTED: ListSummary = ListSummary::of(written);

/// A message of the user, as the language writes it whose message it replaces.
fn written(summary: &Summary<'_>) -> String {
    let first = summary.first_replaced().and_then(|span| summary.source.get(span)).unwrap_or_default();
    let text = quote(&summary.marked());
    if first.contains(r#""Items""#) {
        format!(r#"{{"Role":{{"Label":"user"}},"Items":[{{"$type":"TextContent","Text":{text}}}]}}"#)
    } else if first.contains(r#""$type""#) {
        format!(r#"{{"role":{{"label":"user"}},"items":[{{"$type":"TextContent","text":{text}}}]}}"#)
    } else {
        format!(
            r#"{{"content_type":"message","role":"user","items":[{{"content_type":"text","text":{text}}}]}}"#
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::Role;

    #[test]
    fn both_languages_are_read() {
        let long = "x".repeat(300);
        let python = format!(
            r#"{{"messages":[{{"content_type":"message","role":"user","items":[{{"content_type":"text","text":"Hi"}}]}},{{"content_type":"message","role":"assistant","items":[{{"content_type":"function_call","id":"c","name":"p-f","arguments":"{{}}"}}]}},{{"content_type":"message","role":"tool","items":[{{"content_type":"function_result","id":"c","name":"p-f","result":"{long}"}}]}}],"system_message":null}}"#
        );
        let dotnet = format!(
            r#"[{{"Role":{{"Label":"user"}},"Items":[{{"$type":"TextContent","Text":"Hi"}}]}},{{"Role":{{"Label":"assistant"}},"Items":[{{"$type":"FunctionCallContent","Id":"c","FunctionName":"f","Arguments":{{}}}}]}},{{"Role":{{"Label":"tool"}},"Items":[{{"$type":"FunctionResultContent","CallId":"c","Result":"{long}"}}]}}]"#
        );
        for (text, key) in [(python, "result"), (dotnet, "Result")] {
            let found = read(&text);
            assert_eq!(found.format().name(), "semantic_kernel");
            let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
            assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
            assert_eq!(found.counts().calls_without_result, 0);
            let cleared = format!(r#""{key}":"[Old tool result content cleared]""#);
            assert!(pruned(&text, true).contains(&cleared));
        }
    }

    #[test]
    fn a_summary_is_a_message_of_the_user() {
        let long = "word ".repeat(80);
        let turn = |role: &str| {
            format!(r#"{{"content_type":"message","role":"{role}","items":[{{"content_type":"text","text":"{long}"}}]}}"#)
        };
        let text = format!(r#"{{"messages":[{}]}}"#, vec![turn("user") + "," + &turn("assistant"); 4].join(","));
        let written = summarized(&text, 200, "So far.");
        assert!(read(&written).transcript().messages()[0].summary, "{written}");
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = r#"[7,null,{},{"role":7,"items":7},{"role":"tool","items":[7,{},{"content_type":"function_result"}]}]"#;
        assert_eq!(read(odd).counts().messages, 5);
        pruned(odd, true);
    }
}

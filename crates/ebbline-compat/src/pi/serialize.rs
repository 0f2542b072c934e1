//! A conversation as text for the summarizer (pi's `serializeConversation`).

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, stringify};

use super::coerce::{self, Member, raises};
use super::message::{Block, Content, Form, Message, Role};
use super::version::Version;

/// How many UTF-16 units of a tool result are included.
const RESULT_UNITS: usize = 2_000;

/// The texts around a compaction's summary when it is sent as a message.
const COMPACTION: [&str; 2] = [
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
    "\n</summary>",
];

/// The texts around a branch's summary when it is sent as a message.
const BRANCH: [&str; 2] = [
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
    "</summary>",
];

/// The text of a conversation: pi's `convertToLlm` followed by `serializeConversation`.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception: content that is not a list.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{Message, Version, serialize};
/// use ebbline::json::Document;
///
/// let document = Document::parse(r#"[{"role": "user", "content": "hello"}]"#)?;
/// let text = serialize(&Message::list(document.root())?, Version::V1_5)?;
/// assert_eq!(text.to_text(), "[User]: hello");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn serialize(messages: &[Message<'_>], version: Version) -> Result<Utf16, Error> {
    let mut parts = Vec::new();
    for message in messages {
        match message.role {
            Role::User | Role::Custom => push_spoken(&mut parts, &text_of(message.content)?),
            Role::BashExecution if is_set(message, "excludeFromContext") => {}
            Role::BashExecution => push_spoken(&mut parts, &command_text(message)),
            Role::BranchSummary => push_spoken(&mut parts, &wrapped(message, BRANCH)),
            Role::CompactionSummary => push_spoken(&mut parts, &wrapped(message, COMPACTION)),
            Role::Assistant => push_answer(&mut parts, message.content, version)?,
            Role::ToolResult => push_result(&mut parts, message.content, version)?,
            Role::System | Role::Other => {}
        }
    }
    Ok(Utf16::join(&parts, "\n\n"))
}

fn is_set(message: &Message<'_>, key: &str) -> bool {
    message.value.get(key).is_some_and(Value::is_truthy)
}

fn labelled(label: &str, text: &Utf16) -> Utf16 {
    let mut part = Utf16::from(label);
    part.push(text);
    part
}

fn push_spoken(parts: &mut Vec<Utf16>, text: &Utf16) {
    if !text.is_empty() {
        parts.push(labelled("[User]: ", text));
    }
}

fn wrapped(message: &Message<'_>, [before, after]: [&str; 2]) -> Utf16 {
    let mut text = labelled(before, &coerce::string(message.value.get("summary")));
    text.push_str(after);
    text
}

/// A command that the user ran, as the model gets it.
fn command_text(message: &Message<'_>) -> Utf16 {
    let member = |key: &str| message.value.get(key);
    let mut text = labelled("Ran `", &coerce::string(member("command")));
    text.push_str("`\n");
    match member("output").filter(|output| output.is_truthy()) {
        Some(output) => {
            text.push_str("```\n");
            text.push(&coerce::string(Some(output)));
            text.push_str("\n```");
        }
        None => text.push_str("(no output)"),
    }
    if is_set(message, "cancelled") {
        text.push_str("\n\n(command cancelled)");
    } else if let Some(code) = message.value.present("exitCode").filter(|code| code.number() != Some(0.0)) {
        text.push_str("\n\nCommand exited with code ");
        text.push(&coerce::string(Some(code)));
    }
    if is_set(message, "truncated") && is_set(message, "fullOutputPath") {
        text.push_str("\n\n[Output truncated. Full output: ");
        text.push(&coerce::string(member("fullOutputPath")));
        text.push_str("]");
    }
    text
}

fn texts<'d>(blocks: &[Block<'d>]) -> Result<Vec<Option<Value<'d>>>, Error> {
    let mut texts = Vec::new();
    for block in blocks {
        if block.is("text")? {
            texts.push(block.get("text"));
        }
    }
    Ok(texts)
}

fn text_of(content: Content<'_>) -> Result<Utf16, Error> {
    match content.form() {
        Form::Text(text) => Ok(text.map(Utf16::from).unwrap_or_default()),
        Form::Blocks(blocks) => Ok(coerce::joined(texts(&blocks)?.into_iter(), "")),
        Form::Nothing => Err(raises("content is not a list")),
    }
}

/// The model's thoughts, texts and calls, grouped by kind.
fn push_answer(parts: &mut Vec<Utf16>, content: Content<'_>, version: Version) -> Result<(), Error> {
    let blocks = match content.form() {
        Form::Blocks(blocks) => blocks,
        // pi 0.58 iterates the characters of a text like blocks, and writes none.
        Form::Text(_) if !version.shares_content_reader() => return Ok(()),
        Form::Text(_) | Form::Nothing => return Err(raises("content is not a list")),
    };
    let texts = texts(&blocks)?;
    let (mut thoughts, mut calls) = (Vec::new(), Vec::new());
    for block in blocks {
        if block.is("thinking")? {
            thoughts.push(block.get("thinking"));
        } else if block.is("toolCall")? {
            calls.push(call_text(block)?);
        }
    }
    if version.serializes_thinking() && !thoughts.is_empty() {
        parts.push(labelled("[Assistant thinking]: ", &coerce::joined(thoughts.into_iter(), "\n")));
    }
    if !texts.is_empty() {
        parts.push(labelled("[Assistant]: ", &coerce::joined(texts.into_iter(), "\n")));
    }
    if !calls.is_empty() {
        parts.push(labelled("[Assistant tool calls]: ", &Utf16::join(&calls, "; ")));
    }
    Ok(())
}

/// A call as `name(key=value, …)` with complete arguments.
fn call_text(call: Block<'_>) -> Result<Utf16, Error> {
    let mut arguments = Vec::new();
    for (key, member) in coerce::entries(call.get("arguments"), "arguments")? {
        let mut argument = key;
        argument.push_str("=");
        match member {
            Member::Value(value) => argument.push(&stringify(value)),
            Member::Unit(unit) => argument.push_str(&unit.to_json()),
        }
        arguments.push(argument);
    }
    let mut text = coerce::string(call.get("name"));
    text.push_str("(");
    text.push(&Utf16::join(&arguments, ", "));
    text.push_str(")");
    Ok(text)
}

fn push_result(parts: &mut Vec<Utf16>, content: Content<'_>, version: Version) -> Result<(), Error> {
    if matches!(content.form(), Form::Text(_)) && !version.shares_content_reader() {
        return Err(raises("content is not a list"));
    }
    let text = text_of(content)?;
    if text.is_empty() {
        return Ok(());
    }
    let mut part = labelled("[Tool result]: ", &text.slice(0, shown_units(&text, version)));
    if text.len() > RESULT_UNITS {
        let more = text.len() - RESULT_UNITS;
        part.push_str(&format!("\n\n[... {more} more characters truncated]"));
    }
    parts.push(part);
    Ok(())
}

/// How many units of a tool result are included. The marker counts from the limit in any case.
fn shown_units(text: &Utf16, version: Version) -> usize {
    let last_two = text.units().get(RESULT_UNITS - 1..=RESULT_UNITS);
    match last_two {
        Some([0xD800..=0xDBFF, 0xDC00..=0xDFFF]) if !version.splits_surrogate_pairs() => RESULT_UNITS - 1,
        _ => RESULT_UNITS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    fn text(messages: &str, version: Version) -> Option<Utf16> {
        let document = Document::parse(messages).unwrap();
        serialize(&Message::list(document.root()).unwrap(), version).ok()
    }

    #[test]
    fn messages_become_labelled_parts() {
        let cases = [
            (
                r#"[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}]"#,
                "[User]: ab",
            ),
            (r#"[{"role":"user","content":[{"type":"image"}]},{"role":"system","content":"x"}]"#, ""),
            (
                r#"[{"role":"assistant","content":[{"type":"toolCall","name":"read","arguments":{"p":"x","n":1.0}},{"type":"toolCall","name":"ls","arguments":{}},{"type":"text","text":""}]}]"#,
                "[Assistant]: \n\n[Assistant tool calls]: read(p=\"x\", n=1); ls()",
            ),
            (
                r#"[{"role":"bashExecution","command":"ls","output":"","exitCode":2}]"#,
                "[User]: Ran `ls`\n(no output)\n\nCommand exited with code 2",
            ),
            (
                r#"[{"role":"bashExecution","command":"ls","output":"o","exitCode":0,"truncated":true,"fullOutputPath":"/f"}]"#,
                "[User]: Ran `ls`\n```\no\n```\n\n[Output truncated. Full output: /f]",
            ),
            (r#"[{"role":"bashExecution","command":"ls","output":"o","excludeFromContext":true}]"#, ""),
            (
                r#"[{"role":"bashExecution","command":"ls","output":"o","cancelled":true,"exitCode":1}]"#,
                "[User]: Ran `ls`\n```\no\n```\n\n(command cancelled)",
            ),
            (
                r#"[{"role":"branchSummary","summary":"s"}]"#,
                "[User]: The following is a summary of a branch that this conversation came back from:\n\n<summary>\ns</summary>",
            ),
        ];
        for (messages, expected) in cases {
            for version in VERSIONS {
                assert_eq!(text(messages, version).unwrap().to_text(), expected, "{messages}");
            }
        }
    }

    #[test]
    fn the_newest_version_shows_no_thoughts() {
        let messages = r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]}]"#;
        let shown = VERSIONS.map(|version| text(messages, version).unwrap().to_text());
        assert_eq!(
            shown,
            [
                "[Assistant thinking]: t\n\n[Assistant]: x",
                "[Assistant thinking]: t\n\n[Assistant]: x",
                "[Assistant]: x"
            ]
        );
    }

    #[test]
    fn long_results_are_cut_and_say_how_much_is_gone() {
        let long = format!(
            r#"[{{"role":"toolResult","content":[{{"type":"text","text":"{}😀{}"}}]}}]"#,
            "x".repeat(1999),
            "y".repeat(10)
        );
        let ends = VERSIONS.map(|version| {
            let text = text(&long, version).unwrap();
            assert!(text.to_text().ends_with("\n\n[... 11 more characters truncated]"));
            text.len()
        });
        assert_eq!(ends[0], ends[1]);
        assert_eq!(ends[0], ends[2] + 1, "half a pair is left out");
    }

    #[test]
    fn content_of_another_type_is_refused_where_pi_fails() {
        let cases = [
            (r#"[{"role":"user","content":null}]"#, [false; 3]),
            (r#"[{"role":"assistant","content":"text"}]"#, [true, false, false]),
            (r#"[{"role":"toolResult","content":"text"}]"#, [false, true, true]),
            (r#"[{"role":"assistant","content":[{"type":"toolCall","name":"x"}]}]"#, [false; 3]),
        ];
        for (messages, answers) in cases {
            assert_eq!(VERSIONS.map(|version| text(messages, version).is_some()), answers, "{messages}");
        }
    }
}

//! The lines of a Claude Code log: the kind of each, and its parent.

use std::borrow::Cow;
use std::collections::HashMap;

use super::contents;
use crate::format::source::Source;
use crate::injection::leading;
use crate::json::{Text, Value};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A prompt that the user typed.
    Prompt,
    /// The results of tool calls.
    Results,
    /// Text of the agent in the user's name: caveats, skills, notes of an interruption.
    Meta,
    /// A command of the agent that the user ran, or its output.
    Echo,
    /// The summary of a compaction.
    Summary,
    /// A block of an answer of the model.
    Answer,
    /// The agent's own message that an error occurred instead of an answer.
    LocalError,
    /// Content that is sent between the messages: a mentioned file, the output of a command.
    Aside,
    /// A compaction.
    Boundary,
    /// A compaction with the context that it left.
    Compressed,
    /// Tool results were cleared in the context but not in the file.
    Clearing,
    /// Anything else: links of the chain, titles, snapshots, modes.
    Other,
}

impl Kind {
    /// Whether the line is one of the format's messages.
    pub(super) fn is_message(self) -> bool {
        self.is_users() || matches!(self, Self::Answer | Self::LocalError)
    }

    /// Whether the line has the user's role.
    pub(super) fn is_users(self) -> bool {
        matches!(self, Self::Prompt | Self::Results | Self::Meta | Self::Echo | Self::Summary)
    }

    /// Whether the line has content that is sent.
    pub(super) fn is_said(self) -> bool {
        self.is_message() || matches!(self, Self::Aside | Self::Compressed)
    }
}

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Line<'d> {
    pub(super) value: Value<'d>,
    pub(super) kind: Kind,
    pub(super) uuid: Option<Cow<'d, str>>,
    pub(super) parent: Option<Cow<'d, str>>,
    /// The id of the API's message, of which an answer is one block.
    pub(super) answer: Option<Cow<'d, str>>,
    /// The ids of the calls that it makes or answers.
    pub(super) calls: Vec<Cow<'d, str>>,
    /// Whether it belongs to a sub-agent and not to the conversation.
    pub(super) is_sidechain: bool,
    /// Whether it is a sub-agent's, even if the file is the sub-agent's own: no person speaks there.
    pub(super) is_of_subagent: bool,
}

/// The lines in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Log<'d> {
    pub(super) lines: Vec<Line<'d>>,
    /// Whether its messages are Gemini contents, as in a log of Qwen Code.
    pub(super) is_of_contents: bool,
    by_uuid: HashMap<Cow<'d, str>, usize>,
}

impl<'d> Log<'d> {
    pub(super) fn of(source: &'d Source<'_>) -> Self {
        let mut lines: Vec<_> =
            values(source).into_iter().filter(|line| line.is_object()).map(Line::of).collect();
        // In the file of a sub-agent, all lines are sidechain lines, and they are the conversation.
        if lines.iter().filter(|line| line.kind.is_message()).all(|line| line.is_sidechain) {
            for line in &mut lines {
                line.is_sidechain = false;
            }
        }
        let by_uuid = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| is_link(line.value))
            .filter_map(|(index, line)| Some((line.uuid.clone()?, index)))
            .collect();
        let has_parts =
            |line: &Line<'_>| line.value.get("message").is_some_and(|message| message.get("parts").is_some());
        Self { is_of_contents: lines.iter().any(has_parts), lines, by_uuid }
    }

    pub(super) fn get(&self, index: usize) -> Option<&Line<'d>> {
        self.lines.get(index)
    }

    /// The line with the id `uuid`; if there are several, the last, as in the agent.
    pub(super) fn find(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    /// The parent of line `index`.
    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        self.find(self.get(index)?.parent.as_deref()?)
    }

    /// The lines with their indices.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Line<'d>)> {
        self.lines.iter().enumerate()
    }
}

/// The lines of a file, or the elements of the list that contains them.
fn values<'s>(source: &'s Source<'_>) -> Vec<Value<'s>> {
    list(source).map_or_else(|| source.values().collect(), |list| list.elements().collect())
}

/// The array of lines in the web's export; `None` if the file has lines.
pub(super) fn list<'s>(source: &'s Source<'_>) -> Option<Value<'s>> {
    let root = source.root().filter(|_| !source.is_lines)?;
    Some(root).filter(|root| root.is_array()).or_else(|| root.get("loglines").filter(|list| list.is_array()))
}

/// Whether this line can be a parent.
fn is_link(line: Value<'_>) -> bool {
    line.text_of("type").is_some_and(|kind| {
        ["user", "assistant", "tool_result", "system", "attachment", "progress"]
            .iter()
            .any(|name| kind.is(name))
    })
}

impl<'d> Line<'d> {
    fn of(value: Value<'d>) -> Self {
        let kind = kind_of(value);
        let text = |key: &str| value.text_of(key).map(Text::decode);
        let message = value.get("message");
        let key = if kind == Kind::Answer { "id" } else { "tool_use_id" };
        let blocks = message.into_iter().flat_map(|message| message.elements_of("content"));
        let calls = blocks
            .filter_map(|block| block.text_of(key))
            .chain(message.into_iter().flat_map(contents::calls));
        let is_sidechain = value.get("isSidechain").is_some_and(Value::is_truthy);
        let answer = message.and_then(|message| message.text_of("id")).filter(|id| !id.is_empty());
        Self {
            value,
            kind,
            uuid: text("uuid"),
            parent: text("parentUuid"),
            answer: answer.filter(|_| kind == Kind::Answer).map(Text::decode),
            calls: calls.map(Text::decode).collect(),
            is_sidechain,
            is_of_subagent: is_sidechain,
        }
    }

    /// Whether old versions can continue from the line: it is a message of theirs, and has an id.
    pub(super) fn is_part_of_chain(&self) -> bool {
        let kinds = ["user", "assistant", "system", "attachment"];
        self.uuid.is_some()
            && self.value.text_of("type").is_some_and(|kind| kinds.iter().any(|name| kind.is(name)))
    }

    /// The line's content, if it has content as a message does.
    pub(super) fn content(&self) -> Option<Value<'d>> {
        self.value.get("message").and_then(|message| message.get("content"))
    }
}

fn kind_of(line: Value<'_>) -> Kind {
    let is = |key: &str| line.get(key).is_some_and(Value::is_truthy);
    match line.text_of("type").map(Text::decode).as_deref() {
        Some("user") if is("isCompactSummary") => Kind::Summary,
        Some("user") if has_result(line) => Kind::Results,
        Some("user") if is("isMeta") => Kind::Meta,
        // Qwen Code itself writes user lines with a subtype, except for text typed during a turn.
        Some("user") if line.text_of("subtype").is_some_and(|kind| !kind.is("mid_turn_user_message")) => {
            Kind::Meta
        }
        Some("user") => kind_of_words(line),
        Some("assistant") if is("isApiErrorMessage") && is_synthetic(line) => Kind::LocalError,
        Some("assistant") => Kind::Answer,
        Some("tool_result") => Kind::Results,
        Some("attachment") => Kind::Aside,
        Some("system") => match line.text_of("subtype").map(Text::decode).as_deref() {
            Some("compact_boundary") => Kind::Boundary,
            Some("microcompact_boundary") => Kind::Clearing,
            Some("local_command") => Kind::Aside,
            Some("chat_compression") => Kind::Compressed,
            _ => Kind::Other,
        },
        _ => Kind::Other,
    }
}

/// Distinguishes what the user typed from what the agent wrote in the user's name.
fn kind_of_words(line: Value<'_>) -> Kind {
    let content = line.get("message").and_then(|message| message.get("content"));
    let first = content.and_then(|content| {
        content.text().or_else(|| content.elements().next().and_then(|block| block.text_of("text")))
    });
    let begins = |marks: &[&str]| first.is_some_and(|text| marks.iter().any(|mark| text.starts_with(mark)));
    let is_whole = || first.is_some_and(|text| is_without_own_words(&text.decode()));
    if begins(&["<command-", "<local-command-", "<bash-"]) && is_whole() {
        Kind::Echo
    } else if begins(&["[Request interrupted by user"]) {
        Kind::Meta
    } else {
        Kind::Prompt
    }
}

/// Whether nothing of the user's stands behind the blocks of a text that begins with one.
fn is_without_own_words(text: &str) -> bool {
    [0, text.len()].contains(&leading(text))
}

fn has_result(line: Value<'_>) -> bool {
    let is_result = |block: Value<'_>| block.text_of("type").is_some_and(|kind| kind.is("tool_result"));
    line.get("message").is_some_and(|message| message.elements_of("content").any(is_result))
}

fn is_synthetic(line: Value<'_>) -> bool {
    let model = line.get("message").and_then(|message| message.text_of("model"));
    model.is_none_or(|model| model.is("<synthetic>"))
}

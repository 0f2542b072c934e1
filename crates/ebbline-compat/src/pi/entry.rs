//! Entries of a session tree: views of stored values.

use std::borrow::Cow;
use std::fmt;

use ebbline::Error;
use ebbline::json::{Text, Value};
use serde::Serialize;

use super::coerce::raises;
use super::message::{Content, Message, Role};
use super::version::Version;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A message.
    Message,
    /// A compaction, whose summary replaces everything before.
    Compaction,
    /// The summary of a branch that was left.
    BranchSummary,
    /// A message of an extension.
    CustomMessage,
    /// Hides or replaces the content of an earlier entry.
    ContextEdit,
    /// The model was changed.
    ModelChange,
    /// The thinking level was changed.
    ThinkingLevelChange,
    /// An entry that adds nothing to the context.
    Other,
}

/// An id with JavaScript's comparison: two missing ids are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Id<'d> {
    /// There is none.
    Missing,
    /// A text.
    Text(Cow<'d, str>),
    /// A value of another type, as written.
    Other(&'d str),
}

impl<'d> Id<'d> {
    /// The id in a member.
    #[must_use]
    pub fn of(value: Option<Value<'d>>) -> Self {
        match value {
            None => Self::Missing,
            Some(value) => {
                value.text().map_or_else(|| Self::Other(value.source()), |text| Self::Text(text.decode()))
            }
        }
    }

    /// The id as text, one of another type as written; `None` if pi treats it as missing.
    #[must_use]
    pub fn to_text(&self) -> Option<Cow<'d, str>> {
        let text = match self {
            Self::Missing => return None,
            Self::Text(text) => text.clone(),
            Self::Other(source) => Cow::Borrowed(*source),
        };
        Some(text).filter(|_| self.is_given())
    }

    /// Whether pi treats it as an id: it is not missing, null or empty.
    #[must_use]
    pub fn is_given(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Text(text) => !text.is_empty(),
            Self::Other(source) => !matches!(*source, "null" | "false" | "0"),
        }
    }
}

/// An entry's identifier; in JSON a text or a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum EntryName<'d> {
    /// The entry's id.
    Id(Cow<'d, str>),
    /// The position in the list, for an entry whose id is missing or not a text.
    Position(usize),
}

impl fmt::Display for EntryName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "{id:?}"),
            Self::Position(at) => write!(f, "at position {at}"),
        }
    }
}

/// One entry.
#[derive(Clone, Debug)]
pub struct Entry<'d> {
    /// What it is.
    pub kind: EntryKind,
    /// Its position in the list that it was read from.
    pub at: usize,
    /// Its id.
    pub id: Id<'d>,
    /// The id of the entry before it on its branch.
    pub parent: Id<'d>,
    /// The entry itself.
    pub value: Value<'d>,
}

impl<'d> Entry<'d> {
    /// The entries of a list, in file order, without the file's header.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if `list` is not a list or contains null.
    pub fn list(list: Value<'d>) -> Result<Vec<Self>, Error> {
        if !list.is_array() {
            return Err(raises("entries are not a list"));
        }
        list.elements().enumerate().map(|(at, value)| Self::read(value, at)).collect()
    }

    fn read(value: Value<'d>, at: usize) -> Result<Self, Error> {
        if value.is_null() {
            return Err(raises("an entry is null"));
        }
        let kind = match value.text_of("type").map(Text::decode).as_deref() {
            Some("message") => EntryKind::Message,
            Some("compaction") => EntryKind::Compaction,
            Some("branch_summary") => EntryKind::BranchSummary,
            Some("custom_message") => EntryKind::CustomMessage,
            Some("context_edit") => EntryKind::ContextEdit,
            Some("model_change") => EntryKind::ModelChange,
            Some("thinking_level_change") => EntryKind::ThinkingLevelChange,
            _ => EntryKind::Other,
        };
        Ok(Self { kind, at, id: Id::of(value.get("id")), parent: Id::of(value.get("parentId")), value })
    }

    /// The entry's identifier: its id, or its position if it has none.
    #[must_use]
    pub fn name(&self) -> EntryName<'d> {
        match &self.id {
            Id::Text(text) => EntryName::Id(text.clone()),
            Id::Missing | Id::Other(_) => EntryName::Position(self.at),
        }
    }

    /// Whether the entry is a compaction.
    #[must_use]
    pub fn is_compaction(&self) -> bool {
        self.kind == EntryKind::Compaction
    }

    /// The message of a message entry.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if a message entry has no message, whose role pi reads.
    pub fn message(&self) -> Result<Option<Message<'d>>, Error> {
        if self.kind != EntryKind::Message {
            return Ok(None);
        }
        let message = self.value.get("message").ok_or_else(|| raises("an entry has no message"))?;
        Message::stored(message, self.at).map(Some)
    }

    /// What the entry adds to the context without edits: pi's `sessionEntryToContextMessages`; for pi 0.58, which has
    /// no such function, what `buildSessionContext` appends for the entry.
    ///
    /// # Errors
    ///
    /// `invalid_settings` when a message entry has no message.
    pub fn messages(&self, version: Version) -> Result<Vec<Message<'d>>, Error> {
        Ok(match self.kind {
            EntryKind::Message => {
                self.message()?.map(|message| repaired(message, version)).into_iter().collect()
            }
            EntryKind::CustomMessage => vec![self.custom_message(version)],
            EntryKind::BranchSummary if self.value.get("summary").is_some_and(Value::is_truthy) => {
                vec![Message::made(Role::BranchSummary, self.value, self.at)]
            }
            EntryKind::Compaction => {
                let prompt = self.value.get("systemMessage").filter(|prompt| prompt.is_truthy());
                let prompt = prompt.filter(|_| version.knows_system_messages());
                let summary = Message::made(Role::CompactionSummary, self.value, self.at);
                match prompt {
                    Some(prompt) => vec![Message::stored(prompt, self.at)?, summary],
                    None => vec![summary],
                }
            }
            _ => Vec::new(),
        })
    }

    /// The entry's message when it is summarized and, in pi 0.58, when the size before is measured: unlike
    /// [`Entry::messages`], pi 0.58 includes branch summaries without text.
    ///
    /// # Errors
    ///
    /// As [`Entry::messages`].
    pub fn message_to_summarize(&self, version: Version) -> Result<Option<Message<'d>>, Error> {
        if version > Version::V0_58 {
            let messages = if self.is_compaction() { Vec::new() } else { self.messages(version)? };
            return Ok(messages.into_iter().next().filter(|message| message.value.is_truthy()));
        }
        Ok(match self.kind {
            // A message entry without a message is skipped here.
            EntryKind::Message => self
                .value
                .get("message")
                .filter(|message| message.is_truthy())
                .map(|message| Message::stored(message, self.at))
                .transpose()?,
            EntryKind::CustomMessage => Some(self.custom_message(version)),
            EntryKind::BranchSummary => Some(Message::made(Role::BranchSummary, self.value, self.at)),
            EntryKind::Compaction => Some(Message::made(Role::CompactionSummary, self.value, self.at)),
            _ => None,
        })
    }

    fn custom_message(&self, version: Version) -> Message<'d> {
        let made = Message::made(Role::Custom, self.value, self.at);
        if made.content.is_missing() && version.repairs_content() {
            return Message { content: Content::EmptyList, ..made };
        }
        made
    }
}

/// A stored message, with missing content read as empty.
fn repaired(message: Message<'_>, version: Version) -> Message<'_> {
    if !message.content.is_missing() || !version.repairs_content() {
        return message;
    }
    let content = match message.role {
        Role::User | Role::Assistant | Role::ToolResult => Content::EmptyList,
        Role::System if version.knows_system_messages() => Content::EmptyText,
        _ => message.content,
    };
    Message { content, ..message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const VERSIONS: [Version; 3] = [Version::V0_58, Version::V0_84, Version::V1_5];

    fn roles(entry: &str, version: Version) -> String {
        let list = format!("[{entry}]");
        let document = Document::parse(&list).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let roles: Vec<String> = entries[0]
            .messages(version)
            .unwrap()
            .iter()
            .map(|message| {
                let change = message.content.change(message.value.get("content"));
                format!("{}{}", message.role_name(), change.unwrap_or_default().to_text())
            })
            .collect();
        roles.join(" ")
    }

    #[test]
    fn entries_add_messages_version_by_version() {
        let cases = [
            (r#"{"type":"message","message":{"role":"user","content":"a"}}"#, ["user", "user", "user"]),
            (r#"{"type":"message","message":{"role":"user"}}"#, ["user", "user[]", "user[]"]),
            (r#"{"type":"message","message":{"role":"system"}}"#, ["system", "system", "system\"\""]),
            (r#"{"type":"message","message":{"role":"custom"}}"#, ["custom", "custom", "custom"]),
            (r#"{"type":"custom_message","content":null}"#, ["custom", "custom[]", "custom[]"]),
            (r#"{"type":"branch_summary","summary":""}"#, ["", "", ""]),
            (
                r#"{"type":"compaction","summary":"s","systemMessage":{"role":"system"}}"#,
                ["compactionSummary", "compactionSummary", "system compactionSummary"],
            ),
            (r#"{"type":"label"}"#, ["", "", ""]),
        ];
        for (entry, expected) in cases {
            for (version, expected) in VERSIONS.into_iter().zip(expected) {
                assert_eq!(roles(entry, version), expected, "{entry} in {version:?}");
            }
        }
    }

    #[test]
    fn only_the_oldest_version_summarizes_empty_branch_summaries() {
        let document = Document::parse(r#"[{"type":"branch_summary"},{"type":"compaction"}]"#).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let counted = |version| {
            entries.iter().filter(|entry| entry.message_to_summarize(version).unwrap().is_some()).count()
        };
        assert_eq!(VERSIONS.map(counted), [2, 0, 0]);
    }

    #[test]
    fn an_entry_without_an_id_is_named_by_its_position() {
        let document = Document::parse(r#"[{"id":"a"},{"id":7},{}]"#).unwrap();
        let entries = Entry::list(document.root()).unwrap();
        let names: Vec<_> = entries.iter().map(Entry::name).collect();
        assert_eq!(serde_json::to_string(&names).unwrap(), r#"["a",1,2]"#);
        assert!(entries.iter().map(|entry| entry.id.is_given()).eq([true, true, false]));
    }
}

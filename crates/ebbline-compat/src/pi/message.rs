//! Messages as pi sees them: views of stored values whose content may be repaired or edited.

use std::borrow::Cow;

use ebbline::Error;
use ebbline::json::{Kind, Text, Value};
use ebbline::notation::javascript::{Utf16, stringify};

use super::coerce::raises;

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A user.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    ToolResult,
    /// A command that the user ran.
    BashExecution,
    /// An extension.
    Custom,
    /// The summary of a branch that was left.
    BranchSummary,
    /// The summary of a compaction.
    CompactionSummary,
    /// The prompt.
    System,
    /// An unknown role.
    Other,
}

impl Role {
    fn of(message: Value<'_>) -> Self {
        match message.text_of("role").map(Text::decode).as_deref() {
            Some("user") => Self::User,
            Some("assistant") => Self::Assistant,
            Some("toolResult") => Self::ToolResult,
            Some("bashExecution") => Self::BashExecution,
            Some("custom") => Self::Custom,
            Some("branchSummary") => Self::BranchSummary,
            Some("compactionSummary") => Self::CompactionSummary,
            Some("system") => Self::System,
            _ => Self::Other,
        }
    }
}

/// One message; copying it costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Message<'d> {
    /// Who it is from.
    pub role: Role,
    /// Its position in the list that it was read from; for an entry's message, the entry's position.
    pub at: usize,
    /// The value with its members: a message, or the entry that it was made from.
    pub value: Value<'d>,
    /// Its content.
    pub content: Content<'d>,
}

impl<'d> Message<'d> {
    /// The stored message `value`.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for null, whose role pi cannot read.
    pub fn stored(value: Value<'d>, at: usize) -> Result<Self, Error> {
        if value.is_null() {
            return Err(raises("a message is null"));
        }
        Ok(Self { role: Role::of(value), at, value, content: Content::Stored(value.get("content")) })
    }

    /// The message with role `role` that pi makes of an entry.
    pub(super) fn made(role: Role, entry: Value<'d>, at: usize) -> Self {
        Self { role, at, value: entry, content: Content::Stored(entry.get("content")) }
    }

    /// The stored messages of a list.
    ///
    /// # Errors
    ///
    /// `invalid_settings` if `list` is not a list or contains null.
    pub fn list(list: Value<'d>) -> Result<Vec<Self>, Error> {
        if !list.is_array() {
            return Err(raises("messages are not a list"));
        }
        list.elements().enumerate().map(|(at, value)| Self::stored(value, at)).collect()
    }

    /// The role as written.
    #[must_use]
    pub fn role_name(&self) -> Cow<'d, str> {
        Cow::Borrowed(match self.role {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::ToolResult => "toolResult",
            Role::BashExecution => "bashExecution",
            Role::Custom => "custom",
            Role::BranchSummary => "branchSummary",
            Role::CompactionSummary => "compactionSummary",
            Role::System => "system",
            Role::Other => return self.value.text_of("role").map(Text::decode).unwrap_or_default(),
        })
    }

    /// Whether a cut may be made before the message; never before a tool result, which needs its call.
    pub(super) fn may_be_cut_before(&self) -> bool {
        self.role == Role::Assistant || self.starts_turn()
    }

    /// Whether a turn begins with the message.
    pub(super) fn starts_turn(&self) -> bool {
        matches!(
            self.role,
            Role::User | Role::BashExecution | Role::Custom | Role::BranchSummary | Role::CompactionSummary
        )
    }
}

/// A message's content and its origin.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content<'d> {
    /// As stored; `None` if the member is missing.
    Stored(Option<Value<'d>>),
    /// Nothing was stored: an empty list.
    EmptyList,
    /// Nothing was stored: an empty text.
    EmptyText,
    /// The content of an edit; `None` if the edit has none.
    Replaced(Option<Value<'d>>),
    /// The text of an edit, as the only block of a list.
    TextBlock(Value<'d>),
}

/// The form of content that a program finds.
pub(crate) enum Form<'d> {
    /// A text; `None` when it is empty.
    Text(Option<Text<'d>>),
    /// A list of blocks.
    Blocks(Vec<Block<'d>>),
    /// Neither: unreadable content.
    Nothing,
}

impl<'d> Content<'d> {
    /// Text or blocks.
    pub(crate) fn form(self) -> Form<'d> {
        let value = match self {
            Self::Stored(value) | Self::Replaced(value) => value,
            Self::EmptyList => return Form::Blocks(Vec::new()),
            Self::EmptyText => return Form::Text(None),
            Self::TextBlock(text) => return Form::Blocks(vec![Block::Text(text)]),
        };
        match value.map(|value| (value, value.kind())) {
            Some((value, Kind::Plain | Kind::Escaped)) => Form::Text(value.text()),
            Some((value, Kind::Array)) => Form::Blocks(value.elements().map(Block::Stored).collect()),
            _ => Form::Nothing,
        }
    }

    /// Whether there is nothing to read: a missing member or null.
    pub(crate) fn is_missing(self) -> bool {
        match self {
            Self::Stored(value) | Self::Replaced(value) => value.is_none_or(Value::is_null),
            _ => false,
        }
    }

    /// The content as JSON if it differs from what is stored in `stored`.
    pub(super) fn change(self, stored: Option<Value<'_>>) -> Option<Utf16> {
        let written = match self {
            Self::Stored(_) => return None,
            Self::EmptyList => Utf16::from("[]"),
            Self::EmptyText => Utf16::from("\"\""),
            Self::Replaced(value) => value.map_or_else(|| Utf16::from("null"), stringify),
            Self::TextBlock(text) => {
                let mut written = Utf16::from(r#"[{"type":"text","text":"#);
                written.push(&stringify(text));
                written.push_str("}]");
                written
            }
        };
        Some(written).filter(|written| stored.map(stringify).as_ref() != Some(written))
    }
}

/// One block of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Block<'d> {
    /// As stored.
    Stored(Value<'d>),
    /// A text block with this text.
    Text(Value<'d>),
}

impl<'d> Block<'d> {
    /// Whether the block's type is `name`.
    ///
    /// # Errors
    ///
    /// If the block is null.
    pub(crate) fn is(self, name: &str) -> Result<bool, Error> {
        match self {
            Self::Text(_) => Ok(name == "text"),
            Self::Stored(value) if value.is_null() => Err(raises("a block is null")),
            Self::Stored(value) => Ok(value.text_of("type").is_some_and(|kind| kind.is(name))),
        }
    }

    /// The member `key`.
    pub(crate) fn get(self, key: &str) -> Option<Value<'d>> {
        match self {
            Self::Text(text) => (key == "text").then_some(text),
            Self::Stored(value) => value.get(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    #[test]
    fn content_says_what_changed() {
        let document = Document::parse(r#"{"content":"old","new":"n","same":"old"}"#).unwrap();
        let (stored, new) = (document.root().get("content"), document.root().get("new").unwrap());
        let changes = [
            (Content::Stored(stored), None),
            (Content::EmptyList, Some("[]")),
            (Content::Replaced(Some(new)), Some(r#""n""#)),
            (Content::Replaced(document.root().get("same")), None),
            (Content::TextBlock(new), Some(r#"[{"type":"text","text":"n"}]"#)),
        ];
        for (content, change) in changes {
            assert_eq!(content.change(stored).map(|change| change.to_text()).as_deref(), change);
        }
    }

    #[test]
    fn roles_that_are_unknown_keep_their_name() {
        let document = Document::parse(r#"[{"role":"robot"},{"role":"user"},{}]"#).unwrap();
        let messages = Message::list(document.root()).unwrap();
        let names: Vec<_> = messages.iter().map(Message::role_name).collect();
        assert_eq!(names, ["robot", "user", ""]);
        assert!(messages.iter().map(Message::may_be_cut_before).eq([false, true, false]));
        assert!(Message::list(Document::parse("[null]").unwrap().root()).is_err());
    }
}

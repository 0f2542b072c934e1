//! Messages: who speaks, and what a message is in the flow of a session.

use super::part::{Part, PartKind};
use crate::words;

words! {
    /// Who speaks in a message.
    pub enum Role [non_exhaustive] {
        /// Instructions by the application: system, developer.
        System "system",
        /// The person, or a message in the person's name.
        User "user",
        /// The model.
        Assistant "assistant",
        /// The results of tool calls, where the format gives them messages of their own.
        Tool "tool",
        /// Anything else that a format lets stand among its messages.
        Other "other",
    }

    /// Whether a message begins a turn.
    pub enum Turn [derive(Default), non_exhaustive] {
        /// It does not.
        No "no" [default],
        /// A person's message.
        Person "person",
        /// A message in the user's place that the agent wrote itself: a compaction marker, "Continue …".
        Synthetic "synthetic",
        /// Context that the agent added in the user's place: reminders, lists of tools, files, output of its own commands,
        /// the task of a sub-agent. Nobody said it, and it begins no turn.
        Context "context",
    }
}

crate::form::worded!(Turn);

crate::form::reported! {
    /// One message: who speaks, and its role in the flow of the session.
    [Copy, Eq]
    pub struct Message {
        /// Who speaks.
        pub role: Role,
        /// Whether it begins a turn.
        pub turn: Turn,
        /// Whether the model ended its answer with this message: by a stop reason, or by text without a call.
        pub ended: bool,
        /// Whether it is a summary of what came before.
        pub summary: bool,
        /// Whether the agent would send the message now. A message before a recorded compaction, or on another branch
        /// of a session tree, is not active: it stays in the file, and no decision takes it into account.
        pub active: bool,
        /// Whether the message continues the answer of the message before it. Some formats (`OpenAI` Responses,
        /// Codex, Claude Code) keep one answer of the model in several entries; nothing may come between these.
        pub continues: bool,
        /// Whether the agent sends the message even when a summary replaces its surroundings. `OpenHands` 0, for
        /// example, puts the user's first message back.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub pinned: bool,
        /// Whether the format has a field that marks an output of this message as pruned. If it has, the plain
        /// placeholder is sent for the output. If not, the placeholder may carry a reference, by which it is
        /// recognized later.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub has_prune_field: bool,
        /// For a summary: how many of the messages behind it existed already when it was written. `None` when nothing
        /// says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub kept: Option<u32>,
        /// The tokens that the provider reported for the request and this answer together. `None` when it reported
        /// none, or when a later compaction has replaced the context that the figure describes.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub usage: Option<u32>,
    }
}

impl Message {
    /// An active message that begins no turn.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Role, Turn};
    /// assert_eq!(Message::new(Role::Tool).turn, Turn::No);
    /// ```
    #[must_use]
    pub fn new(role: Role) -> Self {
        Self {
            role,
            turn: Turn::No,
            ended: false,
            summary: false,
            active: true,
            continues: false,
            pinned: false,
            has_prune_field: false,
            kept: None,
            usage: None,
        }
    }

    /// Whether a summary never replaces the message: system messages and pinned messages stay.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Role};
    /// assert!(Message::new(Role::System).stays() && !Message::person().stays());
    /// ```
    #[must_use]
    pub fn stays(&self) -> bool {
        self.role == Role::System || self.pinned
    }

    /// Whether it begins a turn, be it a person's or one that the agent began itself.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Role};
    /// assert!(Message::person().begins_turn() && !Message::context().begins_turn());
    /// ```
    #[must_use]
    pub fn begins_turn(&self) -> bool {
        matches!(self.turn, Turn::Person | Turn::Synthetic)
    }

    /// Whether the message can hold the user's own words: a message in the user's name that no application wrote.
    pub(crate) fn is_users(&self) -> bool {
        self.role == Role::User && matches!(self.turn, Turn::Person | Turn::No) && !self.summary
    }

    /// Whether `part` of this message is in the user's own words: neither a result, nor text that the application wrote
    /// in the user's name, nor a summary.
    pub(crate) fn says(&self, part: &Part) -> bool {
        self.is_users() && part.kind == PartKind::Text
    }

    /// A person's message: it begins a turn.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Turn};
    /// assert_eq!(Message::person().turn, Turn::Person);
    /// ```
    #[must_use]
    pub fn person() -> Self {
        Self { turn: Turn::Person, ..Self::new(Role::User) }
    }

    /// Context that an agent added in the user's place: it begins no turn, and nobody said it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Turn};
    /// assert_eq!(Message::context().turn, Turn::Context);
    /// ```
    #[must_use]
    pub fn context() -> Self {
        Self { turn: Turn::Context, ..Self::new(Role::User) }
    }

    /// A message that an agent wrote itself and that begins a turn: "Continue …", a command that the user ran.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::{Message, Turn};
    /// assert_eq!(Message::synthetic().turn, Turn::Synthetic);
    /// ```
    #[must_use]
    pub fn synthetic() -> Self {
        Self { turn: Turn::Synthetic, ..Self::new(Role::User) }
    }

    /// A summary of what came before, in the user's place.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::transcript::Message::earlier_summary().summary);
    /// ```
    #[must_use]
    pub fn earlier_summary() -> Self {
        Self { turn: Turn::Synthetic, summary: true, ..Self::new(Role::User) }
    }
}

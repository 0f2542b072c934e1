//! The engine's view of a session: messages, parts, their lengths, and which result answers which call. It holds
//! no text.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use crate::length::Length;
use crate::origin::Origin;
use crate::tight;
use crate::words;

/// The largest value of [`Message::kept`]. A record stores it in 18 bits, together with the value for "not
/// known".
pub(crate) const MOST_KEPT: u32 = (1 << 18) - 2;

words! {
    /// Who speaks in a message.
    pub enum Role {
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
    pub enum Turn [derive(Default)] {
        /// It does not.
        No "no" [default],
        /// A person's message.
        Person "person",
        /// A message in the user's place that the agent wrote itself: a compaction marker, "Continue …".
        Synthetic "synthetic",
    }

    /// What a part is.
    pub enum PartKind [non_exhaustive] {
        /// Words of the user, the model or the system.
        Text "text",
        /// The model's reasoning.
        Thinking "thinking",
        /// A call of a tool; its length is that of the arguments.
        ToolCall "tool_call",
        /// What a tool gave back.
        ToolResult "tool_result",
        /// An image; its length is that of its URL or data.
        Image "image",
        /// A document or another file.
        File "file",
        /// A summary of what came before.
        Summary "summary",
        /// Anything else that is sent.
        Other "other",
    }

    /// What may be done with a tool result.
    pub enum Output [derive(Default), non_exhaustive] {
        /// An ordinary result.
        Ordinary "ordinary" [default],
        /// The tool failed; the part is the error's text.
        Error "error",
        /// The result has been pruned before: a placeholder stands in its place.
        Pruned "pruned",
        /// The provider made the result and verifies it: it must go back as it came.
        Sealed "sealed",
        /// The tool failed, and the format has no place for anything but the error's own text.
        FixedError "fixed_error",
        /// An ordinary result that reads as the placeholder does. Nothing proves that it was pruned; pruning it would
        /// change nothing.
        Placeholder "placeholder",
        /// An error text of a failed tool that equals the placeholder. Nothing proves that it was pruned.
        FailedPlaceholder "failed_placeholder",
    }
}

impl Output {
    /// Whether the tool failed.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::Output;
    /// assert!(Output::Error.has_failed() && !Output::Ordinary.has_failed());
    /// ```
    #[must_use]
    pub fn has_failed(self) -> bool {
        matches!(self, Self::Error | Self::FixedError | Self::FailedPlaceholder)
    }

    /// Whether the output's text equals the placeholder while nothing proves that it was pruned.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::Output;
    /// assert!(!Output::Pruned.says_placeholder(), "that one is proved");
    /// ```
    #[must_use]
    pub fn says_placeholder(self) -> bool {
        matches!(self, Self::Placeholder | Self::FailedPlaceholder)
    }
}

/// One part of a message: the smallest unit that has a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// What the part is.
    pub kind: PartKind,
    /// For a tool result: what may be done with it.
    pub output: Output,
    /// The number of texts that the part is made of. Estimators that join texts with a separator need it.
    pub pieces: u16,
    /// The length of what is sent. For a tool call, this is the length of its arguments as compact JSON (see
    /// [`crate::json`]).
    pub length: Length,
    /// The length in the notation of the format's own system, where that system measures another text than the
    /// one it sends. TunaCode measures the Python `repr` of a result that is not a string (in code points). pi
    /// measures what `JSON.stringify` writes for a call's arguments, and Gemini CLI what it writes for a response
    /// (both in UTF-16 units).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<u32>,
    /// The call that the part makes or answers, or that an image belongs to. Parts with the same index belong to
    /// the same call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// The tool's name, as an index for [`Transcript::tool_name`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<u32>,
    /// Whether the part carries a signature or encrypted content that the provider verifies. Such a part must be
    /// sent back unchanged and in its place.
    pub signed: bool,
}

impl Part {
    /// A part made of one text, with defaults for everything else.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Part, PartKind};
    /// assert_eq!(Part::new(PartKind::Text, Length::of("hello")).length.bytes, 5);
    /// ```
    #[must_use]
    pub fn new(kind: PartKind, length: Length) -> Self {
        let output = Output::Ordinary;
        Self { kind, output, pieces: 1, length, native: None, call: None, tool: None, signed: false }
    }
}

/// One message: who speaks, and its role in the flow of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: every combination occurs")]
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
    /// recognised later.
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

/// The range of parts that belong to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    first: u32,
    count: u32,
}

/// Messages, parts and lengths: what a plan is made from. It holds no text.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::transcript::{Message, Part, PartKind};
/// use ebbline::Transcript;
/// let mut transcript = Transcript::default();
/// transcript.begin(Message::person());
/// transcript.push(Part::new(PartKind::Text, Length::of("fix the login test")));
/// assert_eq!(transcript.messages().len(), 1);
/// assert_eq!(transcript.parts_of(0)[0].length.utf16, 18);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    messages: Vec<Message>,
    of_message: Vec<Parts>,
    parts: Vec<Part>,
    tools: Vec<Tool>,
    tool_index: HashMap<String, u32>,
    call_index: HashMap<String, u32>,
    /// One entry for each appended conversation: the number of its first call, and the index of its calls. Ids
    /// repeat between conversations, so each has its own index.
    added: Vec<(u32, HashMap<String, u32>)>,
    paired_by_place: HashSet<u32>,
    /// The messages that were sent until a recorded compaction replaced them.
    replaced: BTreeSet<u32>,
    /// How many calls have been numbered.
    calls: u32,
    /// What it was read from, until it is changed.
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tool {
    name: String,
    length: Length,
}

impl Transcript {
    /// An empty transcript that numbers tools as `other` does.
    pub(crate) fn with_tools_of(other: &Self) -> Self {
        Self { tools: other.tools.clone(), tool_index: other.tool_index.clone(), ..Self::default() }
    }

    /// Reserves room for `messages` messages with one part each.
    pub(crate) fn reserve(&mut self, messages: usize) {
        self.messages.reserve_exact(messages);
        self.of_message.reserve_exact(messages);
        self.parts.reserve_exact(messages);
    }

    /// Reserves room for `more` messages and parts. A full list doubles its capacity, so that a session that
    /// keeps growing is rarely moved; a session that is read once takes no more memory than it needs.
    pub(crate) fn make_room(&mut self, more: usize) {
        fn double<T>(list: &mut Vec<T>, more: usize) {
            if list.capacity() - list.len() < more {
                list.reserve(list.len().max(more));
            }
        }
        double(&mut self.messages, more);
        double(&mut self.of_message, more);
        double(&mut self.parts, more);
    }

    /// Begins a message. Parts pushed from now on belong to it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.begin(Message::person());
    /// assert_eq!(transcript.messages().len(), 2);
    /// ```
    pub fn begin(&mut self, message: Message) {
        self.origin = Origin::default();
        tight::push(&mut self.messages, message);
        tight::push(&mut self.of_message, Parts { first: self.parts.len() as u32, count: 0 });
    }

    /// Adds a part to the newest message and returns the part's index. If there is no message yet, this begins
    /// one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.push(Part::new(PartKind::Image, Length::ascii(400))), 1);
    /// ```
    pub fn push(&mut self, part: Part) -> usize {
        self.origin = Origin::default();
        if self.messages.is_empty() {
            self.begin(Message::new(Role::Other));
        }
        if let Some(parts) = self.of_message.last_mut() {
            parts.count += 1;
        }
        tight::push(&mut self.parts, part);
        self.parts.len() - 1
    }

    /// Removes all messages after the first `messages`, with their parts. Tool names and call ids keep their
    /// numbers.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.truncate(0);
    /// assert!(transcript.parts().is_empty());
    /// ```
    pub fn truncate(&mut self, messages: usize) {
        let Some(first) = self.of_message.get(messages) else { return };
        self.origin = Origin::default();
        self.parts.truncate(first.first as usize);
        self.of_message.truncate(messages);
        self.messages.truncate(messages);
    }

    /// What it was read from; nothing once it has been changed.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Says what it was read from, once it is whole.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// Marks the newest part as signed.
    pub(crate) fn sign(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            part.signed = true;
        }
    }

    /// The number of the call `id`. The same id always gives the same number.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// assert_eq!((transcript.call("c1"), transcript.call("c2"), transcript.call("c1")), (0, 1, 0));
    /// ```
    pub fn call(&mut self, id: &str) -> u32 {
        if let Some(index) = self.call_index.get(id) {
            return *index;
        }
        let index = self.calls;
        self.calls += 1;
        self.call_index.insert(id.to_owned(), index);
        index
    }

    /// The id of the call with this number. `None` when the session has no id for the call, and in a transcript
    /// that was made from records.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("c1");
    /// assert_eq!(transcript.call_id(call), Some("c1"));
    /// ```
    #[must_use]
    pub fn call_id(&self, call: u32) -> Option<&str> {
        let added = self.added.iter().rfind(|(first, _)| *first <= call);
        let (first, index) = added.map_or((0, &self.call_index), |(first, index)| (*first, index));
        let id = index.iter().find(|(_, number)| **number == call - first).map(|(id, _)| id.as_str());
        // Keys that are not ids of the session begin with a character that no id contains.
        id.filter(|id| !id.starts_with('\0') && !self.is_paired_by_place(call))
    }

    /// Records that the session has no id for `call`: only their order pairs the call with its result.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("the first call of read");
    /// transcript.pair_by_place(call);
    /// assert_eq!(transcript.call_id(call), None);
    /// ```
    pub fn pair_by_place(&mut self, call: u32) {
        self.paired_by_place.insert(call);
    }

    /// Whether the session has no id for `call`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("c1");
    /// assert!(!transcript.is_paired_by_place(call));
    /// ```
    #[must_use]
    pub fn is_paired_by_place(&self, call: u32) -> bool {
        self.paired_by_place.contains(&call)
    }

    /// The number of the tool `name`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// assert_eq!((transcript.tool("read"), transcript.tool("bash"), transcript.tool("read")), (0, 1, 0));
    /// ```
    pub fn tool(&mut self, name: &str) -> u32 {
        if let Some(index) = self.tool_index.get(name) {
            return *index;
        }
        let index = self.tools.len() as u32;
        self.tools.push(Tool { name: name.to_owned(), length: Length::of(name) });
        self.tool_index.insert(name.to_owned(), index);
        index
    }

    /// All messages. The active ones are in the order in which the agent would send them.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert!(transcript.messages()[0].active);
    /// ```
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// All parts, in reading order.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.parts()[0].kind, PartKind::Text);
    /// ```
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parts of message `index`; empty when there is no such message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!((transcript.parts_of(0).len(), transcript.parts_of(1).len()), (1, 0));
    /// ```
    #[must_use]
    pub fn parts_of(&self, index: usize) -> &[Part] {
        self.parts.get(self.part_range(index)).unwrap_or_default()
    }

    /// The range in [`Transcript::parts`] that holds the parts of message `index`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.part_range(0), 0..1);
    /// ```
    #[must_use]
    pub fn part_range(&self, index: usize) -> std::ops::Range<usize> {
        self.of_message.get(index).map_or(0..0, |parts| {
            let first = parts.first as usize;
            first..first + parts.count as usize
        })
    }

    /// The name of a tool.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let tool = transcript.tool("read");
    /// assert_eq!(transcript.tool_name(tool), Some("read"));
    /// ```
    #[must_use]
    pub fn tool_name(&self, tool: u32) -> Option<&str> {
        self.tools.get(tool as usize).map(|tool| tool.name.as_str())
    }

    /// The length of a tool's name.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let tool = transcript.tool("read");
    /// assert_eq!(transcript.tool_name_length(tool).utf16, 4);
    /// ```
    #[must_use]
    pub fn tool_name_length(&self, tool: u32) -> Length {
        self.tools.get(tool as usize).map(|tool| tool.length).unwrap_or_default()
    }

    /// Sets whether the agent would send message `index` now.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.set_active(0, false);
    /// assert!(!transcript.messages()[0].active);
    /// ```
    pub fn set_active(&mut self, index: usize, active: bool) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.get_mut(index) {
            message.active = active;
        }
    }

    /// Replaces a part; another kind of part must not take its place.
    pub(crate) fn replace(&mut self, index: usize, part: Part) {
        self.origin = Origin::default();
        if let Some(old) = self.parts.get_mut(index) {
            *old = part;
        }
    }

    /// Records that a message was sent until a recorded compaction replaced it.
    pub(crate) fn set_replaced(&mut self, index: usize) {
        self.replaced.insert(index as u32);
    }

    /// Whether an inactive message was sent until a recorded compaction replaced it. Other inactive messages never
    /// were: they are on another branch, for example.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert!(!session.transcript().was_replaced(0));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn was_replaced(&self, index: usize) -> bool {
        self.replaced.contains(&(index as u32))
    }

    /// Records that the newest message continues the message before it: no boundary may come between them.
    pub(crate) fn mark_continuing(&mut self) {
        if let Some(message) = self.messages.last_mut() {
            message.continues = true;
        }
    }

    /// Records that message `index` is sent even when a summary replaces its surroundings.
    pub(crate) fn pin(&mut self, index: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            message.pinned = true;
        }
    }

    /// Sets the usage reported with the newest message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.report_usage(Some(1_200));
    /// assert_eq!(transcript.messages()[0].usage, Some(1_200));
    /// ```
    pub fn report_usage(&mut self, usage: Option<u32>) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.last_mut() {
            message.usage = usage;
        }
    }

    /// Sets the usage reported with message `index`.
    pub(crate) fn set_usage(&mut self, index: usize, usage: Option<u32>) {
        if let Some(message) = self.messages.get_mut(index) {
            message.usage = usage;
        }
    }

    /// Sets the length of the newest part in the notation of the format's own system.
    pub(crate) fn set_native(&mut self, native: Option<u32>) {
        if let Some(part) = self.parts.last_mut() {
            part.native = native;
        }
    }

    /// Makes message `index` a summary of what came before, with the user's role.
    pub(crate) fn set_summary(&mut self, index: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            *message = Message { active: message.active, usage: message.usage, ..Message::earlier_summary() };
        }
    }

    /// Records how many of the messages behind the summary `index` existed already when it was written.
    pub(crate) fn set_kept(&mut self, index: usize, kept: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            message.kept = Some(u32::try_from(kept).unwrap_or(u32::MAX).min(MOST_KEPT));
        }
    }

    /// Removes the usage reported with message `index`, because it describes another context than the present
    /// one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.report_usage(Some(1_200));
    /// transcript.forget_usage(0);
    /// assert_eq!(transcript.messages()[0].usage, None);
    /// ```
    pub fn forget_usage(&mut self, index: usize) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.get_mut(index) {
            message.usage = None;
        }
    }

    /// Appends the messages of another transcript. Its call ids name other calls, even where they are equal to
    /// ids of this one.
    pub(crate) fn append(&mut self, other: Self) {
        let tools: Vec<u32> = other.tools.iter().map(|tool| self.tool(&tool.name)).collect();
        let (first_part, first_call) = (self.parts.len() as u32, self.calls);
        self.calls += other.calls;
        self.added.push((first_call, other.call_index));
        self.paired_by_place.extend(other.paired_by_place.into_iter().map(|call| first_call + call));
        self.messages.extend(other.messages);
        self.of_message.extend(
            other.of_message.into_iter().map(|parts| Parts { first: first_part + parts.first, ..parts }),
        );
        self.parts.extend(other.parts.into_iter().map(|part| Part {
            call: part.call.map(|call| first_call + call),
            tool: part.tool.and_then(|tool| tools.get(tool as usize).copied()),
            ..part
        }));
    }

    /// Reorders the messages. `order` holds each existing index exactly once.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let messages: Vec<_> = order.iter().filter_map(|index| self.messages.get(*index).copied()).collect();
        let of_message: Vec<_> =
            order.iter().filter_map(|index| self.of_message.get(*index).copied()).collect();
        if messages.len() == self.messages.len() {
            self.messages = messages;
            self.of_message = of_message;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_belong_to_the_message_begun_last_wherever_it_is_moved() {
        let mut transcript = Transcript::default();
        for size in [1, 2, 3] {
            transcript.begin(Message::person());
            for _ in 0..size {
                transcript.push(Part::new(PartKind::Text, Length::ascii(size)));
            }
        }
        transcript.reorder(&[2, 0, 1]);
        let counts: Vec<_> = (0..3).map(|index| transcript.parts_of(index).len()).collect();
        assert_eq!(counts, [3, 1, 2]);
        assert_eq!(transcript.parts_of(0)[0].length.utf16, 3);
        assert_eq!(transcript.part_range(1), 0..1);
        assert!(transcript.parts_of(9).is_empty());
    }

    #[test]
    fn names_and_ids_are_kept_once() {
        let mut transcript = Transcript::default();
        assert_eq!((transcript.tool("bash"), transcript.tool("read"), transcript.tool("bash")), (0, 1, 0));
        assert_eq!((transcript.call("c1"), transcript.call("c2"), transcript.call("c1")), (0, 1, 0));
        assert_eq!(transcript.tool_name(1), Some("read"));
        assert_eq!(transcript.tool_name(7), None);
    }
}

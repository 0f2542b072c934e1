//! One item of the Responses API, as in a request, a response or a rollout of Codex, and how items form answers.

use super::parts::read_parts;
use super::speech::{Voice, voice_of};
use super::spelling::Spelling;
use crate::format::layout::Element;
use crate::format::recorder::Recorder;
use crate::format::slot::Slot;
use crate::json::{Text, Value};
use crate::transcript::{Message, Role, Turn};

/// What an item is, by its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Kind {
    /// Text; its role says who wrote it.
    Message,
    /// The model's thinking, in plain text or encrypted.
    Reasoning,
    /// A call that another item answers.
    Call,
    /// A call that the provider carried out: call and result are one item.
    Served,
    /// The output of a call.
    Output,
    /// Everything before it, compacted and encrypted by the server.
    Compaction,
    /// A message of another agent to this one (Codex).
    AgentMessage,
    /// The model asks whether a server's tool may be called.
    Asked,
    /// What the user says to that.
    Allowed,
    /// A reference to an item that the server stores: nothing shows what it is.
    Reference,
    /// Another item of the model: the tools of a server.
    Notice,
    /// An item that the model does not see.
    Silent,
    /// Anything else.
    Unknown,
}

/// An item and its kind.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Item<'d> {
    pub(in crate::format) value: Value<'d>,
    pub(in crate::format) kind: Kind,
}

impl<'d> Item<'d> {
    fn of(value: Value<'d>, spelling: &Spelling) -> Self {
        Self { value, kind: (spelling.kind_of)(value) }
    }

    /// Whether the model wrote it: an answer is a run of such items.
    pub(in crate::format) fn is_models(self) -> bool {
        match self.kind {
            Kind::Reasoning | Kind::Call | Kind::Served | Kind::Asked | Kind::Reference | Kind::Notice => {
                true
            }
            Kind::Message => self.has_role("assistant"),
            _ => false,
        }
    }

    pub(in crate::format) fn has_role(self, name: &str) -> bool {
        self.value.text_of("role").is_some_and(|role| role.is(name))
    }

    /// Whether it contains text.
    fn speaks(self) -> bool {
        self.kind == Kind::Message && self.texts().any(|text| !text.is_blank())
    }

    /// The texts of its content.
    pub(in crate::format) fn texts(self) -> impl Iterator<Item = Text<'d>> {
        let content = self.value.get("content");
        let blocks = content.into_iter().flat_map(Value::elements);
        content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")))
    }

    fn message(self) -> Message {
        let role = match self.kind {
            _ if self.is_models() => Role::Assistant,
            Kind::Output | Kind::Allowed => Role::Tool,
            Kind::Compaction => return Message::earlier_summary(),
            Kind::AgentMessage => return Message::context(),
            Kind::Message if self.has_role("user") => match voice_of(self.value.get("content")) {
                Voice::Person => return Message::person(),
                Voice::Application => return Message::context(),
                Voice::Both => Role::User,
            },
            Kind::Message if self.has_role("developer") || self.has_role("system") => Role::System,
            _ => Role::Other,
        };
        Message::new(role)
    }
}

/// What an item of the Responses API is to a repair.
pub(in crate::format) fn element(value: Value<'_>) -> Option<Element> {
    element_of(super::spelling::kind_of(value))
}

/// What an item is to a repair. A call that the provider carried out is neither: it has its result in it.
pub(in crate::format) fn element_of(kind: Kind) -> Option<Element> {
    match kind {
        Kind::Call | Kind::Asked => Some(Element::Call),
        Kind::Output | Kind::Allowed => Some(Element::Result),
        Kind::Reasoning => Some(Element::Thinking),
        _ => None,
    }
}

/// An item of a list, and what is known about it.
#[derive(Debug)]
pub(in crate::format) struct Entry<'d> {
    pub(in crate::format) item: Item<'d>,
    /// Whether it is not one of the file's messages but part of a compaction's record.
    pub(in crate::format) unlisted: bool,
    /// Whether a compaction's record says that it is the summary.
    pub(in crate::format) is_summary: bool,
    /// Whether it begins an answer even directly after an item of the model.
    pub(in crate::format) afresh: bool,
    /// The usage reported with its answer.
    pub(in crate::format) usage: Option<u32>,
    /// Copies of its output in the file.
    pub(in crate::format) copies: Vec<Slot>,
    /// The calls that a reference stands for.
    pub(in crate::format) stands_for: Vec<String>,
}

impl<'d> Entry<'d> {
    pub(in crate::format) fn of(value: Value<'d>, spelling: &Spelling) -> Self {
        Self {
            item: Item::of(value, spelling),
            unlisted: false,
            is_summary: false,
            afresh: false,
            usage: None,
            copies: Vec::new(),
            stands_for: Vec::new(),
        }
    }
}

impl Entry<'_> {
    fn calls(&self) -> bool {
        matches!(self.item.kind, Kind::Call | Kind::Asked) || !self.stands_for.is_empty()
    }
}

/// Records each of `entries` as a message. An answer of the model is a run of its items: each item but the first
/// continues it, and the last one carries its usage and ends it unless the answer contains calls.
pub(in crate::format) fn read_entries(entries: &[Entry<'_>], spelling: &Spelling, recorder: &mut Recorder) {
    let mut rest = entries;
    while let Some((first, behind)) = rest.split_first() {
        let is_run = first.item.is_models();
        let more =
            behind.iter().take_while(|entry| is_run && entry.item.is_models() && !entry.afresh).count();
        let (run, next) = rest.split_at(more + 1);
        let calls = run.iter().any(Entry::calls);
        let speaks = run.iter().any(|entry| entry.item.speaks());
        let usage = run.iter().rev().find_map(|entry| entry.usage);
        for (position, entry) in run.iter().enumerate() {
            let is_last = position == more;
            let begun = if entry.is_summary { Message::earlier_summary() } else { entry.item.message() };
            let message = Message {
                continues: position > 0,
                ended: is_run && is_last && speaks && !calls,
                usage: usage.filter(|_| is_run && is_last),
                ..begun
            };
            let span = entry.item.value.span();
            if entry.unlisted {
                recorder.begin_unlisted(message, span);
            } else {
                recorder.begin(message, span);
            }
            if message.turn == Turn::Person || message.role == Role::System {
                recorder.check_summary(entry.item.texts().next());
            }
            read_parts(entry, message.summary, spelling, recorder);
        }
        rest = next;
    }
}

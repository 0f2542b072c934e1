//! One item of the Responses API, as in a request, a response or a rollout of Codex, and how items form answers.

use super::speech::{Voice, voice_of};
use crate::format::layout::Element;
use crate::format::placement::ListSummary;
use crate::format::recorder::Recorder;
use crate::format::slot::Slot;
use crate::format::usage;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, PartKind, Role};

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
    pub(super) fn speaks(self) -> bool {
        self.kind == Kind::Message && self.texts().any(|text| !text.is_blank())
    }

    /// The texts of its content.
    pub(in crate::format) fn texts(self) -> impl Iterator<Item = Text<'d>> {
        let content = self.value.get("content");
        let blocks = content.into_iter().flat_map(Value::elements);
        content.and_then(Value::text).into_iter().chain(blocks.filter_map(|block| block.text_of("text")))
    }

    pub(super) fn message(self) -> Message {
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
    pub(super) fn calls(&self) -> bool {
        matches!(self.item.kind, Kind::Call | Kind::Asked) || !self.stands_for.is_empty()
    }
}

/// How one system spells items.
pub(in crate::format) struct Spelling {
    pub(in crate::format) kind_of: fn(Value<'_>) -> Kind,
    /// The id of a call, and of what answers it.
    pub(in crate::format) id_of: for<'d> fn(Value<'d>) -> Option<Text<'d>>,
    /// The id of a request for approval, and of what answers it.
    pub(in crate::format) approval_of: for<'d> fn(Value<'d>) -> Option<Text<'d>>,
    pub(in crate::format) read_call: fn(Value<'_>, &mut Recorder),
    pub(in crate::format) read_served: fn(Value<'_>, &mut Recorder),
    pub(in crate::format) read_output: fn(&Entry<'_>, &mut Recorder),
    pub(in crate::format) thinking_of: for<'d> fn(Value<'d>) -> Thinking<'d>,
    /// The image or file in a block.
    pub(in crate::format) media_in: fn(Value<'_>) -> Option<(PartKind, Length)>,
    /// What is sent of an unknown item or a notice.
    pub(in crate::format) other_in: for<'d> fn(Value<'d>) -> Value<'d>,
    /// The content of a compaction.
    pub(in crate::format) encrypted_in: for<'d> fn(Value<'d>) -> Option<Text<'d>>,
    /// Whether what stands before a compaction is not sent. The server of the Responses API reads and bills all that it is sent.
    pub(in crate::format) leaves_out: bool,
    /// The usage that a response reports.
    pub(in crate::format) usage: &'static usage::Spelling,
    pub(in crate::format) summary: &'static ListSummary,
}

/// The model's thinking: plain texts, and the whole encrypted.
pub(in crate::format) struct Thinking<'d> {
    pub(in crate::format) texts: Vec<Text<'d>>,
    pub(in crate::format) encrypted: Option<Text<'d>>,
}

//! One item of the Responses API, as a request, a response or a rollout of Codex holds it, and how items make answers.

use super::parts::read_parts;
use super::speech::{Voice, voice_of};
use crate::format::recorder::Recorder;
use crate::format::slot::Slot;
use crate::json::{Text, Value};
use crate::transcript::{Message, Role, Turn};

/// What an item is, by its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Kind {
    /// Words; its role says whose.
    Message,
    /// What the model thought, in the open or encrypted.
    Reasoning,
    /// A call that an item of its own answers.
    Call,
    /// A call that the provider carried out: call and result are one item.
    Served,
    /// What a call gave back.
    Output,
    /// Everything before it, compacted and encrypted by the server.
    Compaction,
    /// What another agent says to this one (Codex).
    AgentMessage,
    /// Something else of the model's: the tools of a server, a question for approval.
    Notice,
    /// What stands in the list for others than the model, or stands for an item that the server keeps.
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
    pub(in crate::format) fn of(value: Value<'d>) -> Self {
        Self { value, kind: kind_of(value) }
    }

    /// Whether the model said it: an answer is a run of such items.
    pub(in crate::format) fn is_models(self) -> bool {
        match self.kind {
            Kind::Reasoning | Kind::Call | Kind::Served | Kind::Notice => true,
            Kind::Message => self.has_role("assistant"),
            _ => false,
        }
    }

    pub(in crate::format) fn has_role(self, name: &str) -> bool {
        self.value.text_of("role").is_some_and(|role| role.is(name))
    }

    /// Whether it says something in words.
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
        let synthetic = Message { turn: Turn::Synthetic, ..Message::new(Role::User) };
        let role = match self.kind {
            _ if self.is_models() => Role::Assistant,
            Kind::Output => Role::Tool,
            Kind::Compaction => return Message::earlier_summary(),
            Kind::AgentMessage => return synthetic,
            Kind::Message if self.has_role("user") => match voice_of(self.value.get("content")) {
                Voice::Person => return Message::person(),
                Voice::Application => return synthetic,
            },
            Kind::Message if self.has_role("developer") || self.has_role("system") => Role::System,
            _ => Role::Other,
        };
        Message::new(role)
    }
}

fn kind_of(value: Value<'_>) -> Kind {
    let Some(name) = value.text_of("type").map(Text::decode) else {
        return if value.text_of("role").is_some() { Kind::Message } else { Kind::Unknown };
    };
    match name.as_ref() {
        "message" => Kind::Message,
        "reasoning" => Kind::Reasoning,
        "function_call" | "custom_tool_call" | "local_shell_call" | "shell_call" | "apply_patch_call"
        | "computer_call" => Kind::Call,
        // The server's own search answers itself, in an item that names no call either.
        "tool_search_call" if value.text_of("call_id").is_some() => Kind::Call,
        "tool_search_output" if value.text_of("call_id").is_some() => Kind::Output,
        "compaction" | "compaction_summary" | "context_compaction" => Kind::Compaction,
        "agent_message" => Kind::AgentMessage,
        "mcp_list_tools" | "mcp_approval_request" => Kind::Notice,
        "ghost_snapshot" | "item_reference" | "compaction_trigger" => Kind::Silent,
        name if name.ends_with("_call_output") => Kind::Output,
        name if name.ends_with("_call") => Kind::Served,
        _ => Kind::Unknown,
    }
}

/// An item in its list, and what is known of it besides.
#[derive(Debug)]
pub(in crate::format) struct Entry<'d> {
    pub(in crate::format) item: Item<'d>,
    /// Whether it is none of the file's messages but stands in a record of a compaction.
    pub(in crate::format) unlisted: bool,
    /// Whether a record of a compaction says that it is the summary.
    pub(in crate::format) is_summary: bool,
    /// Whether it begins an answer even right behind an item of the model's.
    pub(in crate::format) afresh: bool,
    /// The usage reported with the answer that it belongs to.
    pub(in crate::format) usage: Option<u32>,
    /// Where the file holds copies of its output.
    pub(in crate::format) copies: Vec<Slot>,
}

impl<'d> Entry<'d> {
    pub(in crate::format) fn of(value: Value<'d>) -> Self {
        Self {
            item: Item::of(value),
            unlisted: false,
            is_summary: false,
            afresh: false,
            usage: None,
            copies: Vec::new(),
        }
    }
}

/// Writes down `entries`, each as a message. An answer of the model is a run of its items: all but the first continue
/// it, and the last carries its usage and ends it, unless the answer calls for something.
pub(in crate::format) fn read_entries(entries: &[Entry<'_>], recorder: &mut Recorder) {
    let mut rest = entries;
    while let Some((first, behind)) = rest.split_first() {
        let is_run = first.item.is_models();
        let more =
            behind.iter().take_while(|entry| is_run && entry.item.is_models() && !entry.afresh).count();
        let (run, next) = rest.split_at(more + 1);
        let calls = run.iter().any(|entry| entry.item.kind == Kind::Call);
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
            if message.turn == Turn::Person {
                recorder.may_be_summary(entry.item.texts().next());
            }
            read_parts(entry, message.summary, recorder);
        }
        rest = next;
    }
}

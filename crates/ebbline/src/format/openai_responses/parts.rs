//! The contents of items: text, thinking, calls, results, images.

use super::item::{Entry, Item, Kind, Spelling, Thinking};
use super::speech::is_contextual;
use crate::format::openai_chat::{joined, sole_text};
use crate::format::pieces::PieceKind;
use crate::format::recorder::{Recorder, length_of_value};
use crate::format::slot::{Shape, Slot};
use crate::json::{Text, Value};
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

pub(super) fn read_parts(entry: &Entry<'_>, in_summary: bool, spelling: &Spelling, recorder: &mut Recorder) {
    let Item { value, kind } = entry.item;
    match kind {
        Kind::Message | Kind::AgentMessage => {
            let words = if in_summary { PartKind::Summary } else { PartKind::Text };
            let is_users = kind == Kind::Message && entry.item.has_role("user");
            read_content(value.present("content"), Words { kind: words, is_users }, spelling, recorder);
        }
        Kind::Reasoning => read_reasoning(&(spelling.thinking_of)(value), recorder),
        Kind::Call => (spelling.read_call)(value, recorder),
        Kind::Served => (spelling.read_served)(value, recorder),
        Kind::Output => (spelling.read_output)(entry, recorder),
        Kind::Asked => {
            let id = (spelling.approval_of)(value).map(Text::decode);
            let asked = (spelling.other_in)(value);
            let tool = asked.text_of("name").or_else(|| value.text_of("name")).map(Text::decode);
            let arguments = asked.present("arguments").or_else(|| value.present("arguments"));
            recorder.call_named(id.as_deref(), tool.as_deref(), arguments);
        }
        Kind::Allowed => {
            let said = (spelling.other_in)(value);
            let part =
                Part { output: Output::Sealed, ..Part::new(PartKind::ToolResult, length_of_value(said)) };
            recorder.result((spelling.approval_of)(value), None, part, None);
            recorder.set_places([said.span()]);
        }
        Kind::Reference => {
            for id in &entry.stands_for {
                recorder.call_named(Some(id), None, None);
            }
        }
        Kind::Compaction => {
            recorder.text(PartKind::Summary, None);
            recorder.sign((spelling.encrypted_in)(value));
        }
        Kind::Notice | Kind::Unknown => read_other((spelling.other_in)(value), recorder),
        Kind::Silent => {}
    }
}

/// What the texts of a message are.
#[derive(Clone, Copy)]
struct Words {
    kind: PartKind,
    is_users: bool,
}

impl Words {
    fn read(self, text: Text<'_>, recorder: &mut Recorder) {
        recorder.text(self.kind, Some(text));
        if self.is_users && is_contextual(text) {
            recorder.set_piece_kind(PieceKind::Added);
        }
    }
}

fn read_content(content: Option<Value<'_>>, words: Words, spelling: &Spelling, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return words.read(text, recorder);
    }
    for block in content.elements() {
        if block.text_of("type").is_some_and(|kind| kind.is("refusal")) {
            recorder.text(words.kind, block.text_of("refusal"));
        } else if let Some((kind, length)) = (spelling.media_in)(block) {
            recorder.media(kind, length, None);
        } else if let Some(text) = block.text_of("text") {
            words.read(text, recorder);
        } else {
            read_other(block, recorder);
        }
    }
}

/// Content that is sent but unknown. The length of encrypted content says nothing about its tokens.
fn read_other(value: Value<'_>, recorder: &mut Recorder) {
    let encrypted = value.text_of("encrypted_content");
    if encrypted.is_some() {
        recorder.text(PartKind::Other, None);
        recorder.sign(encrypted);
    } else {
        recorder.value(PartKind::Other, Some(value));
    }
}

/// Thinking: each plain text is one part; the encrypted whole belongs to the last.
fn read_reasoning(thinking: &Thinking<'_>, recorder: &mut Recorder) {
    if thinking.texts.is_empty() {
        recorder.text(PartKind::Thinking, None);
    }
    for text in &thinking.texts {
        recorder.text(PartKind::Thinking, Some(*text));
    }
    recorder.sign(thinking.encrypted);
}

/// The tool with this name, or whose calls have this type.
pub(in crate::format) fn tool_called(name: Option<Text<'_>>) -> String {
    let name = name.map(Text::decode).unwrap_or_default();
    name.strip_suffix("_call").unwrap_or(&name).to_owned()
}

/// A call with its result: the provider made both, and only the item pairs them.
pub(in crate::format) struct Pair<'t, 'd> {
    pub(in crate::format) tool: &'t str,
    pub(in crate::format) arguments: Option<Value<'d>>,
    /// Its only output, if it has one.
    pub(in crate::format) given: Option<Value<'d>>,
    /// Its outputs: logs and images.
    pub(in crate::format) outputs: Option<Value<'d>>,
    pub(in crate::format) image: Option<Text<'d>>,
}

pub(in crate::format) fn read_pair(pair: &Pair<'_, '_>, recorder: &mut Recorder) {
    let id = format!("#{}", recorder.transcript.messages().len());
    recorder.call_named(Some(&id), Some(pair.tool), pair.arguments);
    let outputs = || pair.outputs.into_iter().flat_map(Value::elements);
    let logs = || outputs().filter_map(|output| output.text_of("logs"));
    let (length, pieces) = pair.given.map_or_else(|| joined(logs()), |given| (length_of_value(given), 1));
    let part = Part { output: Output::Sealed, pieces, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result_named(Some(&id), Some(pair.tool), part, None);
    match pair.given {
        Some(given) => recorder.set_places([given.span()]),
        None => recorder.set_places(logs().map(Text::span)),
    }
    for output in outputs() {
        if let Some(url) = output.text_of("url") {
            recorder.media(PartKind::Image, url.length(), call);
        }
    }
    // A generated image is not text: its base64 costs far fewer tokens than its length.
    if let Some(image) = pair.image {
        recorder.media(PartKind::Image, image.length(), call);
    }
}

/// The output of a call.
pub(in crate::format) struct Answer<'d> {
    pub(in crate::format) item: Value<'d>,
    pub(in crate::format) id: Option<Text<'d>>,
    pub(in crate::format) output: Option<Value<'d>>,
    /// Where the output is pruned, if not in the member `output`.
    pub(in crate::format) slot: Option<Slot>,
}

/// Records an output: its texts are one part; its images and files are separate parts of the same call.
pub(in crate::format) fn read_answer(answer: Answer<'_>, spelling: &Spelling, recorder: &mut Recorder) {
    let Answer { item, id, output, slot } = answer;
    let (length, pieces) = joined(texts_of(output));
    let has_failed = item.text_of("status").is_some_and(|status| status.is("failed"));
    let state = recorder.output_of(only_text(output), id, has_failed);
    let part = Part { output: state, pieces, ..Part::new(PartKind::ToolResult, length) };
    let slot = slot.unwrap_or_else(|| slot_of(item, output));
    let call = recorder.result(id, None, part, Some(slot));
    recorder.set_places(texts_of(output).map(Text::span));
    let alone = output.filter(|output| output.is_object());
    let blocks = output.into_iter().flat_map(Value::elements).chain(alone);
    for (kind, length) in blocks.filter_map(spelling.media_in) {
        recorder.media(kind, length, call);
    }
}

/// The texts of an output: the output itself, its blocks, or the output of each shell command.
fn texts_of(output: Option<Value<'_>>) -> impl Iterator<Item = Text<'_>> {
    let itself = output.and_then(|output| output.text().or_else(|| output.text_of("content")));
    let blocks = output.into_iter().flat_map(Value::elements);
    let printed = blocks
        .flat_map(|block| ["text", "stdout", "stderr"].into_iter().filter_map(move |key| block.text_of(key)));
    itself.into_iter().chain(printed)
}

/// The text of an output with exactly one; a placeholder may be any of these.
fn only_text(output: Option<Value<'_>>) -> Option<Text<'_>> {
    let shell = || {
        let mut texts = texts_of(output).filter(|text| !text.is_empty());
        let first = texts.next();
        first.filter(|_| is_shell(output) && texts.next().is_none())
    };
    output.and_then(Value::text).or_else(|| sole_text(output)).or_else(shell)
}

/// Whether an output is a list of the outputs of shell commands.
fn is_shell(output: Option<Value<'_>>) -> bool {
    output
        .into_iter()
        .flat_map(Value::elements)
        .any(|entry| entry.get("stdout").is_some() || entry.get("stderr").is_some())
}

/// The output of a shell must remain a list of commands with their outcomes; every other output becomes a text.
fn slot_of(value: Value<'_>, output: Option<Value<'_>>) -> Slot {
    let slot = Slot::of_member(value, "output", Shape::Text);
    let Some(output) = output.filter(|output| is_shell(Some(*output))) else { return slot };
    let outcome = output.elements().find_map(|entry| entry.get("outcome"));
    let outcome = outcome.map(|outcome| format!(r#""outcome":{},"#, outcome.source())).unwrap_or_default();
    Slot::of_value(output, Shape::Within("", r#","stderr":""}]"#)).led_by(format!(r#"[{{{outcome}"stdout":"#))
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

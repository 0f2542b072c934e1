//! Events of the SDK (version 1), converted as each event's `to_llm_message` does.

use super::answers::Place;
use super::events::Event;
use crate::format::openai_chat::{joined, sole_text};
use crate::format::pieces::PieceKind;
use crate::format::recorder::Recorder;
use crate::format::slot::{Shape, Slot};
use crate::format::usage;
use crate::json::{Text, Value};
use crate::transcript::{Message, Part, PartKind, Role};

/// The state between events.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The usage of the agent's newest request, while its answer has not been read.
    usage: Option<u32>,
    /// The last reported usage, which state updates repeat.
    reported: Option<u32>,
}

impl Reader {
    /// Reads usage from an event that is not sent: `stats` precede the answer's events.
    pub(super) fn pass_over(&mut self, event: &Event<'_>) {
        if !event.is("kind", "ConversationStateUpdateEvent") || !event.is("key", "stats") {
            return;
        }
        let metrics = event.value.get("value").and_then(|stats| stats.get("usage_to_metrics"));
        // Other models write summaries and the like; these figures are the agent's.
        let agents =
            metrics.and_then(|metrics| metrics.present("agent").or_else(|| metrics.present("default")));
        let newest = agents.and_then(|metrics| metrics.get("accumulated_token_usage"));
        let reported = usage::total(newest, &usage::OPENHANDS_TURN);
        if reported != self.reported {
            (self.usage, self.reported) = (reported, reported);
        }
    }

    pub(super) fn event(&mut self, event: &Event<'_>, place: Place, recorder: &mut Recorder) {
        let value = event.value;
        let span = value.span();
        match value.text_of("kind").map(Text::decode).as_deref() {
            Some("SystemPromptEvent") => {
                recorder.begin(Message::new(Role::System), span);
                for prompt in ["system_prompt", "dynamic_context"].iter().filter_map(|key| value.present(key))
                {
                    recorder.text(PartKind::Text, prompt.text_of("text"));
                }
            }
            Some("MessageEvent") => self.message(event, recorder),
            Some("ActionEvent") => {
                let usage = if place.is_last { self.usage.take() } else { None };
                let message = Message { continues: place.continues, usage, ..Message::new(Role::Assistant) };
                recorder.begin(message, span);
                read_action(value, recorder);
            }
            Some("CondensationSummaryEvent") => {
                recorder.begin(Message::earlier_summary(), span);
                recorder.text(PartKind::Summary, value.text_of("summary"));
            }
            Some("UserRejectObservation") => read_words(value, "rejection_reason", recorder),
            Some("AgentErrorEvent") => read_words(value, "error", recorder),
            _ => read_observation(value, recorder),
        }
    }

    fn message(&mut self, event: &Event<'_>, recorder: &mut Recorder) {
        let value = event.value;
        let message = value.get("llm_message").unwrap_or(value);
        let calls = message.elements_of("tool_calls").count();
        let begun = match message.text_of("role").map(Text::decode).as_deref() {
            Some("assistant") => {
                Message { ended: calls == 0, usage: self.usage.take(), ..Message::new(Role::Assistant) }
            }
            Some("system") => Message::new(Role::System),
            // Text of a hook or the environment in the user's name begins no turn.
            Some("user") if event.is("source", "user") => Message::person(),
            Some("user") => Message::context(),
            _ => Message::new(Role::Other),
        };
        recorder.begin(begun, value.span());
        read_thinking(message, recorder);
        read_content(message.get("content"), recorder);
        // What skills and the workspace add to the message.
        let first = recorder.transcript.parts().len();
        read_content(value.get("extended_content"), recorder);
        for part in first..recorder.transcript.parts().len() {
            recorder.set_kind_of_part(part, PieceKind::Added);
        }
        for call in message.elements_of("tool_calls") {
            recorder.call(call.text_of("id"), call.text_of("name"), call.get("arguments"));
        }
    }
}

/// Reasoning of an action or message: Anthropic's blocks, an item of the Responses API, or plain text.
fn read_thinking(holder: Value<'_>, recorder: &mut Recorder) {
    let mut is_read = false;
    for block in holder.elements_of("thinking_blocks") {
        is_read = true;
        // Content that the provider encrypted is sent, but its number of tokens is unknown.
        recorder.text(PartKind::Thinking, block.text_of("thinking"));
        recorder.sign(block.text_of("signature").or_else(|| block.text_of("data")));
    }
    if let Some(item) = holder.present("responses_reasoning_item") {
        is_read = true;
        let texts = ["summary", "content"].into_iter().flat_map(|key| item.elements_of(key));
        let texts: Vec<Text<'_>> =
            texts.filter_map(|text| text.text().or_else(|| text.text_of("text"))).collect();
        let (length, pieces) = joined(texts.iter().copied());
        recorder.transcript.push(Part { pieces, ..Part::new(PartKind::Thinking, length) });
        recorder.set_places(texts.into_iter().map(Text::span));
        recorder.sign(item.text_of("encrypted_content"));
    }
    let plain = holder.text_of("reasoning_content").filter(|text| !is_read && !text.is_empty());
    if plain.is_some() {
        recorder.text(PartKind::Thinking, plain);
    }
}

fn read_action(value: Value<'_>, recorder: &mut Recorder) {
    read_thinking(value, recorder);
    read_content(value.get("thought"), recorder);
    let call = value.get("tool_call");
    let of_call = |key: &str| call.and_then(|call| call.text_of(key));
    let id = value.text_of("tool_call_id").or_else(|| of_call("id"));
    let name = value.text_of("tool_name").or_else(|| of_call("name"));
    let arguments = call.and_then(|call| call.present("arguments")).or_else(|| value.present("action"));
    recorder.call(id, name, arguments);
}

/// Texts and images of a list of blocks.
fn read_content(content: Option<Value<'_>>, recorder: &mut Recorder) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return recorder.text(PartKind::Text, Some(text));
    }
    for block in content.elements() {
        match (block.text_of("text"), images_of(block).count()) {
            (Some(text), _) => recorder.text(PartKind::Text, Some(text)),
            (None, 0) => recorder.value(PartKind::Other, Some(block)),
            (None, _) => {
                for url in images_of(block) {
                    recorder.media(PartKind::Image, url.length(), None);
                }
            }
        }
    }
}

fn images_of(block: Value<'_>) -> impl Iterator<Item = Text<'_>> {
    block.elements_of("image_urls").filter_map(Value::text).filter(|url| !url.is_empty())
}

/// A tool's observation: its texts are one part; its images belong to the same call.
fn read_observation(value: Value<'_>, recorder: &mut Recorder) {
    recorder.begin(Message::new(Role::Tool), value.span());
    let observation = value.get("observation").filter(|observation| observation.is_object());
    let content = observation.and_then(|observation| observation.get("content"));
    let text = content.and_then(Value::text);
    let blocks = || content.into_iter().flat_map(Value::elements);
    let (length, pieces) = text.map_or_else(
        || joined(blocks().filter_map(|block| block.text_of("text"))),
        |text| (text.length(), 1),
    );
    let id = value.text_of("tool_call_id");
    let has_failed = observation.and_then(|seen| seen.get("is_error")).is_some_and(Value::is_truthy);
    let output = recorder.output_of(text.or_else(|| sole_text(content)), id, has_failed);
    let slot = observation.map(|observation| Slot::of_member(observation, "content", Shape::Blocks));
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    let call = recorder.result(id, value.text_of("tool_name"), part, slot);
    let result = recorder.newest_part();
    recorder.set_text_places(content);
    for url in blocks().flat_map(images_of) {
        recorder.media(PartKind::Image, url.length(), call);
    }
    // A browser's screenshot beside the content belongs to the same call.
    let screen =
        observation.and_then(|observation| Some((observation, observation.text_of("screenshot_data")?)));
    if let Some((observation, shot)) = screen.filter(|(_, shot)| !shot.is_empty()) {
        recorder.media(PartKind::Image, shot.length(), call);
        recorder.add_slot(result, Slot::of_member(observation, "screenshot_data", Shape::Fixed("null")));
    }
    // Text that hooks and skills append to a result is not part of the result.
    read_content(value.get("extended_content"), recorder);
}

/// A refusal or an error: a result of plain text.
fn read_words(value: Value<'_>, key: &str, recorder: &mut Recorder) {
    recorder.begin(Message::new(Role::Tool), value.span());
    let text = value.text_of(key);
    let id = value.text_of("tool_call_id");
    let output = recorder.output_of(text, id, true);
    let part = Part { output, ..Part::new(PartKind::ToolResult, text.map(Text::length).unwrap_or_default()) };
    let slot = Slot::of_member(value, key, Shape::Text);
    recorder.result(id, value.text_of("tool_name"), part, Some(slot));
    recorder.set_places(text.map(Text::span));
}

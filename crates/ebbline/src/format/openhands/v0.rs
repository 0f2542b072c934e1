//! Events of version 0, as `ConversationMemory` turns them into messages.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::answers::Place;
use super::events::{Event, scalar};
use crate::format::pieces::PieceKind;
use crate::format::recorder::Recorder;
use crate::format::slot::{Shape, Slot};
use crate::format::usage;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// The replacement of a masked observation.
const MASKED: &str = "<MASKED>";

/// The state between events.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Which actions are calls, by the key that their observations refer to.
    calls: HashSet<String>,
    /// The key of a call, by the id that the provider gave it.
    keys: HashMap<String, String>,
    /// The skills that were already sent to the model.
    told: HashSet<String>,
}

impl Reader {
    pub(super) fn event(&mut self, event: &Event<'_>, place: Place, recorder: &mut Recorder) {
        match event.value.text_of("action").map(Text::decode) {
            Some(action) => self.action(event, &action, place, recorder),
            None => self.observation(event, place, recorder),
        }
    }

    fn action(&mut self, event: &Event<'_>, action: &str, place: Place, recorder: &mut Recorder) {
        let value = event.value;
        let span = value.span();
        let is_users = event.is("source", "user");
        let arguments = value.get("args");
        let argument = |key: &str| arguments.and_then(|arguments| arguments.text_of(key));
        let usage = usage_of(value).filter(|_| place.is_last);
        let answer = Message { ended: true, usage, ..Message::new(Role::Assistant) };
        match action {
            "system" => {
                recorder.begin(Message::new(Role::System), span);
                recorder.text(PartKind::Text, argument("content"));
            }
            "message" => {
                recorder.begin(if is_users { Message::person() } else { answer }, span);
                recorder.text(PartKind::Text, argument("content"));
                for key in ["image_urls", "images_urls"] {
                    read_images(arguments.and_then(|arguments| arguments.get(key)), None, recorder);
                }
            }
            // The model's final message is sent as text, not as a call.
            "finish" => {
                recorder.begin(if is_users { Message::new(Role::User) } else { answer }, span);
                let (thought, said) = (argument("thought"), said_with(value));
                let is_repeated = thought.zip(said).is_some_and(|(thought, said)| said.is(&thought.decode()));
                let said = said.filter(|_| !is_repeated);
                for text in [thought, said].into_iter().flatten().filter(|text| !text.is_empty()) {
                    recorder.text(PartKind::Text, Some(text));
                }
            }
            "run" if is_users => {
                recorder.begin(Message::context(), span);
                recorder.text(PartKind::Text, argument("command"));
                recorder.set_piece_kind(PieceKind::Command);
            }
            _ if is_users && value.present("tool_call_metadata").is_none() => {
                recorder.begin(Message::context(), span);
                recorder.value(PartKind::Text, arguments);
            }
            _ => self.call(event, action, Message { ended: false, usage, ..answer }, place, recorder),
        }
    }

    fn call(
        &mut self,
        event: &Event<'_>,
        action: &str,
        message: Message,
        place: Place,
        recorder: &mut Recorder,
    ) {
        let value = event.value;
        recorder.begin(Message { continues: place.continues, ..message }, value.span());
        let metadata = value.present("tool_call_metadata");
        // Without an id, the time of the result takes its place: a tool cannot know it in advance.
        let id = metadata
            .and_then(|metadata| metadata.text_of("tool_call_id"))
            .or_else(|| value.text_of("timestamp"));
        let arguments = value.get("args");
        let said = match metadata {
            Some(_) => said_with(value),
            None => arguments.and_then(|arguments| arguments.text_of("thought")),
        };
        // Text beside parallel calls is in the response, of which each call has a copy.
        if let Some(said) = said.filter(|said| !place.continues && !said.is_blank()) {
            recorder.text(PartKind::Text, Some(said));
        }
        let key = key_of(event);
        if let Some(key) = &key {
            self.calls.insert(key.clone());
            if let Some(id) = id {
                self.keys.insert(id.decode().into_owned(), key.clone());
            }
        }
        let function = metadata.and_then(|metadata| function_of(metadata, id));
        let name = metadata
            .and_then(|metadata| metadata.text_of("function_name"))
            .map_or(Cow::Borrowed(action), Text::decode);
        let sent = function.and_then(|function| function.present("arguments")).or(arguments);
        recorder.call_named(key.as_deref(), Some(&name), sent);
    }

    fn observation(&mut self, event: &Event<'_>, place: Place, recorder: &mut Recorder) {
        let value = event.value;
        let span = value.span();
        if event.is("observation", "recall") {
            recorder.begin(Message::context(), span);
            return self.recall(value.get("extras"), recorder);
        }
        let content = value.text_of("content");
        let id = value.get("tool_call_metadata").and_then(|metadata| metadata.text_of("tool_call_id"));
        let cause = scalar(value.get("cause")).map(Cow::into_owned).or_else(|| pair_key(event));
        let by_id = || self.keys.get(id?.decode().as_ref()).cloned();
        let key = cause.or_else(by_id).filter(|key| !key.is_empty());
        let is_known = key.as_ref().is_some_and(|key| self.calls.contains(key));
        if event.is("observation", "condense") && !is_known && !content.is_some_and(|text| text.is(MASKED)) {
            recorder.begin(Message::earlier_summary(), span);
            return recorder.text(PartKind::Summary, content);
        }
        if is_known || id.is_some() {
            recorder.begin(Message { continues: place.continues, ..Message::new(Role::Tool) }, span);
            return read_result(event, key.as_deref(), recorder);
        }
        // The output of the user's command, and errors without a call, are sent in the user's name.
        recorder.begin(Message::context(), span);
        recorder.text(PartKind::Text, content);
        if event.is("observation", "run") {
            recorder.set_piece_kind(PieceKind::Printed);
        }
    }

    /// The agent's knowledge of the workspace, and the skills triggered by the user's words; each is sent once.
    fn recall(&mut self, extras: Option<Value<'_>>, recorder: &mut Recorder) {
        let known = [
            "repo_name",
            "repo_directory",
            "repo_branch",
            "repo_instructions",
            "additional_agent_instructions",
            "conversation_instructions",
            "date",
            "working_dir",
        ];
        let Some(extras) = extras else { return };
        for text in known.iter().filter_map(|key| extras.text_of(key)).filter(|text| !text.is_empty()) {
            recorder.text(PartKind::Text, Some(text));
        }
        for skill in extras.elements_of("microagent_knowledge") {
            let name = skill.text_of("name").map(Text::decode).unwrap_or_default();
            if self.told.insert(name.into_owned()) {
                recorder.text(PartKind::Text, skill.text_of("content"));
            }
        }
    }
}

/// The key that pairs an action with its observation: the action's id, which the observation names as its cause.
fn key_of(event: &Event<'_>) -> Option<String> {
    event.id().map(Cow::into_owned).or_else(|| pair_key(event))
}

fn pair_key(event: &Event<'_>) -> Option<String> {
    event.pair.map(|pair| format!("pair {pair}"))
}

/// The model's text beside its call.
fn said_with(event: Value<'_>) -> Option<Text<'_>> {
    message_of(event.get("tool_call_metadata")?)?.text_of("content")
}

/// The message in the response that is stored with an action.
fn message_of(metadata: Value<'_>) -> Option<Value<'_>> {
    metadata.get("model_response")?.elements_of("choices").next()?.get("message")
}

/// The function that the model called with `id`.
fn function_of<'d>(metadata: Value<'d>, id: Option<Text<'_>>) -> Option<Value<'d>> {
    let id = id?.decode();
    let mut calls = message_of(metadata)?.elements_of("tool_calls");
    calls.find(|call| call.text_of("id").is_some_and(|text| text.is(&id)))?.get("function")
}

/// The tokens of the request that led to an action. An action's metrics are sums over the whole session; only their
/// last summand describes one request.
fn usage_of(event: Value<'_>) -> Option<u32> {
    let response = event.get("tool_call_metadata").and_then(|metadata| metadata.get("model_response"));
    let metrics = event.get("llm_metrics").and_then(|metrics| metrics.get("accumulated_token_usage"));
    usage::total(response.and_then(|response| response.get("usage")), &usage::LITELLM)
        .or_else(|| usage::total(metrics, &usage::OPENHANDS_TURN))
}

fn read_result(event: &Event<'_>, key: Option<&str>, recorder: &mut Recorder) {
    let value = event.value;
    let extras = value.get("extras");
    // A delegate's own output is sent instead of the content.
    let outputs =
        extras.and_then(|extras| extras.get("outputs")).filter(|_| event.is("observation", "delegate"));
    let holder = outputs.filter(|outputs| outputs.text_of("content").is_some()).unwrap_or(value);
    let content = holder.text_of("content");
    let is_failure = ["error", "user_rejected"].iter().any(|name| event.is("observation", name));
    let metadata = value.get("tool_call_metadata");
    let id = metadata.and_then(|metadata| metadata.text_of("tool_call_id"));
    let output = recorder.output_of(content, id, is_failure);
    let part =
        Part { output, ..Part::new(PartKind::ToolResult, content.map(Text::length).unwrap_or_default()) };
    let name = metadata.and_then(|metadata| metadata.text_of("function_name"));
    let slot = Slot::of_member(holder, "content", Shape::Text).answering(id);
    let call = recorder.result_named(key, name.map(Text::decode).as_deref(), part, Some(slot));
    let result = recorder.newest_part();
    recorder.set_places(content.map(Text::span));
    let Some(extras) = extras else { return };
    // Images beside the content belong to the same call.
    if read_images(extras.get("image_urls"), call, recorder) > 0 {
        recorder.add_slot(result, Slot::of_member(extras, "image_urls", Shape::Fixed("null")));
    }
    let shots = ["set_of_marks", "screenshot"].map(|key| (key, extras.text_of(key)));
    let mut shots = shots.into_iter().filter(|(_, shot)| shot.is_some_and(|shot| !shot.is_empty()));
    if let Some((key, shot)) = shots.next() {
        recorder.media(PartKind::Image, shot.map(Text::length).unwrap_or_default(), call);
        recorder.add_slot(result, Slot::of_member(extras, key, Shape::Fixed("\"\"")));
        for (key, _) in shots {
            recorder.add_slot(result, Slot::of_member(extras, key, Shape::Fixed("\"\"")));
        }
    }
}

/// Adds the images of a list of URLs and returns their number.
fn read_images(urls: Option<Value<'_>>, call: Option<u32>, recorder: &mut Recorder) -> usize {
    let urls = urls.into_iter().flat_map(Value::elements).filter_map(Value::text);
    let lengths: Vec<Length> = urls.filter(|url| !url.is_blank()).map(Text::length).collect();
    for length in &lengths {
        recorder.media(PartKind::Image, *length, call);
    }
    lengths.len()
}

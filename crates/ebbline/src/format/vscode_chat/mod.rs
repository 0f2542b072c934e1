//! VS Code's chats with Copilot: a session as a document, or as lines that change one.
//!
//! Shapes by `chatModel.ts` and `chatSessionStore` of `microsoft/vscode`, and `prompt/common/conversation.ts` of
//! `microsoft/vscode-copilot-chat` (2026). The model gets, of each request, what stands in the metadata of its result: the rounds of
//! calls, and their results. What the person sees is sent only where there are no rounds.

mod requests;
mod write;

use super::entry::{Description, FormatEntry};
use super::marker::MarkerKind;
use super::placement::SummaryPlacement;
use super::recorder::{Recorder, length_of_value};
use super::shaped::{Block, Called, message_of, record};
use super::signs::{Sign, count_of, has};
use super::slot::{Shape, Slot};
use super::source::Source;
use super::store::{Place, Store};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};
use requests::{Request, requests};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("vscode_chat", "VS Code Copilot Chat"),
    store: &Store { places: PLACES, ..Store::NONE },
    ..FormatEntry::of(SIGNS, read)
};

const fn place(folder: &'static str, ending: &'static str, above: &'static str) -> Place {
    Place::of("VS Code Copilot Chat", folder, ending).below(above)
}

const PLACES: &[Place] = &[
    place(".config/Code/User", ".json", "chatSessions"),
    place(".config/Code/User", ".jsonl", "chatSessions"),
    place(".config/Code/User", ".jsonl", "emptyWindowChatSessions"),
    place("Library/Application Support/Code/User", ".json", "chatSessions"),
    place("Library/Application Support/Code/User", ".jsonl", "chatSessions"),
    place("Library/Application Support/Code/User", ".jsonl", "emptyWindowChatSessions"),
    place("AppData/Roaming/Code/User", ".json", "chatSessions"),
    place("AppData/Roaming/Code/User", ".jsonl", "chatSessions"),
    place("AppData/Roaming/Code/User", ".jsonl", "emptyWindowChatSessions"),
];

const SIGNS: &[Sign] = &[
    Sign::document(81, |root| {
        let session = [Some(root), root.get("v")].into_iter().flatten().find(|value| is_session(*value))?;
        Some(format!("a session of {} requests", count_of(session, "requests")))
    }),
    Sign::log(81, |log| {
        let first = log.first.get("v").filter(|_| log.first.get("kind").is_some());
        first.is_some_and(is_session).then(|| "lines of kind and v, the first with requests".to_owned())
    }),
];

fn is_session(value: Value<'_>) -> bool {
    has(value, &["requests"]) && (has(value, &["requesterUsername"]) || has(value, &["responderUsername"]))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let requests = requests(source);
    let told = newest_summary(&requests);
    for (index, request) in requests.iter().enumerate() {
        let is_behind = |round: usize| told.is_none_or(|told| (told.request, told.round) < (index, round));
        let spoken = spoken(request);
        let is_sent = told.is_none_or(|told| told.request < index);
        let active = is_sent && !spoken.is_empty();
        record(Message { active, ..message_of(Role::User, &spoken) }, request.value.span(), &spoken, recorder);
        let rounds = request.rounds();
        for (number, round) in rounds.iter().enumerate() {
            read_round(*round, request, is_behind(number), recorder);
            if let Some(told) = told.filter(|told| (told.request, told.round) == (index, number)) {
                recorder.mark(MarkerKind::Compaction, "summary", told.text.span());
                recorder.begin_unlisted(Message::earlier_summary(), told.text.span());
                recorder.text(PartKind::Summary, Some(told.text));
            }
        }
        if rounds.is_empty() {
            read_shown(request, is_sent, recorder);
        }
    }
    Ok(SummaryPlacement::Record(&write::RECORDED))
}

/// A summary, and the round up to which it stands for everything.
#[derive(Clone, Copy)]
struct Told<'d> {
    request: usize,
    round: usize,
    text: Text<'d>,
}

/// The summary of the newest round that has one. It stands with its round, or in the metadata of a later request.
fn newest_summary<'d>(requests: &[Request<'d>]) -> Option<Told<'d>> {
    let mut newest: Option<Told<'d>> = None;
    for (index, request) in requests.iter().enumerate() {
        let own = request.rounds().into_iter().enumerate().filter_map(|(round, value)| {
            Some(Told { request: index, round, text: value.text_of("summary")? })
        });
        // Newer versions record every summary of a request, of which the last counts.
        let recorded = request.metadata().and_then(|metadata| {
            metadata.elements_of("summaries").last().or_else(|| metadata.present("summary"))
        });
        let by_id = recorded.and_then(|summary| {
            let id = summary.text_of("toolCallRoundId")?.decode();
            let text = summary.text_of("text")?;
            requests.iter().enumerate().take(index + 1).rev().find_map(|(request, value)| {
                let is_of = |round: &Value<'_>| round.text_of("id").is_some_and(|own| own.is(&id));
                let round = value.rounds().iter().position(is_of)?;
                Some(Told { request, round, text })
            })
        });
        for told in own.chain(by_id) {
            if newest.is_none_or(|newest| (newest.request, newest.round) <= (told.request, told.round)) {
                newest = Some(told);
            }
        }
    }
    newest
}

/// What the person asked: as it was sent, with the context around it, or as it was typed.
fn spoken<'d>(request: &Request<'d>) -> Vec<Block<'d>> {
    let rendered = request.metadata().into_iter().flat_map(|metadata| metadata.elements_of("renderedUserMessage"));
    let rendered: Vec<_> = rendered
        .filter(|part| !part.members().all(|(key, _)| key.is("type") || key.is("cacheType")))
        .map(|part| match part.text_of("text") {
            Some(text) => Block::Text(Some(text)),
            None => Block::Media(PartKind::Image, part.get("imageUrl").and_then(|image| image.get("url")), part),
        })
        .collect();
    if !rendered.is_empty() {
        return rendered;
    }
    let message = request.value.present("message");
    message.and_then(|message| message.text().or_else(|| message.text_of("text")))
        .filter(|text| !text.is_empty()).map_or_else(Vec::new, |text| vec![Block::Text(Some(text))])
}

fn read_round(round: Value<'_>, request: &Request<'_>, active: bool, recorder: &mut Recorder) {
    let thinking = round.present("thinking").map(|thinking| {
        Block::Thinking(thinking.text_of("text"), thinking.text_of("encrypted"))
    });
    let calls = || round.elements_of("toolCalls");
    let made = calls().map(|call| {
        Block::Call(Called { id: call.text_of("id"), name: call.text_of("name"), input: call.get("arguments") })
    });
    let said = round.text_of("response").filter(|text| !text.is_empty()).map(|text| Block::Text(Some(text)));
    let blocks: Vec<_> = thinking.into_iter().chain(said).chain(made).collect();
    record(Message { active, ..message_of(Role::Assistant, &blocks) }, round.span(), &blocks, recorder);
    let results = request.metadata().and_then(|metadata| metadata.present("toolCallResults"));
    for call in calls() {
        let id = call.text_of("id");
        let named = id.and_then(|id| results?.get(&id.decode()));
        if let Some(result) = named.filter(|result| result.is_object()) {
            recorder.begin(Message { active, ..Message::new(Role::Tool) }, result.span());
            read_result(id, result, recorder);
        }
    }
}

/// A result: texts, and trees of a prompt whose leaves are texts.
fn read_result(id: Option<Text<'_>>, result: Value<'_>, recorder: &mut Recorder) {
    let content = result.present("content");
    let mut leaves = Vec::new();
    for part in content.into_iter().flat_map(Value::elements) {
        collect(part, &mut leaves);
    }
    let length = leaves.iter().fold(Length::default(), |sum, leaf| sum.plus(length_of_value(*leaf)));
    let sole = if let [leaf] = leaves.as_slice() { leaf.text() } else { None };
    let pieces = u16::try_from(leaves.len()).unwrap_or(u16::MAX);
    let output = recorder.output_of(sole, id, false);
    let part = Part { output, pieces, ..Part::new(PartKind::ToolResult, length) };
    // 21 is what VS Code writes for a part of text.
    let slot = Slot::of_member(result, "content", Shape::Within(r#"[{"$mid":21,"value":"#, "}]"));
    recorder.result(id, None, part, Some(slot));
    recorder.set_places(leaves.into_iter().map(Value::span));
}

/// The texts of a part of a result, in their order.
fn collect<'d>(part: Value<'d>, leaves: &mut Vec<Value<'d>>) {
    let mut open = vec![part];
    while let Some(value) = open.pop() {
        let text = ["value", "text"].into_iter().find_map(|key| value.get(key).filter(|text| text.is_string()));
        if let Some(text) = text {
            leaves.push(text);
            continue;
        }
        let inner = ["value", "node"].into_iter().find_map(|key| value.get(key)).filter(|inner| inner.is_object());
        open.extend(inner);
        let mut children: Vec<_> = value.elements_of("children").collect();
        children.reverse();
        open.extend(children);
    }
}

/// What the person saw, of a request without rounds.
fn read_shown(request: &Request<'_>, active: bool, recorder: &mut Recorder) {
    let blocks: Vec<_> = request
        .response
        .iter()
        .filter_map(|part| match part.text_of("kind").map(Text::decode).as_deref() {
            None => part.text_of("value").map(|text| Block::Text(Some(text))),
            Some("markdownContent") => part.get("content")?.text_of("value").map(|text| Block::Text(Some(text))),
            _ => None,
        })
        .collect();
    let Some(first) = request.response.first().filter(|_| !blocks.is_empty()) else { return };
    record(Message { active, ..message_of(Role::Assistant, &blocks) }, first.span(), &blocks, recorder);
}

#[cfg(test)]
mod tests;

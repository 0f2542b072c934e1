//! Texts for people beside the context: titles and bodies, which a small model writes.
//!
//! None of them is sent with the conversation. Each function returns the request; the answer is stored in the
//! session's or the user message's fields for it.

use ebbline::json::Value;
use ebbline::notation::javascript::{Utf16, is_white_space};
use ebbline::summary::LANGUAGE;
use serde::Serialize;

use super::context::is_real;
use super::message::{StoredMessage, flag, is};
use super::model::Model;
use super::model_messages::model_messages;
use super::object::{Json, Object};
use super::sent::Conversion;
use super::version::Version;

/// The maximum length of a session's title in UTF-16 units, and how many units of a longer one precede its three
/// dots.
const TITLE_MAX: usize = 100;
const TITLE_KEPT: usize = 97;

/// A request to the small model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisplayRequest {
    /// The system prompt.
    pub system: String,
    /// The model messages.
    pub messages: Vec<Json>,
    /// The maximum number of tokens of the answer; `None` for the model's own limit.
    pub max_tokens: Option<u64>,
}

/// The body of a user message: the answer's own last text, or a model's summary of the whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Body {
    /// The request, if a model has to write the body.
    pub request: Option<DisplayRequest>,
    /// The body, if there is no request or its answer fails.
    pub body: Option<Utf16>,
}

/// The request for the title of the user message `id`: from the text that a person typed, once.
///
/// Only until January 2026; later versions only name the session. `reasons` says whether the small model thinks
/// before it answers, for which the limit of December leaves room.
///
/// Source: each version's commit.
#[must_use]
pub fn message_title_request(
    messages: &[StoredMessage<'_>],
    id: &Utf16,
    reasons: bool,
    version: Version,
) -> Option<DisplayRequest> {
    let message = user_message(messages, id).filter(|_| version.titles_messages())?;
    let is_titled = message.info().get("summary").is_some_and(|summary| flag(summary, "title"));
    let typed = message.parts().find(|part| is(*part, "type", "text") && !flag(*part, "synthetic"));
    let typed = typed.filter(|_| !is_titled)?;
    let mut text = Utf16::from("<text>\n");
    text.push(&typed.text_of("text").map(Utf16::from).unwrap_or_default());
    text.push_str("\n</text>");
    let max_tokens = (version == Version::V2025_12).then_some(if reasons { 1_500 } else { 20 });
    Some(DisplayRequest { system: title_prompt("the text"), messages: vec![user_text(&text)], max_tokens })
}

/// The request for a session's title: from its first real user message, while that is the only one.
///
/// A message whose parts are all synthetic is not a person's. A request that consists of subtasks is named after
/// their prompts.
///
/// Source: the commit of June 2026.
#[must_use]
pub fn session_title_request(messages: &[StoredMessage<'_>], model: &Model) -> Option<DisplayRequest> {
    let mut real = messages.iter().enumerate().filter(|(_, message)| is_real(**message));
    let (first, message) = real.next().filter(|_| real.next().is_none())?;
    let subtasks: Vec<Value<'_>> = message.parts().filter(|part| is(*part, "type", "subtask")).collect();
    let asked = user_text(&Utf16::from("This is how the conversation begins:"));
    let messages = if !subtasks.is_empty() && subtasks.len() == message.parts().count() {
        let prompts: Vec<Utf16> =
            subtasks.iter().filter_map(|task| task.text_of("prompt")).map(Utf16::from).collect();
        vec![asked, user_text(&Utf16::join(&prompts, "\n"))]
    } else {
        let context = messages.get(..=first).unwrap_or_default();
        let sent = model_messages(context, model, Conversion::default());
        std::iter::once(asked).chain(sent.messages().iter().cloned()).collect()
    };
    Some(DisplayRequest { system: title_prompt("the conversation"), messages, max_tokens: None })
}

/// The title in a reply: until January 2026 the whole reply; later its first line that is not blank, without the
/// model's thinking, cut to 100 UTF-16 units. `None` if nothing remains.
#[must_use]
pub fn title_of_reply(reply: &Utf16, version: Version) -> Option<Utf16> {
    if version.titles_messages() {
        return Some(reply.clone()).filter(|title| !title.is_empty());
    }
    // White space at the start may span lines; the first line with text follows it.
    let spoken = without_thinking(reply).trim();
    let end = find(&spoken, "\n", 0).map_or(spoken.len(), |(start, _)| start);
    let title = Some(spoken.slice(0, end).trim()).filter(|title| !title.is_empty())?;
    if title.len() <= TITLE_MAX {
        return Some(title);
    }
    let mut cut = title.slice(0, TITLE_KEPT);
    cut.push_str("...");
    Some(cut)
}

/// The body of the user message `id`: two sentences about what was done, after its answer has ended.
///
/// A model writes it if files were changed (`has_diffs`) or if the answer ends without text; it gets the whole answer
/// with replaced tool outputs. Only in December 2025.
///
/// Source: each version's commit.
#[must_use]
pub fn message_body(
    messages: &[StoredMessage<'_>],
    id: &Utf16,
    has_diffs: bool,
    model: &Model,
    version: Version,
) -> Body {
    if user_message(messages, id).is_none() || !version.writes_bodies() {
        return Body::default();
    }
    let exchange = exchange(messages, id);
    let ends_step = |part: Value<'_>| is(part, "type", "step-finish") && !is(part, "reason", "tool-calls");
    if !exchange.iter().any(|message| message.is_assistant() && message.parts().any(ends_step)) {
        return Body::default();
    }
    let answer = exchange.iter().rfind(|message| message.is_assistant());
    let words = answer.and_then(|answer| answer.parts().filter(|part| is(*part, "type", "text")).last());
    let body = words.and_then(|part| part.text_of("text")).filter(|text| !text.is_empty()).map(Utf16::from);
    if body.is_some() && !has_diffs {
        return Body { request: None, body };
    }
    let sent = model_messages(&exchange, model, Conversion::WITHOUT_OUTPUTS);
    let mut text = Utf16::from("<conversation>\n");
    text.push_str(sent.to_json().as_str());
    text.push_str("\n</conversation>");
    let system = format!(
        "Say in at most two sentences what was done in this conversation and why, as the one who did it. Leave out \
         what was asked. {LANGUAGE}"
    );
    let request = DisplayRequest { system, messages: vec![user_text(&text)], max_tokens: Some(100) };
    Body { request: Some(request), body }
}

fn user_message<'d>(messages: &[StoredMessage<'d>], id: &Utf16) -> Option<StoredMessage<'d>> {
    messages.iter().copied().find(|message| message.is_user() && message.id().as_ref() == Some(id))
}

/// A user message and its answers.
pub(super) fn exchange<'d>(messages: &[StoredMessage<'d>], id: &Utf16) -> Vec<StoredMessage<'d>> {
    let belongs = |message: &&StoredMessage<'_>| {
        message.id().as_ref() == Some(id)
            || (message.is_assistant() && message.parent_id().as_ref() == Some(id))
    };
    messages.iter().filter(belongs).copied().collect()
}

fn title_prompt(what: &str) -> String {
    format!(
        "Give {what} a name by which its author finds it again in a list: what it is about, in one line of at most \
         50 characters, without quotes and without a full stop. Answer with the name alone. {LANGUAGE}"
    )
}

fn user_text(text: &Utf16) -> Json {
    let content = Object::typed("text").text("text", text).end();
    Object::new().word("role", "user").json("content", Json::list([&content]).as_str()).end()
}

/// The text without everything between `<think>` and `</think>`, and without the white space after it.
fn without_thinking(text: &Utf16) -> Utf16 {
    let mut spoken = Utf16::default();
    let mut at = 0;
    while let Some((open, inside)) = find(text, "<think>", at)
        && let Some((_, after)) = find(text, "</think>", inside)
    {
        spoken.push(&text.slice(at, open));
        let rest = text.units().get(after..).unwrap_or_default();
        at = after + rest.iter().take_while(|unit| is_white_space(**unit)).count();
    }
    spoken.push(&text.slice(at, text.len()));
    spoken
}

/// The start and end of `word` in `text`, in UTF-16 units, at `from` or later.
fn find(text: &Utf16, word: &str, from: usize) -> Option<(usize, usize)> {
    let word: Vec<u16> = word.encode_utf16().collect();
    let rest = text.units().get(from..)?;
    let start = from + rest.windows(word.len()).position(|window| window == word)?;
    Some((start, start + word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    fn title(reply: &str, version: Version) -> Option<String> {
        title_of_reply(&Utf16::from(reply), version).map(|title| title.to_text())
    }

    #[test]
    fn a_title_is_the_first_line_that_says_something() {
        let long = "x".repeat(101);
        let cases = [
            ("  Fix the build \nmore", Some("Fix the build".to_owned())),
            ("<think>\nhm\n</think>\n\nName", Some("Name".to_owned())),
            ("<think>a</think> <think>b</think>c", Some("c".to_owned())),
            ("<think>never closed", Some("<think>never closed".to_owned())),
            (" \n\t\n", None),
            ("", None),
            (long.as_str(), Some(format!("{}...", "x".repeat(97)))),
        ];
        for (reply, expected) in cases {
            assert_eq!(title(reply, Version::V2026_06), expected, "{reply:?}");
        }
        assert_eq!(title(" as it is\n", Version::V2026_01).as_deref(), Some(" as it is\n"));
    }

    fn user(id: &str, parts: &str) -> String {
        format!(r#"{{"info":{{"id":"{id}","role":"user"}},"parts":[{parts}]}}"#)
    }

    fn asked(
        messages: &[String],
        of: impl Fn(&[StoredMessage<'_>]) -> Option<DisplayRequest>,
    ) -> Option<String> {
        let source = format!("[{}]", messages.join(","));
        let document = Document::parse(&source).unwrap();
        let request = of(&StoredMessage::list(document.root()).unwrap())?;
        Some(request.messages.last().unwrap().as_str().to_owned())
    }

    #[test]
    fn a_session_is_named_after_its_only_real_user_message() {
        let synthetic = user("s", r#"{"type":"text","text":"hint","synthetic":true}"#);
        let first = user("a", r#"{"type":"text","text":"hello"}"#);
        let subtask = user("t", r#"{"type":"subtask","prompt":"look"}"#);
        let name = |messages: &[String]| {
            asked(messages, |messages| session_title_request(messages, &Model::default()))
        };
        assert!(name(&[synthetic.clone(), first.clone()]).unwrap().contains("hello"));
        assert!(name(&[subtask]).unwrap().contains("look"));
        assert_eq!(name(&[first.clone(), first]), None, "two of them");
        assert_eq!(name(&[synthetic]), None, "none of them");
    }

    #[test]
    fn a_message_is_named_once_and_only_by_the_older_versions() {
        let plain = [user("a", r#"{"type":"text","text":"hello"}"#)];
        let id = Utf16::from("a");
        for (version, is_named) in
            [(Version::V2025_12, true), (Version::V2026_01, true), (Version::V2026_06, false)]
        {
            let name = asked(&plain, |messages| message_title_request(messages, &id, false, version));
            assert_eq!(name.is_some(), is_named, "{version:?}");
        }
        let named = [plain[0].replace(r#""role""#, r#""summary":{"title":"t"},"role""#)];
        assert_eq!(
            asked(&named, |messages| message_title_request(messages, &id, false, Version::V2025_12)),
            None
        );
    }

    #[test]
    fn a_body_is_the_last_words_unless_files_changed() {
        let answer = r#"{"info":{"role":"assistant","parentID":"a"},"parts":[
            {"type":"tool","callID":"c","tool":"t","state":{"status":"completed","output":"secret"}},
            {"type":"text","text":"done"},{"type":"step-finish","reason":"stop"}]}"#;
        let source = format!("[{},{answer}]", user("a", r#"{"type":"text","text":"do it"}"#));
        let document = Document::parse(&source).unwrap();
        let messages = StoredMessage::list(document.root()).unwrap();
        let body = |has_diffs, version| {
            message_body(&messages, &Utf16::from("a"), has_diffs, &Model::default(), version)
        };
        let plain = body(false, Version::V2025_12);
        assert_eq!((plain.request.is_none(), plain.body.unwrap().to_text()), (true, "done".to_owned()));
        let request = body(true, Version::V2025_12).request.unwrap();
        let conversation = request.messages[0].as_str();
        assert!(conversation.contains("[TOOL OUTPUT PRUNED]") && !conversation.contains("secret"));
        assert_eq!(request.max_tokens, Some(100));
        assert_eq!(body(true, Version::V2026_01), Body::default());
    }
}

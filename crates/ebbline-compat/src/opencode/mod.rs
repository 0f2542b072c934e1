//! The released 1.x line of `OpenCode`: its overflow test, its pruning, its compactions and the messages it sends, as
//! of December 2025, January 2026 and June 2026.
//!
//! All functions take stored messages, `{info, parts}`, as `OpenCode` exports them. A function that needs a model
//! returns the request, and the caller passes the reply.

mod answer;
mod context;
mod created;
mod diffs;
mod display;
mod failure;
mod media;
mod message;
mod model;
mod model_messages;
mod object;
mod overflow;
mod process;
mod prompt;
mod prune;
mod sent;
mod step;
pub(crate) mod tail;
mod task;
mod version;

pub(crate) use context::back_to_marker;
pub use context::{Latest, filter_compacted, latest};
pub use created::Created;
pub use diffs::{Changes, Snapshots, Totals, changes};
pub use display::{
    Body, DisplayRequest, message_body, message_title_request, session_title_request, title_of_reply,
};
pub use failure::{ErrorData, Metadata, StoredError, Thrown, from_error, is_context_overflow};
pub use message::StoredMessage;
pub use model::Model;
pub use model_messages::model_messages;
pub use object::Json;
pub use overflow::{Config, Limits, Usage, is_overflow, usable};
pub use process::{Compaction, Head, process};
pub use prompt::summary_prompt;
pub use prune::{Counted, Pruned, prune};
pub use sent::{Conversion, ModelMessages};
pub use step::{Action, Setting, Step, after_answer, next_step};
pub use task::{Hooks, NewIds, Outcome, Task};
pub use version::Version;

use ebbline::Error;
use ebbline::json::Text;
use ebbline::notation::javascript::{Number, Utf16};
use serde::Serialize;

use super::question::Question;

pub(crate) fn ask(question: Question<'_>) -> Result<String, Error> {
    let Question { data, options, .. } = question;
    let version = Version::named(question.version().as_deref())?;
    let messages = || StoredMessage::list(data);
    match question.name {
        "usable" | "isOverflow" => Question::answer(&room(question, version)),
        "filterCompacted" => {
            let messages = messages()?;
            let context = filter_compacted(&messages, version);
            let ids = context
                .into_iter()
                .map(|index| messages.get(index).and_then(|message| message.id()))
                .collect();
            Question::answer(&Ids { ids })
        }
        "latest" => Question::answer(&latest(&messages()?, version)),
        "step" => step::ask_step(question, version),
        "modelMessages" => {
            let sent =
                model_messages(&messages()?, &Model::of(options.get("model")), Conversion::of(options));
            Question::answer(&Sent {
                messages: sent.messages(),
                json_length: sent.json_length(),
                estimate: sent.estimate(),
            })
        }
        "prune" => Question::answer(&prune(&messages()?, Config::of(options.get("config")), version)),
        "process" => Question::answer(&process(&messages()?, &Task::of(options, version)?)?),
        "titleRequest" => {
            let (messages, of) = (messages()?, message_id(question));
            let model = Model::of(options.get("model"));
            let request = match &of {
                Some(id) => {
                    message_title_request(&messages, id, message::flag(options, "reasoning"), version)
                }
                None => session_title_request(&messages, &model),
            };
            Question::answer(&Asked { request })
        }
        "title" => {
            let reply = data.text().map(Utf16::from).unwrap_or_default();
            Question::answer(&Title { title: title_of_reply(&reply, version) })
        }
        "bodyRequest" => {
            let (id, model) = (message_id(question).unwrap_or_default(), Model::of(options.get("model")));
            let has_diffs = message::flag(options, "hasDiffs");
            Question::answer(&message_body(&messages()?, &id, has_diffs, &model, version))
        }
        "diffs" => {
            let file_diffs: Vec<_> = options.elements_of("fileDiffs").collect();
            let worktree = options.text_of("worktree").map(Text::decode).unwrap_or_default();
            let of = message_id(question);
            Question::answer(&changes(&messages()?, of.as_ref(), &file_diffs, &worktree, version))
        }
        "isContextOverflow" => failure::ask_is_overflow(question),
        "fromError" => failure::ask_from_error(question),
        _ => Err(question.unknown("OpenCode")),
    }
}

/// The user message of the question; `None` for the whole session.
fn message_id(question: Question<'_>) -> Option<Utf16> {
    question.options.text_of("messageID").map(Utf16::from)
}

fn room(question: Question<'_>, version: Version) -> Room {
    let Question { data, options, .. } = question;
    let (limits, config) = (Limits::of_model(options.get("model")), Config::of(options.get("config")));
    let output_max = options.present("outputTokenMax").map(message::to_number);
    Room {
        usable: Number(usable(limits, config, output_max, version)),
        is_overflow: is_overflow(Usage::of(data), limits, config, output_max, version),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Room {
    usable: Number,
    is_overflow: bool,
}

#[derive(Serialize)]
struct Asked {
    request: Option<DisplayRequest>,
}

#[derive(Serialize)]
struct Title {
    title: Option<Utf16>,
}

#[derive(Serialize)]
struct Ids {
    ids: Vec<Option<Utf16>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sent<'s> {
    messages: &'s [Json],
    json_length: usize,
    estimate: u64,
}

#[cfg(test)]
mod tests {
    use crate::ask;

    const EXCHANGE: &str = r#"[
        {"info":{"id":"u","role":"user"},"parts":[{"type":"text","text":"hello"}]},
        {"info":{"id":"a","role":"assistant","parentID":"u","finish":"stop"},
         "parts":[{"type":"step-start","snapshot":"1"},{"type":"text","text":"hi"},
                  {"type":"step-finish","reason":"stop","snapshot":"2"}]}]"#;

    #[test]
    fn every_question_has_its_answer() {
        let cases = [
            (
                "usable",
                "{}",
                r#"{"model":{"limit":{"context":9,"output":4}}}"#,
                r#"{"usable":5,"isOverflow":false}"#,
            ),
            ("isOverflow", "null", "{}", r#"{"usable":"NaN","isOverflow":false}"#),
            ("filterCompacted", EXCHANGE, "{}", r#"{"ids":["u","a"]}"#),
            ("latest", EXCHANGE, "{}", r#"{"user":"u","assistant":"a","finished":"a","tasks":[]}"#),
            ("modelMessages", "[]", "{}", r#"{"messages":[],"jsonLength":2,"estimate":1}"#),
            ("prune", EXCHANGE, "{}", r#"{"prunedParts":[],"counted":null}"#),
            ("title", r#"" Greeting\n""#, "{}", r#"{"title":"Greeting"}"#),
            ("titleRequest", EXCHANGE, r#"{"messageID":"u"}"#, r#"{"request":null}"#),
            (
                "bodyRequest",
                EXCHANGE,
                r#"{"version":"2025-12","messageID":"u"}"#,
                r#"{"request":null,"body":"hi"}"#,
            ),
            (
                "diffs",
                EXCHANGE,
                r#"{"fileDiffs":[{"file":"f","additions":2,"deletions":1}]}"#,
                r#"{"snapshots":{"from":"1","to":"2"},"diffs":[{"file":"f","additions":2,"deletions":1}],"totals":{"additions":2,"deletions":1,"files":1}}"#,
            ),
        ];
        for (name, data, options, expected) in cases {
            assert_eq!(ask("opencode", name, data, options).unwrap(), expected, "{name}");
        }
        let options = r#"{"parentID":"u","model":{"limit":{"context":9000,"output":1000}}}"#;
        let compaction = ask("opencode", "process", EXCHANGE, options).unwrap();
        assert!(compaction.starts_with(r#"{"result":"continue","tailStartID":null,"head":{"count":2,"#));
    }

    #[test]
    fn what_cannot_be_answered_is_refused() {
        let cases =
            [("guess", "[]", "{}"), ("prune", "5", "{}"), ("latest", "[]", r#"{"version":"2024-01"}"#)];
        for (name, data, options) in cases {
            assert_eq!(
                ask("opencode", name, data, options).unwrap_err().code(),
                "invalid_settings",
                "{name}"
            );
        }
    }
}

//! One compaction: what is summarized and kept, the request, and what is written afterwards.

use std::collections::HashSet;
use std::ops::Range;

use ebbline::Error;
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::context::completed_compactions;
use super::created::{Created, written};
use super::message::{StoredMessage, estimate};
use super::model_messages::model_messages;
use super::object::Json;
use super::overflow::{larger, smaller, usable};
use super::prompt::summary_prompt;
use super::sent::{Conversion, JsonSize};
use super::tail::tail_start;
use super::task::{Outcome, Task};

/// How many of the newest turns may be kept, unless the configuration says otherwise.
const TAIL_TURNS: f64 = 2.0;

/// The minimum and maximum of the tokens that these turns may have; the share of the room for input lies between.
const TAIL_TOKENS: Range<f64> = 2_000.0..8_000.0;
const TAIL_SHARE: f64 = 0.25;

/// The request and the result of a compaction. Only `result`, `tail_start_id` and `created` depend on the outcome:
/// call the function once for the request, and again with the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// How the agent continues.
    pub result: Outcome,
    /// What to write into the marker: the id of the first message that is kept word for word. `None` leaves the
    /// marker unchanged.
    #[serde(rename = "tailStartID")]
    pub tail_start_id: Option<Utf16>,
    /// What is summarized.
    pub head: Head,
    /// The request's last message, after `head`. The request has no system prompt and no tools.
    pub prompt: Utf16,
    /// The messages that are written, with the ids of the task and without times.
    pub created: Created,
}

/// The model messages that are summarized.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Head {
    /// How many there are.
    pub count: usize,
    /// The messages.
    pub messages: Vec<Json>,
}

/// Carries out the compaction of the marker `task.parent_id`.
///
/// Source: `SessionCompaction.process` of each version's commit.
///
/// # Errors
///
/// `invalid_settings` if the marker is not a user message of `messages`, or if the task contains too few new ids.
pub fn process(messages: &[StoredMessage<'_>], task: &Task) -> Result<Compaction, Error> {
    let is_parent = |message: &&StoredMessage<'_>| message.id().as_ref() == Some(&task.parent_id);
    let parent = messages.iter().rfind(is_parent).filter(|message| message.is_user()).ok_or_else(|| {
        let parent = task.parent_id.to_text();
        Error::invalid_settings(format!("the compaction marker {parent:?} is not a user message"))
    })?;
    let replayed =
        if task.overflow && task.version.keeps_tail() { overflowing(messages, task) } else { None };
    let history = messages.get(..replayed.unwrap_or(messages.len())).unwrap_or_default();
    let request =
        if task.version.keeps_tail() { anchored(history, *parent, task) } else { whole(history, task) };
    let replayed = replayed.and_then(|at| messages.get(at)).copied();
    let tail_start_id = request.tail.filter(|tail| {
        let marked = parent.marker().map(|marker| marker.text_of("tail_start_id").map(Utf16::from));
        task.outcome != Outcome::Compact && marked.is_some_and(|marked| marked.as_ref() != Some(tail))
    });
    Ok(Compaction {
        result: match task.outcome {
            Outcome::Compact if task.version.keeps_tail() => Outcome::Stop,
            Outcome::Compact => Outcome::Continue,
            outcome => outcome,
        },
        tail_start_id,
        head: Head { count: request.head.len(), messages: request.head },
        prompt: request.prompt,
        created: written(*parent, replayed, task)?,
    })
}

/// The request that exceeded the window: the newest user message before the marker, if another user message remains
/// before it.
fn overflowing(messages: &[StoredMessage<'_>], task: &Task) -> Option<usize> {
    let marker = messages.iter().position(|message| message.id().as_ref() == Some(&task.parent_id))?;
    let before = messages.get(..marker)?;
    let request = before.iter().rposition(|message| message.begins_turn())?;
    before.get(..request)?.iter().any(|message| message.begins_turn()).then_some(request)
}

struct Request {
    head: Vec<Json>,
    tail: Option<Utf16>,
    prompt: Utf16,
}

/// Everything is summarized, including the marker.
fn whole(history: &[StoredMessage<'_>], task: &Task) -> Request {
    let head = model_messages(history, &task.model, Conversion::default());
    Request { head: head.messages().to_vec(), tail: None, prompt: prompt(None, task) }
}

/// Older compactions are hidden, the newest turns are kept, and the messages between are summarized.
fn anchored(history: &[StoredMessage<'_>], parent: StoredMessage<'_>, task: &Task) -> Request {
    let ends_with_marker = parent.marker().is_some()
        && history.last().is_some_and(|last| last.id().as_ref() == Some(&task.parent_id));
    let history =
        if ends_with_marker { history.split_last().map_or(history, |(_, rest)| rest) } else { history };
    let completed = completed_compactions(history);
    let hidden: HashSet<usize> = completed.iter().flat_map(|done| [done.marker, done.summary]).collect();
    let visible: Vec<StoredMessage<'_>> = history
        .iter()
        .enumerate()
        .filter(|(index, _)| !hidden.contains(index))
        .map(|(_, message)| *message)
        .collect();
    // A tail that begins with the first message would leave nothing to summarize.
    let tail = tail(&visible, task).filter(|start| *start > 0);
    let head = visible.get(..tail.unwrap_or(visible.len())).unwrap_or_default();
    let previous = completed.last().and_then(|newest| newest.text.as_ref());
    Request {
        head: model_messages(head, &task.model, Conversion::FOR_SUMMARY).messages().to_vec(),
        tail: tail.and_then(|start| visible.get(start)?.id()),
        prompt: prompt(previous, task),
    }
}

fn prompt(previous: Option<&Utf16>, task: &Task) -> Utf16 {
    let own = || summary_prompt(previous, &task.hooks.context, task.version);
    task.hooks.prompt.clone().unwrap_or_else(own)
}

fn tail(messages: &[StoredMessage<'_>], task: &Task) -> Option<usize> {
    let starts = messages.iter().enumerate().filter(|(_, message)| message.begins_turn());
    let starts: Vec<usize> = starts.map(|(index, _)| index).collect();
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    let turns: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    // The sizes up to each message; the size of a range is a difference.
    let mut sizes = vec![JsonSize::default()];
    for message in messages {
        let size =
            JsonSize::of(&model_messages(std::slice::from_ref(message), &task.model, Conversion::default()));
        sizes.push(sizes.last().copied().unwrap_or_default().plus(size));
    }
    let up_to = |index: usize| sizes.get(index).copied().unwrap_or_default();
    let size =
        |range: Range<usize>| estimate(up_to(range.end).minus(up_to(range.start)).list_length()) as f64;
    tail_start(&turns, task.config.tail_turns.unwrap_or(TAIL_TURNS), budget(task), size)
}

fn budget(task: &Task) -> f64 {
    task.config.preserve_recent_tokens.unwrap_or_else(|| {
        let share = (usable(task.model.limits, task.config, None, task.version) * TAIL_SHARE).floor();
        smaller(TAIL_TOKENS.end, larger(TAIL_TOKENS.start, share))
    })
}

#[cfg(test)]
mod tests {
    use super::super::version::Version;
    use super::*;
    use ebbline::json::Document;

    const MODEL: &str = r#"{"providerID":"p","id":"m","limit":{"context":100000,"output":1000}}"#;

    fn message(id: &str, role: &str, part: &str) -> String {
        format!(
            r#"{{"info":{{"id":"{id}","sessionID":"s","role":"{role}","agent":"build"}},"parts":[{part}]}}"#
        )
    }

    fn text(length: usize) -> String {
        format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(length))
    }

    fn turns(sizes: &[usize]) -> Vec<String> {
        let mut messages: Vec<String> = Vec::new();
        for (index, size) in sizes.iter().enumerate() {
            messages.push(message(&format!("u{index}"), "user", &text(*size)));
            messages.push(message(&format!("a{index}"), "assistant", &text(*size)));
        }
        messages.push(message("m", "user", r#"{"type":"compaction"}"#));
        messages
    }

    fn run(messages: &[String], options: &str) -> Result<Compaction, Error> {
        let source = format!("[{}]", messages.join(","));
        let options = format!(r#"{{"parentID":"m","auto":true,"model":{MODEL}{options}}}"#);
        let (document, options) = (Document::parse(&source).unwrap(), Document::parse(&options).unwrap());
        process(&StoredMessage::list(document.root())?, &Task::of(options.root(), Version::V2026_06)?)
    }

    #[test]
    fn the_newest_turns_stay_as_far_as_they_fit() {
        let cases = [
            (vec![100, 100, 100], "", Some("u1"), 2),
            (vec![100, 100], "", None, 4),
            (vec![100, 100, 40_000], "", None, 6),
            (vec![100, 100, 12_000], "", Some("u1"), 2),
            (vec![100, 100, 20_000], "", Some("a2"), 5),
            (vec![100, 100, 100], r#","config":{"compaction":{"tail_turns":1}}"#, Some("u2"), 4),
            (vec![100, 100, 100], r#","config":{"compaction":{"preserve_recent_tokens":60}}"#, Some("a2"), 5),
        ];
        for (sizes, options, tail, head) in cases {
            let compaction = run(&turns(&sizes), options).unwrap();
            let tail_id = compaction.tail_start_id.map(|id| id.to_text());
            assert_eq!((tail_id.as_deref(), compaction.head.count), (tail, head), "{sizes:?} {options}");
        }
    }

    #[test]
    fn what_is_written_depends_on_how_the_request_ended() {
        let cases = [
            ("", Outcome::Continue, 2, 1),
            (r#","hooks":{"autocontinue":false}"#, Outcome::Continue, 1, 0),
            (r#","outcome":"stop""#, Outcome::Stop, 1, 0),
            (r#","outcome":"compact""#, Outcome::Stop, 2, 0),
            (r#","overflow":true"#, Outcome::Continue, 2, 1),
        ];
        for (options, result, messages, parts) in cases {
            let compaction = run(&turns(&[100, 100, 100]), options).unwrap();
            let created = &compaction.created;
            assert_eq!((created.messages.len(), created.parts.len()), (messages, parts), "{options}");
            assert_eq!(compaction.result, result, "{options}");
        }
        assert_eq!(run(&turns(&[1]), r#","outcome":"later""#).unwrap_err().code(), "invalid_settings");
    }

    #[test]
    fn an_overflowing_request_is_repeated_without_its_media() {
        let file = r#"{"id":"f","type":"file","mime":"image/png","url":"data:,","filename":"shot.png"}"#;
        let mut messages = turns(&[100]);
        messages
            .insert(2, message("big", "user", &format!(r#"{{"id":"t","type":"text","text":"see"}},{file}"#)));
        let ids = r#","newIDs":{"messages":["msg_new1","msg_new2"],"parts":["prt_new3","prt_new4"]}"#;
        let compaction = run(&messages, &format!(r#","overflow":true{ids}"#)).unwrap();
        assert_eq!(compaction.head.count, 2, "the request itself is not summarized");
        let parts: Vec<&str> = compaction.created.parts.iter().map(Json::as_str).collect();
        assert_eq!(
            parts,
            [
                r#"{"id":"prt_new3","type":"text","text":"see","messageID":"msg_new2","sessionID":"s"}"#,
                r#"{"type":"text","text":"[Attached image/png: shot.png]","id":"prt_new4","messageID":"msg_new2","sessionID":"s"}"#,
            ]
        );
        let alone = [messages[2].clone(), messages[3].clone()];
        let alone = run(&alone, r#","overflow":true"#).unwrap();
        assert!(
            alone.created.parts[0].as_str().contains("media files were removed"),
            "nothing would remain before it"
        );
    }

    #[test]
    fn new_ids_are_the_callers() {
        let messages = turns(&[100]);
        let created = |ids: &str| {
            run(&messages, ids).map(|compaction| {
                let Created { messages, parts } = compaction.created;
                messages.iter().chain(&parts).map(|object| object.as_str().to_owned()).collect::<Vec<_>>()
            })
        };
        let given = created(r#","newIDs":{"messages":["x","y"],"parts":["z"]}"#).unwrap();
        for (object, id) in given.iter().zip([r#""id":"x""#, r#""id":"y""#, r#""id":"z","messageID":"y""#]) {
            assert!(object.contains(id), "{object}");
        }
        let bare = created("").unwrap();
        assert!(
            bare.iter().all(|object| !object.contains(r#""id":"#) && !object.contains("messageID")),
            "{bare:?}"
        );
        let error = created(r#","newIDs":{"messages":["x","y"]}"#).unwrap_err();
        assert_eq!((error.code(), error.message()), ("invalid_settings", "newIDs.parts has too few ids: 0"));
    }

    #[test]
    fn earlier_compactions_are_hidden_and_carried_on() {
        let mut messages = turns(&[100, 100, 100]);
        let summary = r#"{"info":{"id":"s0","role":"assistant","summary":true,"finish":"stop","parentID":"m0"},"parts":[{"type":"text","text":" known "}]}"#;
        messages.insert(2, message("m0", "user", r#"{"type":"compaction"}"#));
        messages.insert(3, summary.to_owned());
        let compaction = run(&messages, "").unwrap();
        assert_eq!(compaction.head.count, 2);
        assert!(compaction.prompt.to_text().contains("<previous-summary>\nknown\n</previous-summary>"));
        let own = run(&messages, r#","hooks":{"compacting":{"prompt":"mine","context":["x"]}}"#).unwrap();
        assert_eq!(own.prompt.to_text(), "mine");
    }

    #[test]
    fn a_marker_that_is_no_user_message_is_refused() {
        let messages = [message("m", "assistant", "")];
        assert_eq!(run(&messages, "").unwrap_err().code(), "invalid_settings");
        assert_eq!(run(&[], "").unwrap_err().code(), "invalid_settings");
    }
}

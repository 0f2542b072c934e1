//! Which messages of a session are sent, and which tasks are open.

use std::collections::{HashMap, HashSet};

use ebbline::format::opencode::{Outline, sent_in_order};
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::message::{StoredMessage, flag, is};
use super::object::Json;
use super::version::Version;

/// The messages that go to the model, in the order in which they are sent, as positions in `messages`.
///
/// They are read from the newest back to the marker of the latest completed compaction, or to the tail that it names;
/// the tail then moves behind the summary. Two results look like mistakes but are what the system does: a tail id
/// that names no message brings the whole history back, and a marker with a tail moves, and the messages before its
/// tail are dropped, even if its summary failed.
///
/// Until January 2026 there are no tails, and a failed summary counts like any other.
///
/// Source: `MessageV2.filterCompacted` of each version's commit.
#[must_use]
pub fn filter_compacted(messages: &[StoredMessage<'_>], version: Version) -> Vec<usize> {
    if version.keeps_tail() {
        let outlines: Vec<Outline> =
            messages.iter().map(|message| Outline::of(message.info(), message.parts())).collect();
        sent_in_order(&outlines)
    } else {
        (back_to_marker(messages, StoredMessage::is_finished)..messages.len()).collect()
    }
}

/// The position of the newest marker that has a summary; 0 if there is none. `counts` decides which summaries count.
pub(crate) fn back_to_marker<'d>(
    messages: &[StoredMessage<'d>],
    counts: fn(StoredMessage<'d>) -> bool,
) -> usize {
    let mut answered = HashSet::new();
    for (index, message) in messages.iter().enumerate().rev() {
        if message.is_user() && answered.contains(&message.id()) && message.marker().is_some() {
            return index;
        }
        if message.is_summary() && counts(*message) {
            answered.insert(message.parent_id());
        }
    }
    0
}

/// The newest messages of a context, and its open tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Latest {
    /// The id of the newest user message.
    pub user: Option<Utf16>,
    /// The id of the newest assistant message.
    pub assistant: Option<Utf16>,
    /// The id of the newest assistant message that the model has ended.
    pub finished: Option<Utf16>,
    /// The compaction and subtask parts of the messages that are newer than `finished`.
    pub tasks: Vec<Json>,
}

/// Finds the newest messages and open tasks of a context.
///
/// The newest message is the one with the greatest id, because a context that was reordered around a tail has older
/// messages behind newer ones. Versions without tails use the order of the messages, and list the newest message's
/// tasks first.
///
/// Source: `MessageV2.latest` (June 2026), and the session loop before.
#[must_use]
pub fn latest(messages: &[StoredMessage<'_>], version: Version) -> Latest {
    let newest = |wanted: fn(StoredMessage<'_>) -> bool| {
        let mut wanted = messages.iter().filter(|message| wanted(**message));
        if version.keeps_tail() {
            wanted.filter_map(|message| message.id()).max()
        } else {
            wanted.next_back().and_then(|message| message.id())
        }
    };
    let finished = newest(|message| message.is_finished());
    let tasks = open_tasks(messages, finished.as_ref(), version).into_iter().map(Json::of).collect();
    let (user, assistant) = (newest(|message| message.is_user()), newest(|message| message.is_assistant()));
    Latest { user, assistant, finished, tasks }
}

/// The compaction and subtask parts of the messages that are newer than the newest finished answer. The last one is
/// processed first.
pub(super) fn open_tasks<'d>(
    messages: &[StoredMessage<'d>],
    finished: Option<&Utf16>,
    version: Version,
) -> Vec<Value<'d>> {
    let open: Vec<StoredMessage<'_>> = if version.keeps_tail() {
        let is_newer = |id: Option<Utf16>| finished.is_none() || id.is_none() || id.as_ref() > finished;
        messages.iter().filter(|message| is_newer(message.id())).copied().collect()
    } else {
        messages.iter().rev().take_while(|message| !message.is_finished()).copied().collect()
    };
    let is_task = |part: &Value<'_>| is(*part, "type", "compaction") || is(*part, "type", "subtask");
    open.iter().flat_map(|message| message.parts().filter(is_task)).collect()
}

/// A completed compaction: the positions of its marker and summary, and the summary's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompletedCompaction {
    pub(super) marker: usize,
    pub(super) summary: usize,
    /// `None` when the summary is blank.
    pub(super) text: Option<Utf16>,
}

/// The completed compactions of `messages`, in the order of their summaries.
pub(super) fn completed_compactions(messages: &[StoredMessage<'_>]) -> Vec<CompletedCompaction> {
    let markers: HashMap<Option<Utf16>, usize> = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| message.is_user() && message.marker().is_some())
        .map(|(index, message)| (message.id(), index))
        .collect();
    let completed = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| message.is_summary() && message.is_finished() && !message.has_error());
    completed
        .filter_map(|(summary, message)| {
            let marker = *markers.get(&message.parent_id())?;
            Some(CompletedCompaction { marker, summary, text: text_of(*message) })
        })
        .collect()
}

fn text_of(message: StoredMessage<'_>) -> Option<Utf16> {
    let texts = message.parts().filter(|part| is(*part, "type", "text"));
    let texts: Vec<Utf16> = texts
        .filter_map(|part| Some(Utf16::from(part.text_of("text")?).trim()))
        .filter(|text| !text.is_empty())
        .collect();
    Some(Utf16::join(&texts, "\n\n")).filter(|text| !text.is_empty())
}

/// Whether a user message contains anything from a person: some part is not synthetic.
pub(super) fn is_real(message: StoredMessage<'_>) -> bool {
    message.is_user() && !message.parts().all(|part| flag(part, "synthetic"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    /// Messages in short: `u1` a user message, `a2<1` its finished answer, `m3` a marker, `m3>1` one with a tail,
    /// `s4<3` its summary, `f4<3` a summary that failed, `h4<3` one that is not finished.
    fn session(short: &str) -> String {
        let messages: Vec<String> = short
            .split(' ')
            .map(|word| {
                let (name, parent) = word.split_once('<').unwrap_or((word, "0"));
                let (name, tail) = name.split_once('>').unwrap_or((name, ""));
                let tail = if tail.is_empty() { String::new() } else { format!(r#","tail_start_id":"{tail}""#) };
                let (kind, id) = name.split_at(1);
                let info = match kind {
                    "u" | "m" => r#""role":"user""#.to_owned(),
                    "a" => format!(r#""role":"assistant","finish":"stop","parentID":"{parent}""#),
                    "s" => format!(r#""role":"assistant","finish":"stop","summary":true,"parentID":"{parent}""#),
                    "f" => format!(
                        r#""role":"assistant","finish":"stop","summary":true,"error":{{}},"parentID":"{parent}""#
                    ),
                    _ => format!(r#""role":"assistant","summary":true,"parentID":"{parent}""#),
                };
                let part = if kind == "m" { format!(r#"{{"type":"compaction"{tail}}}"#) } else { String::new() };
                format!(r#"{{"info":{{"id":"{id}",{info}}},"parts":[{part}]}}"#)
            })
            .collect();
        format!("[{}]", messages.join(","))
    }

    fn sent(short: &str, version: Version) -> String {
        let source = session(short);
        let document = Document::parse(&source).unwrap();
        let messages = StoredMessage::list(document.root()).unwrap();
        let ids = filter_compacted(&messages, version);
        ids.iter().map(|index| messages[*index].id().unwrap().to_text()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_sent_begins_at_the_latest_completed_compaction() {
        let cases = [
            ("u1 a2<1", "1 2", "1 2"),
            ("u1 a2<1 m3 s4<3 u5", "3 4 5", "3 4 5"),
            ("u1 a2<1 m3>2 s4<3 u5", "3 4 2 5", "3 4 5"),
            ("u1 u2 m3>nobody s4<3 u5", "1 2 3 4 5", "3 4 5"),
            ("u1 m3 f4<3 u5", "1 3 4 5", "3 4 5"),
            ("u1 m3 h4<3 u5", "1 3 4 5", "1 3 4 5"),
            ("u1 u2 m3>2 f4<3 u5", "3 4 2 5", "3 4 5"),
            ("u1 m2>1 s3<2 u4 m5>4 s6<5", "5 6 4", "5 6"),
            ("u1 m2>2 s3<2 u4", "2 3 4", "2 3 4"),
        ];
        for (short, june, january) in cases {
            assert_eq!(sent(short, Version::V2026_06), june, "{short}");
            assert_eq!(sent(short, Version::V2026_01), january, "{short}");
        }
    }

    #[test]
    fn the_newest_is_found_by_id_and_open_tasks_by_what_is_newest() {
        let source = session("m5>1 s6<5 u1 a2<1 u7 m8 h9<8");
        let document = Document::parse(&source).unwrap();
        let messages = StoredMessage::list(document.root()).unwrap();
        let found = |version| {
            let Latest { user, assistant, finished, tasks } = latest(&messages, version);
            ([user, assistant, finished].map(|id| id.unwrap().to_text()), tasks.len())
        };
        assert_eq!(found(Version::V2026_06), (["8", "9", "6"].map(str::to_owned), 1));
        assert_eq!(found(Version::V2026_01), (["8", "9", "2"].map(str::to_owned), 1), "where it stands");
        assert_eq!(latest(&[], Version::V2026_06), Latest::default());
    }
}

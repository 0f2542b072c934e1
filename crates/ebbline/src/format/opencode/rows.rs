//! How OpenCode's messages are stored: each with its parts, or as rows of sessions, messages and parts that refer to
//! each other.
//!
//! Rows come from its database (`data` is JSON in a string, ids are columns), from its storage until 1.2 (a file
//! each), and from its share API (`{type, data}`).

use std::collections::HashSet;

use super::super::signs::{has, is};
use super::super::source::Source;
use super::{Stored, StoredPart};
use crate::json::{Document, Origins, Text, Value};
use crate::order::sort_by;

/// How the messages are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// `{info, parts}`
    Whole,
    /// As rows.
    Rows,
}

/// Tables of rows in one object, by the names of the tables.
const TABLES: &[&str] = &["session", "sessions", "message", "messages", "part", "parts"];

/// Whether `value` is a row of a part, or of a message in the database or the share API.
pub(super) fn is_row(value: Value<'_>) -> bool {
    let data = value.get("data").filter(|data| data.is_object() || data.is_string());
    let is_stored = data.is_some() && has(value, &["id", "session_id", "time_created"]);
    let is_shared = (is(value, "type", "message") || is(value, "type", "part"))
        && data.is_some_and(|data| has(data, &["id", "sessionID"]));
    is_stored || is_shared || has(value, &["id", "sessionID", "messageID", "type"])
}

/// Whether an object contains tables of rows.
pub(super) fn is_table(root: Value<'_>) -> bool {
    ["part", "parts"].into_iter().any(|table| root.elements_of(table).next().is_some_and(is_row))
}

/// Whether `value` is a message of OpenCode's second core, which has content instead of parts.
pub(super) fn is_newer(value: Value<'_>) -> bool {
    const KINDS: &[&str] = &[
        "user",
        "assistant",
        "shell",
        "synthetic",
        "system",
        "compaction",
        "agent-switched",
        "model-switched",
    ];
    has(value, &["type", "time"])
        && value.get("role").is_none()
        && value.text_of("id").is_some_and(|id| id.starts_with("msg_"))
        && KINDS.iter().any(|kind| is(value, "type", kind))
}

/// The values that may be rows: the elements of a list, those of an object's tables, or the lines.
pub(super) fn rows_of<'d>(source: &'d Source<'_>) -> Vec<Value<'d>> {
    match source.root().filter(|root| !source.is_lines && is_table(*root)) {
        Some(root) => TABLES.iter().flat_map(|table| root.elements_of(table)).collect(),
        None => source.list(),
    }
}

/// Calls `take` with the messages: as stored, or joined from rows and sorted as OpenCode does.
pub(super) fn with_stored<T>(source: &Source<'_>, take: impl FnOnce(Kept, &[Stored<'_>]) -> T) -> T {
    let rows = rows_of(source);
    if rows.iter().any(|row| has(*row, &["parts"])) || !rows.iter().any(|row| is_row(*row)) {
        let stored: Vec<Stored<'_>> = rows.into_iter().map(Stored::whole).collect();
        return take(Kept::Whole, &stored);
    }
    let texts: Vec<Option<(String, Origins)>> =
        rows.iter().map(|row| row.text_of("data").map(Text::decode_placed)).collect();
    let documents: Vec<Option<Document<'_>>> =
        texts.iter().map(|text| Document::parse(&text.as_ref()?.0).ok()).collect();
    let rows = rows.iter().zip(&texts).zip(&documents).map(|((row, text), document)| {
        let origins = text.as_ref().map(|(_, origins)| origins);
        let body = match (document, row.get("data")) {
            (Some(document), _) => document.root(),
            (None, Some(data)) if data.is_object() => data,
            _ => *row,
        };
        Row { whole: *row, body, origins: origins.filter(|_| document.is_some()) }
    });
    take(Kept::Rows, &joined(&rows.collect::<Vec<_>>()))
}

/// A row and its content: the row itself or its `data`.
#[derive(Clone, Copy)]
struct Row<'d> {
    whole: Value<'d>,
    body: Value<'d>,
    origins: Option<&'d Origins>,
}

impl<'d> Row<'d> {
    /// An id, under its name in the database or elsewhere.
    fn id(&self, column: &str, member: &str) -> Option<Text<'d>> {
        self.whole.text_of(column).or_else(|| self.body.text_of(member))
    }

    /// When it was created, in milliseconds since 1970.
    fn created(&self) -> u64 {
        let time = || self.body.get("time").and_then(|time| time.get("created"));
        // A cast saturates; an invalid time counts as the earliest.
        self.whole.get("time_created").or_else(time).and_then(Value::number).unwrap_or(0.0) as u64
    }

    fn own(&self) -> Option<Text<'d>> {
        self.id("id", "id")
    }

    fn session(&self) -> Option<Text<'d>> {
        self.id("session_id", "sessionID")
    }

    fn message(&self) -> Option<Text<'d>> {
        self.id("message_id", "messageID")
    }
}

/// Messages with their parts. Messages are in order of time, then id, as in OpenCode 1.18 (earlier versions used only
/// the id, which contains the time); parts are in order of their ids. If there are several sessions, the one with the
/// newest message is the session; the others stay where they are.
fn joined<'d>(rows: &[Row<'d>]) -> Vec<Stored<'d>> {
    let known = |text: Option<Text<'d>>| text.map(Text::decode);
    let is_message = |row: &&Row<'_>| row.message().is_none() && row.body.text_of("role").is_some();
    let mut messages: Vec<&Row<'d>> = rows.iter().filter(is_message).collect();
    let time = |row: &Row<'d>| (row.created(), known(row.own()));
    sort_by(&mut messages, &|one, other| time(one).cmp(&time(other)));
    let mut parts: Vec<&Row<'d>> = rows.iter().filter(|row| row.message().is_some()).collect();
    let place = |row: &Row<'d>| (known(row.message()), known(row.own()));
    sort_by(&mut parts, &|one, other| place(one).cmp(&place(other)));
    // A sub-agent's session is older than its parent's last message, which uses its answer.
    let newest = messages.last().and_then(|row| known(row.session()));
    let mut stored: Vec<Stored<'d>> = Vec::with_capacity(messages.len());
    let mut taken = HashSet::new();
    // A message that occurs twice was written again; the later one has its parts.
    for row in messages.into_iter().rev() {
        let id = known(row.own());
        let first = parts.partition_point(|part| known(part.message()) < id);
        let is_first = taken.insert(id.clone());
        let own = parts.iter().skip(first).take_while(|part| is_first && known(part.message()) == id);
        let own = own.map(|part| StoredPart { id: part.own(), value: part.body, origins: part.origins });
        stored.push(Stored {
            id: row.own(),
            session: row.session(),
            info: row.body,
            parts: own.collect(),
            span: row.whole.span(),
            is_foreign: known(row.session()) != newest,
        });
    }
    stored.reverse();
    stored
}

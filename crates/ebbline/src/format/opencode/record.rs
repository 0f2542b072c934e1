//! A summary as OpenCode records it: a marker in the user's name and the assistant's answer to it, after everything
//! else (anomalyco/opencode, `packages/opencode/src/session/compaction.ts`, and `filterCompacted` in
//! `message-v2.ts`).

use std::collections::HashSet;

use super::super::placement::{OldMessages, SummaryRecord};
use super::super::source::Source;
use super::super::summary::Summary;
use super::Stored;
use super::ids::Ids;
use super::layout::{laid_out, space_before};
use super::rows::{Kept, is_table, rows_of, with_stored};
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
use crate::json::{Text, Value, quote};
use crate::order::sort_by;
use crate::plan::Fate;

/// A marker and its answer after the last message.
pub(super) static RECORDED: SummaryRecord = SummaryRecord { write: summarize, old: OldMessages::Stay };

/// The edits that append marker and summary. Nothing is removed: messages before the marker are no longer sent,
/// except for the tail that the marker names.
///
/// # Errors
///
/// `no_place_for_summary` if the first kept message has no id that the marker could name.
fn summarize(summary: &Summary<'_>) -> Result<Vec<Edit>, Error> {
    let source = Source::parse(summary.source)?;
    with_stored(&source, |kept, stored| {
        let record = Record::new(summary, stored)?;
        Ok(match kept {
            Kept::Whole => append(&source, &source.list(), &record.whole()),
            Kept::Rows => record.rows(&source),
        })
    })
}

/// The two new messages, and the session's values that go into them.
struct Record<'r, 'd> {
    summary: &'r Summary<'r>,
    stored: &'r [Stored<'d>],
    ids: Ids,
    tail: Option<Text<'d>>,
    /// The current time, but not before that of any message, because OpenCode 1.18 orders messages by time.
    now: u64,
}

impl<'r, 'd> Record<'r, 'd> {
    fn new(summary: &'r Summary<'r>, stored: &'r [Stored<'d>]) -> Result<Self, Error> {
        let created = stored.iter().filter(|message| !message.is_foreign).filter_map(Stored::created);
        let now = created.fold(summary.now, u64::max);
        Ok(Self { summary, stored, ids: Ids::after(stored, now), tail: tail(summary, stored)?, now })
    }

    /// The value of `key` in the newest message of a role that has it.
    fn newest(&self, role: &str, key: &str) -> Option<Value<'d>> {
        let mut own = self.stored.iter().rev().filter(|message| !message.is_foreign && message.is(role));
        own.find_map(|message| message.info.present(key))
    }

    fn newest_or(&self, role: &str, key: &str, otherwise: &str) -> String {
        self.newest(role, key).map_or_else(|| otherwise.to_owned(), |value| value.source().to_owned())
    }

    fn session(&self) -> Option<Text<'d>> {
        self.stored.iter().rev().filter(|message| !message.is_foreign).find_map(|message| message.session)
    }

    /// Marker and summary without their ids, which rows store elsewhere.
    fn infos(&self) -> [String; 2] {
        let now = self.now;
        let used = |key: &str| self.newest_or("assistant", key, r#""unknown""#);
        let (provider, model) = (used("providerID"), used("modelID"));
        let asked = format!(r#"{{"providerID":{provider},"modelID":{model}}}"#);
        let marker = format!(
            r#""role":"user","time":{{"created":{now}}},"agent":{},"model":{}"#,
            self.newest_or("user", "agent", r#""build""#),
            self.newest_or("user", "model", &asked),
        );
        let path = self.newest_or("assistant", "path", r#"{"cwd":"","root":""}"#);
        let answer = format!(
            concat!(
                r#""role":"assistant","time":{{"created":{now},"completed":{now}}},"parentID":{parent},"#,
                r#""modelID":{model},"providerID":{provider},"mode":"compaction","agent":"compaction","path":{path},"#,
                r#""summary":true,"cost":0,"tokens":{{"input":0,"output":0,"reasoning":0,"cache":{{"read":0,"write":0}}}},"#,
                r#""finish":"stop""#
            ),
            now = now,
            parent = quote(&self.ids.messages[0]),
            model = model,
            provider = provider,
            path = path,
        );
        [marker, answer]
    }

    /// The part of the marker and that of the summary, without the ids.
    fn parts(&self) -> [String; 2] {
        let tail = self.tail.map(|id| format!(r#","tail_start_id":"{}""#, id.raw()));
        let now = self.now;
        [
            format!(r#""type":"compaction","auto":false{}"#, tail.unwrap_or_default()),
            format!(
                r#""type":"text","text":{},"time":{{"start":{now},"end":{now}}}"#,
                quote(self.summary.text)
            ),
        ]
    }

    /// The ids of a message or of its part, as members.
    fn members(&self, message: usize, is_part: bool) -> String {
        let of = |ids: &[String; 2]| quote(ids.get(message).map_or("", String::as_str));
        let mut members =
            format!(r#""id":{},"#, of(if is_part { &self.ids.parts } else { &self.ids.messages }));
        if let Some(session) = self.session() {
            members.push_str(&format!(r#""sessionID":"{}","#, session.raw()));
        }
        if is_part {
            members.push_str(&format!(r#""messageID":{},"#, of(&self.ids.messages)));
        }
        members
    }

    fn whole(&self) -> Vec<String> {
        let (infos, parts) = (self.infos(), self.parts());
        let both = infos.iter().zip(&parts).enumerate();
        both.map(|(at, (info, part))| {
            let (own, in_part) = (self.members(at, false), self.members(at, true));
            format!(r#"{{"info":{{{own}{info}}},"parts":[{{{in_part}{part}}}]}}"#)
        })
        .collect()
    }

    /// Adds rows at the end of their table or, in a list of all rows, at the end.
    fn rows(&self, source: &Source<'_>) -> Vec<Edit> {
        let rows = rows_of(source);
        let (infos, parts) = (self.infos(), self.parts());
        let is_part = |row: &&Value<'_>| {
            let data = row.get("data").unwrap_or(**row);
            ["message_id", "messageID"].iter().any(|key| row.get(key).is_some() || data.get(key).is_some())
        };
        let model = |wanted: bool| rows.iter().rev().find(|row| is_part(row) == wanted).copied();
        let write = |bodies: &[String; 2], is_part: bool| -> Vec<String> {
            let bodies = bodies.iter().enumerate();
            bodies.map(|(at, body)| self.row(at, body, is_part, model(is_part))).collect()
        };
        let (infos, parts) = (write(&infos, false), write(&parts, true));
        let Some(tables) = source.root().filter(|root| !source.is_lines && is_table(*root)) else {
            return append(source, &rows, &[infos, parts].concat());
        };
        let table = |names: [&str; 2]| -> Vec<Value<'_>> {
            names.iter().flat_map(|name| tables.elements_of(name)).collect()
        };
        let mut edits = append(source, &table(["message", "messages"]), &infos);
        edits.extend(append(source, &table(["part", "parts"]), &parts));
        sort_by(&mut edits, &|one, other| one.range.start.cmp(&other.range.start));
        edits
    }

    /// One row in the form of `model`, the newest row of its kind.
    fn row(&self, message: usize, body: &str, is_part: bool, model: Option<Value<'_>>) -> String {
        let members = self.members(message, is_part);
        let data = model.and_then(|row| row.get("data"));
        match data {
            Some(data) if model.is_some_and(|row| row.get("session_id").is_some()) => {
                let now = self.now;
                let columns = members.replace(r#""sessionID":"#, r#""session_id":"#);
                let columns = columns.replace(r#""messageID":"#, r#""message_id":"#);
                let body = format!("{{{body}}}");
                let body = if data.is_string() { quote(&body) } else { body };
                format!(r#"{{{columns}"time_created":{now},"time_updated":{now},"data":{body}}}"#)
            }
            Some(_) => {
                let kind = if is_part { "part" } else { "message" };
                format!(r#"{{"type":"{kind}","data":{{{members}{body}}}}}"#)
            }
            None => format!("{{{members}{body}}}"),
        }
    }
}

/// Appends elements after the last of a list, or lines after the last line.
fn append(source: &Source<'_>, list: &[Value<'_>], new: &[String]) -> Vec<Edit> {
    if source.is_lines {
        let end = source.text.len();
        let lines = new.join("\n");
        let ends_line = source.text.ends_with('\n') || source.text.is_empty();
        let text = if ends_line { format!("{lines}\n") } else { format!("\n{lines}") };
        return vec![Edit::new(end..end, text)];
    }
    let Some(neighbor) = list.last() else { return Vec::new() };
    let space = space_before(source.text, *neighbor);
    let text: String = new.iter().flat_map(|json| [format!(",{space}"), laid_out(json, *neighbor)]).collect();
    vec![Edit::new(neighbor.span().end..neighbor.span().end, text)]
}

/// The id of the first kept message; `None` if none is kept.
///
/// In the file, the tail extends from that message to the marker. If an earlier compaction moved its tail behind its
/// summary, the kept message that is first in the file counts, so that the tail contains all kept messages.
fn tail<'d>(summary: &Summary<'_>, stored: &[Stored<'d>]) -> Result<Option<Text<'d>>, Error> {
    let plan = summary.plan;
    let boundary = plan.decision.retain.boundary.unwrap_or(plan.messages.len());
    let is_kept =
        |index: &usize| plan.messages.get(*index).is_some_and(|message| message.fate != Fate::Inactive);
    let kept: HashSet<usize> = (boundary..plan.messages.len())
        .filter(is_kept)
        .map(|index| summary.session.span(index).start)
        .collect();
    let is_record = |message: &Stored<'_>| {
        message.outline().is_summary
            || message.values().any(|part| part.text_of("type").is_some_and(|kind| kind.is("compaction")))
    };
    let first = stored.iter().position(|message| kept.contains(&message.span.start) && !is_record(message));
    let Some((first, message)) = first.and_then(|first| Some((first, stored.get(first)?))) else {
        return Ok(None);
    };
    let id = message.id.filter(|id| !id.is_empty());
    let again = |id: Text<'_>| {
        let id = id.decode();
        stored.iter().skip(first + 1).any(|other| other.id.is_some_and(|other| other.is(&id)))
    };
    id.filter(|id| !again(*id)).map(Some).ok_or_else(|| {
        Error::new(
            ErrorCode::NoPlaceForSummary,
            "the first kept message has no id that the compaction could name",
        )
        .located(summary.source, message.span.start)
    })
}

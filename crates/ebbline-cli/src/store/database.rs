//! OpenCode's database (since version 1.2): a row for each session, message and part, with `data` as JSON. Kilo has the same.
//!
//! A session comes out as `opencode export` writes it: `{info, messages: [{info, parts}]}`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ebbline::json::{Document, quote};
use ebbline_commands::Refusal;

use super::sqlite::{Database, Fault, Row, State, Table, Value, column};
use crate::refusal::unread;

/// How often a session is read again because OpenCode changed it meanwhile.
const TRIES: usize = 5;

/// The sessions of a database.
#[derive(Debug)]
pub(crate) struct Sessions {
    path: PathBuf,
    /// As it was read last.
    opened: Mutex<Arc<Opened>>,
}

/// Which rows belong to which session.
#[derive(Debug)]
struct Opened {
    database: Database,
    state: State,
    sessions: Option<Table>,
    messages: Table,
    parts: Table,
    newer: Option<Table>,
    rows: BTreeMap<String, Rows>,
}

/// Takes a row, and its record.
type Take<'t> = dyn FnMut(&Row<'_>, &[u8]) -> Result<(), Fault> + 't;

/// The rows of a session, by their numbers.
#[derive(Debug, Default)]
struct Rows {
    own: Option<i64>,
    messages: Vec<i64>,
    parts: Vec<i64>,
    /// Messages of OpenCode's second core.
    newer: Vec<i64>,
    bytes: u64,
}

impl Sessions {
    /// The sessions of a database; `None` if it is none of OpenCode.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Refusal> {
        let opened = Opened::settled(path).map_err(|fault| said(path, fault))?;
        Ok(opened.map(|opened| Self { path: path.to_owned(), opened: Mutex::new(Arc::new(opened)) }))
    }

    /// The ids of the sessions, with their sizes in bytes.
    pub(super) fn ids(&self) -> Vec<(String, u64)> {
        let opened = self.current();
        opened.rows.iter().map(|(id, rows)| (id.clone(), rows.bytes)).collect()
    }

    /// A session as `opencode export` writes it.
    pub(crate) fn export(&self, id: &str) -> Result<Vec<u8>, Refusal> {
        for _ in 0..TRIES {
            let opened = self.current();
            let exported = opened.rows.get(id).map(|rows| opened.export(id, rows)).transpose();
            if State::of(&self.path).is_ok_and(|now| now == opened.state) {
                let none = || Refusal::Sentence(format!("{} holds no session {id}", self.path.display()));
                return exported.map_err(|fault| said(&self.path, fault))?.ok_or_else(none);
            }
            let anew = Opened::settled(&self.path).map_err(|fault| said(&self.path, fault))?;
            if let Some(anew) = anew {
                *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(anew);
            }
        }
        Err(Refusal::Sentence(format!(
            "cannot read {}: it changes all the time; try again when its agent rests",
            self.path.display()
        )))
    }

    /// What is wrong with the rows of a session, if it is they that cannot be read.
    pub(crate) fn blamed(&self, id: &str) -> Option<Refusal> {
        let opened = self.current();
        let rows = opened.rows.get(id)?;
        let blame = |table: &Table, rows: &[i64], kind: &str| -> Result<(), Fault> {
            for row in rows {
                let record = opened.database.record(table.root, *row)?;
                let (id, data) = (table.text(&record, "id")?, table.text(&record, "data")?);
                if Document::parse(data).is_err() {
                    return Err(Fault::Damaged(format!("the data of {kind} {id} is no JSON")));
                }
            }
            Ok(())
        };
        let checked = blame(&opened.messages, &rows.messages, "message")
            .and_then(|()| blame(&opened.parts, &rows.parts, "part"));
        checked.err().map(|fault| said(&self.path, fault))
    }

    fn current(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn said(path: &Path, fault: Fault) -> Refusal {
    match fault {
        Fault::System(error) => unread(path, &error),
        Fault::Damaged(what) => Refusal::Damaged(format!("{} is damaged: {what}", path.display())),
    }
}

impl Opened {
    /// Opens a database at a moment at which its owner moves no pages.
    fn settled(path: &Path) -> Result<Option<Self>, Fault> {
        let mut tries = 1;
        loop {
            let before = State::of(path)?;
            let opened = Self::open(path);
            let after = State::of(path)?;
            if before == after || tries == TRIES {
                return Ok(opened?.map(|opened| Self { state: before, ..opened }));
            }
            tries += 1;
        }
    }

    fn open(path: &Path) -> Result<Option<Self>, Fault> {
        let (state, database) = (State::of(path)?, Database::open(path)?);
        let [sessions, messages, parts, newer] =
            database.tables(["session", "message", "part", "session_message"])?;
        let has = |table: &Table, columns: &[&str]| columns.iter().all(|name| table.column(name).is_some());
        let (Some(messages), Some(parts)) = (messages, parts) else { return Ok(None) };
        let is_of_opencode = has(&messages, &["id", "session_id", "data"])
            && has(&parts, &["id", "message_id", "session_id", "data"]);
        if !is_of_opencode {
            return Ok(None);
        }
        let newer = newer.filter(|table| has(table, &["id", "session_id", "type", "data"]));
        let sessions = sessions.filter(|table| has(table, &["id"]));
        let mut opened = Self { database, state, sessions, messages, parts, newer, rows: BTreeMap::new() };
        opened.rows = opened.all_rows()?;
        Ok(Some(opened))
    }

    /// One pass over the tables, which leaves out what rows contain.
    fn all_rows(&self) -> Result<BTreeMap<String, Rows>, Fault> {
        let mut all: BTreeMap<String, Rows> = BTreeMap::new();
        let tables = [
            (Some(&self.messages), (|rows: &mut Rows| &mut rows.messages) as fn(&mut Rows) -> &mut Vec<i64>),
            (Some(&self.parts), |rows| &mut rows.parts),
            (self.newer.as_ref(), |rows| &mut rows.newer),
        ];
        for (table, list) in tables {
            let Some(table) = table else { continue };
            self.each(table, "session_id", &mut |row, record| {
                let session = table.text(record, "session_id")?;
                let rows = match all.get_mut(session) {
                    Some(rows) => rows,
                    None => all.entry(session.to_owned()).or_default(),
                };
                list(rows).push(row.number);
                rows.bytes += row.size;
                Ok(())
            })?;
        }
        if let Some(table) = &self.sessions {
            self.each(table, "id", &mut |row, record| {
                if let Some(rows) = all.get_mut(table.text(record, "id")?) {
                    rows.own = Some(row.number);
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// Takes every row of a table, with as much of its record as has a column.
    fn each(&self, table: &Table, name: &str, take: &mut Take<'_>) -> Result<(), Fault> {
        self.database.rows(table.root, &mut |row| {
            if table.value(row.local, name).is_some() {
                return take(row, row.local);
            }
            take(row, &self.database.whole(row)?)
        })
    }

    fn export(&self, id: &str, rows: &Rows) -> Result<Vec<u8>, Fault> {
        let mut out = Vec::with_capacity(usize::try_from(rows.bytes).unwrap_or_default() * 9 / 8);
        if rows.messages.is_empty() {
            self.export_newer(rows, &mut out)?;
            return Ok(out);
        }
        out.extend_from_slice(format!("{{\"info\":{{\"id\":{}", quote(id)).as_bytes());
        if let (Some(table), Some(own)) = (&self.sessions, rows.own) {
            let record = self.database.record(table.root, own)?;
            let members = [("parentID", "parent_id"), ("directory", "directory"), ("title", "title")];
            for (member, column) in members {
                if let Some(text) = table.value(&record, column).and_then(Value::text) {
                    out.extend_from_slice(format!(",\"{member}\":{}", quote(text)).as_bytes());
                }
            }
        }
        out.extend_from_slice(b"},\"messages\":[");
        let parts = self.sorted_parts(rows)?;
        let mut messages = Vec::with_capacity(rows.messages.len());
        for number in &rows.messages {
            let record = self.database.record(self.messages.root, *number)?;
            let created = self.messages.value(&record, "time_created").and_then(Value::integer);
            messages.push((created, self.messages.text(&record, "id")?.to_owned(), *number));
        }
        messages.sort();
        for (at, (_, message, number)) in messages.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",\n{\"info\":" } else { b"\n{\"info\":" });
            let record = self.database.record(self.messages.root, *number)?;
            let ids = [("id", message.as_str()), ("sessionID", id)];
            self.messages.object(&record, &ids, &mut out)?;
            out.extend_from_slice(b",\"parts\":[");
            let first = parts.partition_point(|(of, ..)| of < message);
            let own = parts.iter().skip(first).take_while(|(of, ..)| of == message);
            for (at, (_, part, number)) in own.enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                let record = self.database.record(self.parts.root, *number)?;
                let ids = [("id", part.as_str()), ("sessionID", id), ("messageID", message)];
                self.parts.object(&record, &ids, &mut out)?;
            }
            out.extend_from_slice(b"]}");
        }
        out.extend_from_slice(b"]}\n");
        Ok(out)
    }

    /// The messages and ids of parts, in their order.
    fn sorted_parts(&self, rows: &Rows) -> Result<Vec<(String, String, i64)>, Fault> {
        let mut parts = Vec::with_capacity(rows.parts.len());
        for number in &rows.parts {
            let record = self.database.record(self.parts.root, *number)?;
            let text = |name| self.parts.text(&record, name).map(str::to_owned);
            parts.push((text("message_id")?, text("id")?, *number));
        }
        parts.sort();
        Ok(parts)
    }

    /// The engine says of these that it does not read them.
    fn export_newer(&self, rows: &Rows, out: &mut Vec<u8>) -> Result<(), Fault> {
        let Some(table) = &self.newer else { return Ok(()) };
        out.push(b'[');
        for (at, number) in rows.newer.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(b",\n");
            }
            let record = self.database.record(table.root, *number)?;
            let ids = [("id", table.text(&record, "id")?), ("type", table.text(&record, "type")?)];
            table.object(&record, &ids, out)?;
        }
        out.push(b']');
        Ok(())
    }
}

impl Table {
    fn value<'r>(&self, record: &'r [u8], name: &str) -> Option<Value<'r>> {
        column(record, self.column(name)?)
    }

    fn text<'r>(&self, record: &'r [u8], name: &str) -> Result<&'r str, Fault> {
        let text = self.value(record, name).and_then(Value::text);
        text.ok_or_else(|| Fault::Damaged(format!("a row has no text in its column {name}")))
    }

    /// Writes the object in a row's `data`, with ids in front, which stand in columns.
    fn object(&self, record: &[u8], ids: &[(&str, &str)], out: &mut Vec<u8>) -> Result<(), Fault> {
        let data = self.text(record, "data")?.trim();
        let Some(members) = data.strip_prefix('{').filter(|rest| rest.ends_with('}')) else {
            let id = self.text(record, "id")?;
            return Err(Fault::Damaged(format!("the data of {id} is no object")));
        };
        for (at, (name, id)) in ids.iter().enumerate() {
            let before = if at > 0 { ',' } else { '{' };
            out.extend_from_slice(format!("{before}\"{name}\":{}", quote(id)).as_bytes());
        }
        if members.trim_start() != "}" {
            out.push(b',');
        }
        out.extend_from_slice(members.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;

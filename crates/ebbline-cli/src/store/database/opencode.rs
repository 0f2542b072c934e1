//! OpenCode's database (since version 1.2): a row for each session, message and part, with `data` as JSON. Kilo has the same.
//!
//! A session comes out as `opencode export` writes it: `{info, messages: [{info, parts}]}`.

use std::collections::BTreeMap;

use ebbline::json::{Document, quote};

use super::super::sqlite::{Database, Fault, Table, Value};
use super::tables::{List, Rows, Tables, note, note_own};

#[derive(Debug)]
struct OpenCode {
    sessions: Option<Table>,
    messages: Table,
    parts: Table,
    newer: Option<Table>,
}

pub(super) fn tables(database: &Database) -> Result<Option<Box<dyn Tables>>, Fault> {
    let [sessions, messages, parts, newer] =
        database.tables(["session", "message", "part", "session_message"])?;
    let (Some(messages), Some(parts)) = (messages, parts) else { return Ok(None) };
    if !messages.has(&["id", "session_id", "data"]) || !parts.has(&["id", "message_id", "session_id", "data"])
    {
        return Ok(None);
    }
    let newer = newer.filter(|table| table.has(&["id", "session_id", "type", "data"]));
    let sessions = sessions.filter(|table| table.has(&["id"]));
    Ok(Some(Box::new(OpenCode { sessions, messages, parts, newer })))
}

impl Tables for OpenCode {
    fn rows(&self, database: &Database) -> Result<BTreeMap<String, Rows>, Fault> {
        let mut all = BTreeMap::new();
        let tables = [
            (Some(&self.messages), (|rows: &mut Rows| &mut rows.messages) as List),
            (Some(&self.parts), |rows| &mut rows.parts),
            (self.newer.as_ref(), |rows| &mut rows.newer),
        ];
        for (table, list) in tables {
            if let Some(table) = table {
                note(database, table, list, &mut all)?;
            }
        }
        if let Some(table) = &self.sessions {
            note_own(database, table, &mut all)?;
        }
        Ok(all)
    }

    fn check(&self, database: &Database, rows: &Rows) -> Result<(), Fault> {
        let check = |table: &Table, rows: &[i64], kind: &str| -> Result<(), Fault> {
            for row in rows {
                let record = database.record(table.root, *row)?;
                let (id, data) = (table.text(&record, "id")?, table.text(&record, "data")?);
                if Document::parse(data).is_err() {
                    return Err(Fault::Damaged(format!("the data of {kind} {id} is no JSON")));
                }
            }
            Ok(())
        };
        check(&self.messages, &rows.messages, "message")
            .and_then(|()| check(&self.parts, &rows.parts, "part"))
    }

    fn export(&self, database: &Database, id: &str, rows: &Rows) -> Result<Vec<u8>, Fault> {
        let mut out = Vec::with_capacity(usize::try_from(rows.bytes).unwrap_or_default() * 9 / 8);
        if rows.messages.is_empty() {
            self.export_newer(database, rows, &mut out)?;
            return Ok(out);
        }
        out.extend_from_slice(format!("{{\"info\":{{\"id\":{}", quote(id)).as_bytes());
        if let (Some(table), Some(own)) = (&self.sessions, rows.own) {
            let record = database.record(table.root, own)?;
            let members = [("parentID", "parent_id"), ("directory", "directory"), ("title", "title")];
            for (member, column) in members {
                if let Some(text) = table.value(&record, column).and_then(Value::text) {
                    out.extend_from_slice(format!(",\"{member}\":{}", quote(text)).as_bytes());
                }
            }
        }
        out.extend_from_slice(b"},\"messages\":[");
        let parts = self.sorted_parts(database, rows)?;
        let mut messages = Vec::with_capacity(rows.messages.len());
        for number in &rows.messages {
            let record = database.record(self.messages.root, *number)?;
            let created = self.messages.value(&record, "time_created").and_then(Value::integer);
            messages.push((created, self.messages.text(&record, "id")?.to_owned(), *number));
        }
        messages.sort();
        for (at, (_, message, number)) in messages.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",\n{\"info\":" } else { b"\n{\"info\":" });
            let record = database.record(self.messages.root, *number)?;
            let ids = [("id", message.as_str()), ("sessionID", id)];
            object(&self.messages, &record, &ids, &mut out)?;
            out.extend_from_slice(b",\"parts\":[");
            let first = parts.partition_point(|(of, ..)| of < message);
            let own = parts.iter().skip(first).take_while(|(of, ..)| of == message);
            for (at, (_, part, number)) in own.enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                let record = database.record(self.parts.root, *number)?;
                let ids = [("id", part.as_str()), ("sessionID", id), ("messageID", message)];
                object(&self.parts, &record, &ids, &mut out)?;
            }
            out.extend_from_slice(b"]}");
        }
        out.extend_from_slice(b"]}\n");
        Ok(out)
    }
}

impl OpenCode {
    /// The messages and ids of parts, in their order.
    fn sorted_parts(&self, database: &Database, rows: &Rows) -> Result<Vec<(String, String, i64)>, Fault> {
        let mut parts = Vec::with_capacity(rows.parts.len());
        for number in &rows.parts {
            let record = database.record(self.parts.root, *number)?;
            let text = |name| self.parts.text(&record, name).map(str::to_owned);
            parts.push((text("message_id")?, text("id")?, *number));
        }
        parts.sort();
        Ok(parts)
    }

    /// The engine says of these that it does not read them.
    fn export_newer(&self, database: &Database, rows: &Rows, out: &mut Vec<u8>) -> Result<(), Fault> {
        let Some(table) = &self.newer else { return Ok(()) };
        out.push(b'[');
        for (at, number) in rows.newer.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(b",\n");
            }
            let record = database.record(table.root, *number)?;
            let ids = [("id", table.text(&record, "id")?), ("type", table.text(&record, "type")?)];
            object(table, &record, &ids, out)?;
        }
        out.push(b']');
        Ok(())
    }
}

/// Writes the object in a row's `data`, with ids in front, which stand in columns.
fn object(table: &Table, record: &[u8], ids: &[(&str, &str)], out: &mut Vec<u8>) -> Result<(), Fault> {
    let data = table.text(record, "data")?.trim();
    let Some(members) = data.strip_prefix('{').filter(|rest| rest.ends_with('}')) else {
        let id = table.text(record, "id")?;
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

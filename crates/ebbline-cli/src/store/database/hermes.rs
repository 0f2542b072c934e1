//! Hermes Agent's database (`state.db`, 0.19): a row for each session and message.
//!
//! A session comes out as `hermes sessions export` writes it: the columns of its row, and `messages`. Messages that a
//! compaction or a rewind set aside (`active` is 0) are not in it.

use std::collections::BTreeMap;

use ebbline::json::{Document, quote};

use super::super::sqlite::{Database, Fault, Table, Value};
use super::tables::{Rows, Tables, note, note_own};

/// What stands in front of a content that is no text.
const JSON: &str = "\0json:";

#[derive(Debug)]
struct Hermes {
    sessions: Table,
    messages: Table,
}

pub(super) fn tables(database: &Database) -> Result<Option<Box<dyn Tables>>, Fault> {
    let [sessions, messages] = database.tables(["sessions", "messages"])?;
    let sessions = sessions.filter(|table| table.has(&["id", "system_prompt"]));
    let messages = messages.filter(|table| table.has(&["session_id", "role", "content", "tool_calls"]));
    let (Some(sessions), Some(messages)) = (sessions, messages) else { return Ok(None) };
    Ok(Some(Box::new(Hermes { sessions, messages })))
}

impl Tables for Hermes {
    fn rows(&self, database: &Database) -> Result<BTreeMap<String, Rows>, Fault> {
        let mut all = BTreeMap::new();
        note(database, &self.messages, |rows| &mut rows.messages, &mut all)?;
        note_own(database, &self.sessions, &mut all)?;
        Ok(all)
    }

    fn export(&self, database: &Database, id: &str, rows: &Rows) -> Result<Vec<u8>, Fault> {
        let mut out = String::with_capacity(usize::try_from(rows.bytes).unwrap_or_default() * 9 / 8);
        out.push('{');
        match rows.own {
            Some(own) => {
                let record = database.record(self.sessions.root, own)?;
                write_members(&self.sessions, own, &record, &mut out);
            }
            None => out.push_str(&format!("\"id\":{}", quote(id))),
        }
        out.push_str(",\"messages\":[");
        let mut numbers = rows.messages.clone();
        numbers.sort_unstable();
        let mut is_first = true;
        for number in numbers {
            let record = database.record(self.messages.root, number)?;
            if self.messages.value(&record, "active").and_then(Value::integer) == Some(0) {
                continue;
            }
            out.push_str(if is_first { "\n{" } else { ",\n{" });
            is_first = false;
            write_members(&self.messages, number, &record, &mut out);
            out.push('}');
        }
        out.push_str("]}\n");
        Ok(out.into_bytes())
    }
}

/// Writes the columns of a row as members of an object.
fn write_members(table: &Table, number: i64, record: &[u8], out: &mut String) {
    for (at, name) in table.columns().iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        let value = table.value(record, name).unwrap_or(Value::Null);
        out.push_str(&format!("{}:{}", quote(name), json_of(name, value, number)));
    }
}

fn json_of(name: &str, value: Value<'_>, number: i64) -> String {
    match value {
        // SQLite keeps the number of a row apart from what is in it.
        Value::Null if name == "id" => number.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Real(real) if real.is_finite() => format!("{real:?}"),
        Value::Null | Value::Blob(_) | Value::Real(_) => "null".to_owned(),
        Value::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let is_json = |json: &&str| Document::parse(json).is_ok();
            match (name, text.strip_prefix(JSON).filter(is_json)) {
                ("content", Some(json)) => json.to_owned(),
                ("tool_calls", _) => Some(&*text).filter(is_json).unwrap_or("[]").to_owned(),
                _ => quote(&text),
            }
        }
    }
}

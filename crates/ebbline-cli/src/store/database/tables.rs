//! What all databases of agents have in common: rows of sessions.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::super::sqlite::{Database, Fault, Row, Table, Value, column};

/// The tables of an agent.
pub(super) trait Tables: Debug + Send + Sync {
    /// The rows of each session: one pass over the tables, which leaves out what rows contain.
    fn rows(&self, database: &Database) -> Result<BTreeMap<String, Rows>, Fault>;

    /// A session, as the agent exports it.
    fn export(&self, database: &Database, id: &str, rows: &Rows) -> Result<Vec<u8>, Fault>;

    /// A fault if it is a row of the session that cannot be read.
    fn check(&self, _database: &Database, _rows: &Rows) -> Result<(), Fault> {
        Ok(())
    }
}

/// Takes a row, and its record.
type Take<'t> = dyn FnMut(&Row<'_>, &[u8]) -> Result<(), Fault> + 't;

/// The rows of a session, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) own: Option<i64>,
    pub(super) messages: Vec<i64>,
    /// Parts of messages, where these have rows of their own.
    pub(super) parts: Vec<i64>,
    /// Messages of OpenCode's second core.
    pub(super) newer: Vec<i64>,
    pub(super) bytes: u64,
}

/// A list of a session's rows.
pub(super) type List = fn(&mut Rows) -> &mut Vec<i64>;

/// Notes each row of a table in a list of its session.
pub(super) fn note(
    database: &Database,
    table: &Table,
    list: List,
    all: &mut BTreeMap<String, Rows>,
) -> Result<(), Fault> {
    each(database, table, "session_id", &mut |row, record| {
        // A row of no session, or of a program whose sessions have numbers, is none of an agent.
        let Ok(session) = table.text(record, "session_id") else { return Ok(()) };
        let rows = match all.get_mut(session) {
            Some(rows) => rows,
            None => all.entry(session.to_owned()).or_default(),
        };
        list(rows).push(row.number);
        rows.bytes += row.size;
        Ok(())
    })
}

/// Notes the rows of the sessions themselves, of those that have messages.
pub(super) fn note_own(
    database: &Database,
    table: &Table,
    all: &mut BTreeMap<String, Rows>,
) -> Result<(), Fault> {
    each(database, table, "id", &mut |row, record| {
        if let Some(rows) = table.text(record, "id").ok().and_then(|id| all.get_mut(id)) {
            rows.own = Some(row.number);
        }
        Ok(())
    })
}

/// Takes every row of a table, with as much of its record as has a column.
fn each(database: &Database, table: &Table, name: &str, take: &mut Take<'_>) -> Result<(), Fault> {
    database.rows(table.root, &mut |row| {
        if table.value(row.local, name).is_some() {
            return take(row, row.local);
        }
        take(row, &database.whole(row)?)
    })
}

impl Table {
    /// Whether it has these columns.
    pub(super) fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|name| self.column(name).is_some())
    }

    pub(super) fn value<'r>(&self, record: &'r [u8], name: &str) -> Option<Value<'r>> {
        column(record, self.column(name)?)
    }

    pub(super) fn text<'r>(&self, record: &'r [u8], name: &str) -> Result<&'r str, Fault> {
        let text = self.value(record, name).and_then(Value::text);
        text.ok_or_else(|| Fault::Damaged(format!("a row has no text in its column {name}")))
    }
}

//! Databases of agents, by their tables.
//!
//! A session comes out as its agent exports it. Nothing is written, and no lock is taken.

mod hermes;
mod openclaw;
mod opencode;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ebbline_commands::Refusal;

use super::sqlite::{Database, Fault, Row, State, Table, Value, column};
use crate::refusal::unread;

/// How often a session is read again because its agent changed it meanwhile.
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
    tables: Box<dyn Tables>,
    rows: BTreeMap<String, Rows>,
}

/// The tables of an agent.
trait Tables: Debug + Send + Sync {
    /// The rows of each session: one pass over the tables, which leaves out what rows contain.
    fn rows(&self, database: &Database) -> Result<BTreeMap<String, Rows>, Fault>;

    /// A session, as the agent exports it.
    fn export(&self, database: &Database, id: &str, rows: &Rows) -> Result<Vec<u8>, Fault>;

    /// A fault if it is a row of the session that cannot be read.
    fn check(&self, _database: &Database, _rows: &Rows) -> Result<(), Fault> {
        Ok(())
    }
}

/// What finds the tables of an agent in a database; `None` if it is another's.
type Find = fn(&Database) -> Result<Option<Box<dyn Tables>>, Fault>;

const AGENTS: [Find; 3] = [opencode::tables, hermes::tables, openclaw::tables];

/// Takes a row, and its record.
type Take<'t> = dyn FnMut(&Row<'_>, &[u8]) -> Result<(), Fault> + 't;

/// The rows of a session, by their numbers.
#[derive(Debug, Default)]
struct Rows {
    own: Option<i64>,
    messages: Vec<i64>,
    /// Parts of messages, where these have rows of their own.
    parts: Vec<i64>,
    /// Messages of OpenCode's second core.
    newer: Vec<i64>,
    bytes: u64,
}

/// A list of a session's rows.
type List = fn(&mut Rows) -> &mut Vec<i64>;

impl Sessions {
    /// The sessions of a database; `None` if it is none of an agent.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Refusal> {
        let opened = Opened::settled(path).map_err(|fault| said(path, fault))?;
        Ok(opened.map(|opened| Self { path: path.to_owned(), opened: Mutex::new(Arc::new(opened)) }))
    }

    /// The ids of the sessions, with their sizes in bytes.
    pub(super) fn ids(&self) -> Vec<(String, u64)> {
        let opened = self.current();
        opened.rows.iter().map(|(id, rows)| (id.clone(), rows.bytes)).collect()
    }

    /// A session as its agent exports it.
    pub(crate) fn export(&self, id: &str) -> Result<Vec<u8>, Refusal> {
        for _ in 0..TRIES {
            let opened = self.current();
            let exported =
                opened.rows.get(id).map(|rows| opened.tables.export(&opened.database, id, rows)).transpose();
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
        let checked = opened.tables.check(&opened.database, rows);
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
        for find in AGENTS {
            if let Some(tables) = find(&database)? {
                let rows = tables.rows(&database)?;
                return Ok(Some(Self { database, state, tables, rows }));
            }
        }
        Ok(None)
    }
}

/// Notes each row of a table in a list of its session.
fn note(
    database: &Database,
    table: &Table,
    list: List,
    all: &mut BTreeMap<String, Rows>,
) -> Result<(), Fault> {
    each(database, table, "session_id", &mut |row, record| {
        let session = table.text(record, "session_id")?;
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
fn note_own(database: &Database, table: &Table, all: &mut BTreeMap<String, Rows>) -> Result<(), Fault> {
    each(database, table, "id", &mut |row, record| {
        if let Some(rows) = all.get_mut(table.text(record, "id")?) {
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
    fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|name| self.column(name).is_some())
    }

    fn value<'r>(&self, record: &'r [u8], name: &str) -> Option<Value<'r>> {
        column(record, self.column(name)?)
    }

    fn text<'r>(&self, record: &'r [u8], name: &str) -> Result<&'r str, Fault> {
        let text = self.value(record, name).and_then(Value::text);
        text.ok_or_else(|| Fault::Damaged(format!("a row has no text in its column {name}")))
    }
}

#[cfg(test)]
mod tests;

//! Databases of agents, by their tables.
//!
//! A session comes out as its agent exports it. Nothing is written, and no lock is taken.

mod hermes;
mod openclaw;
mod opencode;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ebbline_commands::Refusal;

use super::sqlite::{Database, Fault, State};
use crate::refusal::unread;
use tables::{Rows, Tables};

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
    /// By the name that a session has in paths.
    rows: BTreeMap<String, (String, Rows)>,
}

/// What finds the tables of an agent in a database; `None` if it is another's.
type Find = fn(&Database) -> Result<Option<Box<dyn Tables>>, Fault>;

const AGENTS: [Find; 3] = [opencode::tables, hermes::tables, openclaw::tables];

impl Sessions {
    /// The sessions of a database; `None` if it is none of an agent.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Refusal> {
        let opened = Opened::settled(path).map_err(|fault| said(path, fault))?;
        Ok(opened.map(|opened| Self { path: path.to_owned(), opened: Mutex::new(Arc::new(opened)) }))
    }

    /// The names of the sessions, which are their ids where these are names of files, with their sizes in bytes.
    pub(super) fn ids(&self) -> Vec<(String, u64)> {
        let opened = self.current();
        opened.rows.iter().map(|(name, (_, rows))| (name.clone(), rows.bytes)).collect()
    }

    /// A session as its agent exports it.
    pub(crate) fn export(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        for _ in 0..TRIES {
            let opened = self.current();
            let export = |(id, rows): &(String, Rows)| opened.tables.export(&opened.database, id, rows);
            let exported = opened.rows.get(name).map(export).transpose();
            if State::of(&self.path).is_ok_and(|now| now == opened.state) {
                let none = || Refusal::Sentence(format!("{} holds no session {name}", self.path.display()));
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
    pub(crate) fn blamed(&self, name: &str) -> Option<Refusal> {
        let opened = self.current();
        let (_, rows) = opened.rows.get(name)?;
        let checked = opened.tables.check(&opened.database, rows);
        checked.err().map(|fault| said(&self.path, fault))
    }

    fn current(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The name of a session in paths: its id, with `%` and its code for each `%`, and for what no name of a file may have.
fn file_name(id: &str) -> String {
    let is_dots = id.chars().all(|letter| letter == '.');
    let mut name = if id.is_empty() { "%".to_owned() } else { String::new() };
    for letter in id.chars() {
        match letter {
            '%' | '/' | '\\' | ':' | '\0'..='\u{1f}' => name.push_str(&format!("%{:02x}", u32::from(letter))),
            '.' if is_dots => name.push_str("%2e"),
            letter => name.push(letter),
        }
    }
    name
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
                let named = |(id, rows): (String, Rows)| (file_name(&id), (id, rows));
                let rows = tables.rows(&database)?.into_iter().map(named).collect();
                return Ok(Some(Self { database, state, tables, rows }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;

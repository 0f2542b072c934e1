//! Reads tables of a database of SQLite (<https://www.sqlite.org/fileformat2.html>), also while its owner writes to it.
//!
//! SQLite itself is not used: it needs a compiler of C, and even to read it makes a file beside a database that is in use
//! (`-shm`). Here nothing is written, no lock is taken, and what is damaged is said instead of trusted.

mod record;
mod schema;
mod tree;
mod wal;

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

pub(crate) use record::{Value, column};
pub(crate) use schema::Table;
pub(crate) use tree::Row;
use wal::Log;

/// What a database begins with.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Why a database cannot be read.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The operating system says why.
    System(io::Error),
    /// It is not as it should be, in words.
    Damaged(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// What was wrong with a page.
pub(super) fn damaged<T>(page: u32, what: &str) -> Result<T, Fault> {
    Err(Fault::Damaged(format!("page {page} {what}")))
}

/// A database.
#[derive(Debug)]
pub(crate) struct Database {
    file: Mutex<File>,
    log: Option<Mutex<Log>>,
    /// The size of a page in bytes, and how much of it is used.
    size: usize,
    used: usize,
    /// How many pages there are.
    count: u32,
}

/// What is different when the owner of a database has moved pages, so that what was read may not fit together. What is
/// added to the log moves none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    length: u64,
    written: Option<SystemTime>,
    log: Option<[u8; wal::HEADER]>,
}

impl State {
    /// The state of a database now.
    pub(crate) fn of(path: &Path) -> Result<Self, Fault> {
        let found = fs::metadata(path)?;
        let mut header = [0; wal::HEADER];
        let is_read = File::open(beside(path)).and_then(|mut log| log.read_exact(&mut header)).is_ok();
        Ok(Self { length: found.len(), written: found.modified().ok(), log: is_read.then_some(header) })
    }
}

impl Database {
    /// Opens a database.
    pub(crate) fn open(path: &Path) -> Result<Self, Fault> {
        let mut file = File::open(path)?;
        let mut header = [0; 100];
        file.read_exact(&mut header).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Damaged("it is cut off".to_owned()),
            _ => Fault::System(error),
        })?;
        let byte = |at: usize| header.get(at).copied().unwrap_or_default();
        let size = match usize::from(byte(16)) << 8 | usize::from(byte(17)) {
            1 => 65_536,
            size if size.is_power_of_two() && size >= 512 => size,
            size => return Err(Fault::Damaged(format!("its pages cannot have {size} bytes"))),
        };
        if !header.starts_with(MAGIC) {
            return Err(Fault::Damaged("it does not begin as a database of SQLite does".to_owned()));
        }
        // Version 2 has a log; what an earlier version left of one is not valid.
        let log = if byte(19) == 2 { Log::open(&beside(path), size)? } else { None };
        let of_file = u32::try_from(file.metadata()?.len() / size as u64).unwrap_or(u32::MAX);
        let database = Self {
            file: Mutex::new(file),
            size,
            used: size.saturating_sub(usize::from(byte(20))),
            count: log.as_ref().map_or(of_file, |log| log.count),
            log: log.map(Mutex::new),
        };
        // The newest first page may be in the log.
        if database.page(1)?.get(56..60).is_some_and(|text| !matches!(text, [0, 0, 0, 0 | 1])) {
            return Err(Fault::Damaged("its texts are in UTF-16".to_owned()));
        }
        Ok(database)
    }

    /// The bytes of a page; the first has the number 1.
    fn page(&self, number: u32) -> Result<Vec<u8>, Fault> {
        if number == 0 || number > self.count {
            return damaged(number, "does not exist");
        }
        let mut page = vec![0; self.size];
        if let Some(log) = &self.log {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = log.pages.get(&number).copied() {
                read_at(&mut log.file, at, &mut page)?;
                return Ok(page);
            }
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match read_at(&mut file, u64::from(number - 1) * self.size as u64, &mut page) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => damaged(number, "is cut off"),
            read => Ok(read.map(|()| page)?),
        }
    }
}

fn read_at(file: &mut File, at: u64, page: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(page)
}

/// Where the log of a database is.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

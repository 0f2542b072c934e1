//! Where sessions are kept that are no plain file each: in a database, in a file for each event or message, compressed, in an
//! archive.
//!
//! Each comes out as the bytes of a session in a form that the engine reads. Nothing is written.

mod archive;
mod compressed;
mod database;
mod pieces;
mod sqlite;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ebbline_commands::{Name, Refusal, Store, Stored, Weight};

use crate::file_name::name_of;
use crate::refusal::unread;
use database::Sessions;
use pieces::Tree;

/// Databases that were opened before: their sessions are exported one by one.
#[derive(Debug, Default)]
pub(crate) struct Databases(Mutex<HashMap<PathBuf, Arc<Sessions>>>);

impl Databases {
    /// The sessions of an agent's database; `None` if a file is none.
    fn open(&self, path: &Path) -> Result<Option<Arc<Sessions>>, Refusal> {
        let opened = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sessions) = opened().get(path) {
            return Ok(Some(Arc::clone(sessions)));
        }
        let Some(sessions) = Sessions::open(path)?.map(Arc::new) else { return Ok(None) };
        opened().insert(path.to_owned(), Arc::clone(&sessions));
        Ok(Some(sessions))
    }

    /// The sessions of an agent's database, which are named as if it were a folder; none if a file is none.
    pub(crate) fn list(&self, path: &Path) -> Result<Vec<Stored>, Refusal> {
        if !is_database(path) {
            return Ok(Vec::new());
        }
        let ids = self.open(path)?.map(|sessions| sessions.ids()).unwrap_or_default();
        let stored = ids.into_iter().map(|(id, size)| Stored {
            within: Some(Name::from(&*id)),
            size,
            store: Store::Database(id),
        });
        Ok(stored.collect())
    }

    /// The bytes of the session with a name.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Vec<u8>, Refusal> {
        if let Some(messages) = pieces::messages_of(path) {
            return Tree::of(path, &messages)?.export();
        }
        if let Some((folder, _)) = events_in(path) {
            return pieces::lines(&pieces::events(&folder).unwrap_or_default());
        }
        if let Some((database, id)) = within_database(path) {
            let none = || Refusal::Sentence(format!("{} is no database of sessions", database.display()));
            return self.open(database)?.ok_or_else(none)?.export(id);
        }
        plain_bytes(path)
    }

    /// Which piece of a session cannot be read, if it is kept in pieces.
    pub(crate) fn blamed(&self, path: &Path, store: &Store) -> Option<Refusal> {
        match store {
            Store::Database(id) => self.open(path.parent()?).ok()??.blamed(id),
            Store::Events => pieces::blamed(pieces::events(path)?.iter()),
            Store::Tree => pieces::blamed(Tree::of(path, &pieces::messages_of(path)?).ok()?.files()),
        }
    }
}

/// The conversation of OpenHands in a folder, which is that of its events or the one above it.
pub(crate) fn of_events(folder: &Path) -> Option<Stored> {
    let (events, size) = events_in(folder)?;
    let within = (events != folder).then(|| name_of(Path::new("events").as_os_str()));
    Some(Stored { within, size, store: Store::Events })
}

fn events_in(folder: &Path) -> Option<(PathBuf, u64)> {
    [folder.to_owned(), folder.join("events")].into_iter().find_map(|folder| {
        let size = pieces::size(pieces::events(&folder)?.iter());
        Some((folder, size))
    })
}

/// The session of OpenCode that a file describes, if the messages have files of their own.
pub(crate) fn of_tree(path: &Path) -> Result<Option<Stored>, Refusal> {
    let Some(messages) = pieces::messages_of(path) else { return Ok(None) };
    let tree = Tree::of(path, &messages)?;
    Ok(Some(Stored { within: None, size: pieces::size(tree.files()), store: Store::Tree }))
}

/// Whether OpenCode keeps sessions, messages and parts in folders of a folder.
pub(crate) fn is_storage(folder: &Path) -> bool {
    ["session", "message", "part"].iter().all(|kind| folder.join(kind).is_dir())
}

/// The bytes of a file, without their compression.
fn plain_bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    let read = || {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        // What the file is shows at its beginning. A pipe cannot be opened twice.
        (&mut file).take(sqlite::MAGIC.len() as u64).read_to_end(&mut bytes)?;
        if bytes == sqlite::MAGIC
            && let Ok(Some(sessions)) = Sessions::open(path)
        {
            return Ok(Err(of_many(path, &sessions)));
        }
        // A file with holes may be larger than the memory: no more of it is read. A database may be as large as it likes.
        if file.metadata()?.len() > compressed::LONGEST {
            return Ok(Err(Refusal::Sentence(format!("{}: the text is longer than 4 GiB", path.display()))));
        }
        file.read_to_end(&mut bytes)?;
        Ok(Ok(bytes))
    };
    let bytes = read().map_err(|error| unread(path, &error))??;
    let content = if archive::is_archive(&bytes) {
        archive::log(&bytes)
    } else if compressed::is_compressed(&bytes) {
        compressed::content(&bytes).map(Some)
    } else {
        Ok(None)
    };
    Ok(content.map_err(|why| damaged(path, &why))?.unwrap_or(bytes))
}

/// What the memory depends on that the session in a file needs.
pub(crate) fn weight(path: &Path) -> Result<Weight, Refusal> {
    let mut weight = Weight::default();
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        // A pipe can be read only once.
        return Ok(weight);
    }
    let unread = |error| unread(path, &error);
    let mut file = File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    (&mut file).take(archive::MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unread)?;
    if is_packed(&bytes) {
        file.read_to_end(&mut bytes).map_err(unread)?;
        let add = &mut |part: &[u8]| weight.add(part);
        let unpacked = if archive::is_archive(&bytes) {
            archive::spelled(&bytes, add).map(drop)
        } else {
            compressed::decoded(&bytes, add)
        };
        unpacked.map_err(|why| damaged(path, &why))?;
        return Ok(weight.beside(bytes.len() as u64));
    }
    weight.add(&bytes);
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece).map_err(unread)? {
            0 => return Ok(weight),
            count => weight.add(piece.get(..count).unwrap_or_default()),
        }
    }
}

/// Whether a file that begins so is no text, but an archive, a compressed file or a database.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    is_packed(bytes) || bytes.starts_with(sqlite::MAGIC)
}

fn is_packed(bytes: &[u8]) -> bool {
    archive::is_archive(bytes) || compressed::is_compressed(bytes)
}

/// A session within a database: the database, and the id of the session.
fn within_database(path: &Path) -> Option<(&Path, &str)> {
    let (database, id) = (path.parent()?, path.file_name()?.to_str()?);
    is_database(database).then_some((database, id))
}

fn is_database(path: &Path) -> bool {
    let begins = || {
        let mut first = [0; sqlite::MAGIC.len()];
        File::open(path)?.read_exact(&mut first).map(|()| first)
    };
    path.is_file() && begins().is_ok_and(|first| first == *sqlite::MAGIC)
}

fn of_many(path: &Path, sessions: &Sessions) -> Refusal {
    let (path, ids) = (path.display(), sessions.ids());
    Refusal::Sentence(match ids.first() {
        Some((id, _)) => {
            let sessions = if ids.len() == 1 { "one session" } else { &format!("{} sessions", ids.len()) };
            format!("{path} is a database of {sessions}: name one of them, such as {path}/{id}")
        }
        None => format!("{path} is a database without sessions"),
    })
}

fn damaged(path: &Path, why: &str) -> Refusal {
    Refusal::Damaged(format!("{} is damaged: {why}", path.display()))
}

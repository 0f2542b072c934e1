//! The files that names on the command line mean: a folder means every file below it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::ask::{Entry, EntryKind, Listing, Store, Stored};
use crate::failure::Failure;
use crate::io::Io;
use crate::name::Name;

/// A file to work on.
///
/// # Example
///
/// ```
/// use ebbline_commands::SessionFile;
/// let file = SessionFile { size: 5, ..SessionFile::default() };
/// assert!(!file.is_found);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFile {
    /// Its name.
    pub name: Name,
    /// Whether it was found in a folder: then it may be no session at all.
    pub is_found: bool,
    /// Its size in bytes.
    pub size: u64,
    /// How it is kept, if it is no plain file.
    pub store: Option<Store>,
}

impl SessionFile {
    fn of_store(name: &Name, Stored { within, size, store }: Stored, is_found: bool) -> Self {
        let name = within.map_or_else(|| name.clone(), |within| name.join(&within));
        Self { name, is_found, size, store: Some(store) }
    }
}

/// The files that names mean, those of a folder in the order of their names. `refuse` takes what cannot be listed.
pub(crate) async fn list_files(names: &[Name], io: &Io, refuse: &mut dyn FnMut(Failure)) -> Vec<SessionFile> {
    let mut files = Vec::new();
    let mut numbers = HashSet::new();
    for name in names {
        let plain = |size: u64| SessionFile { name: name.clone(), is_found: false, size, store: None };
        if name.is_stdin() {
            files.push(plain(0));
            continue;
        }
        match io.list(name).await {
            Listing::File(size) => files.push(plain(size)),
            Listing::Sessions(stored) => {
                // The events of a conversation are a folder.
                let of = |stored: Stored| {
                    let is_found = stored.store == Store::Events;
                    SessionFile::of_store(name, stored, is_found)
                };
                files.extend(stored.into_iter().map(of));
            }
            Listing::Refused(refusal) => refuse(Failure::unread(name, refusal)),
            Listing::Unread(refusal) => {
                refuse(Failure::unread(name, refusal));
                refuse(empty(name));
            }
            Listing::Folder(entries) => {
                let found = below(name, entries, io, refuse).await;
                if found.is_empty() {
                    refuse(empty(name));
                }
                // A session is one, however many links lead to it.
                let mut is_new = |number: Option<String>| number.is_none_or(|number| numbers.insert(number));
                files.extend(found.into_iter().filter_map(|(file, number)| is_new(number).then_some(file)));
            }
        }
    }
    without_moved(files)
}

fn empty(folder: &Name) -> Failure {
    Failure::File(format!("{} holds no file", folder.said()))
}

/// The files below a folder with these entries, with what is the same for all names of a file. Links to files are followed, links to folders are not: they may lead back.
async fn below(
    folder: &Name,
    entries: Vec<Entry>,
    io: &Io,
    refuse: &mut dyn FnMut(Failure),
) -> Vec<(SessionFile, Option<String>)> {
    let mut files = Vec::new();
    let stored = |name: &Name, sessions: Vec<Stored>| {
        let name = name.clone();
        sessions.into_iter().map(move |stored| (SessionFile::of_store(&name, stored, true), None))
    };
    let mut left = sorted(folder, entries);
    while let Some((name, kind)) = left.pop() {
        match kind {
            EntryKind::File { size, number } => {
                files.push((SessionFile { name, is_found: true, size, store: None }, number));
            }
            EntryKind::Sessions(sessions) => {
                files.extend(stored(&name, sessions));
            }
            EntryKind::Refused(refusal) => refuse(Failure::unread(&name, refusal)),
            EntryKind::Folder => match io.list(&name).await {
                Listing::Folder(entries) => left.extend(sorted(&name, entries)),
                Listing::Sessions(sessions) => {
                    files.extend(stored(&name, sessions));
                }
                Listing::Unread(refusal) | Listing::Refused(refusal) => {
                    refuse(Failure::unread(&name, refusal));
                }
                Listing::File(_) => {}
            },
        }
    }
    files
}

/// The entries of a folder, the first by its name last. Names are ordered by their UTF-16 units, as in JavaScript.
fn sorted(folder: &Name, mut entries: Vec<Entry>) -> Vec<(Name, EntryKind)> {
    entries.sort_by_cached_key(|entry| entry.name.text().encode_utf16().collect::<Vec<u16>>());
    entries.into_iter().rev().map(|entry| (folder.joined(&entry.name), entry.kind)).collect()
}

/// Leaves out what OpenCode has taken over into its database: it does not remove the files.
fn without_moved(mut files: Vec<SessionFile>) -> Vec<SessionFile> {
    let in_database = |file: &SessionFile| match &file.store {
        Some(Store::Database(id)) => Some(Name::from(&**id)),
        _ => None,
    };
    let ids: HashSet<Name> = files.iter().filter_map(in_database).collect();
    files.retain(|file| {
        !matches!(file.store, Some(Store::Tree)) || !file.name.stem().is_some_and(|id| ids.contains(&id))
    });
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, kind: EntryKind) -> Entry {
        Entry { name: name.into(), kind }
    }

    #[test]
    fn entries_are_in_the_order_of_utf16() {
        let entries = ["b", "\u{ff21}", "😀", "a"].map(|name| entry(name, EntryKind::Folder)).to_vec();
        let names: Vec<String> =
            sorted(&"x".into(), entries).iter().rev().map(|(name, _)| name.given()).collect();
        assert_eq!(names, ["x/a", "x/b", "x/😀", "x/\u{ff21}"]);
    }

    #[test]
    fn what_a_database_has_taken_over_is_left_out() {
        let listed = |name: &str, store: Store| SessionFile {
            name: name.into(),
            store: Some(store),
            ..SessionFile::default()
        };
        let files = vec![
            listed("a.db/ses_1", Store::Database("ses_1".to_owned())),
            listed("session/p/ses_1.json", Store::Tree),
            listed("session/p/ses_2.json", Store::Tree),
        ];
        let names: Vec<String> = without_moved(files).iter().map(|file| file.name.given()).collect();
        assert_eq!(names, ["a.db/ses_1", "session/p/ses_2.json"]);
    }
}

//! Files and folders, wherever sessions are kept.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use ebbline_commands::{Entry, EntryKind, Kind, Listing, Name, Refusal, SessionFile, Weight};

use crate::file_name::{name_of, path_of};
use crate::file_state::number;
use crate::refusal::of_system;
use crate::store::{self, Databases};

/// What a name refers to, behind all links.
pub(crate) fn kind(path: &Path) -> Kind {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Kind::Folder,
        Ok(found) if found.is_file() => Kind::File(found.len()),
        Ok(found) => Kind::Other(found.len()),
        Err(_) => Kind::Other(0),
    }
}

/// The bytes of a session, or those of standard input.
pub(crate) fn read(name: &Name, databases: &Databases) -> Result<Vec<u8>, Refusal> {
    if !name.is_stdin() {
        return databases.bytes(&path_of(name));
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| of_system(&error))?;
    Ok(bytes)
}

/// What the memory depends on that a session needs.
pub(crate) fn weight(file: &SessionFile, databases: &Databases) -> Result<Weight, Refusal> {
    if file.store.is_none() && !file.name.is_stdin() {
        return store::weight(&path_of(&file.name));
    }
    let mut weight = Weight::default();
    // Standard input can be read only once.
    if file.store.is_some() {
        weight.add(&read(&file.name, databases)?);
    }
    Ok(weight)
}

/// What a folder holds, or how a file is kept.
pub(crate) fn list(path: &Path, databases: &Databases) -> Listing {
    if path.is_dir() {
        return list_folder(path, databases);
    }
    match stored(path, true, databases) {
        EntryKind::File { size, .. } => Listing::File(size),
        EntryKind::Sessions(sessions) => Listing::Sessions(sessions),
        EntryKind::Refused(refusal) => Listing::Refused(refusal),
        EntryKind::Folder => Listing::Folder(Vec::new()),
    }
}

fn list_folder(folder: &Path, databases: &Databases) -> Listing {
    if let Some(events) = store::of_events(folder) {
        return Listing::Sessions(vec![events]);
    }
    let is_storage = store::is_storage(folder);
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => return Listing::Unread(of_system(&error)),
    };
    let entries = entries.into_iter().filter_map(|entry| {
        let name = entry.file_name();
        let kind = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // What else is in a storage are the messages of sessions, and their parts.
            (!is_storage || name == "session").then_some(EntryKind::Folder)?
        } else {
            let path = entry.path();
            match stored(
                &path,
                path.extension().is_some_and(|ending| ending == "db" || ending == "sqlite"),
                databases,
            ) {
                EntryKind::File { .. } => {
                    let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
                    let number = number(&found).map(|(device, file)| format!("{device}:{file}"));
                    EntryKind::File { size: found.len(), number }
                }
                kind => kind,
            }
        };
        Some(Entry { name: name_of(&name), kind })
    });
    Listing::Folder(entries.collect())
}

/// How a file is kept. In a folder, no file is opened that is not called a database.
fn stored(path: &Path, may_be_database: bool, databases: &Databases) -> EntryKind {
    let sessions = match store::of_tree(path) {
        Ok(None) if may_be_database => databases.list(path),
        tree => tree.map(|tree| tree.into_iter().collect()),
    };
    match sessions {
        Ok(sessions) if sessions.is_empty() => {
            EntryKind::File { size: fs::metadata(path).map_or(0, |found| found.len()), number: None }
        }
        Ok(sessions) => EntryKind::Sessions(sessions),
        Err(refusal) => EntryKind::Refused(refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_from_files() {
        let folder = std::env::temp_dir().join(format!("ebbline-folders-{}", std::process::id()));
        fs::create_dir_all(folder.join("b")).unwrap();
        fs::write(folder.join("a.json"), "[]").unwrap();
        let databases = Databases::default();
        let Listing::Folder(mut entries) = list(&folder, &databases) else { panic!("no folder") };
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        let shown: Vec<_> = entries.iter().map(|entry| (entry.name.text(), &entry.kind)).collect();
        assert!(
            matches!(&*shown, [(file, EntryKind::File { size: 2, .. }), (below, EntryKind::Folder)] if file == "a.json" && below == "b"),
            "{shown:?}"
        );
        assert_eq!(list(&folder.join("a.json"), &databases), Listing::File(2));
        assert_eq!(list(&folder.join("none"), &databases), Listing::File(0));
        assert_eq!((kind(&folder), kind(&folder.join("a.json"))), (Kind::Folder, Kind::File(2)));
        fs::remove_dir_all(&folder).unwrap();
        let refusal = read(&Name::from("/no/such"), &databases).unwrap_err();
        assert_eq!(refusal.reason(), "cannot read /no/such: there is no such file or folder");
    }
}

//! The files that names on the command line mean: a folder means every file below it.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::{Failure, why};
use crate::file_state::number;
use crate::files::Name;
use crate::store::{self, Kept, Store};
use crate::weight::Weight;

/// A file to work on.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) name: Name,
    /// Whether it was found in a folder: then it may be no session at all.
    pub(crate) is_found: bool,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// How it is kept, if it is no plain file.
    pub(crate) store: Option<Store>,
}

impl Listed {
    fn of_store((path, size, store): Kept, is_found: bool) -> Self {
        Self { name: path.into_os_string().into(), is_found, size, store: Some(store) }
    }

    /// The bytes of the session.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        match &self.store {
            Some(Store::Database(sessions, id)) => sessions.export(id),
            _ => self.name.bytes(),
        }
    }

    /// What the memory depends on that it needs.
    pub(crate) fn weight(&self) -> Result<Weight, Failure> {
        if self.store.is_none() && !self.name.is_stdin() {
            return store::weight(self.name.path());
        }
        let mut weight = Weight::default();
        // Standard input can be read only once.
        if self.store.is_some() {
            weight.add(&self.bytes()?);
        }
        Ok(weight)
    }

    /// Which piece of it cannot be read, if it is kept in pieces.
    pub(crate) fn blamed(&self) -> Option<Failure> {
        store::blamed(self.name.path(), self.store.as_ref()?)
    }
}

/// The files that names mean, those of a folder in the order of their names. `refuse` takes what cannot be listed.
pub(crate) fn listed(names: &[Name], refuse: &mut dyn FnMut(Failure)) -> Vec<Listed> {
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    for name in names {
        let is_folder = !name.is_stdin() && name.path().is_dir();
        if !is_folder {
            if name.is_stdin() || !add_stored(name.path(), false, &mut files, refuse) {
                files.push(Listed { name: name.clone(), is_found: false, size: name.size(), store: None });
            }
            continue;
        }
        let before = files.len();
        below(name.path(), &mut files, refuse);
        if files.len() == before {
            refuse(Failure::File(format!("{} holds no file", name.said())));
        }
        // A session is one, however many links lead to it.
        let found = files.split_off(before);
        files.extend(found.into_iter().filter(|file| {
            let known = file.store.is_none().then(|| fs::metadata(file.name.path()).ok()).flatten();
            known.and_then(|known| number(&known)).is_none_or(|number| seen.insert(number))
        }));
    }
    without_moved(files)
}

/// Adds the sessions that a file holds or describes; `false` if it is a file like any other.
fn add_stored(path: &Path, is_found: bool, files: &mut Vec<Listed>, refuse: &mut dyn FnMut(Failure)) -> bool {
    // In a folder, no file is opened that is not called a database.
    let may_be_database = !is_found || path.extension().is_some_and(|ending| ending == "db");
    let kept = match store::of_tree(path) {
        Ok(None) if may_be_database => store::of_database(path).map(Option::unwrap_or_default),
        kept => kept.map(|kept| kept.into_iter().collect()),
    };
    match kept {
        Ok(kept) => {
            let before = files.len();
            files.extend(kept.into_iter().map(|kept| Listed::of_store(kept, is_found)));
            files.len() > before
        }
        Err(failure) => {
            refuse(failure);
            true
        }
    }
}

/// Leaves out what OpenCode has taken over into its database: it does not remove the files.
fn without_moved(mut files: Vec<Listed>) -> Vec<Listed> {
    let in_database = |file: &Listed| match &file.store {
        Some(Store::Database(_, id)) => Some(OsString::from(id)),
        _ => None,
    };
    let ids: HashSet<OsString> = files.iter().filter_map(in_database).collect();
    files.retain(|file| {
        let is_moved = |id: &OsStr| ids.contains(id);
        !matches!(file.store, Some(Store::Tree)) || !file.name.path().file_stem().is_some_and(is_moved)
    });
    files
}

/// The files below a folder. Links to files are followed, links to folders are not: they may lead back.
fn below(folder: &Path, files: &mut Vec<Listed>, refuse: &mut dyn FnMut(Failure)) {
    if let Some(events) = store::of_events(folder) {
        files.push(Listed::of_store(events, true));
        return;
    }
    let is_storage = store::is_storage(folder);
    let mut entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => {
            refuse(Failure::File(format!("cannot read {}: {}", folder.display(), why(&error))));
            return;
        }
    };
    entries.sort_by_cached_key(|entry| order_of(&entry.file_name().to_string_lossy()));
    for entry in entries {
        let path = joined(folder, &entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !is_storage || entry.file_name() == "session" {
                below(&path, files, refuse);
            }
            continue;
        }
        if add_stored(&path, true, files, refuse) {
            continue;
        }
        let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
        if let Some(found) = found {
            let name = path.into_os_string().into();
            files.push(Listed { name, is_found: true, size: found.len(), store: None });
        }
    }
}

/// A path below a folder, in its shortest form: as JavaScript's `join` writes it.
fn joined(folder: &Path, name: &OsStr) -> PathBuf {
    let mut path = PathBuf::new();
    for part in folder.components().chain(Path::new(name).components()) {
        let goes_back = part == Component::ParentDir
            && matches!(path.components().next_back(), Some(Component::Normal(_) | Component::RootDir));
        if goes_back {
            path.pop();
        } else if part != Component::CurDir {
            path.push(part);
        }
    }
    path
}

/// Names are ordered by their UTF-16 units, as in JavaScript.
fn order_of(name: &str) -> Vec<u16> {
    name.encode_utf16().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_in_its_shortest_form() {
        for (folder, path) in
            [(".", "x"), ("./a", "a/x"), ("a//b/", "a/b/x"), ("a/../b", "b/x"), ("/../a", "/a/x")]
        {
            assert_eq!(joined(Path::new(folder), OsStr::new("x")), Path::new(path), "{folder}");
        }
        assert_eq!(joined(Path::new("../a"), OsStr::new("x")), Path::new("../a/x"));
    }

    #[test]
    fn a_folder_means_every_file_below_it_in_the_order_of_names() {
        let folder = std::env::temp_dir().join(format!("ebbline-folders-{}", std::process::id()));
        fs::create_dir_all(folder.join("b/c")).unwrap();
        for name in ["b/c/two.json", "b/one.json", "a.json"] {
            fs::write(folder.join(name), "[]").unwrap();
        }
        fs::hard_link(folder.join("a.json"), folder.join("b/same.json")).unwrap();
        let mut refused = Vec::new();
        let names = [Name::from(folder.clone()), Name::from(folder.join("a.json")), Name::from("-")];
        let found = listed(&names, &mut |failure| refused.push(failure.message()));
        fs::remove_dir_all(&folder).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|file| (file.name.given().replace(&*folder.to_string_lossy(), ""), file.is_found, file.size))
            .collect();
        let expected = [
            ("/a.json", true, 2),
            ("/b/c/two.json", true, 2),
            ("/b/one.json", true, 2),
            ("/a.json", false, 2),
            ("-", false, 0),
        ];
        assert_eq!(shown, expected.map(|(name, is_found, size)| (name.to_owned(), is_found, size)));
        assert_eq!(refused, Vec::<String>::new());
    }
}

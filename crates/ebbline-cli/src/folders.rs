//! The files that names on the command line mean: a folder means every file below it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::{Failure, why};
use crate::files::Name;

/// A file to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) name: Name,
    /// Whether it was found in a folder: then it may be no session at all.
    pub(crate) is_found: bool,
    /// Its size in bytes.
    pub(crate) size: u64,
}

/// The files that names mean, those of a folder in the order of their names. `refuse` takes what cannot be listed.
pub(crate) fn listed(names: &[Name], refuse: &mut dyn FnMut(Failure)) -> Vec<Listed> {
    let mut files = Vec::new();
    for name in names {
        let is_folder = !name.is_stdin() && name.path().is_dir();
        if !is_folder {
            files.push(Listed { name: name.clone(), is_found: false, size: name.size() });
            continue;
        }
        let before = files.len();
        below(name.path(), &mut files, refuse);
        if files.len() == before {
            refuse(Failure::File(format!("{} holds no file", name.said())));
        }
    }
    files
}

/// The files below a folder. Links to files are followed, links to folders are not: they may lead back.
fn below(folder: &Path, files: &mut Vec<Listed>, refuse: &mut dyn FnMut(Failure)) {
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
            below(&path, files, refuse);
            continue;
        }
        let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
        if let Some(found) = found {
            files.push(Listed { name: path.into_os_string().into(), is_found: true, size: found.len() });
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

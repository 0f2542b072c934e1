//! What would differ of a file if somebody had written to it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ebbline_commands::{FileState, Refusal};

use crate::file_name::{name_of, path_of};

/// A file as it is; `None` for what is no file.
pub(crate) fn state_of(path: &Path) -> Option<FileState> {
    let path = fs::canonicalize(path).ok()?;
    let found = fs::metadata(&path).ok().filter(Metadata::is_file)?;
    Some(state(&path, &found))
}

fn state(path: &Path, found: &Metadata) -> FileState {
    FileState {
        path: name_of(path.as_os_str()),
        size: found.len(),
        changed: found.modified().ok().map(nanoseconds),
        number: number(found),
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_nanos() as i64,
        Err(before) => -(before.duration().as_nanos() as i64),
    }
}

/// Refuses to write the file `target` if it is the one that was read and has changed.
pub(crate) fn check(before: &FileState, target: &Path) -> Result<(), Refusal> {
    if target != path_of(&before.path) {
        return Ok(());
    }
    let now = fs::metadata(target).ok().map(|found| Box::new(state(target, &found)));
    if now.as_deref() == Some(before) {
        return Ok(());
    }
    Err(Refusal::Changed { before: Box::new(before.clone()), now })
}

/// The file itself, to find what is appended between the check and the replacement.
pub(crate) fn open(before: &FileState, target: &Path) -> Option<File> {
    File::open(target).ok().filter(|_| target == path_of(&before.path))
}

/// Takes along what was appended to `old` while it was replaced by `target`.
pub(crate) fn take_along(before: &FileState, mut old: File, target: &Path) -> io::Result<()> {
    let mut tail = Vec::new();
    old.seek(SeekFrom::Start(before.size))?;
    old.read_to_end(&mut tail)?;
    if tail.is_empty() {
        return Ok(());
    }
    OpenOptions::new().append(true).open(target)?.write_all(&tail)
}

/// Which file it is, however many names it has; `None` if the system does not say so.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems do not say it")]
pub(crate) fn number(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
pub(crate) fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_refused_and_what_was_appended_is_taken_along() {
        let folder = std::env::temp_dir().join(format!("ebbline-seen-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = fs::canonicalize(&folder).unwrap().join("a.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let before = state_of(&path).unwrap();
        let why = || check(&before, &path).map_err(|refusal| refusal.reason());
        assert_eq!(why(), Ok(()));
        let old = open(&before, &path).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(why().unwrap_err().starts_with("it went from 3 to 6 bytes since it was read"));
        assert_eq!(check(&before, &folder), Ok(()), "another file");
        let next = folder.join("b.jsonl");
        fs::write(&next, "new\n").unwrap();
        fs::rename(&next, &path).unwrap();
        assert!(why().unwrap_err().starts_with("another file took its place"));
        take_along(&before, old, &path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n{}\n");
        fs::remove_file(&path).unwrap();
        assert!(why().unwrap_err().starts_with("it is gone since"));
        assert!(state_of(&folder).is_none());
        fs::remove_dir_all(&folder).unwrap();
    }
}

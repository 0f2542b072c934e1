//! A session file as it was when it was read: an agent may append to it while it is compacted.
//!
//! A file that changed since is not replaced, because what came since would be lost.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::amount::amount;
use crate::files::Name;

/// A file, and what would differ if somebody had written to it.
#[derive(Clone, Debug)]
pub(crate) struct FileState {
    path: PathBuf,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    size: u64,
    changed: Option<SystemTime>,
    /// Which file it is, if the system says so.
    number: Option<(u64, u64)>,
}

impl FileState {
    /// The file of this name; `None` for standard input and what is no file. It must be called before the file is read.
    pub(crate) fn of(name: &Name) -> Option<Self> {
        let path = fs::canonicalize(name.path()).ok().filter(|_| !name.is_stdin())?;
        let found = fs::metadata(&path).ok().filter(Metadata::is_file)?;
        Some(Self { path, state: State::of(&found) })
    }

    /// Refuses to write the file `target` if it is this one and has changed.
    pub(crate) fn check(&self, target: &Path) -> Result<(), String> {
        if target != self.path {
            return Ok(());
        }
        let now = fs::metadata(target).ok().map(|found| State::of(&found));
        let what = match now {
            Some(now) if now == self.state => return Ok(()),
            None => "it is gone".to_owned(),
            Some(now) if now.number != self.state.number => "another file took its place".to_owned(),
            Some(now) if now.size != self.state.size => {
                format!("it went from {} to {} bytes", amount(self.state.size), amount(now.size))
            }
            Some(_) => "it was written to".to_owned(),
        };
        Err(format!(
            "{what} since it was read, and what came since would be lost; write to another file, or try again when nobody writes to it"
        ))
    }

    /// The file itself, to find what is appended between the check and the replacement.
    pub(crate) fn open(&self, target: &Path) -> Option<File> {
        File::open(target).ok().filter(|_| target == self.path)
    }

    /// Takes along what was appended to `old` while it was replaced by `target`.
    pub(crate) fn take_along(&self, mut old: File, target: &Path) -> io::Result<()> {
        let mut tail = Vec::new();
        old.seek(SeekFrom::Start(self.state.size))?;
        old.read_to_end(&mut tail)?;
        if tail.is_empty() {
            return Ok(());
        }
        OpenOptions::new().append(true).open(target)?.write_all(&tail)
    }
}

impl State {
    fn of(found: &Metadata) -> Self {
        Self { size: found.len(), changed: found.modified().ok(), number: number(found) }
    }
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
    fn what_changed_is_said() {
        let folder = std::env::temp_dir().join(format!("ebbline-seen-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = fs::canonicalize(&folder).unwrap().join("a.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let seen = FileState::of(&Name::from(path.as_os_str())).unwrap();
        assert_eq!(seen.check(&path), Ok(()));
        let old = seen.open(&path).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(seen.check(&path).unwrap_err().starts_with("it went from 3 to 6 bytes since it was read"));
        assert_eq!(seen.check(&folder), Ok(()), "another file");
        let next = folder.join("b.jsonl");
        fs::write(&next, "new\n").unwrap();
        fs::rename(&next, &path).unwrap();
        assert!(seen.check(&path).unwrap_err().starts_with("another file took its place"));
        seen.take_along(old, &path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n{}\n");
        fs::remove_file(&path).unwrap();
        assert!(seen.check(&path).unwrap_err().starts_with("it is gone since"));
        assert!(FileState::of(&Name::from("-")).is_none());
        fs::remove_dir_all(&folder).unwrap();
    }
}

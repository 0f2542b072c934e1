//! Writes a file so that nothing is lost: at every moment the name refers either to the complete old content or to the
//! complete new content.
//!
//! The new content is written to a file beside it, flushed to the disk, and moved into place by a rename. Mode and, if the
//! system allows it, owner are preserved. A link stays a link, and its target is replaced. Other hard links keep the old
//! content, because a rename gives the name to a new file.

use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ebbline_commands::{FileState, Refusal};

use crate::file_name::name_of;
use crate::file_state;
use crate::refusal::of_system;
use crate::signals::{Reaction, watch};
use crate::store::is_binary;

/// The maximum number of links that the kernel follows.
const MOST_LINKS: usize = 40;

/// Refuses a file that was `seen` and has changed since.
pub(crate) fn check_unchanged(path: &Path, seen: &FileState) -> Result<(), Refusal> {
    match target_of(path).ok().flatten() {
        Some(target) => file_state::check(seen, &target),
        None => Ok(()),
    }
}

/// Writes a file, unless it is the one that was `seen` and has changed since.
pub(crate) fn write(path: &Path, bytes: &[u8], seen: Option<&FileState>) -> Result<(), Refusal> {
    let found = found(path).map_err(said)?;
    let is_replaced = found.as_ref().is_none_or(Metadata::is_file);
    match is_replaced.then(|| target_of(path)).transpose()?.flatten() {
        Some(target) if is_binary_file(&target) => Err(Refusal::Reason(
            "it is an archive, a compressed file or a database, and text is to be written: give another name"
                .to_owned(),
        )),
        Some(target) => replace(&target, found.as_ref(), bytes, seen),
        None => write_directly(path, bytes).map_err(said),
    }
}

fn is_binary_file(path: &Path) -> bool {
    let mut begins = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut begins));
    read.is_ok() && is_binary(&begins)
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` passes")]
fn said(error: io::Error) -> Refusal {
    of_system(&error)
}

/// What a name refers to, following links; `None` if it does not exist.
fn found(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The path of the file itself, behind all links, whether it exists or not. `None` if the name can only be opened: a
/// descriptor of this process, or a name that means a folder.
fn target_of(path: &Path) -> Result<Option<PathBuf>, Refusal> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        let Some(last) = path.file_name().filter(|_| !is_folder) else { return Ok(None) };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = fs::canonicalize(parent.unwrap_or(Path::new("."))).map_err(said)?;
        if is_of_descriptors(&folder) {
            return Ok(None);
        }
        let own = folder.join(last);
        if !fs::symlink_metadata(&own).is_ok_and(|found| found.is_symlink()) {
            return Ok(Some(own));
        }
        path = folder.join(fs::read_link(&own).map_err(said)?);
    }
    Err(Refusal::System { code: "ELOOP".to_owned(), words: String::new() })
}

/// Whether the names in a folder are descriptors: `/dev/fd`, `/proc/1/fd`.
fn is_of_descriptors(folder: &Path) -> bool {
    let folder = folder.to_string_lossy();
    let process = folder.strip_prefix("/proc/").and_then(|folder| folder.strip_suffix("/fd"));
    folder == "/dev/fd" || process.is_some_and(|process| !process.is_empty() && !process.contains('/'))
}

/// Writes in place: a pipe or a device has no old content, and a file behind a descriptor must stay the same file.
fn write_directly(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

/// A file that is removed unless it is moved into place.
struct Beside(PathBuf);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn replace(
    target: &Path,
    found: Option<&Metadata>,
    bytes: &[u8],
    seen: Option<&FileState>,
) -> Result<(), Refusal> {
    if found.is_some() {
        // A file without write permission must not be replaced, even if its folder allows that.
        system::check_writable(target).map_err(said)?;
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    let number = RandomState::new().hash_one(target);
    let beside = Beside(folder.join(format!(".ebbline-{}-{number:x}.tmp", std::process::id())));
    let removed = beside.0.clone();
    let _watching = watch(Reaction::TidyUp(Box::new(move || {
        let _ = fs::remove_file(&removed);
    })));
    let mut file = open_beside(&beside.0, found.is_some()).map_err(|error| Refusal::Beside {
        folder: name_of(folder.as_os_str()),
        why: Box::new(said(error)),
    })?;
    file.write_all(bytes).map_err(said)?;
    if let Some(found) = found {
        system::take_over(&file, found).map_err(said)?;
    }
    file.sync_all().map_err(said)?;
    drop(file);
    let old = seen.and_then(|seen| Some((seen, file_state::open(seen, target)?)));
    seen.map_or(Ok(()), |seen| file_state::check(seen, target))?;
    fs::rename(&beside.0, target).map_err(said)?;
    if let Some((seen, old)) = old {
        file_state::take_along(seen, old, target).map_err(said)?;
    }
    sync_folder(folder);
    Ok(())
}

/// If the name exists already, opening the file fails.
fn open_beside(path: &Path, is_replacement: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // The replacement of a private file is private even before it gets the same mode.
    system::set_mode(&mut options, is_replacement);
    options.open(path)
}

/// Flushes the folder, so that the name is on the disk. Some systems cannot do this, and the content is safe without it.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(unix)]
mod system {
    use std::fs::{File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown};
    use std::path::Path;

    use rustix::fs::{Access, access};

    pub(super) fn check_writable(path: &Path) -> io::Result<()> {
        Ok(access(path, Access::WRITE_OK)?)
    }

    pub(super) fn set_mode(options: &mut OpenOptions, is_replacement: bool) {
        options.mode(if is_replacement { 0o600 } else { 0o666 });
    }

    /// Gives a file another file's mode and, if the system allows it, owner.
    pub(super) fn take_over(file: &File, other: &Metadata) -> io::Result<()> {
        let own = file.metadata()?;
        let is_same = own.uid() == other.uid() && own.gid() == other.gid();
        let is_owner = is_same || fchown(file, Some(other.uid()), Some(other.gid())).is_ok();
        // With another owner, the set-user-ID bit would grant that owner's rights.
        let mode = other.mode() & if is_owner { 0o7777 } else { 0o777 };
        file.set_permissions(Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;

    pub(super) fn check_writable(path: &Path) -> io::Result<()> {
        OpenOptions::new().write(true).open(path).map(drop)
    }

    pub(super) fn set_mode(_: &mut OpenOptions, _: bool) {}

    pub(super) fn take_over(file: &File, other: &Metadata) -> io::Result<()> {
        file.set_permissions(other.permissions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_told_from_folders() {
        for (folder, expected) in [
            ("/dev/fd", true),
            ("/proc/1/fd", true),
            ("/proc/fd", false),
            ("/proc/1/task/fd", false),
            ("/tmp", false),
        ] {
            assert_eq!(is_of_descriptors(Path::new(folder)), expected, "{folder}");
        }
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("ebbline-write-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.json");
        for content in ["old", "new"] {
            write(&path, content.as_bytes(), None).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::write(&path, b"PK\x03\x04...").unwrap();
        let refusal = write(&path, b"{}", None).unwrap_err();
        assert!(refusal.reason().starts_with("it is an archive"), "{}", refusal.reason());
        assert_eq!(fs::read(&path).unwrap(), b"PK\x03\x04...");
        let refusal = write(&folder.join("no/such"), b"", None).unwrap_err();
        assert_eq!(refusal.reason(), "there is no such file or folder");
        fs::remove_dir_all(&folder).unwrap();
    }
}

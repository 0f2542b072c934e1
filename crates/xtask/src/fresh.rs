//! Whether a build result is newer than everything it was built from.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::failure::{Context, Outcome};

/// A small file that records when and how something was built.
#[derive(Debug)]
pub(crate) struct Stamp {
    path: PathBuf,
    how: String,
}

impl Stamp {
    /// The stamp at `path`; `how` names other inputs, such as a tool's version.
    pub(crate) fn new(path: PathBuf, how: impl Into<String>) -> Self {
        Self { path, how: how.into() }
    }

    /// Whether nothing below `inputs` has changed since the stamp was set, and all `outputs` exist.
    pub(crate) fn holds(&self, inputs: &[PathBuf], outputs: &[PathBuf]) -> bool {
        let Ok(set) = fs::metadata(&self.path).and_then(|meta| meta.modified()) else { return false };
        fs::read_to_string(&self.path).is_ok_and(|how| how == self.how)
            && outputs.iter().all(|path| path.exists())
            && inputs.iter().filter_map(|path| newest(path)).all(|changed| changed <= set)
    }

    /// Sets the stamp to the time when the build **began**, so that files edited meanwhile count as newer.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub(crate) fn set(&self, began: SystemTime) -> Outcome<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).context(cannot)?;
        }
        fs::write(&self.path, &self.how).context(cannot)?;
        File::options().write(true).open(&self.path).and_then(|file| file.set_modified(began)).context(cannot)
    }
}

/// A short text that changes with the file's content. It is only compared on the same machine.
///
/// # Errors
///
/// When the file cannot be read.
pub(crate) fn fingerprint(file: &Path) -> Outcome<String> {
    let bytes = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

/// The newest change at or below `path`. A folder counts too: its time changes when a file in it is deleted.
fn newest(path: &Path) -> Option<SystemTime> {
    let meta = fs::metadata(path).ok()?;
    let own = meta.modified().ok()?;
    if !meta.is_dir() {
        return Some(own);
    }
    let below = fs::read_dir(path).ok()?.flatten().filter(|entry| !is_built(&entry.path()));
    below.filter_map(|entry| newest(&entry.path())).chain([own]).max()
}

/// Folders that builds write into are not sources.
fn is_built(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| ["target", "dist", "node_modules", ".git"].iter().any(|built| name == *built))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-fresh-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("src/deep")).unwrap();
        fs::create_dir_all(folder.join("src/node_modules")).unwrap();
        fs::write(folder.join("src/deep/a"), "a").unwrap();
        folder
    }

    #[test]
    fn a_stamp_holds_until_a_source_changes_below_it() {
        let folder = folder("changes");
        let stamp = Stamp::new(folder.join("stamp"), "v1");
        let (inputs, outputs) = ([folder.join("src")], [folder.join("out")]);
        assert!(!stamp.holds(&inputs, &outputs), "no stamp yet");

        fs::write(folder.join("out"), "").unwrap();
        stamp.set(SystemTime::now() + Duration::from_secs(5)).unwrap();
        assert!(stamp.holds(&inputs, &outputs));
        assert!(!Stamp::new(folder.join("stamp"), "v2").holds(&inputs, &outputs), "made in another way");
        assert!(!stamp.holds(&inputs, &[folder.join("gone")]), "an output is missing");

        stamp.set(SystemTime::now() - Duration::from_mins(1)).unwrap();
        assert!(!stamp.holds(&inputs, &outputs), "a source is newer");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_builds_write_is_no_source() {
        let folder = folder("built");
        let long_ago = SystemTime::now() - Duration::from_hours(1);
        for path in ["src/deep/a", "src/deep", "src"] {
            File::open(folder.join(path)).unwrap().set_modified(long_ago).unwrap();
        }
        let stamp = Stamp::new(folder.join("stamp"), "");
        stamp.set(long_ago + Duration::from_secs(1)).unwrap();
        assert!(stamp.holds(&[folder.join("src")], &[]), "node_modules is new, but not a source");
        fs::write(folder.join("src/new"), "").unwrap();
        assert!(!stamp.holds(&[folder.join("src")], &[]));
        fs::remove_dir_all(folder).unwrap();
    }
}

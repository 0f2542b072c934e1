//! Sessions: real files of many agents, which are read, planned, edited and planned again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Outcome};
use crate::suite::Suite;

/// `cargo xtask sessions DIR`: checks a folder of sessions, with or without a MANIFEST.tsv, with each engine.
pub(crate) const SUITE: Suite = Suite {
    program: "sessions",
    test: "sessions_are_read_written_and_planned",
    noun: "session file",
    files: sessions_below,
};

fn sessions_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, Path::new(""), &mut files)?;
    files.sort();
    Ok(files)
}

/// All files in the folder and its subfolders, except those that describe the others.
fn collect(folder: &Path, below: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries.flatten() {
        let (path, place) = (entry.path(), below.join(entry.file_name()));
        if path.is_dir() {
            collect(&path, &place, files)?;
        } else if !describes(&entry.file_name().to_string_lossy()) {
            files.push(place);
        }
    }
    Ok(())
}

fn describes(name: &str) -> bool {
    ["MANIFEST", "README", "LICENSE", "."].iter().any(|start| name.starts_with(start))
}

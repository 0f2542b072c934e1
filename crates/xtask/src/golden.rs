//! Golden vectors: inputs and the answers of other systems' own code.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Outcome};
use crate::suite::Suite;

/// `cargo xtask golden DIR`: checks a folder of vectors with each engine.
pub(crate) const SUITE: Suite =
    Suite { program: "golden", test: "covered_vectors_are_equal", noun: "vector file", files: vectors_in };

/// Every `*.json` directly in the folder; subfolders contain other files.
fn vectors_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "json"))
        .filter_map(|path| path.file_name().map(PathBuf::from))
        .collect();
    files.sort();
    Ok(files)
}

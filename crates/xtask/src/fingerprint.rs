//! Whether an installation still has what it was made of.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::failure::{Context, Outcome};

/// A short text that changes with the file's content. It is only compared on the same machine.
pub(crate) fn of(file: &Path) -> Outcome<String> {
    let bytes = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

//! Copies files and folders.

use std::fs;
use std::path::Path;

use crate::failure::{Context, Outcome};

/// Copies a file, or a folder with all it holds but cargo's lock.
pub(crate) fn any(from: &Path, to: &Path) -> Outcome<()> {
    if !from.is_dir() {
        let cannot = || format!("cannot copy {} to {}", from.display(), to.display());
        fs::create_dir_all(to.parent().unwrap_or(to)).context(cannot)?;
        return fs::copy(from, to).map(drop).context(cannot);
    }
    fs::create_dir_all(to).context(|| format!("cannot make {}", to.display()))?;
    let entries = fs::read_dir(from).context(|| format!("cannot read {}", from.display()))?;
    for entry in entries.flatten().filter(|entry| entry.file_name() != ".lock") {
        any(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_copied_with_all_it_holds() {
        let place = std::env::temp_dir().join(format!("xtask-copied-{}", std::process::id()));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("from/deep/deeper")).unwrap();
        fs::write(place.join("from/a.html"), "a").unwrap();
        fs::write(place.join("from/.lock"), "").unwrap();
        fs::write(place.join("from/deep/deeper/b.html"), "b").unwrap();
        any(&place.join("from"), &place.join("to/it")).unwrap();
        assert_eq!(fs::read_to_string(place.join("to/it/deep/deeper/b.html")).unwrap(), "b");
        assert!(place.join("to/it/a.html").is_file() && !place.join("to/it/.lock").exists());
        assert!(any(&place.join("gone"), &place.join("to/gone")).is_err());
        fs::remove_dir_all(place).unwrap();
    }
}

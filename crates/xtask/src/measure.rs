//! Durations, sizes and paths as text for people.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// `0.4 s`, `12 s`, `3 min 05 s`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds >= 60 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else if seconds >= 10 {
        format!("{seconds} s")
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// `512 B`, `17.3 kB`, `4.2 MB`: powers of a thousand, as download sizes are written.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// `1 file`, `3 files`.
pub(crate) fn number(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The size of a file, or of everything in a folder. Unreadable files count as 0.
pub(crate) fn bytes_at(path: &Path) -> u64 {
    let Ok(meta) = fs::symlink_metadata(path) else { return 0 };
    if !meta.is_dir() {
        return meta.len();
    }
    let Ok(entries) = fs::read_dir(path) else { return 0 };
    entries.flatten().map(|entry| bytes_at(&entry.path())).sum()
}

/// `path (4.2 MB)`, with the home folder written as `~`.
pub(crate) fn left_at(path: &Path) -> String {
    format!("{} ({})", short(path), size(bytes_at(path)))
}

/// The path relative to the working directory or the home folder, if it is in one of them.
pub(crate) fn short(path: &Path) -> String {
    if let Ok(here) = std::env::current_dir()
        && let Ok(rest) = path.strip_prefix(&here)
        && !rest.as_os_str().is_empty()
    {
        return rest.display().to_string();
    }
    if let Some(home) = std::env::var_os("HOME")
        && let Ok(rest) = path.strip_prefix(&home)
    {
        return format!("~/{}", rest.display());
    }
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = [0.04, 3.26, 12.9, 59.99, 60.0, 185.0].map(|s| duration(Duration::from_secs_f64(s)));
        assert_eq!(shown, ["0.0 s", "3.3 s", "12 s", "59 s", "1 min 00 s", "3 min 05 s"]);
    }

    #[test]
    fn sizes_use_the_unit_that_fits() {
        assert_eq!(
            [0, 999, 1_000, 17_300, 4_200_000, 3_100_000_000].map(size),
            ["0 B", "999 B", "1.0 kB", "17.3 kB", "4.2 MB", "3.1 GB"]
        );
    }
}

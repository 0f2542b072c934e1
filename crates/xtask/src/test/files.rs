//! The test files of a folder, and what of a failing one is printed.

use std::fs;
use std::path::{Path, PathBuf};

/// How many lines of a failing program's output are printed; the log contains all of it.
const EXCERPT: usize = 250;

/// The important lines: from the program's summary of failures on, or else the last lines.
pub(super) fn excerpt(lines: &[String]) -> &[String] {
    let summary = |line: &String| {
        let line = line.trim();
        line == "failures:"
            || line.ends_with("failing tests:")
            || line.starts_with("error: ")
            || line.starts_with("error[")
    };
    let from = lines.iter().position(summary).unwrap_or(0);
    let from = if lines.len() - from > EXCERPT && from == 0 { lines.len() - EXCERPT } else { from };
    let rest = lines.get(from..).unwrap_or_default();
    rest.get(..EXCERPT).unwrap_or(rest)
}

/// The test files of a folder, sorted by name. Node 20 cannot expand patterns itself.
pub(super) fn test_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".test.mjs")))
        .collect();
    files.sort();
    files
}

/// An estimate of the number of tests in a file that cannot run.
pub(super) fn tests_in(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    let starts =
        |line: &str| ["test(", "it(", "test.only("].iter().any(|call| line.trim_start().starts_with(call));
    text.lines().filter(|line| starts(line)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excerpt_begins_where_failures_are_summed_up() {
        let lines: Vec<String> =
            ["test a ... ok", "failures:", "---- b stdout ----", "boom"].map(String::from).to_vec();
        assert_eq!(excerpt(&lines).first().map(String::as_str), Some("failures:"));
        let long: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        assert_eq!(excerpt(&long).first().map(String::as_str), Some("750"));
        assert_eq!(excerpt(&[]).len(), 0);
    }

    #[test]
    fn tests_that_cannot_run_are_counted_by_their_look() {
        let file = std::env::temp_dir().join(format!("xtask-count-{}.mjs", std::process::id()));
        fs::write(&file, "import test from 'node:test';\ntest('a', () => {});\n  it('b');\n// test('c')\n")
            .unwrap();
        assert_eq!(tests_in(&file), 2);
        fs::remove_file(file).unwrap();
    }
}

//! One line of JSON per file, which `cargo xtask golden` and `cargo xtask sessions` read to print a table.

use serde_json::{Value, json};

/// The result of one file of vectors.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// The file's name.
    pub file: String,
    /// Whether there is an adapter for it; otherwise nothing was run.
    pub known: bool,
    /// Cases in the file.
    pub cases: usize,
    /// The failures by case: its name and the difference.
    pub failures: Vec<(String, String)>,
}

impl FileReport {
    /// The report as one line.
    pub fn to_json(&self) -> Value {
        let failed = self.failures.len();
        json!({
            "file": self.file,
            "known": self.known,
            "cases": self.cases,
            "passed": if self.known { self.cases - failed } else { 0 },
            "failed": failed,
            "failures": self.failures.iter().take(5).map(|(name, why)| format!("{name}: {why}")).collect::<Vec<_>>(),
        })
    }
}

/// The result of one session file.
#[derive(Clone, Debug, Default)]
pub struct SessionReport {
    /// The file's path below the folder.
    pub file: String,
    /// The detected format, or the error code of reading.
    pub format: String,
    /// How many checks were made.
    pub checks: usize,
    /// Those that failed.
    pub failures: Vec<String>,
    /// A remark, for example why nothing was checked.
    pub note: String,
}

impl SessionReport {
    /// The report as one line.
    pub fn to_json(&self) -> Value {
        json!({
            "file": self.file,
            "format": self.format,
            "ok": self.failures.is_empty(),
            "checks": self.checks,
            "failures": self.failures,
            "note": self.note,
        })
    }
}

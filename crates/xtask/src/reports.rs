//! The output of the programs that check golden vectors and sessions, and how it is shown.
//!
//! There are two programs of each kind: a native one (`cargo run -p ebbline-tests --bin golden -- DIR`) and one for
//! the npm package (`node tests/npm/golden.mjs DIR`, which finds the installed package in `EBBLINE_PACKAGE`);
//! likewise for `sessions`. They print one JSON object per file, each on a line of standard output, and may print any
//! other line that does not begin with `{`. Missing members count as 0, empty or, for `known`, true:
//!
//! ```json
//! {"file":"tunacode-2026-01-prune.json","passed":129,"failed":0,"skipped":0,"known":true,"failures":["name: why"]}
//! {"file":"pi/a.jsonl","format":"pi","ok":true,"checks":5,"failures":[],"note":"4 MB"}
//! ```
//!
//! An unknown member is an error, because a misspelt one would count as 0.
//!
//! `known: false` says that the engine does not cover the file yet. `failures` contains the first few failures.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::counts::Counts;
use crate::failure::{Failure, Outcome};
use crate::npm::Installed;
use crate::process::line_of;
use crate::project::Project;
use crate::step::{self, Step, say};

/// The build of the engine that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// The Rust crate.
    Native,
    /// The npm package in Node.
    Npm,
}

impl Engine {
    /// The name for titles.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Npm => "npm",
        }
    }
}

/// The allowed members of a report.
const MEMBERS: [&str; 11] =
    ["file", "passed", "failed", "skipped", "known", "failures", "cases", "format", "ok", "checks", "note"];

/// One program's report about one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Report {
    file: String,
    /// The detected session format; empty for golden vectors.
    format: String,
    counts: Counts,
    known: bool,
    failures: Vec<String>,
    note: String,
}

impl Report {
    fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line.trim()).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| value.get(key).and_then(Value::as_u64);
        let file = text("file");
        if file.is_empty() {
            return None;
        }
        let mut failures: Vec<String> = value
            .get("failures")
            .and_then(Value::as_array)
            .map(|list| {
                list.iter()
                    .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                    .collect()
            })
            .unwrap_or_default();
        let known = value.get("known").and_then(Value::as_bool).unwrap_or(true);
        let mut counts = Counts {
            passed: number("passed").unwrap_or(0),
            failed: number("failed").unwrap_or(0),
            skipped: number("skipped").unwrap_or(0),
        };
        if let Some(ok) = value.get("ok").and_then(Value::as_bool) {
            // A program that only reports "not ok" has failed at least once.
            let failed = if ok { 0 } else { (failures.len() as u64).max(counts.failed).max(1) };
            counts.failed = failed;
            counts.passed = number("checks").unwrap_or(u64::from(ok)).saturating_sub(failed);
        }
        if !known {
            counts = Counts { skipped: counts.skipped.max(1), ..Counts::default() };
        }
        let unknown = value.as_object()?.keys().find(|key| !MEMBERS.contains(&key.as_str()));
        if let Some(key) = unknown {
            counts.failed += 1;
            failures.push(format!("the report has an unknown member {key:?}"));
        }
        Some(Self { file, format: text("format"), counts, known, failures, note: text("note") })
    }
}

/// All reports of one program.
#[derive(Debug)]
pub(crate) struct Table {
    title: String,
    reports: Vec<Report>,
    /// Files in the folder without a report.
    unreported: Vec<String>,
}

impl Table {
    /// The program that checks `folder` with `engine`: `what` is `golden` or `sessions`.
    pub(crate) fn program(
        project: &Project,
        what: &str,
        folder: &Path,
        engine: Engine,
        npm: Option<&Installed>,
    ) -> Command {
        match engine {
            Engine::Native => {
                let mut command = project.cargo();
                // As the tests are, which have compiled the engine already.
                command.args(["run", "--profile", "test", "-p", "ebbline-tests", "--bin", what, "--"]);
                command.arg(folder);
                command
            }
            Engine::Npm => {
                let mut command = project.node();
                command.arg(project.at(format!("tests/npm/{what}.mjs"))).arg(folder);
                command.envs(npm.map(|installed| ("EBBLINE_PACKAGE", &installed.package)));
                command
            }
        }
    }

    /// Runs a program and reads its reports. `files` are the files it should report, relative to the folder.
    pub(crate) fn collect(step: &Step, command: &mut Command, files: &[PathBuf]) -> Outcome<Self> {
        let finished = step.attempt(command)?;
        let table = Self::read(step.name(), &finished.lines, files);
        if !finished.success() && table.counts().failed == 0 {
            let said: Vec<String> =
                finished.lines.into_iter().filter(|line| !line.starts_with('{')).collect();
            return Err(Failure::new(format!("{}: the program itself failed", step.name()))
                .command(line_of(command))
                .tail(&said, 40));
        }
        Ok(table)
    }

    fn read(title: &str, lines: &[String], files: &[PathBuf]) -> Self {
        let reports: Vec<Report> =
            lines.iter().filter(|line| line.starts_with('{')).filter_map(|line| Report::read(line)).collect();
        let unreported = files
            .iter()
            .map(|file| file.to_string_lossy().replace('\\', "/"))
            .filter(|file| !reports.iter().any(|report| names(&report.file, file)))
            .collect();
        Self { title: title.to_owned(), reports, unreported }
    }

    /// The sum over all files; an uncovered file counts as skipped.
    pub(crate) fn counts(&self) -> Counts {
        let silent = Counts { skipped: self.unreported.len() as u64, ..Counts::default() };
        self.reports.iter().map(|report| report.counts).sum::<Counts>() + silent
    }

    /// The files that the engine does not cover yet.
    pub(crate) fn not_covered(&self) -> Vec<&str> {
        let unknown = self.reports.iter().filter(|report| !report.known).map(|report| report.file.as_str());
        unknown.chain(self.unreported.iter().map(String::as_str)).collect()
    }

    /// Prints one line per file, or with `only_failed` per failed file; then the uncovered files.
    pub(crate) fn print(&self, only_failed: bool) {
        let width = self.reports.iter().map(|report| report.file.chars().count()).max().unwrap_or(0).max(24);
        if !only_failed {
            say!(
                "\n{:width$}  {:>7} {:>7} {:>7}",
                step::strong(format!("{:width$}", self.title)),
                "passed",
                "failed",
                "skipped"
            );
        }
        for report in self.reports.iter().filter(|report| report.known) {
            let Counts { passed, failed, skipped } = report.counts;
            if only_failed && failed == 0 {
                continue;
            }
            let mark = if failed == 0 { step::good("✔") } else { step::bad("✘") };
            let beside = [report.format.clone(), shortened(&report.note)].join("  ");
            say!(
                "{mark} {:width$} {passed:>6} {failed:>7} {skipped:>7}  {}",
                report.file,
                step::quiet(beside.trim())
            );
            for failure in &report.failures {
                say!("    {} {failure}", step::bad("failed:"));
            }
        }
        let missing = self.not_covered();
        if !missing.is_empty() {
            say!("  {} {}", step::odd(format!("not covered yet ({}):", missing.len())), missing.join(", "));
        }
        if !only_failed {
            say!("  {}", self.counts());
        }
    }
}

/// Whether the name `said` of a program means `file`: it may be a longer path, a bare name, or either without
/// `.json`.
fn names(said: &str, file: &str) -> bool {
    let stem = |path: &str| path.strip_suffix(".json").unwrap_or(path).to_owned();
    let (said, file) = (stem(said), stem(file));
    said == file
        || said.ends_with(&format!("/{file}"))
        || (!said.contains('/') && file.ends_with(&format!("/{said}")))
}

/// The beginning of a note, because the table has one line per file.
fn shortened(note: &str) -> String {
    const LONGEST: usize = 60;
    if note.chars().count() <= LONGEST {
        return note.to_owned();
    }
    note.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn golden_lines_are_counted_and_other_output_is_passed_over() {
        let table = Table::read(
            "golden, native",
            &lines(&[
                "   Compiling ebbline-tests v0.1.0",
                r#"{"file":"a.json","passed":5,"failed":1,"skipped":2,"known":true,"failures":["x.1: 3 != 4"]}"#,
                r#"{"file":"b.json","known":false}"#,
                "{not json",
            ]),
            &["a.json", "b.json", "c.json"].map(PathBuf::from),
        );
        assert_eq!(table.counts(), Counts { passed: 5, failed: 1, skipped: 4 });
        assert_eq!(table.not_covered(), ["b.json", "c.json"]);
    }

    #[test]
    fn session_lines_count_their_checks() {
        let good = Report::read(r#"{"file":"pi/a.jsonl","format":"pi","ok":true,"checks":5,"failures":[]}"#)
            .unwrap();
        assert_eq!(good.counts, Counts { passed: 5, failed: 0, skipped: 0 });
        let bad = Report::read(r#"{"file":"a","ok":false,"checks":5,"failures":["one","two"]}"#).unwrap();
        assert_eq!(bad.counts, Counts { passed: 3, failed: 2, skipped: 0 });
        let torn = Report::read(r#"{"file":"a","ok":false}"#).unwrap();
        assert_eq!(torn.counts, Counts { passed: 0, failed: 1, skipped: 0 });
    }

    #[test]
    fn a_misspelt_member_of_a_report_is_a_fault() {
        let report = Report::read(r#"{"file":"a.json","pased":5,"failed":0}"#).unwrap();
        assert_eq!(report.counts, Counts { passed: 0, failed: 1, skipped: 0 });
        assert_eq!(report.failures, [r#"the report has an unknown member "pased""#]);
    }

    #[test]
    fn a_file_is_recognized_by_longer_and_shorter_names() {
        assert!(
            names("pi/a.jsonl", "pi/a.jsonl")
                && names("/x/pi/a.jsonl", "pi/a.jsonl")
                && names("a.jsonl", "pi/a.jsonl")
        );
        assert!(names("a", "a.json") && names("a.json", "a.json"));
        assert!(!names("pi/ba.jsonl", "a.jsonl") && !names("a", "b.json"));
    }
}

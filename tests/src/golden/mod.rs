//! Golden vectors: inputs and the answers of another system's original code.

mod answers;
mod instructions;
mod notation;
mod opencode;
mod opencode_v2;
mod overflow;
mod pi;
mod shapes;
mod tunacode;

use std::path::{Path, PathBuf};

use ebbline::json::{Document, Value};

use crate::report::FileReport;

pub use notation::expand;

/// Runs one case; an error describes the difference.
type Adapter = fn(&Case<'_>) -> Result<(), String>;

/// One case of a file: its input as JSON text with expanded notation, and the system's answer.
#[derive(Debug)]
pub struct Case<'c> {
    /// The file's name without `.json`.
    pub file: &'c str,
    /// The expanded input.
    pub input: Value<'c>,
    /// The system's answer.
    pub expected: Value<'c>,
}

/// The adapter for a file; `None` if the file is not covered yet.
fn adapter(file: &str) -> Option<Adapter> {
    match file.split_once('-')? {
        ("pi", rest) => pi::adapter(rest),
        ("opencode", rest) if rest.starts_with("v2-") => opencode_v2::adapter(rest),
        ("opencode", rest) => opencode::adapter(rest),
        ("tunacode", rest) => tunacode::adapter(rest),
        _ => None,
    }
}

/// The vector files of a folder, by name.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    Ok(files)
}

/// Runs every case of a file.
pub fn run(path: &Path) -> Result<FileReport, String> {
    let text_of =
        |name: Option<&std::ffi::OsStr>| name.and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let (file, stem) = (text_of(path.file_name()), text_of(path.file_stem()));
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let document = Document::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let Some(cases) = document.root().get("cases").filter(|cases| cases.is_array()) else {
        return Err(format!("{}: no cases", path.display()));
    };
    let mut report = FileReport { file, cases: cases.elements().count(), ..FileReport::default() };
    let Some(adapter) = adapter(&stem) else { return Ok(report) };
    report.known = true;
    for case in cases.elements() {
        let name = case.text_of("name").map(|name| name.decode().into_owned()).unwrap_or_default();
        if let Err(why) = run_case(&stem, case, adapter) {
            report.failures.push((name, why));
        }
    }
    Ok(report)
}

fn run_case(file: &str, case: Value<'_>, adapter: Adapter) -> Result<(), String> {
    let (Some(input), Some(expected)) = (case.get("input"), case.get("expected")) else {
        return Err("no input or no expected answer".to_owned());
    };
    let input = expand(input);
    let input = Document::parse(&input).map_err(|error| format!("the expanded input is no JSON: {error}"))?;
    shapes::check(file, input.root(), expected)?;
    adapter(&Case { file, input: input.root(), expected })
}

/// The member `key` as an integer.
fn whole(value: Value<'_>, key: &str) -> Option<i64> {
    value.get(key).and_then(as_whole)
}

fn as_whole(value: Value<'_>) -> Option<i64> {
    value.number().filter(|number| number.fract() == 0.0).map(|number| number as i64)
}

/// Compares an answer with the expected one.
fn equal<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, expected: &T) -> Result<(), String> {
    if ours == expected { Ok(()) } else { Err(format!("{what}: ours {ours:?}, expected {expected:?}")) }
}

/// Pairs questions with expected answers.
fn pairs<'v>(
    what: &str,
    asked: Value<'v>,
    expected: Value<'v>,
) -> Result<Vec<(Value<'v>, Value<'v>)>, String> {
    equal(&format!("how many {what}"), &asked.elements().count(), &expected.elements().count())?;
    Ok(asked.elements().zip(expected.elements()).collect())
}

/// Whether the system raised an exception.
fn throws(expected: Value<'_>) -> bool {
    expected.get("throws").is_some()
}

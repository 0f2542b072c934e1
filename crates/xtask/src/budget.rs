//! Compares the download sizes with `tests/budgets.json`, which contains for each a hard limit and the last recorded
//! size, of which 105 % are allowed. To allow further growth, change the file on purpose: `cargo xtask size
//! --record`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::counts::Counts;
use crate::failure::{Context, Failure, Outcome};
use crate::measure::size;
use crate::npm::Installed;
use crate::play;
use crate::project::Project;
use crate::step::{self, say};

/// The file, relative to the project's root.
const FILE: &str = "tests/budgets.json";
/// By how many per cent a size may exceed the recorded one.
const GROWTH: u64 = 5;
/// The other files of a package, whose sum is part of the tarball's size.
const WRITTEN: [&str; 6] = ["js", "cjs", "mjs", "ts", "cts", "json"];

/// A download and its size in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Its name in the file of budgets.
    pub(crate) name: String,
    /// How many bytes it has.
    pub(crate) bytes: u64,
}

/// The sizes of a package: every module and table as it is and in brotli, and the tarball.
pub(crate) fn of_package(project: &Project, installed: &Installed) -> Outcome<Vec<Size>> {
    let dist = installed.package.join("dist");
    let mut files = Vec::new();
    collect(&dist, &mut files)?;
    files.sort();
    let mut sizes = Vec::new();
    for (file, [raw, brotli]) in files.iter().zip(compressed(project, &files)?) {
        let name = file.strip_prefix(&dist).unwrap_or(file).to_string_lossy().replace('\\', "/");
        sizes.push(Size { name: name.clone(), bytes: raw });
        sizes.push(Size { name: format!("{name}, brotli"), bytes: brotli });
    }
    let tarball = fs::metadata(&installed.tarball).context(|| "cannot read the tarball".to_owned())?.len();
    sizes.push(Size { name: "tarball".to_owned(), bytes: tarball });
    Ok(sizes)
}

/// The brotli sizes of what the playground in `folder` fetches for its first picture, and of its worker.
pub(crate) fn of_playground(project: &Project, folder: &Path) -> Outcome<[Size; 2]> {
    let first = of_files(project, folder, "playground, first load, brotli", &play::FIRST_LOAD)?;
    Ok([first, of_files(project, folder, "playground, worker, brotli", &play::WORKER)?])
}

/// The brotli size of `files` of `folder` together, under `name`.
fn of_files(project: &Project, folder: &Path, name: &str, files: &[&str]) -> Outcome<Size> {
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let sum = compressed(project, &files)?.iter().map(|[_, brotli]| brotli).sum();
    Ok(Size { name: name.to_owned(), bytes: sum })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files)?;
        } else if !path.extension().and_then(OsStr::to_str).is_some_and(|ending| WRITTEN.contains(&ending)) {
            files.push(path);
        }
    }
    Ok(())
}

/// The bytes of each file, uncompressed and in the best brotli compression.
fn compressed(project: &Project, files: &[PathBuf]) -> Outcome<Vec<[u64; 2]>> {
    const PROGRAM: &str = "const { brotliCompressSync, constants } = require('node:zlib'); \
        for (const path of process.argv.slice(1)) { \
            const bytes = require('node:fs').readFileSync(path); \
            const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }; \
            console.log(bytes.length, brotliCompressSync(bytes, { params }).length); }";
    let answer =
        crate::process::answer_of(project.node().args(["-e", PROGRAM]).args(files)).unwrap_or_default();
    let pairs: Vec<[u64; 2]> = answer
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(raw, brotli)| Some([raw.parse().ok()?, brotli.parse().ok()?]))
        .collect();
    if pairs.len() == files.len() {
        return Ok(pairs);
    }
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    Err(Failure::new(format!("Node cannot compress {}", names.join(", "))).advise("Is one of them missing?"))
}

/// The budget of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Budget {
    recorded: u64,
    limit: Option<u64>,
}

/// What is wrong with a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Unknown,
    AboveLimit(u64),
    Grown(u64),
}

/// All budgets.
#[derive(Debug, Default)]
pub(crate) struct Budgets(BTreeMap<String, Budget>);

impl Budgets {
    /// The budgets of the project.
    pub(crate) fn read(project: &Project) -> Outcome<Self> {
        let path = project.at(FILE);
        let text = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).ok_or_else(|| {
            Failure::new(format!(
                "{FILE} holds something else than {{ \"name\": {{ \"recorded\": bytes }} }}"
            ))
            .advise("Mend it; a `limit` in bytes may stand beside `recorded`.")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let budget = |value: &Value| {
            let limit = value.get("limit");
            // A misspelt limit would have no effect.
            let is_known = |key: &String| matches!(key.as_str(), "recorded" | "limit");
            if limit.is_some_and(|limit| !limit.is_u64()) || !value.as_object()?.keys().all(is_known) {
                return None;
            }
            Some(Budget { recorded: value.get("recorded")?.as_u64()?, limit: limit.and_then(Value::as_u64) })
        };
        let entries = value.as_object()?.iter();
        entries.map(|(name, value)| Some((name.clone(), budget(value)?))).collect::<Option<_>>().map(Self)
    }

    /// Prints a table of `sizes`, and counts how many are within their budgets.
    pub(crate) fn check(&self, sizes: &[Size]) -> Counts {
        let mut counts = Counts::default();
        say!("  {:<34} {:>10} {:>10} {:>8} {:>10}", "", "bytes", "recorded", "", "limit");
        for Size { name, bytes } in sizes {
            let fault = self.fault(name, *bytes);
            counts += Counts::one(fault.is_none());
            let budget = self.0.get(name);
            let recorded = budget.map_or_else(String::new, |budget| budget.recorded.to_string());
            let limit =
                budget.and_then(|budget| budget.limit).map_or_else(String::new, |limit| limit.to_string());
            let change = budget.map_or_else(String::new, |budget| change(budget.recorded, *bytes));
            let verdict = match fault {
                None => step::good("✔"),
                Some(fault) => format!("{} {}", step::bad("✘"), fault.text()),
            };
            say!("  {name:<34} {bytes:>10} {recorded:>10} {change:>8} {limit:>10} {verdict}");
        }
        counts
    }

    fn fault(&self, name: &str, bytes: u64) -> Option<Fault> {
        let Some(budget) = self.0.get(name) else { return Some(Fault::Unknown) };
        match budget.limit {
            Some(limit) if bytes > limit => Some(Fault::AboveLimit(bytes - limit)),
            _ if bytes * 100 > budget.recorded * (100 + GROWTH) => Some(Fault::Grown(budget.recorded)),
            _ => None,
        }
    }

    /// Records `sizes`; limits stay.
    pub(crate) fn record(&mut self, sizes: &[Size]) {
        for Size { name, bytes } in sizes {
            let limit = self.0.get(name).and_then(|budget| budget.limit);
            self.0.insert(name.clone(), Budget { recorded: *bytes, limit });
        }
    }

    /// Writes the file with one line per budget, so that a diff shows what has grown.
    pub(crate) fn write(&self, project: &Project) -> Outcome<()> {
        let path = project.at(FILE);
        fs::write(&path, self.text()).context(|| format!("cannot write {}", path.display()))
    }

    fn text(&self) -> String {
        let mut text = String::from("{\n");
        for (index, (name, budget)) in self.0.iter().enumerate() {
            let comma = if index + 1 < self.0.len() { "," } else { "" };
            let limit = budget.limit.map_or_else(String::new, |limit| format!(", \"limit\": {limit}"));
            let _ =
                writeln!(text, "  {}: {{ \"recorded\": {}{limit} }}{comma}", json!(name), budget.recorded);
        }
        text + "}\n"
    }
}

impl Fault {
    fn text(self) -> String {
        match self {
            Self::Unknown => "has no budget yet: `cargo xtask size --record`".to_owned(),
            Self::AboveLimit(more) => format!("{} above the limit", size(more)),
            Self::Grown(recorded) => {
                format!("more than {GROWTH} % above {recorded}: `cargo xtask size --record` if that is meant")
            }
        }
    }
}

/// `+1.2 %`
fn change(recorded: u64, bytes: u64) -> String {
    if recorded == 0 {
        return String::new();
    }
    format!("{:+.1} %", (bytes as f64 / recorded as f64 - 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(list: &[(&str, u64)]) -> Vec<Size> {
        list.iter().map(|(name, bytes)| Size { name: (*name).to_owned(), bytes: *bytes }).collect()
    }

    #[test]
    fn a_size_may_grow_by_five_per_cent_and_never_beyond_its_limit() {
        let text = r#"{"a": {"recorded": 1000, "limit": 1020}, "b": {"recorded": 1000}}"#;
        let budgets = Budgets::parse(text).unwrap();
        for (name, bytes, fault) in [
            ("a", 10, None),
            ("a", 1020, None),
            ("a", 1021, Some(Fault::AboveLimit(1))),
            ("b", 1050, None),
            ("b", 1051, Some(Fault::Grown(1000))),
            ("c", 1, Some(Fault::Unknown)),
        ] {
            assert_eq!(budgets.fault(name, bytes), fault, "{name} {bytes}");
        }
        assert_eq!(
            budgets.check(&sizes(&[("a", 1000), ("b", 2000)])),
            Counts { passed: 1, failed: 1, skipped: 0 }
        );
    }

    #[test]
    fn recording_keeps_limits_and_what_was_not_measured() {
        let mut budgets =
            Budgets::parse(r#"{"a": {"recorded": 1, "limit": 9}, "b": {"recorded": 2}}"#).unwrap();
        budgets.record(&sizes(&[("a", 5), ("c", 7)]));
        let text = "{\n  \"a\": { \"recorded\": 5, \"limit\": 9 },\n  \"b\": { \"recorded\": 2 },\n  \"c\": { \"recorded\": 7 }\n}\n";
        assert_eq!(budgets.text(), text);
        assert_eq!(Budgets::parse(text).unwrap().text(), text);
    }

    #[test]
    fn the_projects_own_file_is_read_and_is_as_it_would_be_written() {
        let project = Project::find();
        let budgets = Budgets::read(&project).unwrap();
        assert_eq!(fs::read_to_string(project.at(FILE)).unwrap(), budgets.text());
        for text in [
            "{\"a\": {\"recorded\": 1, \"limt\": 2}}",
            "[]",
            "{\"a\": 5}",
            "{\"a\": {}}",
            "{\"a\": {\"recorded\": 1, \"limit\": \"x\"}}",
        ] {
            assert!(Budgets::parse(text).is_none(), "{text}");
        }
    }
}

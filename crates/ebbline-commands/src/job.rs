//! Work on files as plain data: a host may do it in any order, in any thread.

use ebbline::economics::Totals;
use ebbline::format::detect_text;
use ebbline::text::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::csv;
use crate::exit::Exit;
use crate::failure::{Failure, fault};
use crate::folders::SessionFile;
use crate::loss_totals::LossTotals;
use crate::memory::Memory;
use crate::refusal::Refusal;
use crate::rows::RowsOf;

/// Work on files.
#[derive(Clone, Debug, Serialize)]
pub struct Work {
    /// What is done with each of them.
    pub task: Task,
    /// The files. A single one needs no thread.
    pub files: Vec<SessionFile>,
    /// How many threads work at once; `None` if that is left open.
    pub threads: Option<u64>,
    /// How much memory the files may need together.
    pub memory: Memory,
}

/// What is done with a file: what the command line says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The name of the command.
    pub(crate) command: String,
    /// Its options with their values.
    pub(crate) options: Vec<(String, Option<String>)>,
    /// The grid of a sweep, which may come from a file.
    pub(crate) grid: Option<String>,
    /// Whether results are in colors.
    pub(crate) is_colored: bool,
}

/// What is made of the bytes of a session.
pub(crate) trait OnSession: std::fmt::Debug + Send + Sync {
    /// The row of a file.
    fn row(&self, file: &SessionFile, bytes: &[u8]) -> Result<Row, Failure>;
}

/// What became of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FileResult {
    /// There is a result.
    Row(Box<Row>),
    /// The file was found in a folder, and no format recognizes it.
    Skipped,
    /// Something is wrong.
    Failed {
        /// How the run ends.
        exit: Exit,
        /// The code of the error.
        code: String,
        /// A sentence.
        message: String,
        /// Whether the sentence names the file, or is about the command line.
        is_complete: bool,
    },
}

impl FileResult {
    pub(crate) fn failed(failure: &Failure) -> Self {
        let (exit, code, message) = (failure.exit(), failure.code().to_owned(), failure.message());
        Self::Failed { exit, code, message, is_complete: failure.is_complete() }
    }

    /// A file whose bytes the host cannot get.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::{FileResult, SessionFile, Refusal};
    /// let refusal = Refusal::Sentence("a.db is damaged".to_owned());
    /// assert!(matches!(FileResult::unread(&SessionFile::default(), refusal), FileResult::Failed { .. }));
    /// ```
    #[must_use]
    pub fn unread(file: &SessionFile, refusal: Refusal) -> Self {
        Self::failed(&Failure::unread(&file.name, refusal))
    }

    /// A file on which the engine panicked, which is a fault of ebbline.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::{FileResult, SessionFile};
    /// let done = FileResult::broken(&SessionFile::default(), b"[]", "it broke");
    /// assert!(matches!(done, FileResult::Failed { is_complete: false, .. }));
    /// ```
    #[must_use]
    pub fn broken(file: &SessionFile, bytes: &[u8], panic: &str) -> Self {
        let failed = Self::Failed {
            exit: Exit::Fault,
            code: "fault".to_owned(),
            message: fault(panic),
            is_complete: false,
        };
        failed.unless_skipped(file, bytes)
    }

    pub(crate) fn unless_skipped(self, file: &SessionFile, bytes: &[u8]) -> Self {
        if file.is_found && file.store.is_none() && is_no_session(bytes) { Self::Skipped } else { self }
    }
}

/// Whether no format recognizes a file.
fn is_no_session(bytes: &[u8]) -> bool {
    Text::from_bytes(bytes).and_then(|text| detect_text(&text)).is_err()
}

/// What a task makes of a session. What a command does not need stays empty.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// What is printed of it: a line of JSON, or the lines of a page.
    pub(crate) text: String,
    /// What stands in a table for spreadsheets.
    pub(crate) cells: Vec<csv::Row>,
    /// The sums under each policy, or of each point of a grid.
    #[serde(serialize_with = "written", deserialize_with = "read")]
    pub(crate) totals: Vec<Totals>,
    /// What its compactions lost.
    pub(crate) loss: LossTotals,
    /// The title of its format.
    pub(crate) format: String,
    /// The rows that are written of it.
    pub(crate) rows: RowsOf,
}

/// Figures cross as the bits that they have: as decimal numbers, some would become others.
fn written<S: Serializer>(totals: &[Totals], serializer: S) -> Result<S::Ok, S::Error> {
    let bits = totals.iter().map(|totals| totals.figures().map(f64::to_bits).to_vec());
    bits.collect::<Vec<_>>().serialize(serializer)
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Totals>, D::Error> {
    let all = Vec::<Vec<u64>>::deserialize(deserializer)?;
    let totals = all
        .into_iter()
        .filter_map(|bits| Totals::of_figures(&bits.into_iter().map(f64::from_bits).collect::<Vec<_>>()));
    Ok(totals.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &[u8] = br#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#;

    fn task(command: &str, options: &[(&str, Option<&str>)]) -> Task {
        let options =
            options.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        Task { command: command.to_owned(), options, ..Task::default() }
    }

    #[test]
    fn what_is_no_session_in_a_folder_is_skipped_and_a_fault_is_said() {
        let worker = task("audit", &[]).worker().unwrap();
        let file = |is_found: bool| SessionFile { name: "a".into(), is_found, ..SessionFile::default() };
        assert!(matches!(worker.run(&file(true), SESSION), FileResult::Row(_)));
        assert!(matches!(worker.run(&file(true), b"# Notes"), FileResult::Skipped));
        assert!(matches!(
            worker.run(&file(false), b"# Notes"),
            FileResult::Failed { exit: Exit::Input, is_complete: false, .. }
        ));
        assert!(matches!(
            FileResult::broken(&file(false), SESSION, "it broke"),
            FileResult::Failed { exit: Exit::Fault, .. }
        ));
        let gone = Refusal::System { code: "ENOENT".to_owned(), words: String::new() };
        assert!(matches!(
            FileResult::unread(&file(true), gone),
            FileResult::Failed { is_complete: true, .. }
        ));
    }

    #[test]
    fn tasks_and_rows_cross_as_json() {
        let rows = ("rows", Some("a.jsonl"));
        for task in [task("compare", &[rows]), task("sweep", &[rows]), task("audit", &[("json", None)])] {
            let json = serde_json::to_string(&task).unwrap();
            let task: Task = serde_json::from_str(&json).unwrap();
            let FileResult::Row(row) = task.worker().unwrap().run(&SessionFile::default(), SESSION) else {
                panic!("{task:?}")
            };
            let json = serde_json::to_string(&row).unwrap();
            let back: Row = serde_json::from_str(&json).unwrap();
            assert_eq!((&back.totals, &back.text, &back.rows), (&row.totals, &row.text, &row.rows));
        }
    }
}

//! A file of rows, in JSON Lines or Parquet.
//!
//! Rows are written as soon as a session is done. JSON Lines are written where they stay, so that whatever ends the
//! program leaves the sessions before it. Parquet has its index at the end: it is written beside the file, and moved
//! there when it is complete.

mod done;
mod parquet;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ::parquet::errors::ParquetError;
use ebbline_commands::{Cell, Column, Form, Name, Refusal};

use crate::file_name::path_of;
use crate::refusal::of_system;
use parquet::ParquetRows;

/// A file of rows that is written.
pub(crate) struct RowsFile {
    path: PathBuf,
    columns: Vec<Column>,
    sink: Sink,
}

enum Sink {
    Lines(File),
    Parquet(Box<ParquetRows>, Beside),
}

/// A file that is written beside its place; what does not get there is removed.
struct Beside(PathBuf);

impl Drop for Beside {
    fn drop(&mut self) {
        // Nothing is there if it got to its place.
        let _gone = fs::remove_file(&self.0);
    }
}

impl RowsFile {
    /// Opens the file, which is replaced unless it is to be continued. Returns the files that it holds already.
    pub(crate) fn open(
        to: &str,
        form: Form,
        resume: bool,
        columns: Vec<Column>,
    ) -> Result<(Self, BTreeSet<String>), Refusal> {
        let path = PathBuf::from(to);
        let mut held = BTreeSet::new();
        let sink = match form {
            Form::Lines if resume => {
                let kept = done::kept(&path, &columns)?;
                let file = OpenOptions::new().create(true).append(true).open(&path).map_err(said)?;
                file.set_len(kept.bytes).map_err(said)?;
                held = kept.files;
                Sink::Lines(file)
            }
            Form::Lines => Sink::Lines(File::create(&path).map_err(said)?),
            Form::Parquet => {
                let beside = Beside(beside(&path));
                let file = File::create(&beside.0).map_err(said)?;
                let rows = ParquetRows::new(file, &columns).map_err(|error| of_parquet(&error))?;
                Sink::Parquet(Box::new(rows), beside)
            }
        };
        Ok((Self { path, columns, sink }, held))
    }

    /// Adds rows.
    pub(crate) fn add(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), Refusal> {
        match &mut self.sink {
            Sink::Lines(out) => {
                let mut lines = String::new();
                for row in rows {
                    let cells = self.columns.iter().zip(row);
                    let cells = cells.map(|(column, cell)| format!("\"{}\":{}", column.name, cell.json()));
                    lines.push_str(&format!("{{{}}}\n", cells.collect::<Vec<_>>().join(",")));
                }
                out.write_all(lines.as_bytes()).map_err(said)
            }
            Sink::Parquet(out, _) => {
                rows.into_iter().try_for_each(|row| out.add(row)).map_err(|error| of_parquet(&error))
            }
        }
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        match self.sink {
            Sink::Lines(file) => file.sync_all().or_else(no_file_system).map_err(said),
            Sink::Parquet(rows, beside) => {
                let file = rows.finish().map_err(|error| of_parquet(&error))?;
                file.sync_all().map_err(said)?;
                fs::rename(&beside.0, &self.path).map_err(said)
            }
        }
    }
}

/// Which of some files are the file of rows, or what is written of it beside it.
pub(crate) fn same(to: &str, form: Form, files: &[Name]) -> Vec<bool> {
    let path = Path::new(to);
    let is_own = |file: &Path| is_same(path, file) || (form == Form::Parquet && is_same(&beside(path), file));
    files.iter().map(|file| is_own(&path_of(file))).collect()
}

/// Whether two paths mean the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    // Few files have the name, and only those are looked at.
    one.file_name() == other.file_name()
        && fs::canonicalize(one)
            .ok()
            .zip(fs::canonicalize(other).ok())
            .is_some_and(|(one, other)| one == other)
}

/// Where a file is written until it is complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}

/// A pipe or a device cannot be flushed.
fn no_file_system(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::InvalidInput { Ok(()) } else { Err(error) }
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` passes")]
fn said(error: io::Error) -> Refusal {
    of_system(&error)
}

fn of_parquet(error: &ParquetError) -> Refusal {
    let of_system = match error {
        ParquetError::External(inner) => inner.downcast_ref::<io::Error>(),
        _ => None,
    };
    of_system.map_or_else(|| Refusal::Reason(error.to_string()), crate::refusal::of_system)
}

#[cfg(test)]
mod tests {
    use ebbline_commands::ColumnKind as Kind;

    use super::*;

    const COLUMNS: [Column; 2] =
        [Column { name: "file", kind: Kind::Text }, Column { name: "n", kind: Kind::Integer }];

    fn row(file: &str, n: u64) -> Vec<Vec<Cell>> {
        vec![vec![file.into(), n.into()]]
    }

    #[test]
    fn lines_are_continued_behind_what_is_whole() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-{}.jsonl", std::process::id()));
        let name = path.to_str().unwrap();
        let (mut rows, held) = RowsFile::open(name, Form::Lines, false, COLUMNS.to_vec()).unwrap();
        assert!(held.is_empty());
        assert_eq!(same(name, Form::Lines, &[Name::from(name), Name::from("x")]), [true, false]);
        rows.add(row("a", 1)).unwrap();
        rows.add(row("b", 2)).unwrap();
        rows.finish().unwrap();
        let (mut rows, held) = RowsFile::open(name, Form::Lines, true, COLUMNS.to_vec()).unwrap();
        assert_eq!(held, BTreeSet::from(["a".to_owned()]));
        rows.add(row("b", 3)).unwrap();
        rows.finish().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "{\"file\":\"a\",\"n\":1}\n{\"file\":\"b\",\"n\":3}\n");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_not_completed_is_removed_and_said_in_words() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-cut-{}.parquet", std::process::id()));
        let name = path.to_str().unwrap();
        let (rows, _) = RowsFile::open(name, Form::Parquet, false, COLUMNS.to_vec()).unwrap();
        drop(rows);
        assert!(!beside(&path).exists() && !path.exists());
        let full = ParquetError::External(Box::new(io::Error::from(io::ErrorKind::StorageFull)));
        assert_eq!(of_parquet(&full).reason(), "no space is left");
    }

    #[test]
    fn parquet_has_its_name_when_it_is_complete() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-{}.parquet", std::process::id()));
        let name = path.to_str().unwrap();
        let (mut rows, _) = RowsFile::open(name, Form::Parquet, false, COLUMNS.to_vec()).unwrap();
        rows.add(row("a", 1)).unwrap();
        assert!(beside(&path).is_file() && !path.is_file());
        rows.finish().unwrap();
        assert!(!beside(&path).is_file());
        assert!(fs::read(&path).unwrap().starts_with(b"PAR1"));
        fs::remove_file(&path).unwrap();
    }
}

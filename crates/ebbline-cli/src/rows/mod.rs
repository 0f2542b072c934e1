//! Results as rows of a file, in JSON Lines or Parquet: what many sessions are queried with.
//!
//! Rows are written as soon as a session is done. JSON Lines are written where they stay, so that whatever ends the
//! program leaves the sessions before it. Parquet has its index at the end: it is written beside the file, and moved
//! there when it is complete.

pub(crate) mod asked;
pub(crate) mod cell;
mod done;
mod parquet;
pub(crate) mod requests;
pub(crate) mod sessions;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ::parquet::errors::ParquetError;
use ebbline::json::quote;

use crate::failure::{Failure, why};
use crate::folders::Listed;
use asked::{Asked, Form};
use cell::{Cell, Column, Kind};
use parquet::ParquetRows;

/// What stands in front of every row: the file, and its size.
const FRONT: [Column; 2] =
    [Column { name: "file", kind: Kind::Text }, Column { name: "bytes", kind: Kind::Integer }];

/// The rows of a session, without what stands in front.
pub(crate) type RowsOf = Vec<Vec<Cell>>;

/// A file of rows that is written.
pub(crate) struct Rows {
    path: PathBuf,
    columns: Vec<Column>,
    sink: Sink,
    /// How many rows were written.
    pub(crate) count: usize,
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

impl Rows {
    /// Opens the file, which is replaced unless it is to be continued. Returns the files that it holds already.
    pub(crate) fn open(
        asked: &Asked,
        own: impl IntoIterator<Item = Column>,
    ) -> Result<(Self, HashSet<String>), Failure> {
        let columns: Vec<Column> = FRONT.into_iter().chain(own).collect();
        let path = asked.path.clone();
        let said = |error: io::Error| cannot_write(&path, &why(&error));
        let mut held = HashSet::new();
        let sink = match asked.form {
            Form::Lines if asked.resume => {
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
                let rows = ParquetRows::new(file, &columns).map_err(|error| of_parquet(&path, &error))?;
                Sink::Parquet(Box::new(rows), beside)
            }
        };
        Ok((Self { path, columns, sink, count: 0 }, held))
    }

    /// Adds the rows of a file.
    pub(crate) fn add(&mut self, file: &Listed, rows: RowsOf) -> Result<(), Failure> {
        let (name, bytes) = (file.name.given(), Cell::from(file.size));
        self.count += rows.len();
        match &mut self.sink {
            Sink::Lines(out) => {
                let front = format!("{{\"file\":{},\"bytes\":{}", quote(&name), bytes.json());
                let mut lines = String::new();
                for row in rows {
                    lines.push_str(&front);
                    for (column, cell) in self.columns.iter().skip(FRONT.len()).zip(row) {
                        lines.push_str(&format!(",\"{}\":{}", column.name, cell.json()));
                    }
                    lines.push_str("}\n");
                }
                out.write_all(lines.as_bytes()).map_err(|error| cannot_write(&self.path, &why(&error)))
            }
            Sink::Parquet(out, _) => {
                let mut rows = rows.into_iter();
                rows.try_for_each(|row| {
                    let front = [Cell::Text(name.clone()), bytes.clone()];
                    out.add(front.into_iter().chain(row))
                })
                .map_err(|error| of_parquet(&self.path, &error))
            }
        }
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let said = |error: io::Error| cannot_write(&self.path, &why(&error));
        match self.sink {
            Sink::Lines(file) => file.sync_all().or_else(no_file_system).map_err(said),
            Sink::Parquet(rows, beside) => {
                let file = rows.finish().map_err(|error| of_parquet(&self.path, &error))?;
                file.sync_all().map_err(said)?;
                fs::rename(&beside.0, &self.path).map_err(said)
            }
        }
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

impl Asked {
    /// Whether a path means the file that is written.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        is_same(&self.path, path) || (self.form == Form::Parquet && is_same(&beside(&self.path), path))
    }
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

fn cannot_write(path: &Path, why: &str) -> Failure {
    Failure::Output(format!("cannot write {}: {why}", path.display()))
}

fn of_parquet(path: &Path, error: &ParquetError) -> Failure {
    let of_system = match error {
        ParquetError::External(inner) => inner.downcast_ref::<io::Error>(),
        _ => None,
    };
    cannot_write(path, &of_system.map_or_else(|| error.to_string(), why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Name;
    use asked::Of;

    fn row(n: u64) -> RowsOf {
        vec![vec![Cell::from(n)]]
    }

    #[test]
    fn lines_are_continued_behind_what_is_whole() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-{}.jsonl", std::process::id()));
        let file = |name: &str| Listed { name: Name::from(name), is_found: true, size: 5, store: None };
        let own = [Column { name: "n", kind: Kind::Integer }];
        let mut asked = Asked { path: path.clone(), form: Form::Lines, of: Of::Sessions, resume: false };
        let (mut rows, held) = Rows::open(&asked, own).unwrap();
        assert!(held.is_empty() && asked.is_file(&path) && !asked.is_file(Path::new("x")));
        rows.add(&file("a"), row(1)).unwrap();
        rows.add(&file("b"), row(2)).unwrap();
        rows.finish().unwrap();
        asked.resume = true;
        let (mut rows, held) = Rows::open(&asked, own).unwrap();
        assert_eq!(held, HashSet::from(["a".to_owned()]));
        rows.add(&file("b"), row(3)).unwrap();
        assert_eq!(rows.count, 1);
        rows.finish().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "{\"file\":\"a\",\"bytes\":5,\"n\":1}\n{\"file\":\"b\",\"bytes\":5,\"n\":3}\n");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_not_completed_is_removed_and_said_in_words() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-cut-{}.parquet", std::process::id()));
        let asked = Asked { path: path.clone(), form: Form::Parquet, of: Of::Sessions, resume: false };
        let (rows, _) = Rows::open(&asked, [Column { name: "n", kind: Kind::Integer }]).unwrap();
        drop(rows);
        assert!(!beside(&path).exists() && !path.exists());
        let full = ParquetError::External(Box::new(io::Error::from(io::ErrorKind::StorageFull)));
        assert!(of_parquet(&path, &full).message().ends_with(": no space is left"));
    }

    #[test]
    fn parquet_has_its_name_when_it_is_complete() {
        let path = std::env::temp_dir().join(format!("ebbline-rows-{}.parquet", std::process::id()));
        let asked = Asked { path: path.clone(), form: Form::Parquet, of: Of::Sessions, resume: false };
        let (mut rows, _) = Rows::open(&asked, [Column { name: "n", kind: Kind::Integer }]).unwrap();
        rows.add(&Listed { name: Name::from("a"), is_found: true, size: 5, store: None }, row(1)).unwrap();
        assert!(beside(&path).is_file() && !path.is_file());
        rows.finish().unwrap();
        assert!(!beside(&path).is_file());
        assert!(fs::read(&path).unwrap().starts_with(b"PAR1"));
        fs::remove_file(&path).unwrap();
    }
}

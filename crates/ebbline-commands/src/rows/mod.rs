//! Results as rows of a file: what many sessions are queried with. A host writes them.

pub(crate) mod cell;
pub(crate) mod options;
pub(crate) mod requests;
pub(crate) mod sessions;

use crate::ask::{Rows as Ask, RowsAnswer};
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::io::Io;
use crate::refusal::Refusal;
use cell::{Cell, Column, Kind};
use options::RowsOptions;

/// What stands in front of every row: the file, and its size.
const FRONT: [Column; 2] =
    [Column { name: "file", kind: Kind::Text }, Column { name: "bytes", kind: Kind::Integer }];

/// The rows of a session, without what stands in front.
pub(crate) type RowsOf = Vec<Vec<Cell>>;

/// A file of rows that is written.
#[derive(Debug)]
pub(crate) struct Rows {
    io: Io,
    /// Its name.
    pub(crate) name: String,
    /// How many rows were written.
    pub(crate) count: usize,
}

impl Rows {
    /// Which of some files are the file that is written.
    pub(crate) async fn same(options: &RowsOptions, files: &[SessionFile], io: &Io) -> Vec<bool> {
        let files = files.iter().map(|file| file.name.clone()).collect();
        match io.rows(Ask::Same { to: options.name.clone(), form: options.form, files }).await {
            Some(RowsAnswer::Same(same)) => same,
            _ => Vec::new(),
        }
    }

    /// Opens the file, which is replaced unless it is to be continued. Returns whether it holds a file already.
    pub(crate) async fn open(
        options: &RowsOptions,
        own: Vec<Column>,
        io: Io,
    ) -> Result<(Self, impl Fn(&str) -> bool + use<>), Failure> {
        let (name, form, resume) = (options.name.clone(), options.form, options.resume);
        let columns = FRONT.into_iter().chain(own).collect();
        match io.rows(Ask::Open { to: name.clone(), form, resume, columns }).await {
            Some(RowsAnswer::Held(held)) => {
                let held = held.map_err(|refusal| refused(&name, refusal))?;
                Ok((Self { io, name, count: 0 }, move |file: &str| held.contains(file)))
            }
            _ => Err(Failure::unanswered()),
        }
    }

    /// Adds the rows of a file.
    pub(crate) async fn add(&mut self, file: &SessionFile, rows: RowsOf) -> Result<(), Failure> {
        let (name, size) = (file.name.given(), Cell::from(file.size));
        self.count += rows.len();
        let front = || [Cell::Text(name.clone()), size.clone()].into_iter();
        self.finished(Ask::Add(rows.into_iter().map(|row| front().chain(row).collect()).collect())).await
    }

    /// Completes the file.
    pub(crate) async fn finish(&self) -> Result<(), Failure> {
        self.finished(Ask::Finish).await
    }

    async fn finished(&self, ask: Ask) -> Result<(), Failure> {
        match self.io.rows(ask).await {
            Some(RowsAnswer::Finished(finished)) => finished.map_err(|refusal| refused(&self.name, refusal)),
            _ => Err(Failure::unanswered()),
        }
    }
}

fn refused(name: &str, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Sentence(sentence) => Failure::File(sentence),
        other => Failure::Output(format!("cannot write {name}: {}", other.reason())),
    }
}

//! Many files for one command: those of folders, in several threads, with a line for what was left out.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::amount::{amount, counted};
use crate::complaints::{Complaint, Complaints};
use crate::decimal::fixed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::{Listed, listed};
use crate::output::Notes;
use crate::pool::{Done, Work, each_of};
use crate::progress::{pace, said, size};
use crate::rows::asked::Asked;
use crate::rows::cell::Column;
use crate::rows::{Rows, RowsOf};
use crate::run::Run;

/// What a command makes of a file: its result, and the rows that are written of it.
pub(crate) struct Answer<R> {
    /// The result.
    pub(crate) result: R,
    /// The rows, if rows were asked for.
    pub(crate) rows: RowsOf,
}

/// What a command does with the results of its work.
pub(crate) trait Gather {
    /// The result for a file.
    type Result;

    /// Takes a result, in the order of the files.
    fn take(&mut self, file: &Listed, result: Self::Result, run: &mut Run) -> Result<(), Failure>;

    /// Shows what was taken: there will be no more.
    fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure>;
}

/// What became of all files.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// How many files have a result.
    pub(crate) files: usize,
    /// Their size in bytes.
    pub(crate) bytes: u64,
    /// How long it took.
    pub(crate) taken: Duration,
    /// How many files no format recognises.
    pub(crate) skipped: usize,
    /// How many files are missing because somebody pressed Ctrl-C.
    pub(crate) missing: usize,
    /// What is wrong with the others.
    pub(crate) complaints: Complaints,
}

impl Account {
    /// `12 files, 3.4 MB, in 2.0 s (1.7 MB/s)`
    pub(crate) fn said(&self) -> String {
        let (files, bytes) = (counted(self.files, "file"), size(self.bytes));
        let taken = match self.taken.as_secs_f64() {
            seconds if seconds < 10.0 => format!("{} s", fixed(seconds, 1)),
            _ => said(self.taken),
        };
        format!("{files}, {bytes}, in {taken} ({})", pace(self.bytes, self.taken))
    }
}

/// The rows that are written.
pub(crate) struct Written {
    /// What was asked for.
    pub(crate) asked: Asked,
    /// The columns of the command.
    pub(crate) columns: Vec<Column>,
}

/// Does a command's work on every file that the command line names.
pub(crate) fn over_files<G: Gather>(
    run: &mut Run,
    work: &Work<Answer<G::Result>>,
    written: Option<Written>,
    gather: &mut G,
) -> Result<Exit, Failure>
where
    G::Result: Send + 'static,
{
    let mut complaints = Complaints::new(written.is_some());
    let names = run.given.files.clone();
    let files = listed(&names, &mut |failure| complaints.add(failure.into(), &mut run.notes));
    over_listed(run, files, complaints, work, written, gather)
}

/// Does a command's work on files.
pub(crate) fn over_listed<G: Gather>(
    run: &mut Run,
    mut files: Vec<Listed>,
    complaints: Complaints,
    work: &Work<Answer<G::Result>>,
    written: Option<Written>,
    gather: &mut G,
) -> Result<Exit, Failure>
where
    G::Result: Send + 'static,
{
    if files.is_empty() {
        complaints.say(&mut run.notes);
        return Ok(complaints.worst);
    }
    let mut rows = written.map(|written| opened(&mut files, written, &mut run.notes)).transpose()?;
    let (count, is_strict) = (files.len(), run.given.values.has("strict"));
    let mut account = Account { complaints, ..Account::default() };
    let begun = Instant::now();
    let missing = each_of(files, work, run, &mut |run, file, done| {
        let name = &file.name;
        match done {
            Done::Value(Answer { result, rows: of_file }) => {
                account.files += 1;
                account.bytes += file.size;
                rows.as_mut().map_or(Ok(()), |rows| rows.add(file, of_file))?;
                return gather.take(file, result, run);
            }
            Done::Skipped if is_strict => {
                let sentence = format!("{}: {}", name.said(), no_format(1));
                let complaint = Complaint { exit: Exit::Input, code: "unrecognised", sentence };
                account.complaints.add(complaint, &mut run.notes);
            }
            Done::Skipped => account.skipped += 1,
            Done::Failed { exit, code, message, is_complete } => {
                let sentence = if is_complete { message } else { format!("{}: {message}", name.said()) };
                account.complaints.add(Complaint { exit, code, sentence }, &mut run.notes);
            }
        }
        Ok(())
    })?;
    (account.missing, account.taken) = (missing, begun.elapsed());
    let of_rows = rows.as_ref().map(|rows| (rows.count, rows.name()));
    rows.map_or(Ok(()), Rows::finish)?;
    gather.show(&account, run)?;
    if run.out.is_closed {
        return Ok(Exit::Ok);
    }
    Ok(ended(&account, count, of_rows, run))
}

/// Opens the file of rows. What it holds already is not done again, and it is no input of its own.
fn opened(files: &mut Vec<Listed>, written: Written, notes: &mut Notes) -> Result<Rows, Failure> {
    if let Some(own) = files.iter().find(|file| !file.is_found && written.asked.is_file(file.name.path())) {
        let sentence = format!("--rows would replace {}, which is to be read", own.name.said());
        return Err(Failure::Usage(sentence));
    }
    files.retain(|file| !written.asked.is_file(file.name.path()));
    let (rows, held): (Rows, HashSet<String>) = Rows::open(&written.asked, written.columns)?;
    let all = files.len();
    files.retain(|file| !held.contains(&file.name.given()));
    if files.len() < all {
        let there = counted(all - files.len(), "file");
        notes.write(&format!(
            "ebbline: {there} of {} have their rows in {} already\n",
            amount(all),
            rows.name()
        ));
    }
    Ok(rows)
}

/// Says what is to be said at the end.
fn ended(account: &Account, count: usize, rows: Option<(usize, String)>, run: &mut Run) -> Exit {
    let Account { skipped, missing, complaints, .. } = account;
    complaints.say(&mut run.notes);
    if *skipped > 0 {
        let (files, why) = (counted(*skipped, "file"), no_format(*skipped));
        run.notes.write(&format!("ebbline: {files} skipped: {why} (--strict makes this an error)\n"));
    }
    if let Some((rows, name)) = &rows {
        run.notes.write(&format!("ebbline: {}; {} in {name}\n", account.said(), counted(*rows, "row")));
    }
    if *missing == 0 {
        return complaints.worst;
    }
    let (of, are) = (counted(count, "file"), if *missing == 1 { "is" } else { "are" });
    run.notes.write(&format!(
        "ebbline: interrupted: {} of {of} {are} missing from these results\n",
        amount(*missing)
    ));
    if rows.is_some_and(|(_, name)| !is_parquet(&name)) {
        let resume = if run.given.values.has("resume") { "" } else { " and --resume" };
        run.notes.write(&format!("ebbline: the same command{resume} goes on with them\n"));
    }
    Exit::Interrupted
}

fn is_parquet(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ending| ending == "parquet")
}

fn no_format(count: usize) -> &'static str {
    if count == 1 { "no format recognises it" } else { "no format recognises them" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_says_how_fast_it_went() {
        let account =
            Account { files: 12, bytes: 3_400_000, taken: Duration::from_secs(2), ..Account::default() };
        assert_eq!(account.said(), "12 files, 3.4 MB, in 2.0 s (1.7 MB/s)");
    }
}

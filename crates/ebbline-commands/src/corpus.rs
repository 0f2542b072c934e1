//! Many files for one command: those of folders, with a line for what was left out.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::amount::{amount, counted};
use crate::ask::{Ask, News};
use crate::complaints::{Complaint, Complaints};
use crate::decimal::fixed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::{SessionFile, list_files};
use crate::job::{FileResult, Row, Task, Work};
use crate::memory::Memory;
use crate::progress::{Progress, pace, said, size};
use crate::rows::Rows;
use crate::rows::cell::Column;
use crate::rows::options::RowsOptions;
use crate::run::Run;

/// What a command does with the results of its work.
pub(crate) trait Gather {
    /// Takes a result, in the order of the files.
    async fn take(&mut self, file: &SessionFile, row: Row, run: &mut Run) -> Result<(), Failure>;

    /// Shows what was taken: there will be no more.
    async fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure>;
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
    /// How many files no format recognizes.
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
pub(crate) struct RowsTarget {
    /// What was asked for.
    pub(crate) options: RowsOptions,
    /// The columns of the command.
    pub(crate) columns: Vec<Column>,
}

/// Does a command's work on every file that the command line names.
pub(crate) async fn over_files(
    run: &mut Run,
    task: Task,
    written: Option<RowsTarget>,
    gather: &mut impl Gather,
) -> Result<Exit, Failure> {
    let mut complaints = Complaints::new(written.is_some());
    let names = run.given.files.clone();
    let notes = &mut run.notes;
    let files = list_files(&names, &run.io, &mut |failure| complaints.add(failure.into(), notes)).await;
    over_listed(run, files, complaints, task, written, gather).await
}

/// Does a command's work on files.
pub(crate) async fn over_listed(
    run: &mut Run,
    mut files: Vec<SessionFile>,
    complaints: Complaints,
    task: Task,
    written: Option<RowsTarget>,
    gather: &mut impl Gather,
) -> Result<Exit, Failure> {
    if files.is_empty() {
        complaints.say(&mut run.notes);
        return Ok(complaints.worst);
    }
    let rows = match written {
        Some(written) => Some(opened(&mut files, written, run).await?),
        None => None,
    };
    let count = files.len();
    let account = Account { complaints, ..Account::default() };
    let begun = run.io.clock().await;
    let mut corpus = Corpus { files, rows, account, gather };
    corpus.work(task, run).await?;
    let Corpus { rows, mut account, gather, .. } = corpus;
    account.taken = run.io.clock().await.saturating_sub(begun);
    if let Some(rows) = &rows {
        rows.finish().await?;
    }
    gather.show(&account, run).await?;
    if run.out.is_closed {
        return Ok(Exit::Ok);
    }
    Ok(ended(&account, count, rows.map(|rows| (rows.count, rows.name)), run))
}

/// Files that are worked on.
struct Corpus<'g, G> {
    files: Vec<SessionFile>,
    rows: Option<Rows>,
    account: Account,
    gather: &'g mut G,
}

/// Results that are finished before those that precede them.
type Early = BTreeMap<usize, FileResult>;

impl<G: Gather> Corpus<'_, G> {
    /// Does the work on every file and hands out the results in the order of the files, until all are finished or
    /// somebody presses Ctrl-C.
    async fn work(&mut self, task: Task, run: &mut Run) -> Result<(), Failure> {
        let memory = Memory::of(run.given.command, &run.given.values)?;
        let (files, threads) = (self.files.clone(), run.given.values.jobs()?);
        run.io.work(Work { task, files, threads, memory }).await?;
        let taken = self.take_news(run).await;
        run.io.tell(Ask::Halt);
        run.notes.clear();
        let (early, finished) = taken?;
        for (at, done) in early {
            self.take(at, done, run).await?;
        }
        self.account.missing = self.files.len() - finished;
        Ok(())
    }

    /// What could not be handed out yet, and how many files are finished.
    async fn take_news(&mut self, run: &mut Run) -> Result<(Early, usize), Failure> {
        let mut progress = Progress::of(self.files.iter().map(|file| file.size));
        let begun = run.io.clock().await;
        let mut taken = Duration::ZERO;
        let mut early = Early::new();
        let (mut first, mut finished) = (0, 0);
        while finished < self.files.len() && !run.out.is_closed {
            match run.io.news(progress.pause(taken)).await {
                News::Finished(at, done) => {
                    early.insert(at, done);
                    finished += 1;
                    progress.finish(at);
                }
                News::Nothing => {
                    taken = run.io.clock().await.saturating_sub(begun);
                    progress.show(taken, &mut run.notes);
                    continue;
                }
                News::Interrupted => break,
            }
            run.notes.clear();
            while let Some(done) = early.remove(&first) {
                self.take(first, done, run).await?;
                first += 1;
            }
            taken = run.io.clock().await.saturating_sub(begun);
        }
        Ok((early, finished))
    }

    /// Takes what became of a file.
    async fn take(&mut self, at: usize, done: FileResult, run: &mut Run) -> Result<(), Failure> {
        let Some(file) = self.files.get(at) else { return Ok(()) };
        let (name, account) = (&file.name, &mut self.account);
        match done {
            FileResult::Row(mut row) => {
                account.files += 1;
                account.bytes += file.size;
                if let Some(rows) = &mut self.rows {
                    rows.add(file, std::mem::take(&mut row.rows)).await?;
                }
                return self.gather.take(file, *row, run).await;
            }
            FileResult::Skipped if run.given.values.has("strict") => {
                let sentence = format!("{}: {}", name.said(), no_format(1));
                let complaint = Complaint { exit: Exit::Input, code: "unrecognized".to_owned(), sentence };
                account.complaints.add(complaint, &mut run.notes);
            }
            FileResult::Skipped => account.skipped += 1,
            FileResult::Failed { exit, code, message, is_complete } => {
                let sentence = if is_complete { message } else { format!("{}: {message}", name.said()) };
                account.complaints.add(Complaint { exit, code, sentence }, &mut run.notes);
            }
        }
        Ok(())
    }
}

/// Opens the file of rows. What it holds already is not done again, and it is no input of its own.
async fn opened(files: &mut Vec<SessionFile>, written: RowsTarget, run: &mut Run) -> Result<Rows, Failure> {
    let same = Rows::same(&written.options, files, &run.io).await;
    let mut is_own = same.iter().copied().chain(std::iter::repeat(false));
    if let Some((own, _)) = files.iter().zip(is_own.by_ref()).find(|(file, is_own)| !file.is_found && *is_own)
    {
        let sentence = format!("--rows would replace {}, which is to be read", own.name.said());
        return Err(Failure::Usage(sentence));
    }
    let mut is_own = same.iter();
    files.retain(|_| is_own.next() != Some(&true));
    let (rows, holds) = Rows::open(&written.options, written.columns, run.io.clone()).await?;
    let all = files.len();
    files.retain(|file| !holds(&file.name.text()));
    if files.len() < all {
        let there = counted(all - files.len(), "file");
        run.notes.write(&format!(
            "ebbline: {there} of {} have their rows in {} already\n",
            amount(all),
            rows.name
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
    if count == 1 { "no format recognizes it" } else { "no format recognizes them" }
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

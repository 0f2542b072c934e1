//! Many files for one command: those of folders, in several threads, with a line for what was left out.

use std::collections::HashSet;

use crate::amount::{amount, counted};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Name;
use crate::folders::listed;
use crate::output::Notes;
use crate::pool::{Done, Work, each_of};
use crate::printable::printable;
use crate::run::Run;

/// What a command does with the results of its work.
pub(crate) trait Gather {
    /// The result for a file.
    type Result;

    /// Takes a result, in the order of the files.
    fn take(&mut self, name: &Name, result: Self::Result, run: &mut Run) -> Result<(), Failure>;

    /// Shows what was taken: there will be no more.
    fn show(&mut self, run: &mut Run) -> Result<(), Failure>;
}

/// What was complained of.
#[derive(Default)]
struct Complaints {
    worst: Exit,
    said: HashSet<String>,
}

impl Complaints {
    fn add(&mut self, exit: Exit, sentence: String, notes: &mut Notes) {
        self.worst = self.worst.worse(exit);
        // A mistake on the command line is the same for every file.
        if exit != Exit::Usage || !self.said.contains(&sentence) {
            notes.write(&format!("ebbline: {}\n", printable(&sentence)));
        }
        self.said.insert(sentence);
    }
}

/// Does a command's work on every file.
pub(crate) fn over_files<G: Gather>(
    run: &mut Run,
    work: &Work<G::Result>,
    gather: &mut G,
) -> Result<Exit, Failure>
where
    G::Result: Send + 'static,
{
    let mut complaints = Complaints::default();
    let names = run.given.files.clone();
    let files = listed(&names, &mut |failure| {
        complaints.add(failure.exit(), failure.message(), &mut run.notes);
    });
    if files.is_empty() {
        return Ok(complaints.worst);
    }
    let (count, is_strict) = (files.len(), run.given.values.has("strict"));
    let mut skipped = 0_usize;
    let missing = each_of(files, work, run, &mut |run, file, done| {
        let name = &file.name;
        match done {
            Done::Value(result) => return gather.take(name, result, run),
            Done::Skipped if is_strict => {
                let sentence = format!("{}: {}", name.said(), no_format(1));
                complaints.add(Exit::Input, sentence, &mut run.notes);
            }
            Done::Skipped => skipped += 1,
            Done::Failed { exit, message, is_complete: true } => {
                complaints.add(exit, message, &mut run.notes);
            }
            Done::Failed { exit, message, .. } => {
                complaints.add(exit, format!("{}: {message}", name.said()), &mut run.notes);
            }
        }
        Ok(())
    })?;
    gather.show(run)?;
    if run.out.is_closed {
        return Ok(Exit::Ok);
    }
    if skipped > 0 {
        let (files, why) = (counted(skipped, "file"), no_format(skipped));
        run.notes.write(&format!("ebbline: {files} skipped: {why} (--strict makes this an error)\n"));
    }
    if missing == 0 {
        return Ok(complaints.worst);
    }
    let (of, are) = (counted(count, "file"), if missing == 1 { "is" } else { "are" });
    run.notes.write(&format!(
        "ebbline: interrupted: {} of {of} {are} missing from these results\n",
        amount(missing)
    ));
    Ok(Exit::Interrupted)
}

fn no_format(count: usize) -> &'static str {
    if count == 1 { "no format recognises it" } else { "no format recognises them" }
}

//! Programs that try something in many places, and print a table and a sum: hosts of the component, runtimes of the package.

use std::process::Command;

use crate::counts::Counts;
use crate::failure::{Failure, Outcome};
use crate::process::line_of;
use crate::step::{Step, say};

/// The beginning of lines that say what is being tried; they are not part of the table.
const PROGRESS: &str = "trying ";

/// Runs such a program, and prints its table. A place where it fails is no error: the counts report it.
pub(crate) fn run(step: Step, command: &mut Command) -> Outcome<Counts> {
    let finished = step.attempt(command)?;
    let counts = Counts::of_sum(&finished.lines);
    if counts == Counts::default() {
        return Err(Failure::new(format!("{}: the program itself failed", step.name()))
            .command(line_of(command))
            .tail(&finished.lines, 40));
    }
    for line in finished.lines.iter().filter(|line| !line.starts_with(PROGRESS)) {
        say!("{line}");
    }
    step.done_with(counts);
    Ok(counts)
}

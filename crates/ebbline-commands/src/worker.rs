//! Does tasks: each command that works on many files has something that is prepared once for all of them.

use crate::commands::{audit, compare, replay, scan, sweep};
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::job::{FileResult, OnSession, Task};
use crate::options::COMMANDS;
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;

/// Does one task on any number of files.
#[derive(Debug)]
pub struct Worker(Box<dyn OnSession>);

impl Worker {
    /// What becomes of a file with these bytes.
    ///
    /// # Example
    ///
    /// ```
    /// # use ebbline_commands::{SessionFile, Task};
    /// if let Ok(worker) = Task::default().worker() {
    ///     let done = worker.run(&SessionFile::default(), b"[]");
    /// }
    /// ```
    #[must_use]
    pub fn run(&self, file: &SessionFile, bytes: &[u8]) -> FileResult {
        match self.0.row(file, bytes) {
            Ok(row) => FileResult::Row(Box::new(row)),
            Err(failure) => FileResult::failed(&failure).unless_skipped(file, bytes),
        }
    }
}

impl Task {
    /// The task of a command.
    pub(crate) fn of(run: &Run, grid: Option<String>) -> Self {
        let options =
            run.given.values.iter().map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
        Self {
            command: run.given.command.unwrap_or_default().to_owned(),
            options: options.collect(),
            grid,
            is_colored: run.style().is_colored(),
        }
    }

    /// What does this task, prepared for many files.
    ///
    /// # Errors
    ///
    /// What becomes of each file if the task itself is not as it should be.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline_commands::Task::default().worker().is_err());
    /// ```
    pub fn worker(&self) -> Result<Worker, FileResult> {
        let style = Style::new(self.is_colored);
        let values = self.values();
        let worker = match &*self.command {
            "audit" => audit::Auditor::of(&values, style).map(boxed),
            "compare" => compare::Comparer::of(&values, style).map(boxed),
            "replay" => replay::Replayer::of(&values).map(boxed),
            "scan" => scan::Scanner::of(&values).map(boxed),
            "sweep" => sweep::Sweeper::of(&values, self.grid.as_deref().unwrap_or("{}")).map(boxed),
            other => Err(Failure::Usage(format!("{other} is no work on many files"))),
        };
        worker.map_err(|failure| FileResult::failed(&failure))
    }

    fn values(&self) -> Values {
        let command = COMMANDS.iter().find(|command| command.name == self.command);
        let choices = || command.iter().flat_map(|command| command.choices());
        let known = |name: &str| choices().find(|choice| choice.name == name).map(|choice| choice.name);
        let given = self.options.iter().filter_map(|(name, value)| Some((known(name)?, value.clone())));
        Values::new(given.collect())
    }
}

fn boxed(task: impl OnSession + 'static) -> Worker {
    Worker(Box::new(task))
}

//! What a stage came to, and the table of all stages.

use std::process::ExitCode;
use std::time::Duration;

use crate::counts::Counts;
use crate::environment::is_ci;
use crate::measure::duration;
use crate::step::{self, say};

/// The result of a stage.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) counts: Counts,
    /// What could not run, with the reason.
    pub(super) not_run: Vec<String>,
}

impl Verdict {
    pub(super) fn add(&mut self, counts: Counts) {
        self.counts += counts;
    }

    /// Records what cannot run on this machine. It counts as skipped, or in CI as failed.
    pub(super) fn cannot_run(&mut self, tests: usize, what: impl Into<String>) {
        let tests = tests.max(1) as u64;
        if is_ci() {
            self.counts.failed += tests;
        } else {
            self.counts.skipped += tests;
        }
        self.not_run.push(what.into());
    }

    /// Records what is left out because its data is not part of the project.
    pub(super) fn leave_out(&mut self, what: impl Into<String>) {
        self.counts.skipped += 1;
        self.not_run.push(what.into());
    }
}

pub(super) fn print_table(rows: &[(&str, Verdict, Duration)]) -> ExitCode {
    say!("\n{}", step::strong("stage          passed   failed  skipped  time"));
    for (name, verdict, took) in rows {
        let Counts { passed, failed, skipped } = verdict.counts;
        let mark = if failed == 0 { step::good("✔") } else { step::bad("✘") };
        say!("{mark} {:<12} {passed:>6}  {failed:>7}  {skipped:>7}  {}", name, duration(*took));
    }
    let left_out: Vec<&String> = rows.iter().flat_map(|(_, verdict, _)| &verdict.not_run).collect();
    if !left_out.is_empty() {
        say!("\n{}", step::odd("Not run:"));
        for what in left_out {
            say!("  {what}");
        }
    }
    let sum: Counts = rows.iter().map(|(_, verdict, _)| verdict.counts).sum();
    say!("\n{sum}");
    sum.exit()
}

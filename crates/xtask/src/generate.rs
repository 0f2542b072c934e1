//! `cargo xtask gen`: writes the files that are generated from the engine's definitions.
//!
//! The generator (`crates/ebbline-gen`) is compiled with the engine, but `cargo xtask` is not: a compile error in the
//! engine must not keep `cargo xtask` from starting.

use std::process::{Command, ExitCode};

use crate::failure::Outcome;
use crate::project::Project;
use crate::step::{Step, say};

/// Writes the files that differ.
pub(crate) fn command(project: &Project) -> Outcome<ExitCode> {
    let step = Step::begin("generated files", "what follows from the engine's definitions");
    let finished = step.attempt(&mut program(project))?;
    for line in finished.lines.iter().filter(|line| line.starts_with("wrote ") || !finished.success()) {
        say!("  {line}");
    }
    if finished.success() {
        step.done("as the definitions say");
        return Ok(ExitCode::SUCCESS);
    }
    step.done_badly("what to do: mend the lines above");
    Ok(ExitCode::FAILURE)
}

/// The program that names the files that differ, and fails if there are any.
pub(crate) fn check(project: &Project) -> Command {
    let mut command = program(project);
    command.args(["--", "--check"]);
    command
}

fn program(project: &Project) -> Command {
    let mut command = project.cargo();
    command.args(["run", "--package", "ebbline-gen"]);
    command
}

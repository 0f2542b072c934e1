//! Benchmarks. They print ratios: times of one machine mean nothing on another.

use std::process::{Command, ExitCode};

use crate::failure::Outcome;
use crate::project::Project;
use crate::step::{Step, say};
use crate::{npm, setup};

/// Both native programs: the engine over growing sessions, and reading by format.
const BENCHES: [&str; 9] =
    ["bench", "-p", "ebbline", "-p", "ebbline-tests", "--bench", "session", "--bench", "reading"];

/// Runs the benchmarks of the crate and of the npm package, as far as there are any.
///
/// # Errors
///
/// When one of them fails.
pub(crate) fn bench(project: &Project) -> Outcome<ExitCode> {
    if project.at("crates/ebbline/benches").is_dir() {
        show(
            Step::begin("bench, native", "cargo bench: long sessions, sessions of every format"),
            project.cargo().args(BENCHES),
        )?;
    } else {
        say!("crates/ebbline/benches does not exist: no native benchmarks");
    }
    let program = project.at("tests/npm/bench.mjs");
    if program.is_file() {
        let toolchain = setup::for_package(project)?;
        let installed = npm::install(project, toolchain)?;
        let mut command = project.node();
        command.arg(&program).env("EBBLINE_PACKAGE", &installed.package);
        show(Step::begin("bench, npm", "node tests/npm/bench.mjs"), &mut command)?;
    } else {
        say!("tests/npm/bench.mjs does not exist: no benchmarks of the npm package");
    }
    Ok(ExitCode::SUCCESS)
}

fn show(step: Step, command: &mut Command) -> Outcome<()> {
    let finished = step.run(command)?;
    for line in &finished.lines {
        say!("{line}");
    }
    step.done("measured");
    Ok(())
}

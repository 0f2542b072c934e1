//! Benchmarks of the engine, and of the npm package beside other packages. Times differ between machines, so ratios
//! and counted instructions are compared.

use std::process::{Command, ExitCode};

use crate::args::Extent;
use crate::failure::Outcome;
use crate::measure::short;
use crate::project::Project;
use crate::step::{Step, say};
use crate::{node, npm, setup};

/// Both native programs: the engine on growing sessions, and reading by format.
const BENCHES: [&str; 7] = ["bench", "-p", "ebbline-bench", "--bench", "session", "--bench", "reading"];
/// The native program whose operations are counted.
const COUNTED: [&str; 6] = ["build", "--release", "-p", "ebbline", "--example", "counted"];

/// Measures, prints tables and, unless it is a quick run, writes them into `docs/performance.md`.
///
/// # Errors
///
/// If a build or a program fails.
pub(crate) fn bench(project: &Project, extent: Extent) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    node::bench_packages(project)?;
    let installed = npm::install(project, toolchain)?;
    let step = Step::begin("counted", "building the native program whose operations are counted");
    step.run(project.cargo().args(COUNTED))?;
    let counted = project.cargo_target().join("release/examples/counted");
    step.done(short(&counted));

    let program = project.at("tests/bench/run.mjs");
    let mut command = project.node();
    command.arg(&program).env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_COUNTED", &counted);
    if extent == Extent::Quick {
        command.arg("--quick");
    }
    show(Step::begin("bench, npm", format!("node {}", short(&program))), &mut command)?;
    if extent == Extent::Whole {
        show(
            Step::begin("bench, native", "cargo bench: long sessions, sessions of every format"),
            project.cargo().args(BENCHES),
        )?;
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

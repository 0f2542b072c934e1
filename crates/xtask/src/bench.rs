//! Benchmarks of the engine, and of the npm package beside other packages. Times differ between machines, so ratios
//! and counted instructions are compared.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::args::Extent;
use crate::failure::Outcome;
use crate::measure::short;
use crate::project::Project;
use crate::step::{Step, say};
use crate::{component, node, npm, python, setup};

/// Both native programs: the engine on growing sessions, and reading by format.
const BENCHES: [&str; 7] = ["bench", "-p", "ebbline-bench", "--bench", "session", "--bench", "reading"];
/// The native program whose operations are counted.
const COUNTED: [&str; 6] = ["build", "--release", "-p", "ebbline", "--example", "counted"];
/// The native program with the calls that are measured side by side.
const CALLS: [&str; 6] = ["build", "--release", "-p", "ebbline", "--example", "calls"];

/// Measures, prints tables and, unless it is a quick run, writes them into `docs/performance.md`.
pub(crate) fn bench(project: &Project, extent: Extent) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    node::install(project, &node::BENCH)?;
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

/// Measures the same calls natively, through the npm package and through the component, and writes the table unless it is a
/// quick run.
pub(crate) fn calls(project: &Project, extent: Extent) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    let installed = npm::install(project, toolchain)?;
    component::build(project, toolchain)?;
    let step = Step::begin("native", "building the native program with the same calls");
    step.run(project.cargo().args(CALLS))?;
    let native = project.cargo_target().join("release/examples/calls");
    step.done(short(&native));
    let mut command = project.node();
    command.arg(project.at("tests/bench/calls.mjs"));
    command.env("EBBLINE_PACKAGE", &installed.package).env("EBBLINE_NATIVE", &native);
    let python = python::ensure(project, python::COMPONENT);
    command.envs(python.map(|path| ("EBBLINE_COMPONENT_PYTHON", path)));
    if extent == Extent::Quick {
        command.arg("--quick");
    }
    show(Step::begin("bench, calls", "node tests/bench/calls.mjs"), &mut command)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a corpus of made-up sessions; `words` are the generator's own.
pub(crate) fn corpus(project: &Project, words: &[String]) -> Outcome<ExitCode> {
    of_tests(project, "corpus", "writing sessions", words)
}

/// Prints the tables of docs/defaults.md. `words` are a folder of sessions, from where this program was called, and more values of knobs,
/// or where lives for the rules of other libraries go, or where their rows are.
pub(crate) fn defaults(project: &Project, words: &[String]) -> Outcome<ExitCode> {
    let absolute = words.first().and_then(|folder| std::path::absolute(folder).ok());
    let folder = absolute.map(|folder| folder.to_string_lossy().into_owned());
    let words: Vec<String> = folder.into_iter().chain(words.iter().skip(1).cloned()).collect();
    of_tests(project, "defaults", "replaying policies", &words)
}

/// Runs a program of `ebbline-tests`.
fn of_tests(project: &Project, name: &'static str, about: &str, words: &[String]) -> Outcome<ExitCode> {
    let mut program = project.cargo();
    program.args(["run", "--release", "--quiet", "-p", "ebbline-tests", "--bin", name, "--"]).args(words);
    show(Step::begin(name, about), &mut program)?;
    Ok(ExitCode::SUCCESS)
}

/// Measures the native command line over a corpus and writes the table, unless it is a quick run. `words` are a folder,
/// which is made unless it is there, and the options of [`corpus`].
pub(crate) fn over_corpus(project: &Project, words: &[String], is_quick: bool) -> Outcome<ExitCode> {
    let named = words.iter().find(|word| Path::new(word).is_absolute()).map(PathBuf::from);
    let folder = named.clone().unwrap_or_else(|| project.cargo_target().join("corpus"));
    if !folder.is_dir() {
        let folder = folder.to_string_lossy().into_owned();
        let added = if named.is_none() { vec![folder] } else { Vec::new() };
        corpus(project, &[words, &added].concat())?;
    }
    let step = Step::begin("ebbline", "cargo build --release -p ebbline-cli");
    step.run(project.cargo().args(["build", "--release", "-p", "ebbline-cli"]))?;
    let command = project.cargo_target().join("release/ebbline");
    step.done(short(&command));
    let mut program = project.node();
    program.arg(project.at("tests/bench/commands.mjs")).arg(&folder).env("EBBLINE_COMMAND", &command);
    program.envs(python::ensure(project, python::DATABASE).map(|path| ("EBBLINE_DUCKDB", path)));
    if is_quick {
        program.arg("--quick");
    }
    show(Step::begin("bench, corpus", "ebbline, jq and DuckDB over the same files"), &mut program)?;
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

//! Damaged sessions: thousands of mutations of the fixtures, checked for everything that must be true of any text.

use std::process::{Command, ExitCode};

use crate::failure::Outcome;
use crate::project::Project;
use crate::reports::Table;
use crate::step::Step;

/// How many cases the fuzzer tries among the tests, over all its targets: the same ones every time, however busy the
/// machine is. They take half a minute.
const CASES_IN_TEST: &str = "50000";

/// How the fuzzer is built.
#[derive(Clone, Copy, Debug)]
enum Build {
    /// As the tests, which have compiled the engine already. Fewer cases a second, but arithmetic that overflows fails.
    AsTests,
    /// Optimised, for many cases.
    Optimised,
}

/// `cargo xtask fuzz`: runs the fuzzer; `words` are its own options.
///
/// # Errors
///
/// When it cannot be built, or breaks down itself: a stack that overflows, a case that does not end.
pub(crate) fn command(project: &Project, words: &[String]) -> Outcome<ExitCode> {
    let table = run(project, Build::Optimised, words)?;
    table.print(false);
    Ok(if table.counts().failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the fuzzer's share of the tests.
///
/// # Errors
///
/// As [`command`].
pub(crate) fn for_test(project: &Project) -> Outcome<Table> {
    run(project, Build::AsTests, &["--cases", CASES_IN_TEST].map(String::from))
}

fn run(project: &Project, build: Build, words: &[String]) -> Outcome<Table> {
    let building = Step::begin(
        "fuzz",
        match build {
            Build::AsTests => "building it as the tests are",
            Build::Optimised => "building it, optimised",
        },
    );
    building.run(&mut cargo(project, "build", build))?;
    building.done("built");
    let running = Step::begin("fuzz", format!("damaging sessions {}", words.join(" ")));
    let mut program = cargo(project, "run", build);
    program.arg("--").args(words);
    let table = Table::collect(&running, &mut program, &[])?;
    let counts = table.counts();
    if counts.failed == 0 {
        running.done(counts)
    } else {
        running.done_badly(counts)
    };
    Ok(table)
}

fn cargo(project: &Project, verb: &str, build: Build) -> Command {
    let mut command = project.cargo();
    command.args([verb, "-p", "ebbline-tests", "--bin", "fuzz"]);
    command.args(match build {
        Build::AsTests => ["--profile", "test"],
        Build::Optimised => ["--profile", "release"],
    });
    command
}

//! Tests the packed package in every runtime and bundler: `tests/runtimes/run.mjs`, and what it needs.

use std::path::Path;
use std::process::ExitCode;

use crate::counts::Counts;
use crate::failure::Outcome;
use crate::matrix;
use crate::node;
use crate::npm;
use crate::project::Project;
use crate::setup;
use crate::step::Step;

/// `cargo xtask runtimes`: sets up, packs the package and tests it; `words` select runtimes.
pub(crate) fn command(project: &Project, words: &[String]) -> Outcome<ExitCode> {
    let ready = setup::everything(project)?;
    let installed = npm::install(project, ready.toolchain)?;
    let counts = check(project, &installed.tarball, ready.browser.as_deref(), words)?;
    Ok(counts.exit())
}

/// Tests the tarball and prints the table.
pub(crate) fn check(
    project: &Project,
    tarball: &Path,
    browser: Option<&Path>,
    words: &[String],
) -> Outcome<Counts> {
    node::install(project, &node::RUNTIMES)?;
    let step = Step::begin("runtimes", "installing the tarball into an empty project for each of them");
    let mut command = project.node();
    command.arg(project.at("tests/runtimes/run.mjs")).arg(tarball).args(words);
    command.env("CHROMIUM_PATH", browser.unwrap_or(Path::new("")));
    matrix::run(step, &mut command)
}

//! `cargo xtask site`: playground, lesson, documentation and the references of the interfaces in one folder of static files,
//! which works under any address.
//!
//! `crates/ebbline-site` writes the lesson and the documentation and checks the links of everything. Like the generator, it is
//! compiled with the engine, and `cargo xtask` is not.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::args::Mode;
use crate::component;
use crate::copied;
use crate::failure::{Context, Failure, Outcome};
use crate::measure::left_at;
use crate::node;
use crate::npm;
use crate::play;
use crate::project::Project;
use crate::python;
use crate::setup;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;

/// The site, relative to the root.
const FOLDER: &str = "target/site";
/// The reference of the npm package, inside the site.
const JAVASCRIPT: &str = "api/js";
/// The reference of the Python package, inside the site.
const PYTHON: &str = "api/python";
/// The reference of the crate, inside the site.
const RUST: &str = "api/rust";

/// Builds the whole site and checks its links.
pub(crate) fn command(project: &Project) -> Outcome<ExitCode> {
    let toolchain = setup::for_playground(project)?;
    node::install(project, &node::REFERENCE)?;
    let playground = play::build(project, toolchain, Mode::Release)?;
    let folder = project.at(FOLDER);
    pages(project, &playground, &folder)?;
    javascript(project, toolchain, &folder)?;
    rust(project, &folder)?;
    python(project, toolchain, &folder)?;
    let step = Step::begin("links", "following every link of the pages");
    step.run(program(project).arg("finish").arg(&folder)).map_err(|failure| {
        failure.advise("Mend the links that the lines above name, then run the same command again.")
    })?;
    step.done("none is dead");
    say!(
        "\n{} {}   {}",
        step::strong("The site is in"),
        step::good(FOLDER),
        step::quiet("any server of static files can serve it, under any path")
    );
    Ok(ExitCode::SUCCESS)
}

/// Empties `folder`, and writes the playground, the lesson and the documentation into it.
pub(crate) fn pages(project: &Project, playground: &Path, folder: &Path) -> Outcome<()> {
    let step = Step::begin("pages", "writing the lesson and the documentation");
    if folder.exists() {
        fs::remove_dir_all(folder).context(|| format!("cannot empty {}", folder.display()))?;
    }
    copied::any(playground, folder)?;
    step.run(program(project).arg("write").arg(folder)).map_err(|failure| {
        failure.advise("Mend what the lines above name, then run the same command again.")
    })?;
    step.done(left_at(folder));
    Ok(())
}

/// The program that writes and checks pages.
fn program(project: &Project) -> Command {
    let mut command = project.cargo();
    command.args(["run", "--package", "ebbline-site", "--"]);
    command
}

/// The reference of the npm package, from the types that it contains.
fn javascript(project: &Project, toolchain: Toolchain, site: &Path) -> Outcome<()> {
    npm::build(project, toolchain)?;
    let step = Step::begin("JavaScript reference", "reading the package's types with TypeDoc");
    let folder = site.join(JAVASCRIPT);
    let mut command = project.command("node");
    let program = "node_modules/typedoc/bin/typedoc";
    command
        .current_dir(project.at(node::SITE))
        .args([program, "--options", "typedoc.json", "--out"])
        .arg(&folder);
    step.run(&mut command)?;
    step.done(left_at(&folder));
    Ok(())
}

/// The reference of the Python package, which pdoc imports. The adapters need their libraries: docs/hosts has their pages.
fn python(project: &Project, toolchain: Toolchain, site: &Path) -> Outcome<()> {
    component::build(project, toolchain)?;
    let python = python::ensure(project, python::RELEASE)
        .ok_or_else(|| Failure::new("pdoc, which writes Python's reference, cannot be installed"))?;
    let step = Step::begin("Python reference", "reading the package with pdoc");
    let folder = site.join(PYTHON);
    let mut command = project.command(python);
    command.env("PYTHONPATH", project.at("python/src")).args(["-m", "pdoc", "ebbline", "!ebbline.adapters"]);
    step.run(command.args(["!ebbline.spark", "!ebbline.__main__", "--output-directory"]).arg(&folder))?;
    step.done(left_at(&folder));
    Ok(())
}

/// The reference of the crate. It is built apart, because rustdoc lists in each folder whatever was ever built into it.
fn rust(project: &Project, site: &Path) -> Outcome<()> {
    let step = Step::begin("Rust reference", "reading the crate with rustdoc");
    let target = project.at("target/site-rustdoc");
    step.run(
        project.cargo().args(["doc", "--package", "ebbline", "--no-deps", "--target-dir"]).arg(&target),
    )?;
    let folder = site.join(RUST);
    copied::any(&target.join("doc"), &folder)?;
    step.done(left_at(&folder));
    Ok(())
}

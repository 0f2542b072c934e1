//! The hosts of the component: those that have to be compiled, and the run of all of them.

use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::failure::{Failure, Outcome};
use crate::process::line_of;
use crate::project::{Project, own_tools};
use crate::python;
use crate::setup;
use crate::step::{self, Step, say};

/// The host in Rust, and the folder it is compiled into.
const RUST_HOST: &str = "examples/component-rust";
const RUST_FOLDER: &str = "target/component-rust";

/// The host in Go, and its program.
const GO_HOST: &str = "examples/component-go";
const GO_PROGRAM: &str = "target/component-go";

/// Compiles the host in Rust, which takes minutes.
///
/// # Errors
///
/// When it cannot be compiled.
pub(crate) fn in_rust(project: &Project) -> Outcome<()> {
    let step = Step::begin("Rust host", "cargo build --release, wasmtime included");
    let mut build = project.cargo();
    build.current_dir(project.at(RUST_HOST)).args(["build", "--release"]);
    build.env("CARGO_TARGET_DIR", project.at(RUST_FOLDER));
    step.run(&mut build)?;
    step.done(RUST_FOLDER);
    Ok(())
}

/// Installs Go where Debian's packages can be installed. Without it the table says that the host was left out.
pub(crate) fn with_go(project: &Project) {
    if project.which("go").is_some() || !setup::can_install_packages(project) {
        return;
    }
    let step = Step::begin("Go", "installing golang-go (250 MB)");
    match setup::install_packages(project, &step, &["golang-go"]) {
        Ok(()) => drop(step.done("golang-go")),
        Err(failure) => {
            step::note(failure);
            step.done_badly("none; its host is left out");
        }
    }
}

/// Compiles the host in Go against the library of Python's wasmtime. `None` without Go.
fn in_go(project: &Project, python: &Path) -> Option<PathBuf> {
    let go = project.which("go")?;
    let step = Step::begin("Go host", "go build, with wasmtime's C API");
    let api = own_tools().join("wasmtime-c-api");
    let program = project.at(GO_PROGRAM).with_extension(std::env::consts::EXE_EXTENSION);
    let mut fetch = project.command(python);
    fetch.arg(project.at("tests/component/c_api.py")).arg(&api);
    let mut build = project.command(go);
    build.current_dir(project.at(GO_HOST)).args(["build", "-o"]).arg(&program).arg(".");
    build.env("CGO_ENABLED", "1").env("CGO_CFLAGS", format!("-I{}", api.join("include").display()));
    let lib = api.join("lib");
    build.env("CGO_LDFLAGS", format!("-L{} -Wl,-rpath,{}", lib.display(), lib.display()));
    match step.run(&mut fetch).and_then(|_| step.run(&mut build)) {
        Ok(_) => {
            step.done(GO_PROGRAM);
            Some(program)
        }
        Err(failure) => {
            step::note(failure);
            step.done_badly("none; the host in Go is left out");
            None
        }
    }
}

/// Runs the component in every host on this machine, and prints the table.
///
/// # Errors
///
/// If the program itself fails.
pub(crate) fn run(project: &Project, package: &Path, browser: Option<&Path>) -> Outcome<Counts> {
    let python = python::ensure(project, python::COMPONENT);
    let in_go = python.as_deref().and_then(|python| in_go(project, python));
    let step = Step::begin("hosts of the component", "node tests/component/hosts.mjs");
    let mut command = project.node();
    command.arg(project.at("tests/component/hosts.mjs")).env("EBBLINE_PACKAGE", package);
    command.envs(browser.map(|path| ("CHROMIUM_PATH", path)));
    command.envs(in_go.map(|path| ("EBBLINE_GO_HOST", path)));
    command.envs(python.map(|path| ("EBBLINE_COMPONENT_PYTHON", path)));
    let program = project.at(RUST_FOLDER).join("release/component-rust");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    if program.is_file() {
        command.env("EBBLINE_RUST_HOST", program);
    }
    let finished = step.attempt(&mut command)?;
    let counts = Counts::of_sum(&finished.lines);
    if counts == Counts::default() {
        return Err(Failure::new("hosts of the component: the program itself failed")
            .command(line_of(&command))
            .tail(&finished.lines, 40));
    }
    for line in &finished.lines {
        say!("{line}");
    }
    if counts.failed == 0 {
        step.done(counts)
    } else {
        step.done_badly(counts)
    };
    Ok(counts)
}

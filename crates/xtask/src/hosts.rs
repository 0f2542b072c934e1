//! The hosts of the component: those that have to be compiled, and the run of all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counts::Counts;
use crate::failure::Outcome;
use crate::matrix;
use crate::measure::short;
use crate::process::line_of;
use crate::project::{Project, own_tools};
use crate::python;
use crate::setup;
use crate::step::{self, Step};

/// What hosts are compiled against.
const INTERFACE: &str = "crates/ebbline-component/wit/engine.wit";

/// The host in Rust, and the folder it is compiled into.
const RUST_HOST: &str = "examples/component-rust";
const RUST_FOLDER: &str = "target/component-rust";

/// The host in Go, and its program.
const GO_HOST: &str = "examples/component-go";
const GO_PROGRAM: &str = "target/component-go";

/// The host in .NET, and its program.
const DOTNET_HOST: &str = "examples/component-dotnet";
const DOTNET_PROGRAM: &str = "target/component-dotnet.exe";

/// Compiles the host in Rust, which takes minutes.
pub(crate) fn in_rust(project: &Project) -> Outcome<()> {
    let step = Step::begin("Rust host", "cargo build --release, wasmtime included");
    let mut build = project.cargo();
    build.current_dir(project.at(RUST_HOST)).args(["build", "--release"]);
    build.env("CARGO_TARGET_DIR", project.at(RUST_FOLDER));
    step.run(&mut build)?;
    step.done(RUST_FOLDER);
    Ok(())
}

/// Installs Go and Mono where Debian's packages can be installed. Without them the table says that their hosts were left out.
pub(crate) fn with_languages(project: &Project) {
    let wanted = [("go", "golang-go"), ("mcs", "mono-mcs"), ("mono", "mono-runtime")];
    let missing: Vec<&str> = wanted
        .into_iter()
        .filter(|(program, _)| project.which(program).is_none())
        .map(|(_, package)| package)
        .collect();
    if missing.is_empty() || !setup::can_install_packages(project) {
        return;
    }
    let step = Step::begin("languages", format!("installing {} (400 MB in all)", missing.join(", ")));
    match setup::install_packages(project, &step, &missing) {
        Ok(()) => drop(step.done(missing.join(", "))),
        Err(failure) => {
            step::note(failure);
            step.done_badly("not all; their hosts are left out");
        }
    }
}

/// The hosts that call wasmtime's C API, as variables for `hosts.mjs`: those for whose language there is a compiler.
fn through_c(project: &Project, python: &Path) -> Vec<(&'static str, PathBuf)> {
    let (go, mcs) = (project.which("go"), project.which("mcs").filter(|_| project.which("mono").is_some()));
    if go.is_none() && mcs.is_none() {
        return Vec::new();
    }
    let api = own_tools().join("wasmtime-c-api");
    let step = Step::begin("wasmtime's C API", "the library of Python's wasmtime, and its headers");
    if let Err(failure) =
        step.run(project.command(python).arg(project.at("tests/component/c_api.py")).arg(&api))
    {
        step::note(failure);
        step.done_badly("none; the hosts that call it are left out");
        return Vec::new();
    }
    step.done(short(&api));
    let mut found = Vec::new();
    if let Some(go) = go {
        let program = project.at(GO_PROGRAM).with_extension(std::env::consts::EXE_EXTENSION);
        let (include, lib) = (api.join("include"), api.join("lib"));
        let mut build = project.command(go);
        build.current_dir(project.at(GO_HOST)).args(["build", "-o"]).arg(&program).arg(".");
        build.env("CGO_ENABLED", "1").env("CGO_CFLAGS", format!("-I{}", include.display()));
        build.env("CGO_LDFLAGS", format!("-L{} -Wl,-rpath,{}", lib.display(), lib.display()));
        found.extend(compiled("Go host", &mut build, program).map(|program| ("EBBLINE_GO_HOST", program)));
    }
    if let Some(mcs) = mcs {
        let program = project.at(DOTNET_PROGRAM);
        let mut build = project.command(mcs);
        build.current_dir(project.at(DOTNET_HOST)).arg("-langversion:6");
        build.arg(format!("-out:{}", program.display())).args(["Native.cs", "Component.cs", "Program.cs"]);
        found.extend(
            compiled(".NET host", &mut build, program).map(|program| ("EBBLINE_DOTNET_HOST", program)),
        );
    }
    found.push(("EBBLINE_WASMTIME_C_API", api));
    found
}

/// Whether a program was compiled after the interface that it was compiled against was written.
fn is_newer(program: &Path, interface: &Path) -> bool {
    let written = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    written(program).zip(written(interface)).is_some_and(|(program, interface)| program > interface)
}

fn compiled(name: &str, build: &mut Command, program: PathBuf) -> Option<PathBuf> {
    let step = Step::begin(name, line_of(build));
    match step.run(build) {
        Ok(_) => {
            step.done(short(&program));
            Some(program)
        }
        Err(failure) => {
            step::note(failure);
            step.done_badly("none; it is left out");
            None
        }
    }
}

/// Runs the component in every host on this machine, and prints the table.
pub(crate) fn run(project: &Project, package: &Path, browser: Option<&Path>) -> Outcome<Counts> {
    let python = python::ensure(project, python::COMPONENT);
    let through_c = python.as_deref().map(|python| through_c(project, python)).unwrap_or_default();
    let step = Step::begin("hosts of the component", "node tests/component/hosts.mjs");
    let mut command = project.node();
    command.arg(project.at("tests/component/hosts.mjs")).env("EBBLINE_PACKAGE", package);
    command.envs(browser.map(|path| ("CHROMIUM_PATH", path)));
    command.envs(through_c);
    command.envs(python.map(|path| ("EBBLINE_COMPONENT_PYTHON", path)));
    let program = project.at(RUST_FOLDER).join("release/component-rust");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    if is_newer(&program, &project.at(INTERFACE)) {
        command.env("EBBLINE_RUST_HOST", program);
    }
    matrix::run(step, &mut command)
}

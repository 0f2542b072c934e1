//! The engine as a WebAssembly component: compiled, optimised, and wrapped by `jco`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::counts::Counts;
use crate::failure::{Context, Failure, Outcome};
use crate::kept::Kept;
use crate::measure::short;
use crate::process::line_of;
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;
use crate::{node, npm, python, setup, tighten, wasm};

/// Where the component lies, relative to the project.
const PLACE: &str = "target/component/ebbline.wasm";
/// Where the Python package has it.
const IN_PYTHON: &str = "python/src/ebbline/ebbline.wasm";
/// `jco`, which makes a component of a module.
const JCO: &str = "tests/component/node_modules/.bin/jco";

/// The host in Rust, and the folder it is compiled into.
const RUST_HOST: &str = "examples/component-rust";
const RUST_FOLDER: &str = "target/component-rust";

/// `cargo xtask component`: writes the component, puts it into the Python package, and with `hosts` runs it in every host.
///
/// # Errors
///
/// When the set-up or a build step fails. A failing host is not an error: the exit code reports it.
pub(crate) fn command(project: &Project, with_hosts: bool) -> Outcome<ExitCode> {
    if with_hosts {
        let ready = setup::everything(project)?;
        build(project, ready.toolchain)?;
        node::runtimes(project)?;
        let step = Step::begin("Rust host", "cargo build --release, wasmtime included");
        let mut build = project.cargo();
        build.current_dir(project.at(RUST_HOST)).args(["build", "--release"]);
        build.env("CARGO_TARGET_DIR", project.at(RUST_FOLDER));
        step.run(&mut build)?;
        step.done(RUST_FOLDER);
        let installed = npm::install(project, ready.toolchain)?;
        let counts = hosts(project, &installed.package, ready.browser.as_deref())?;
        return Ok(if counts.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let toolchain = setup::for_package(project)?;
    let component = build(project, toolchain)?;
    say!("\n{} {}", step::strong("The component:"), short(&component));
    say!("{} pip wheel --no-deps ./python", step::strong("Ready for:"));
    Ok(ExitCode::SUCCESS)
}

/// Builds the component, and puts it into the Python package.
///
/// # Errors
///
/// When a compiler or a tool fails.
pub(crate) fn build(project: &Project, toolchain: Toolchain) -> Outcome<PathBuf> {
    node::component(project)?;
    let component = project.at(PLACE);
    let python = project.at(IN_PYTHON);
    let outputs: [&Path; 2] = [&component, &python];
    let kept = Kept::of(project, toolchain, wasm::COMPONENT.package, &[], wasm::COMPONENT.optimise)?;
    if kept.restore(&outputs)? {
        Step::begin("component", "looking for it")
            .done(format!("as it was built before, {}", wasm::sizes(project, &component)));
        return Ok(component);
    }
    let (compiled, sources) = wasm::compile(project, toolchain, &wasm::COMPONENT)?;
    let step = Step::begin(
        "component",
        format!("optimising it and wrapping it (wasm-opt {}, jco new)", wasm::COMPONENT.optimise),
    );
    let folder = component.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    let core = folder.join("core.wasm");
    tighten::silence(&compiled, &core)?;
    let mut optimise = project.command("wasm-opt");
    optimise.args(wasm::COMPONENT.optimise.split(' ')).arg(&core).arg("-o").arg(&core);
    step.run(&mut optimise).map_err(|failure| {
        failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages.")
    })?;
    tighten::finish_core(&core)?;
    let mut wrap = project.node();
    wrap.arg(project.at(JCO)).arg("new").arg(&core).arg("-o").arg(&component);
    step.run(&mut wrap)?;
    tighten::strip_component(&component)?;
    fs::copy(&component, &python).context(|| format!("cannot write {}", python.display()))?;
    kept.keep(&outputs, &[sources])?;
    step.done(wasm::sizes(project, &component));
    Ok(component)
}

/// Runs the component in every host on this machine, and prints the table.
///
/// # Errors
///
/// If the program itself fails.
pub(crate) fn hosts(project: &Project, package: &Path, browser: Option<&Path>) -> Outcome<Counts> {
    let python = python::ensure(project, python::COMPONENT);
    let step = Step::begin("hosts of the component", "node tests/component/hosts.mjs");
    let mut command = project.node();
    command.arg(project.at("tests/component/hosts.mjs")).env("EBBLINE_PACKAGE", package);
    command.envs(browser.map(|path| ("CHROMIUM_PATH", path)));
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

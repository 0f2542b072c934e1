//! The engine as a WebAssembly component: compiled, optimised, and wrapped by `jco`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use crate::failure::{Context, Outcome};
use crate::fresh::{Stamp, fingerprint};
use crate::measure::{left_at, short};
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;
use crate::{node, setup, wasm};

/// Where the component lies, relative to the project.
const PLACE: &str = "target/component/ebbline.wasm";
/// Where the Python package has it.
const IN_PYTHON: &str = "python/src/ebbline/ebbline.wasm";
/// `jco`, which makes a component of a module.
const JCO: &str = "tests/component/node_modules/.bin/jco";

/// `cargo xtask component`: writes the component, and puts it into the Python package.
///
/// # Errors
///
/// When the set-up or a build step fails.
pub(crate) fn command(project: &Project) -> Outcome<ExitCode> {
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
    let compiled = wasm::compile(project, toolchain, &wasm::COMPONENT)?;
    let component = project.at(PLACE);
    let python = project.at(IN_PYTHON);
    let step = Step::begin(
        "component",
        format!("optimising it and wrapping it (wasm-opt {}, jco new)", wasm::SMALL),
    );
    let optimiser = answer_of(project.command("wasm-opt").arg("--version")).unwrap_or_default();
    let how = format!("{} {} {optimiser}\n", fingerprint(&compiled)?, wasm::SMALL);
    let stamp = Stamp::new(project.notes().join("component"), how);
    if stamp.holds(&[], &[component.clone(), python.clone()]) {
        step.done(format!("unchanged since the last time, {}", left_at(&component)));
        return Ok(component);
    }
    let began = SystemTime::now();
    let folder = component.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    let core = folder.join("core.wasm");
    let mut optimise = project.command("wasm-opt");
    optimise.args(wasm::SMALL.split(' ')).arg(&compiled).arg("-o").arg(&core);
    step.run(&mut optimise).map_err(|failure| {
        failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages.")
    })?;
    let mut wrap = project.node();
    wrap.arg(project.at(JCO)).arg("new").arg(&core).arg("-o").arg(&component);
    step.run(&mut wrap)?;
    fs::copy(&component, &python).context(|| format!("cannot write {}", python.display()))?;
    stamp.set(began)?;
    step.done(wasm::sizes(project, &component));
    Ok(component)
}

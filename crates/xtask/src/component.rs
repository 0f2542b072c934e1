//! The engine as a WebAssembly component: compiled, optimized, and wrapped by `jco`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{Context, Outcome};
use crate::kept::Kept;
use crate::measure::{left_at, short};
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;
use crate::{hosts, linked, node, notices, npm, setup, tighten, wasm};

/// Where the component lies, relative to the project.
const PLACE: &str = "target/component/ebbline.wasm";
/// Where the Python package has it.
const IN_PYTHON: &str = "python/src/ebbline/ebbline.wasm";
/// Its interfaces, with their documentation.
const WIT: &str = "crates/ebbline-component/wit/engine.wit";
/// The notices of the Python package.
const NOTICES: &str = "python/THIRD_PARTY_NOTICES";
/// `jco`, which makes a component of a module.
const JCO: &str = "tests/component/node_modules/.bin/jco";

/// `cargo xtask component`: writes the component, puts it into the Python package, and with `hosts` runs it in every host.
pub(crate) fn command(project: &Project, with_hosts: bool) -> Outcome<ExitCode> {
    if with_hosts {
        let ready = setup::everything(project)?;
        build(project, ready.toolchain)?;
        node::install(project, &node::RUNTIMES)?;
        hosts::in_rust(project)?;
        hosts::with_languages(project);
        let installed = npm::install(project, ready.toolchain)?;
        let counts = hosts::run(project, &installed.package, ready.browser.as_deref())?;
        return Ok(counts.exit());
    }
    let toolchain = setup::for_package(project)?;
    let component = build(project, toolchain)?;
    say!("\n{} {}", step::strong("The component:"), short(&component));
    say!("{} pip wheel --no-deps ./python", step::strong("Ready for:"));
    Ok(ExitCode::SUCCESS)
}

/// Builds the component, and puts it into the Python package.
pub(crate) fn build(project: &Project, toolchain: Toolchain) -> Outcome<PathBuf> {
    node::install(project, &node::COMPONENT)?;
    write_notices(project)?;
    let component = project.at(PLACE);
    let python = project.at(IN_PYTHON);
    let outputs: [&Path; 2] = [&component, &python];
    let kept = Kept::of(project, toolchain, wasm::COMPONENT.package, &[], wasm::COMPONENT.optimize)?;
    if kept.restore(&outputs)? {
        Step::begin("component", "looking for it")
            .done(format!("as it was built before, {}", left_at(&component)));
        return Ok(component);
    }
    let (compiled, sources) = wasm::compile(project, toolchain, &wasm::COMPONENT)?;
    let step = Step::begin(
        "component",
        format!("optimizing it and wrapping it (wasm-opt {}, jco new)", wasm::COMPONENT.optimize),
    );
    let folder = component.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    let core = folder.join("core.wasm");
    let mut optimize = project.command("wasm-opt");
    optimize.args(wasm::COMPONENT.optimize.split(' ')).arg(&compiled).arg("-o").arg(&core);
    step.run(&mut optimize).map_err(|failure| {
        failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages.")
    })?;
    tighten::finish_core(&core)?;
    let mut wrap = project.node();
    wrap.arg(project.at(JCO)).arg("new").arg(&core).arg("-o").arg(&component);
    step.run(&mut wrap)?;
    tighten::strip_component(&component)?;
    let about = [
        concat!("authors=", env!("CARGO_PKG_AUTHORS")),
        "description=Keeps an LLM agent's session inside its context window.",
        concat!("homepage=", env!("CARGO_PKG_HOMEPAGE")),
        concat!("licenses=", env!("CARGO_PKG_LICENSE")),
        concat!("source=", env!("CARGO_PKG_REPOSITORY")),
        concat!("version=", env!("CARGO_PKG_VERSION")),
    ];
    let mut describe = project.node();
    describe.arg(project.at("tests/component/describe.mjs")).arg(&component).arg(project.at(WIT)).args(about);
    step.run(&mut describe)?;
    fs::copy(&component, &python).context(|| format!("cannot write {}", python.display()))?;
    kept.keep(&outputs, &[sources])?;
    step.done(left_at(&component));
    Ok(component)
}

/// The licences of what the component holds, which the wheel has beside it.
fn write_notices(project: &Project) -> Outcome<()> {
    let step = Step::begin("notices", "asking cargo what the component holds");
    let crates = linked::crates(project, &step, &[wasm::COMPONENT])?;
    let notices = notices::write("Python package", &crates, &[project.at("crates/ebbline-wasm/notices")])?;
    fs::write(project.at(NOTICES), notices).context(|| format!("cannot write {NOTICES}"))?;
    step.done(NOTICES);
    Ok(())
}

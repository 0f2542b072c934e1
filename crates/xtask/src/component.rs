//! The engine as a WebAssembly component: compiled, optimized, and wrapped by `jco`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use crate::failure::{Context, Outcome};
use crate::kept::Kept;
use crate::measure::short;
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;
use crate::{hosts, linked, node, notices, npm, setup, tighten, wasm};

/// Where the component lies, relative to the project.
const PLACE: &str = "target/component/ebbline.wasm";
/// Where the Python package has it.
const IN_PYTHON: &str = "python/src/ebbline/ebbline.wasm";
/// What the component says of itself to registries.
const DESCRIPTION: &str = "Keeps an LLM agent's session inside its context window.";
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
            .done(format!("as it was built before, {}", wasm::sizes(project, &component)));
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
    tighten::silence(&compiled, &core)?;
    let mut optimize = project.command("wasm-opt");
    optimize.args(wasm::COMPONENT.optimize.split(' ')).arg(&core).arg("-o").arg(&core);
    step.run(&mut optimize).map_err(|failure| {
        failure.advise("Run `cargo xtask setup`: wasm-opt comes with the npm packages.")
    })?;
    tighten::finish_core(&core)?;
    let mut wrap = project.node();
    wrap.arg(project.at(JCO)).arg("new").arg(&core).arg("-o").arg(&component);
    step.run(&mut wrap)?;
    tighten::strip_component(&component)?;
    describe(project, &component)?;
    fs::copy(&component, &python).context(|| format!("cannot write {}", python.display()))?;
    kept.keep(&outputs, &[sources])?;
    step.done(wasm::sizes(project, &component));
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

/// Adds to the component what its binary form has no place for: the text of the WIT package with its documentation, where
/// tools for WIT look for it (`package-docs`), and who made it, as registries of components read it (`wkg`).
fn describe(project: &Project, component: &Path) -> Outcome<()> {
    let text = fs::read_to_string(project.at(WIT)).context(|| format!("cannot read {WIT}"))?;
    // Tools know the interfaces of another package than this one by name alone: only the world can be documented.
    let docs = json!({ "worlds": { "root": { "docs": text } } });
    let mut bytes = fs::read(component).context(|| format!("cannot read {}", component.display()))?;
    let sections = [
        ("package-docs", format!("\u{1}{docs}")),
        ("authors", env!("CARGO_PKG_AUTHORS").to_owned()),
        ("description", DESCRIPTION.to_owned()),
        ("homepage", env!("CARGO_PKG_HOMEPAGE").to_owned()),
        ("licenses", env!("CARGO_PKG_LICENSE").to_owned()),
        ("source", env!("CARGO_PKG_REPOSITORY").to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    for (name, content) in sections {
        let section = [length(name.len()), name.as_bytes().to_vec(), content.into_bytes()].concat();
        bytes.push(0);
        bytes.extend(length(section.len()));
        bytes.extend(section);
    }
    fs::write(component, bytes).context(|| format!("cannot write {}", component.display()))
}

/// A length as WebAssembly writes it: seven bits a byte, the lowest first.
fn length(mut rest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

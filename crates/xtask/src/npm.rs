//! The npm package: built, packed, and installed like by a user.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{Context, Failure, Outcome};
use crate::measure::{left_at, short};
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::toolchain::Toolchain;
use crate::{package, setup, wasm};

/// The advice if npm reports another name of the package.
const NAME: &str = "The package's name in npm/package.json must be `ebbline`.";

/// The package in the two states that tests examine.
#[derive(Clone, Debug)]
pub(crate) struct Installed {
    /// The archive that `npm publish` would send.
    pub(crate) tarball: PathBuf,
    /// The package inside the `node_modules` of an otherwise empty project.
    pub(crate) package: PathBuf,
}

/// `cargo xtask npm`: writes the package to `target/npm/ebbline`.
pub(crate) fn command(project: &Project) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    let folder = build(project, toolchain)?;
    say!("\n{} npm pack ./{}", step::strong("Ready for:"), short(&folder));
    Ok(ExitCode::SUCCESS)
}

/// Builds the package's folder.
pub(crate) fn build(project: &Project, toolchain: Toolchain) -> Outcome<PathBuf> {
    let modules = [&wasm::ENGINE, &wasm::FILES, &wasm::COMPAT];
    let modules: Vec<_> =
        modules.into_iter().map(|module| wasm::build(project, toolchain, module)).collect::<Outcome<_>>()?;
    let cli = wasm::build(project, toolchain, &wasm::CLI)?;
    let tokenizer = wasm::build(project, toolchain, &wasm::TOKENIZER)?;
    package::assemble(project, &modules, &cli, &tokenizer)
}

/// Builds the package, packs it, and installs the tarball without network into an empty project, so that the tests
/// see what would be published.
pub(crate) fn install(project: &Project, toolchain: Toolchain) -> Outcome<Installed> {
    let folder = build(project, toolchain)?;
    let step =
        Step::begin("npm install", "packing the package and installing the tarball into an empty project");
    let tarball = pack(project, &step, &folder)?;
    let consumer = project.at("target/npm/consumer");
    if consumer.exists() {
        fs::remove_dir_all(&consumer).context(|| format!("cannot empty {}", consumer.display()))?;
    }
    fs::create_dir_all(&consumer).context(|| format!("cannot make {}", consumer.display()))?;
    let manifest = consumer.join("package.json");
    fs::write(&manifest, "{ \"name\": \"consumer\", \"private\": true, \"type\": \"module\" }\n")
        .context(|| format!("cannot write {}", manifest.display()))?;
    step.run(
        project
            .command("npm")
            .current_dir(&consumer)
            .args(["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"])
            .arg(&tarball),
    )?;
    let package = consumer.join("node_modules/ebbline");
    if !package.is_dir() {
        return Err(Failure::new(format!("npm install: npm left no {}", package.display())).advise(NAME));
    }
    step.done(format!("{}, from {}", left_at(&package), left_at(&tarball)));
    Ok(Installed { tarball, package })
}

fn pack(project: &Project, step: &Step, folder: &Path) -> Outcome<PathBuf> {
    let place = project.at("target/npm");
    step.run(
        project
            .command("npm")
            .current_dir(folder)
            .args(["pack", "--ignore-scripts", "--pack-destination"])
            .arg(&place),
    )?;
    let tarball = place.join(format!("ebbline-{}.tgz", env!("CARGO_PKG_VERSION")));
    if !tarball.is_file() {
        return Err(Failure::new(format!("npm install: npm pack left no {}", tarball.display())).advise(NAME));
    }
    Ok(tarball)
}

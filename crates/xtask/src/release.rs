//! `cargo xtask release --dry-run`: makes everything that a release publishes and checks it as the registries do.
//!
//! The tools of the registries do the work, in the order in which a release has to publish: cargo knows which crate needs
//! which. Nothing is sent. A tag publishes the same, by `.github/workflows/release.yml`.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, ExitCode};

use crate::failure::{Context, Failure, Outcome};
use crate::measure::left_at;
use crate::project::Project;
use crate::step::{self, Step, say};
use crate::{component, npm, python, setup};

/// Where wheel and sdist are left.
const PYTHON: &str = "target/python";

/// Makes and checks crates, npm package, wheel and sdist, and says what would be published.
pub(crate) fn rehearse(project: &Project) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    let folder = npm::build(project, toolchain)?;
    component::build(project, toolchain)?;
    let mut published = Vec::new();

    let step = Step::begin("npm publish --dry-run", "packing the package as npm does");
    let mut publish = project.command("npm");
    publish
        .current_dir(folder)
        .args(["publish", "--dry-run", "--ignore-scripts", "--json", "--loglevel=error"]);
    let lines = step.run(&mut publish)?.lines;
    let packed = lines.iter().filter(|line| line.contains("\"id\"") || line.contains("\"entryCount\""));
    published.push(format!("npm      {}", packed.map(|line| line.trim()).collect::<Vec<_>>().join(" ")));
    step.done("as npm would send it");

    published.extend(archives(project)?);

    let step = Step::begin(
        "cargo publish --dry-run",
        "packing every public crate and compiling it from its archive",
    );
    let mut publish = project.cargo();
    // `--workspace` takes the crates that may be published, each after those that it needs.
    publish.args(["publish", "--workspace", "--dry-run", "--allow-dirty", "--target-dir"]);
    let lines = step.run(publish.arg(project.at("target/release-check")))?.lines;
    let crates: BTreeSet<&str> =
        lines.iter().filter_map(|line| line.trim().strip_prefix("Packaging ")?.split(" (").next()).collect();
    published.extend(crates.iter().map(|name| format!("crate    {name}")));
    step.done(format!("{} crates", crates.len()));

    say!("\n{} {}", step::strong("A release of this version would publish:"), env!("CARGO_PKG_VERSION"));
    for what in published {
        say!("  {what}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Wheel and sdist, which `twine` checks.
fn archives(project: &Project) -> Outcome<Vec<String>> {
    let python = python::ensure(project, python::RELEASE).ok_or_else(|| {
        Failure::new("python -m build: its packages are not there").advise("Install Python 3.10 or newer.")
    })?;
    let step = Step::begin("python -m build", "making wheel and sdist, and asking twine");
    let folder = project.at(PYTHON);
    let _ = fs::remove_dir_all(&folder);
    let module = |words: &[&str]| {
        let mut command: Command = project.command(&python);
        command.arg("-m").args(words);
        command
    };
    step.run(&mut module(&["build", "--no-isolation", "python", "--outdir", PYTHON]))?;
    let entries = fs::read_dir(&folder).context(|| format!("cannot read {PYTHON}"))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let made = files.iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let version = format!("-{}", env!("CARGO_PKG_VERSION"));
        if !name.contains(&version) {
            return Err(Failure::new(format!("{name} has another version")).advise("Run `cargo xtask gen`."));
        }
        Ok(format!("PyPI     {}", left_at(file)))
    });
    let made = made.collect::<Outcome<_>>()?;
    step.run(module(&["twine", "check", "--strict"]).args(&files))?;
    step.done("twine finds no fault");
    Ok(made)
}

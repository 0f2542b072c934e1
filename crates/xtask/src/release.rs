//! `cargo xtask release --dry-run`: makes everything that a release publishes and checks it as the registries do.
//!
//! The tools of the registries do the work; `tests/packages/release.mjs` calls them. Nothing is sent. A tag publishes the
//! same, by `.github/workflows/release.yml`.

use std::process::ExitCode;

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::step::{Step, say};
use crate::{component, npm, python, setup, standard_library};

/// Makes and checks crates, npm package, wheel and sdist, and says what would be published.
pub(crate) fn rehearse(project: &Project) -> Outcome<ExitCode> {
    let toolchain = setup::for_package(project)?;
    standard_library::demand(project, toolchain)?;
    npm::build(project, toolchain)?;
    component::build(project, toolchain)?;
    let python = python::ensure(project, python::RELEASE)
        .ok_or_else(|| Failure::new("release: the tools of PyPI cannot be installed"))?;
    let step = Step::begin(
        "release",
        "npm publish --dry-run, python -m build, twine check, cargo publish --dry-run",
    );
    let mut program = project.node();
    program.arg(project.at("tests/packages/release.mjs")).arg(env!("CARGO_PKG_VERSION")).arg(python);
    let said = step.run(program.arg(project.cargo_target().join("release-check")))?.lines;
    step.done("no registry would refuse anything");
    for line in said.iter().filter(|line| line.starts_with("would publish")) {
        say!("  {line}");
    }
    Ok(ExitCode::SUCCESS)
}

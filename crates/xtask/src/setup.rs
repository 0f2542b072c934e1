//! Everything a machine needs before anything can be built or tested.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::failure::{Failure, Outcome};
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step};
use crate::toolchain::{self, Toolchain};
use crate::{browser, node, standard_library, tools};

/// The result of the set-up.
#[derive(Debug)]
pub(crate) struct Ready {
    /// The toolchain that builds WebAssembly.
    pub(crate) toolchain: Toolchain,
    /// Chromium, if the machine has it or can install it. Only tests need it.
    pub(crate) browser: Option<PathBuf>,
}

/// `cargo xtask setup`: sets up all that any command needs.
pub(crate) fn command(project: &Project) -> Outcome<ExitCode> {
    everything(project)?;
    tools::install(project, &tools::CARGO_DENY)?;
    Ok(ExitCode::SUCCESS)
}

/// Sets up all that tests and builds need.
pub(crate) fn everything(project: &Project) -> Outcome<Ready> {
    let toolchain = for_playground(project)?;
    let browser = browser::ensure(project);
    Ok(Ready { toolchain, browser })
}

/// Sets up what building the playground needs.
pub(crate) fn for_playground(project: &Project) -> Outcome<Toolchain> {
    let toolchain = for_package(project)?;
    tools::install(project, &tools::TRUNK)?;
    Ok(toolchain)
}

/// Sets up what building the npm package needs.
pub(crate) fn for_package(project: &Project) -> Outcome<Toolchain> {
    let toolchain = toolchain::ensure(project)?;
    standard_library::ensure(project, toolchain);
    tools::wasm_bindgen(project)?;
    node::install(project, &node::TOOLS)?;
    Ok(toolchain)
}

/// Sets up what the checks need.
pub(crate) fn for_checks(project: &Project) -> Outcome<Toolchain> {
    let toolchain = toolchain::ensure(project)?;
    tools::install(project, &tools::CARGO_DENY)?;
    node::install(project, &node::TOOLS)?;
    // The adapters' types are checked against those of the libraries.
    node::install(project, &node::HOSTS)?;
    Ok(toolchain)
}

/// Whether Debian packages can be installed: the system is of Debian's family, and the user is root.
pub(crate) fn can_install_packages(project: &Project) -> bool {
    project.which("apt-get").is_some() && answer_of(project.command("id").arg("-u")).as_deref() == Some("0")
}

/// Installs Debian packages.
pub(crate) fn install_packages(project: &Project, step: &Step, packages: &[&str]) -> Outcome<()> {
    let apt = || {
        let mut command = project.command("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    // Outdated lists are no reason to stop, because they may contain the packages.
    if let Err(failure) = step.run(apt().arg("update")) {
        step::note(step::odd(failure));
    }
    step.run(apt().args(["install", "-y", "--no-install-recommends"]).args(packages)).map(drop).map_err(
        |failure: Failure| {
            let advice = if failure.mentions("Could not get lock") {
                "Another program is installing packages: wait for it, then run the same command again."
            } else {
                "Check the network and /etc/apt/sources.list, then run the same command again."
            };
            failure.advise(advice)
        },
    )
}

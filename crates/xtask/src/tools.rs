//! Tools from crates.io, each in the version that the project pins.

use std::path::Path;

use crate::failure::Outcome;
use crate::measure::left_at;
use crate::process::answer_of;
use crate::project::{Project, cargo_home, own_tools};
use crate::step::{self, Step};

/// A program that `cargo install` makes.
pub(crate) struct Tool<'a> {
    package: &'a str,
    program: &'a str,
    version: &'a str,
    /// Further arguments of `cargo install`.
    arguments: &'a [&'a str],
    /// The optimization level: these tools run for seconds, so building them must not take minutes.
    level: &'a str,
    /// What to expect, for users who wait.
    patience: &'a str,
}

/// Trunk builds the playground: without optimization, because it mostly waits for compilers. Later versions require a newer
/// compiler than the workspace.
pub(crate) const TRUNK: Tool<'_> = Tool {
    package: "trunk",
    program: "trunk",
    version: "0.21.14",
    arguments: &["--no-default-features", "--features", "rustls"],
    level: "0",
    patience: "4 minutes",
};

/// cargo-deny compares the crates with advisories and with the licences that `deny.toml` allows.
pub(crate) const CARGO_DENY: Tool<'_> = Tool {
    package: "cargo-deny",
    program: "cargo-deny",
    version: "0.20.2",
    arguments: &[],
    level: "0",
    patience: "2 minutes",
};

/// Installs the `wasm-bindgen` program in the version of the library.
pub(crate) fn wasm_bindgen(project: &Project) -> Outcome<()> {
    let (package, program, version) = ("wasm-bindgen-cli", "wasm-bindgen", &*project.wasm_bindgen_version()?);
    install(project, &Tool { package, program, version, arguments: &[], level: "1", patience: "3 minutes" })
}

/// Installs a tool, unless it is there in this version.
pub(crate) fn install(project: &Project, tool: &Tool) -> Outcome<()> {
    let step = Step::begin(format!("{} {}", tool.program, tool.version), "looking for it");
    let present = project.which(tool.program);
    if let Some(path) = &present
        && version_at(project, path).as_deref() == Some(tool.version)
    {
        step.done(format!("already there, {}", left_at(path)));
        return Ok(());
    }

    let mut command = project.cargo();
    command.args(["install", "--locked", &format!("{}@{}", tool.package, tool.version)]).args(tool.arguments);
    command
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", tool.level)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    let place = if let Some(path) = &present {
        step::note(format!("{} is of another version and stays as it is", path.display()));
        command.arg("--force").arg("--root").arg(own_tools());
        own_tools()
    } else {
        cargo_home()
    };
    step::note(format!("building it from crates.io, about {} on two cores", tool.patience));
    step.run(&mut command).map_err(|failure| {
        failure.advise(
            "Check that crates.io can be reached and that a C compiler is installed (Debian: apt-get install build-essential),\n\
             then run the same command again: what has been built so far may have to be built anew.",
        )
    })?;
    step.done(left_at(&project.which(tool.program).unwrap_or_else(|| place.join("bin").join(tool.program))));
    Ok(())
}

/// The version in the output of `program --version`, such as `wasm-bindgen 0.2.129`.
fn version_at(project: &Project, program: &Path) -> Option<String> {
    let answer = answer_of(project.command(program).arg("--version"))?;
    answer.split_whitespace().nth(1).map(str::to_owned)
}

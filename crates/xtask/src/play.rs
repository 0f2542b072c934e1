//! The playground: built with Trunk and served on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::args::Mode;
use crate::failure::{Failure, Outcome};
use crate::kept::Kept;
use crate::measure::left_at;
use crate::port::{self, Answer};
use crate::project::Project;
use crate::remap;
use crate::serve::Site;
use crate::setup;
use crate::standard_library;
use crate::step::{self, Step, say};
use crate::tighten;
use crate::toolchain::{TARGET, Toolchain};

/// The crate of the page.
const PAGE: &str = "ebbline-web";
/// The programs of the page, and the profile of their release (both in index.html).
const PROGRAMS: [&str; 2] = ["ebbline-web", "ebbline-files"];
const PROFILE: &str = "web";
/// The sources of the playground other than crates, relative to the root.
const SOURCES: [&str; 2] = ["index.html", "Trunk.toml"];

/// The page's scripts, relative to the build folder.
const SCRIPTS: [&str; 4] = ["boot.js", "worker.js", "ebbline-web.js", "ebbline-files.js"];

/// All files that the page fetches for its first picture, relative to the build folder.
pub(crate) const FIRST_LOAD: [&str; 5] =
    ["index.html", "boot.js", "style.css", "ebbline-web.js", "ebbline-web_bg.wasm"];

/// What it fetches right after that, in a worker: from then on it plans, reads and writes.
pub(crate) const WORKER: [&str; 3] = ["worker.js", "ebbline-files.js", "ebbline-files_bg.wasm"];

/// Sets up, builds and serves until Ctrl-C.
pub(crate) fn play(project: &Project, port: u16, mode: Mode) -> Outcome<ExitCode> {
    // First of all, so that a taken port is reported before the build.
    let listener = match port::ask(port)? {
        Answer::Listening(listener) => listener,
        Answer::Taken { next } => {
            match next {
                Some(next) => {
                    say!("Port {port} is taken. The next free one is {next}: cargo xtask play --port {next}");
                }
                None => say!("Port {port} is taken, and so are those after it. Choose one with --port."),
            }
            return Ok(ExitCode::from(2));
        }
    };
    let toolchain = setup::for_playground(project)?;
    let folder = build(project, toolchain, mode)?;
    let site = Site::new(listener, &folder)?;
    let address = site.address();
    say!(
        "\n{} {}   {}",
        step::strong("The playground is at"),
        step::good(format!("http://{address}")),
        step::quiet("Ctrl-C ends it")
    );
    site.serve();
    Ok(ExitCode::SUCCESS)
}

/// Builds the playground into `dist`, unless nothing has changed since the last build. Returns the folder.
pub(crate) fn build(project: &Project, toolchain: Toolchain, mode: Mode) -> Outcome<PathBuf> {
    let step = Step::begin("playground", "building it with Trunk");
    let folder = project.at("dist");
    let kept = Kept::of(project, toolchain, PAGE, &SOURCES, &format!("{mode:?}"))?;
    if kept.restore(&[&folder])? {
        step.done(format!("as it was built before, {}", left_at(&folder)));
        return Ok(folder);
    }
    for needed in ["index.html", "Trunk.toml"] {
        if !project.at(needed).is_file() {
            return Err(Failure::new(format!(
                "playground: {needed} is missing in {}",
                project.root().display()
            )));
        }
    }
    step::note("the first time takes about 5 minutes on two cores");
    // Trunk.toml sets `offline` so that Trunk downloads no tools, but this also denies cargo the network.
    step.run(toolchain.cargo(project).args(["fetch", "--target", TARGET])).map_err(|failure| {
        failure.advise("Check that crates.io can be reached, then run the same command again.")
    })?;
    let mut command = project.command("trunk");
    command.arg("build");
    if mode == Mode::Release {
        command.arg("--release");
    }
    toolchain.apply(&mut command);
    if mode == Mode::Release {
        standard_library::apply(project, toolchain, &mut command, PROFILE);
    } else {
        remap::apply(project, &mut command, "");
    }
    // Trunk 0.21 parses NO_COLOR as an option of its own and refuses the usual value 1.
    command.env_remove("NO_COLOR");
    // Trunk's backtraces would hide the compiler's messages.
    command.env("RUST_BACKTRACE", "0");
    step.run(&mut command).map_err(|failure| {
        failure.advise("Fix what the lines above name, then run the same command again; `cargo xtask setup` checks the tools.")
    })?;
    if mode == Mode::Release {
        for program in PROGRAMS {
            let module = folder.join(format!("{program}_bg.wasm"));
            tighten::finish(&module)?;
            tighten::imports::number(&module, &folder.join(program).with_extension("js"))?;
        }
    }
    if fs::metadata(folder.join("index.html")).is_err() {
        return Err(Failure::new(format!("playground: Trunk left no index.html in {}", folder.display())));
    }
    if mode == Mode::Release {
        minify_scripts(project, &step, &folder)?;
    }
    kept.keep(&[&folder], &lists(project, mode))?;
    step.done(left_at(&folder));
    Ok(folder)
}

/// The compiler's lists of the sources of both programs: the page's and its worker's.
fn lists(project: &Project, mode: Mode) -> Vec<PathBuf> {
    let profile = if mode == Mode::Release { PROFILE } else { "debug" };
    let folder = project.cargo_target().join(TARGET).join(profile);
    PROGRAMS.iter().map(|name| folder.join(name).with_extension("d")).collect()
}

/// Removes comments and white space from the scripts. Trunk does this for styles but leaves copied scripts unchanged
/// and cannot parse those of wasm-bindgen.
fn minify_scripts(project: &Project, step: &Step, folder: &Path) -> Outcome<()> {
    let mut command = project.command("esbuild");
    command.args(SCRIPTS.map(|script| folder.join(script)));
    command.args(["--minify", "--format=esm", "--log-level=warning", "--allow-overwrite"]);
    command.arg(format!("--outdir={}", folder.display()));
    step.run(&mut command).map(drop).map_err(|failure| {
        failure.advise("Run `cargo xtask setup` if esbuild is missing: it comes with the npm packages.")
    })
}

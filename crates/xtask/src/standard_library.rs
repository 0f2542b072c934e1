//! The standard library, compiled together with a module: for size, and without what reports a panic.
//!
//! A module on `wasm32-unknown-unknown` has nowhere to report a panic, so the message that rustup's library puts together is
//! read by nobody. Compiled from its sources, a panic is a trap at its place, and modules are 3 to 8 % smaller (brotli).
//! `RUSTC_BOOTSTRAP` allows a stable compiler to do so. A machine that lacks the sources, or what they are built with, builds
//! modules with the library that it has.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::failure::{Failure, Outcome};
use crate::process::answer_of;
use crate::project::Project;
use crate::remap;
use crate::step::Step;
use crate::toolchain::{TARGET, Toolchain};

/// What its sources are called by rustup, and where they are in a toolchain.
const COMPONENT: &str = "rust-src";
const SOURCES: &str = "lib/rustlib/src/rust/library/std/Cargo.toml";
/// What a panic becomes.
const TRAP: &str = "immediate-abort";
/// With `RUSTC_BOOTSTRAP` the compiler would write names in its new way. In that way, functions of one module are no neighbours
/// when they are sorted (`wasm::SMALL`).
const FLAGS: &str = "-Zunstable-options -Csymbol-mangling-version=legacy";

/// Asks rustup for the sources, where they are missing and would be of use.
pub(crate) fn ensure(project: &Project, toolchain: Toolchain) {
    if !compiler_can(project, toolchain) || has_sources(project, toolchain) {
        return;
    }
    let step = Step::begin("standard library", "looking for its sources");
    if project.which("rustup").is_none() {
        step.left_out(format!("{COMPONENT} is not installed; modules will be larger"));
        return;
    }
    let mut command = project.command("rustup");
    toolchain.apply(&mut command);
    match step.run(command.args(["component", "add", COMPONENT])) {
        Ok(_) => step.done(COMPONENT),
        Err(failure) => {
            step.left_out(format!("rustup cannot bring {COMPONENT}; modules will be larger: {failure}"))
        }
    };
}

/// Makes cargo, or a program that calls cargo, compile the library for modules of this profile, where that is possible. No
/// module tells a path of this machine.
pub(crate) fn apply(project: &Project, toolchain: Toolchain, command: &mut Command, profile: &str) {
    if is_compiled(project, toolchain) {
        set(project, command, profile);
    } else {
        remap::apply(project, command, "");
    }
}

/// Whether the library is compiled with each module here. Found out once: a program builds with one toolchain.
pub(crate) fn is_compiled(project: &Project, toolchain: Toolchain) -> bool {
    static IS: OnceLock<bool> = OnceLock::new();
    *IS.get_or_init(|| {
        compiler_can(project, toolchain) && has_sources(project, toolchain) && {
            // The library has dependencies of its own.
            let mut fetch = toolchain.cargo(project);
            set(project, &mut fetch, "release");
            answer_of(fetch.args(["fetch", "--quiet", "--target", TARGET])).is_some()
        }
    })
}

/// An error where modules would be larger than those that are shipped.
pub(crate) fn demand(project: &Project, toolchain: Toolchain) -> Outcome<()> {
    if is_compiled(project, toolchain) {
        return Ok(());
    }
    Err(Failure::new("standard library: it cannot be compiled here, and modules would be larger than those that are shipped")
        .advise(format!("Run `rustup component add {COMPONENT}` where the network allows it.")))
}

fn set(project: &Project, command: &mut Command, profile: &str) {
    remap::apply(project, command, FLAGS);
    command.env("RUSTC_BOOTSTRAP", "1");
    command.env(format!("CARGO_PROFILE_{}_PANIC", profile.to_uppercase()), TRAP);
    command.env("CARGO_UNSTABLE_PANIC_IMMEDIATE_ABORT", "true");
    command.env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort");
    command.env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size");
}

/// Whether the compiler can make traps of panics.
fn compiler_can(project: &Project, toolchain: Toolchain) -> bool {
    let mut rustc = project.command("rustc");
    toolchain.apply(&mut rustc);
    rustc.env("RUSTC_BOOTSTRAP", "1").args(FLAGS.split(' ')).args(["--target", TARGET, "--print", "cfg"]);
    answer_of(rustc.arg(format!("-Cpanic={TRAP}"))).is_some()
}

fn has_sources(project: &Project, toolchain: Toolchain) -> bool {
    let mut rustc = project.command("rustc");
    toolchain.apply(&mut rustc);
    let sysroot = answer_of(rustc.args(["--print", "sysroot"]));
    sysroot.is_some_and(|sysroot| Path::new(&sysroot).join(SOURCES).is_file())
}

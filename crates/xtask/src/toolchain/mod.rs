//! Which Rust toolchain builds WebAssembly, and how a machine gets one.
//!
//! The usual way is `rustup target add`. A Debian machine that cannot reach rustup's server can build the standard
//! library itself ([`debian`]). Cargo exports `RUSTUP_TOOLCHAIN` to its child processes, so every wasm build must
//! name its toolchain: [`Toolchain::cargo`] and [`Toolchain::apply`].

mod debian;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::measure::left_at;
use crate::process::answer_of;
use crate::project::Project;
use crate::step::{self, Step};

/// The only target that is not the machine's own.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// If set to `debian`, Debian's standard library is used even if rustup's target exists, as on a machine without
/// rustup's server.
const SWITCH: &str = "EBBLINE_WASM";

/// The toolchain that builds WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The one that runs this program.
    Active,
    /// Debian's, linked into rustup as [`debian::NAME`].
    Debian,
}

impl Toolchain {
    /// Cargo of this toolchain.
    pub(crate) fn cargo(self, project: &Project) -> Command {
        match self {
            Self::Active => project.cargo(),
            Self::Debian => {
                let mut command = project.command("cargo");
                self.apply(&mut command);
                command
            }
        }
    }

    /// Makes a program that calls `cargo`, such as Trunk, use this toolchain.
    pub(crate) fn apply(self, command: &mut Command) {
        if self == Self::Debian {
            command.env("RUSTUP_TOOLCHAIN", debian::NAME).env_remove("RUSTUP_TOOLCHAIN_SOURCE");
        }
    }

    /// Whether `cargo clippy` can check wasm code: the linter must belong to the compiler that built the standard
    /// library.
    pub(crate) fn has_clippy(self) -> bool {
        self == Self::Active
    }

    /// The name in messages and stamps.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Active => "active toolchain",
            Self::Debian => debian::NAME,
        }
    }
}

/// Finds or sets up a toolchain with the wasm32 standard library.
pub(crate) fn ensure(project: &Project) -> Outcome<Toolchain> {
    let step = Step::begin("wasm32 target", "looking for a standard library for wasm32-unknown-unknown");
    let mut facts = Facts::of(project);
    let mut refusal: Option<Failure> = None;
    loop {
        match facts.way() {
            Way::UseActive => {
                step.done(format!("{}, {}", Toolchain::Active.name(), left_at(&facts.active_library)));
                return Ok(Toolchain::Active);
            }
            Way::UseDebian => {
                step.done(format!(
                    "{}, {}",
                    Toolchain::Debian.name(),
                    left_at(&library_in(Path::new(debian::SYSROOT)))
                ));
                return Ok(Toolchain::Debian);
            }
            Way::AskRustup => {
                step::note("asking rustup for it (a download of about 20 MB)");
                match step.run(project.command("rustup").args(["target", "add", TARGET])) {
                    Ok(_) => facts.active_ready = is_complete(&facts.active_library),
                    Err(failure) => refusal = Some(failure),
                }
                facts.rustup_refused = !facts.active_ready;
            }
            Way::BuildWithDebian => {
                if let Some(failure) = &refusal {
                    step::note(failure);
                    step::note("rustup could not get it; Debian's packages can");
                }
                debian::provide(project, &step, facts.rustup)?;
                facts.active_ready = !facts.rustup && is_complete(&facts.active_library);
                facts.debian_ready = facts.rustup;
                if !facts.rustup && !facts.active_ready {
                    return Err(stuck(None).advise(
                        "Debian's standard library is there, but another Rust stands first on the PATH: \
                         put /usr/bin first, or install rustup.",
                    ));
                }
            }
            Way::Stuck => return Err(stuck(refusal)),
        }
    }
}

/// The facts that the decision depends on.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a machine, read once and weighed in one place"
)]
struct Facts {
    /// The user asked for Debian's toolchain.
    debian_wanted: bool,
    /// The active toolchain has the target's standard library.
    active_ready: bool,
    /// The place of that library, whether it exists or not.
    active_library: PathBuf,
    /// Debian's standard library is built and its toolchain is linked into rustup.
    debian_ready: bool,
    /// rustup is installed.
    rustup: bool,
    /// rustup was asked for the target and failed.
    rustup_refused: bool,
    /// The Debian packages are installed or can be installed.
    debian_possible: bool,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    UseActive,
    UseDebian,
    AskRustup,
    BuildWithDebian,
    Stuck,
}

impl Facts {
    fn of(project: &Project) -> Self {
        let sysroot = answer_of(project.command(rustc()).args(["--print", "sysroot"])).unwrap_or_default();
        let active_library = library_in(Path::new(&sysroot));
        let rustup = project.which("rustup").is_some();
        Self {
            debian_wanted: env::var(SWITCH).is_ok_and(|value| value == "debian"),
            active_ready: is_complete(&active_library)
                && !(sysroot == debian::SYSROOT && debian::is_outdated(project)),
            active_library,
            debian_ready: rustup && debian::is_ready(project),
            rustup,
            rustup_refused: false,
            debian_possible: debian::is_possible(project),
        }
    }

    fn way(&self) -> Way {
        // Without rustup, the active toolchain may be Debian's own; both ways then use the same folder.
        let may_use_active = !(self.debian_wanted && self.rustup);
        if may_use_active && self.active_ready {
            Way::UseActive
        } else if self.debian_ready {
            Way::UseDebian
        } else if self.rustup && !self.rustup_refused && !self.debian_wanted {
            Way::AskRustup
        } else if self.debian_possible {
            Way::BuildWithDebian
        } else {
            Way::Stuck
        }
    }
}

fn stuck(refusal: Option<Failure>) -> Failure {
    refusal.unwrap_or_else(|| Failure::new("wasm32 target: this Rust has no standard library for it")).advise(
        "Run `rustup target add wasm32-unknown-unknown` where the network allows it\n\
         (https://rustup.rs installs rustup). On Debian, run this command once as root:\n\
         it then builds the standard library from the package rust-web-src.",
    )
}

/// The compiler that cargo uses: the user's choice, if there is one.
fn rustc() -> std::ffi::OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn library_in(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

/// Whether the folder contains a standard library.
fn is_complete(library: &Path) -> bool {
    fs::read_dir(library).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(change: impl FnOnce(&mut Facts)) -> Way {
        let mut facts = Facts { rustup: true, debian_possible: true, ..Facts::default() };
        change(&mut facts);
        facts.way()
    }

    #[test]
    fn a_target_that_is_there_is_used() {
        assert_eq!(machine(|m| m.active_ready = true), Way::UseActive);
        assert_eq!(machine(|m| (m.active_ready, m.rustup) = (true, false)), Way::UseActive);
    }

    #[test]
    fn rustup_is_asked_first_and_only_once() {
        assert_eq!(machine(|_| ()), Way::AskRustup);
        assert_eq!(machine(|m| m.rustup_refused = true), Way::BuildWithDebian);
        assert_eq!(machine(|m| (m.rustup_refused, m.debian_possible) = (true, false)), Way::Stuck);
    }

    #[test]
    fn a_library_built_before_spares_asking_rustup_again() {
        assert_eq!(machine(|m| m.debian_ready = true), Way::UseDebian);
    }

    #[test]
    fn without_rustup_only_debian_is_left() {
        assert_eq!(machine(|m| m.rustup = false), Way::BuildWithDebian);
        assert_eq!(machine(|m| (m.rustup, m.debian_possible) = (false, false)), Way::Stuck);
    }

    #[test]
    fn the_switch_leaves_rustups_target_alone() {
        assert_eq!(machine(|m| (m.debian_wanted, m.active_ready) = (true, true)), Way::BuildWithDebian);
        assert_eq!(
            machine(|m| (m.debian_wanted, m.active_ready, m.debian_ready) = (true, true, true)),
            Way::UseDebian
        );
    }
}

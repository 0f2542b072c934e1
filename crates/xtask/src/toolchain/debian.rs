//! The wasm32 standard library from Debian's packages, for machines that cannot reach rustup's server.
//!
//! Debian ships the sources of the standard library (`rust-web-src`) with a recent compiler (`rustc-web`). The
//! library is built once from these sources and copied into that compiler's folder, and the compiler is linked into
//! rustup under a name that conflicts with no other toolchain.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{TARGET, is_complete, library_in};
use crate::failure::{Context, Failure, Outcome};
use crate::measure::left_at;
use crate::process::answer_of;
use crate::project::Project;
use crate::remap;
use crate::setup::can_install_packages;
use crate::step::{self, Step};

/// The name of Debian's toolchain in rustup.
pub(super) const NAME: &str = "debian-web";
/// Where Debian's compiler finds libraries.
pub(super) const SYSROOT: &str = "/usr";

const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";
const PACKAGES: [&str; 5] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "lld-22"];
/// The crates of the library. WebAssembly does not need `proc_macro` and `test`, but the macros and the test harness
/// that are compiled for it do.
const CRATES: &str = "-Zbuild-std=std,panic_abort,proc_macro,test";
/// Records which compiler built the library; rustc refuses the library of another compiler.
const BUILT_BY: &str = "built-by";

/// Whether the packages are installed or can be installed.
pub(super) fn is_possible(project: &Project) -> bool {
    packages_are_there(project) || can_install_packages(project)
}

/// Whether library and toolchain exist and belong to the same compiler.
pub(super) fn is_ready(project: &Project) -> bool {
    is_complete(&library_in(Path::new(SYSROOT)))
        && !is_outdated(project)
        && answer_of(project.command("rustup").args(["run", NAME, "rustc", "--print", "sysroot"])).as_deref()
            == Some(SYSROOT)
}

/// Whether the library was built here by a compiler that has since been replaced.
pub(super) fn is_outdated(project: &Project) -> bool {
    let stamp = fs::read_to_string(library_in(Path::new(SYSROOT)).join(BUILT_BY));
    stamp.is_ok_and(|built_by| Some(built_by) != compiler(project))
}

/// Installs the packages, builds the library and links the toolchain; each only if it does not exist yet.
pub(super) fn provide(project: &Project, step: &Step, rustup: bool) -> Outcome<()> {
    if !packages_are_there(project) {
        step::note(format!("installing the Debian packages {} (about 250 MB)", PACKAGES.join(", ")));
        crate::setup::install_packages(project, step, &PACKAGES).map_err(|failure| {
            failure.advise("Needed is Debian 12 with its security updates; see /etc/apt/sources.list.")
        })?;
    }
    let library = library_in(Path::new(SYSROOT));
    if !is_complete(&library) || is_outdated(project) {
        step::note("building the standard library from source (about a minute)");
        build(project, step, &library)?;
        step::note(format!("left in {}", left_at(&library)));
        // Cargo cannot see that the standard library has changed, so everything built with the old one must be
        // deleted.
        let stale = project.cargo_target().join(TARGET);
        if stale.exists() {
            fs::remove_dir_all(&stale).context(|| format!("cannot remove {}", stale.display()))?;
        }
    }
    if rustup {
        step.run(project.command("rustup").args(["toolchain", "link", NAME, SYSROOT]))?;
    }
    Ok(())
}

fn build(project: &Project, step: &Step, library: &Path) -> Outcome<()> {
    let folder = env::temp_dir().join(format!("ebbline-std-{}", std::process::id()));
    let result = build_in(project, step, library, &folder);
    // Leftovers in the temporary folder are no reason to fail.
    let _ = fs::remove_dir_all(&folder);
    result
}

fn build_in(project: &Project, step: &Step, library: &Path, folder: &Path) -> Outcome<()> {
    let manifest = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n";
    write(&folder.join("Cargo.toml"), manifest)?;
    write(&folder.join("src/lib.rs"), "")?;
    step.run(
        debian_command(project, CARGO)
            .args(["build", "--release", "--target", TARGET, CRATES])
            .current_dir(folder)
            .env("RUSTC_BOOTSTRAP", "1")
            // Cargo omits the bitcode without link-time optimization, which our own profiles use.
            .env("RUSTFLAGS", format!("-Cembed-bitcode=yes {}", remap::flags(project))),
    )?;

    let cannot = |path: &Path| format!("cannot write {} (this step needs root)", path.display());
    if library.exists() {
        fs::remove_dir_all(library).context(|| cannot(library))?;
    }
    fs::create_dir_all(library).context(|| cannot(library))?;
    let built = folder.join("target").join(TARGET).join("release/deps");
    for entry in fs::read_dir(&built).context(|| format!("cannot read {}", built.display()))?.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.ends_with(".rlib") && !text.starts_with("libempty-") {
            let place = library.join(&name);
            fs::copy(entry.path(), &place).context(|| cannot(&place))?;
        }
    }
    if !is_complete(library) {
        return Err(Failure::new(format!(
            "{}: the build left no libstd in {}",
            step.name(),
            built.display()
        )));
    }
    write(&library.join(BUILT_BY), &compiler(project).unwrap_or_default())
}

/// A program of Debian's toolchain, without rustup's environment.
fn debian_command(project: &Project, program: &str) -> Command {
    let mut command = project.command(program);
    let mut folders = vec![PathBuf::from("/usr/bin")];
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    if let Ok(path) = env::join_paths(folders) {
        command.env("PATH", path);
    }
    for name in [
        "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
    ] {
        command.env_remove(name);
    }
    command
}

fn compiler(project: &Project) -> Option<String> {
    answer_of(debian_command(project, RUSTC).arg("-vV"))
}

fn packages_are_there(project: &Project) -> bool {
    let answer =
        answer_of(project.command("dpkg-query").args(["-W", "-f", "${db:Status-Status}\n"]).args(PACKAGES));
    answer.is_some_and(|text| text.lines().filter(|line| *line == "installed").count() == PACKAGES.len())
}

fn write(path: &Path, text: &str) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, text).context(|| format!("cannot write {}", path.display()))
}

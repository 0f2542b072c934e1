//! The environment of child processes.
//!
//! `cargo run` sets many variables for its program: the package, the cargo that started it, the toolchain's
//! libraries. A child process that runs another cargo, perhaps of another toolchain, must not inherit them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Removes what `cargo run` has set, so that a child has the environment of the user's shell.
pub(crate) fn forget_cargo_run(command: &mut Command, cargo_target: &Path) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text == "CARGO" || text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    for name in ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
        if let Some(value) = env::var_os(name) {
            match without_toolchains(&value, &[cargo_target.to_path_buf(), rustup_home()]) {
                Some(rest) => command.env(name, rest),
                None => command.env_remove(name),
            };
        }
    }
}

/// Whether this is a CI run, where everything must be tried and nothing asked.
pub(crate) fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// rustup's folder of toolchains.
pub(crate) fn rustup_home() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".rustup");
    env::var_os("RUSTUP_HOME").map_or_else(home, PathBuf::from)
}

/// The library path without the folders that cargo has added; `None` if nothing else remains.
fn without_toolchains(value: &OsString, inside: &[PathBuf]) -> Option<OsString> {
    let rest: Vec<PathBuf> = env::split_paths(value)
        .filter(|folder| {
            !folder.as_os_str().is_empty() && !inside.iter().any(|outer| folder.starts_with(outer))
        })
        .collect();
    if rest.is_empty() { None } else { env::join_paths(rest).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_persons_own_library_folders_remain() {
        let inside = [PathBuf::from("/p/target"), PathBuf::from("/r")];
        let mixed = OsString::from("/p/target/debug/deps:/r/toolchains/x/lib:/opt/lib");
        assert_eq!(without_toolchains(&mixed, &inside), Some(OsString::from("/opt/lib")));
        assert_eq!(without_toolchains(&OsString::from("/p/target/debug:/r/lib"), &inside), None);
    }
}

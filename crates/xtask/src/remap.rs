//! Keeps build paths out of modules: a shipped module must not reveal who built it, or where.
//!
//! The message of a panic contains its source path as the compiler sees it: in cargo's, the toolchain's or the
//! project's folder. `--remap-path-prefix` gives these folders the same names on every machine, so that two machines
//! also build the same bytes. (Cargo's own `trim-paths` is not stable yet.)

use std::path::Path;
use std::process::Command;

use crate::environment::rustup_home;
use crate::project::{Project, cargo_home};

/// Cargo adds the flags in this variable to those of `.cargo/config.toml`; `RUSTFLAGS` would replace them.
const VARIABLE: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Makes cargo, or a program that calls cargo, write no path of this machine into WebAssembly modules.
/// `others` are further flags of the compiler.
pub(crate) fn apply(project: &Project, command: &mut Command, others: &str) {
    let inherited = std::env::var(VARIABLE).unwrap_or_default();
    command.env(VARIABLE, format!("{inherited} {} {others}", flags(project)).trim());
}

/// The compiler's flags, separated by spaces.
pub(crate) fn flags(project: &Project) -> String {
    flags_for(&[(project.root(), "."), (&cargo_home(), "cargo"), (&rustup_home(), "rustup")])
}

fn flags_for(folders: &[(&Path, &str)]) -> String {
    let flags: Vec<String> = folders
        .iter()
        .map(|(folder, name)| (folder.to_string_lossy(), name))
        // Cargo splits the variable at spaces, so a folder with a space in its name cannot be passed this way.
        .filter(|(folder, _)| !folder.is_empty() && !folder.contains(char::is_whitespace))
        .map(|(folder, name)| format!("--remap-path-prefix={folder}={name}"))
        .collect();
    flags.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_gets_its_name_and_one_with_a_space_is_left_out() {
        let folders = [
            (Path::new("/w/ebbline"), "."),
            (Path::new("/my home/.cargo"), "cargo"),
            (Path::new(""), "rustup"),
        ];
        assert_eq!(flags_for(&folders), "--remap-path-prefix=/w/ebbline=.");
    }

    #[test]
    fn cargo_is_told_of_the_project_its_own_folder_and_the_toolchain() {
        let project = Project::find();
        let mut command = Command::new("cargo");
        apply(&project, &mut command, "-Oz");
        let value = command.get_envs().find(|(name, _)| *name == VARIABLE).and_then(|(_, value)| value);
        let value = value.unwrap().to_string_lossy().into_owned();
        assert!(value.ends_with(" -Oz"), "{value}");
        for folder in [project.root(), &cargo_home(), &rustup_home()] {
            assert!(value.contains(&format!("={}=", folder.display())), "{value}");
        }
    }
}

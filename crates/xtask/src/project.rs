//! The places of things in the project, and how its programs are started.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment;
use crate::failure::{Context, Failure, Outcome};

/// The project's folders.
#[derive(Debug)]
pub(crate) struct Project {
    root: PathBuf,
    cargo_target: PathBuf,
}

impl Project {
    /// The project of this program: the one that cargo runs it from, or else the one that it was built in.
    pub(crate) fn find() -> Self {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.ancestors().nth(2).unwrap_or(&manifest).to_path_buf();
        // Relative to the current directory, not to that of child processes.
        let cargo_target = env::var_os("CARGO_TARGET_DIR")
            .and_then(|folder| std::path::absolute(folder).ok())
            .unwrap_or_else(|| root.join("target"));
        Self { root, cargo_target }
    }

    /// `path` inside the project.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// The project's root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// cargo's target folder.
    pub(crate) fn cargo_target(&self) -> &Path {
        &self.cargo_target
    }

    /// The folder of this program's stamps and logs.
    pub(crate) fn notes(&self) -> PathBuf {
        self.at("target/xtask")
    }

    /// Test data beside the project, which exists on some machines: golden vectors and sessions.
    pub(crate) fn shared(&self, folder: &str) -> PathBuf {
        let parent = self.root.parent().unwrap_or(&self.root);
        parent.join("shared").join(folder)
    }

    /// A program from the project's tools, the PATH or cargo's folder, in this order; it runs in the root.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", self.path());
        environment::forget_cargo_run(&mut command, &self.cargo_target);
        if env::var_os("CARGO_TARGET_DIR").is_some() {
            command.env("CARGO_TARGET_DIR", &self.cargo_target);
        }
        command
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(&self) -> Command {
        self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// Node, started in `tests`, where the npm packages are.
    pub(crate) fn node(&self) -> Command {
        let mut command = self.command("node");
        command.current_dir(self.at("tests"));
        command
    }

    /// The first place where a program with this name is found.
    pub(crate) fn which(&self, program: &str) -> Option<PathBuf> {
        env::split_paths(&self.path()).map(|folder| folder.join(program)).find(|path| path.is_file())
    }

    /// The PATH of every child. The project's own tools come first, because they have the pinned versions; cargo's
    /// folder comes last, so that the user's order of toolchains is preserved.
    fn path(&self) -> OsString {
        let mut folders = vec![self.at("tests/node_modules/.bin"), own_tools().join("bin")];
        let inherited = env::var_os("PATH").unwrap_or_default();
        folders.extend(env::split_paths(&inherited));
        folders.push(cargo_home().join("bin"));
        env::join_paths(folders).unwrap_or(inherited)
    }

    /// The version of `wasm-bindgen` that the workspace pins with `=`.
    pub(crate) fn wasm_bindgen_version(&self) -> Outcome<String> {
        let manifest = self.at("Cargo.toml");
        let text = fs::read_to_string(&manifest).context(|| format!("cannot read {}", manifest.display()))?;
        exact_pin(&text, "wasm-bindgen").ok_or_else(|| {
            Failure::new("Cargo.toml does not pin wasm-bindgen exactly")
                .advise("Write `wasm-bindgen = \"=x.y.z\"` under [workspace.dependencies].")
        })
    }
}

/// Cargo's home, where `cargo install` writes programs.
pub(crate) fn cargo_home() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cargo");
    env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

/// A folder for tools of which the user may have another version: ebbline never replaces a user's own Trunk.
pub(crate) fn own_tools() -> PathBuf {
    cargo_home().join("ebbline-tools")
}

/// Finds `name = "=1.2.3"` or `name = { version = "=1.2.3", .. }` in a manifest.
fn exact_pin(manifest: &str, name: &str) -> Option<String> {
    manifest.lines().find_map(|line| {
        let value = line.trim().strip_prefix(name)?.trim_start().strip_prefix('=')?;
        let (_, rest) = value.split_once("\"=")?;
        let (version, _) = rest.split_once('"')?;
        Some(version.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pin_is_read_from_either_spelling() {
        assert_eq!(
            exact_pin("a = \"=1.0\"\nwasm-bindgen = \"=0.2.129\"", "wasm-bindgen").as_deref(),
            Some("0.2.129")
        );
        let table = "wasm-bindgen = { version = \"=0.2.129\", features = [] }";
        assert_eq!(exact_pin(table, "wasm-bindgen").as_deref(), Some("0.2.129"));
    }

    #[test]
    fn a_loose_version_or_a_longer_name_is_not_a_pin() {
        assert_eq!(
            exact_pin("wasm-bindgen = \"0.2\"\nwasm-bindgen-test = \"=0.3.79\"", "wasm-bindgen"),
            None
        );
    }

    #[test]
    fn trunk_uses_the_same_wasm_bindgen_as_the_workspace() {
        let project = Project::find();
        let pinned = project.wasm_bindgen_version().unwrap();
        if let Ok(trunk) = fs::read_to_string(project.at("Trunk.toml")) {
            let line = trunk.lines().find(|line| line.starts_with("wasm_bindgen")).unwrap_or_default();
            assert!(
                line.contains(&format!("\"{pinned}\"")),
                "Trunk.toml says `{line}`, Cargo.toml pins {pinned}"
            );
        }
    }
}

//! Results of long builds, kept outside the project under the content that they were made of.
//!
//! Cargo compares times and paths: a fresh clone compiles everything again, although the same text gives the same bytes
//! (`remap`). A module takes minutes to compile and optimize, so its result is copied into cargo's folder, and another clone
//! on the same machine takes it from there. `EBBLINE_REBUILD=1` builds anew.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::copied;
use crate::failure::{Context, Outcome};
use crate::process::answer_of;
use crate::project::{Project, own_tools};
use crate::sources;
use crate::standard_library;
use crate::step;
use crate::toolchain::Toolchain;

/// How many results are kept; the one that was used longest ago leaves first.
const MOST: usize = 40;
/// What every build depends on, relative to the root: the workspace, the tools' versions, and the steps themselves.
const ALWAYS: [&str; 13] = [
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
    "tests/package-lock.json",
    "tests/component/describe.mjs",
    "tests/component/package-lock.json",
    "crates/xtask/src/component.rs",
    "crates/xtask/src/play.rs",
    "crates/xtask/src/remap.rs",
    "crates/xtask/src/standard_library.rs",
    "crates/xtask/src/tighten",
    "crates/xtask/src/tools.rs",
    "crates/xtask/src/wasm.rs",
];
/// Folders of a crate that no build reads: scripts, tests and what builds write.
const UNREAD: [&str; 8] =
    ["js", "tests", "benches", "examples", "snapshots", "target", "dist", "node_modules"];

/// Where the result of one build is kept, whether it is there or not.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
    root: PathBuf,
    inputs: BTreeSet<PathBuf>,
}

impl Kept {
    /// The place for what is built of a crate and of `others`, files or folders relative to the root; `how` names what else
    /// the result depends on.
    pub(crate) fn of(
        project: &Project,
        toolchain: Toolchain,
        package: &str,
        others: &[&str],
        how: &str,
    ) -> Outcome<Self> {
        let mut places = sources::of(project, package)?;
        places.extend(ALWAYS.iter().chain(others).map(|path| project.at(path)));
        let inputs: BTreeSet<PathBuf> = places.iter().flat_map(|place| files_in(place)).collect();
        let mut hasher = DefaultHasher::new();
        for file in &inputs {
            let text = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
            (file.strip_prefix(project.root()).unwrap_or(file), text).hash(&mut hasher);
        }
        let mut compiler = project.command("rustc");
        toolchain.apply(&mut compiler);
        (toolchain.name(), answer_of(compiler.arg("-vV")), how).hash(&mut hasher);
        (flags(), standard_library::is_compiled(project, toolchain)).hash(&mut hasher);
        let folder = own_tools().join("built").join(format!("{package}-{:016x}", hasher.finish()));
        Ok(Self { folder, root: project.root().to_path_buf(), inputs })
    }

    /// Copies the kept result to `outputs`, files or folders. Returns whether it was there.
    pub(crate) fn restore(&self, outputs: &[&Path]) -> Outcome<bool> {
        if !self.folder.is_dir() || env::var_os("EBBLINE_REBUILD").is_some() {
            return Ok(false);
        }
        for (number, output) in outputs.iter().enumerate() {
            let _ = fs::remove_dir_all(output);
            copied::any(&self.folder.join(number.to_string()), output)?;
        }
        // The time of a folder says when it was used last.
        let _ = File::open(&self.folder).and_then(|folder| folder.set_modified(SystemTime::now()));
        Ok(true)
    }

    /// Keeps `outputs`, in the same order as they are restored in. `listed` are the lists of sources that the compiler wrote
    /// (`*.d`): if one is missing, or the compiler read a file that the place does not depend on, nothing is kept.
    pub(crate) fn keep(&self, outputs: &[&Path], listed: &[PathBuf]) -> Outcome<()> {
        for list in listed {
            let Ok(text) = fs::read_to_string(list) else {
                step::note(format!("not kept for other clones: there is no {}", list.display()));
                return Ok(());
            };
            if let Some(unknown) = sources_in(&text).find(|file| !self.knows(file)) {
                step::note(format!("not kept for other clones: it depends on {}", unknown.display()));
                return Ok(());
            }
        }
        let _ = fs::remove_dir_all(&self.folder);
        // Under its own name only when it is whole.
        let part = self.folder.with_extension(format!("part{}", std::process::id()));
        let _ = fs::remove_dir_all(&part);
        fs::create_dir_all(&part).context(|| format!("cannot make {}", part.display()))?;
        for (number, output) in outputs.iter().enumerate() {
            copied::any(output, &part.join(number.to_string()))?;
        }
        if fs::rename(&part, &self.folder).is_err() {
            // Another build was quicker.
            let _ = fs::remove_dir_all(&part);
        }
        forget_oldest(self.folder.parent().unwrap_or(&self.folder), MOST);
        Ok(())
    }

    /// Whether a file is among the inputs, or of no concern: crates of others are named by Cargo.lock, and what build
    /// programs write follows from the rest.
    fn knows(&self, file: &Path) -> bool {
        let Ok(inside) = file.strip_prefix(&self.root) else { return true };
        self.inputs.contains(file) || inside.starts_with("target")
    }
}

/// Variables that change what a compiler writes.
fn flags() -> Vec<(String, String)> {
    let mut flags: Vec<(String, String)> = env::vars()
        .filter(|(name, _)| {
            name.ends_with("RUSTFLAGS")
                || name.starts_with("CARGO_PROFILE_WASM")
                || name.starts_with("CARGO_PROFILE_WEB")
                || name.starts_with("CARGO_PROFILE_RELEASE")
        })
        .collect();
    flags.sort();
    flags
}

/// All files at or below a place that a build may read.
fn files_in(place: &Path) -> Vec<PathBuf> {
    if !place.is_dir() {
        return vec![place.to_path_buf()];
    }
    let entries = fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
    let read = entries.filter(|path| {
        !path.is_dir() || !UNREAD.iter().any(|name| path.file_name().is_some_and(|found| found == *name))
    });
    read.flat_map(|path| files_in(&path)).collect()
}

/// The sources in a list of the compiler: `target: source source`, where a space in a name has a backslash.
fn sources_in(list: &str) -> impl Iterator<Item = PathBuf> {
    let line = list.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, sources)| sources);
    let line = line.replace("\\ ", "\0");
    let names: Vec<PathBuf> = line.split(' ').map(|name| PathBuf::from(name.replace('\0', " "))).collect();
    names.into_iter().filter(|name| !name.as_os_str().is_empty())
}

fn forget_oldest(folder: &Path, most: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut kept: Vec<(SystemTime, PathBuf)> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    kept.sort();
    let surplus = kept.len().saturating_sub(most);
    for (_, path) in kept.into_iter().take(surplus) {
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("xtask-kept-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn another_way_or_another_crate_has_another_place() {
        let project = Project::find();
        let of = |package, how| Kept::of(&project, Toolchain::Active, package, &[], how).unwrap().folder;
        assert_eq!(of("ebbline-wasm", "-Oz"), of("ebbline-wasm", "-Oz"));
        assert_ne!(of("ebbline-wasm", "-Oz"), of("ebbline-wasm", "-O3"));
        assert_ne!(of("ebbline-wasm", "-Oz"), of("ebbline-files-wasm", "-Oz"));
        let kept = Kept::of(&project, Toolchain::Active, "ebbline-wasm", &["index.html"], "").unwrap();
        for read in
            ["crates/ebbline/src/lib.rs", "Cargo.lock", "index.html", "crates/xtask/src/tighten/mod.rs"]
        {
            assert!(kept.inputs.contains(&project.at(read)), "{read}");
        }
        assert!(!kept.inputs.contains(&project.at("npm/package.json")), "no build reads it");
    }

    #[test]
    fn what_was_kept_comes_back_unless_the_compiler_read_something_else() {
        let place = folder("comes-back");
        let known = place.join("project/src/lib.rs");
        let kept = Kept {
            folder: place.join("built/it"),
            root: place.join("project"),
            inputs: BTreeSet::from([known.clone()]),
        };
        let (file, tree) = (place.join("out.wasm"), place.join("dist"));
        assert!(!kept.restore(&[&file, &tree]).unwrap(), "nothing is there yet");

        fs::write(&file, "module").unwrap();
        fs::create_dir_all(tree.join("deep")).unwrap();
        fs::write(tree.join("deep/a"), "a").unwrap();
        let list = place.join("it.d");
        fs::write(&list, format!("out: {} {}\n", known.display(), place.join("project/secret").display()))
            .unwrap();
        kept.keep(&[&file, &tree], std::slice::from_ref(&list)).unwrap();
        assert!(!kept.folder.exists(), "`secret` is not among the inputs");

        kept.keep(&[&file, &tree], &[place.join("missing.d")]).unwrap();
        assert!(!kept.folder.exists(), "nobody knows what it was made of");

        fs::write(&list, format!("out: {} /home/me/.cargo/registry/a\\ crate.rs\n", known.display()))
            .unwrap();
        kept.keep(&[&file, &tree], &[list]).unwrap();
        fs::remove_file(&file).unwrap();
        fs::write(tree.join("stale"), "").unwrap();
        assert!(kept.restore(&[&file, &tree]).unwrap());
        assert_eq!(fs::read_to_string(&file).unwrap(), "module");
        assert_eq!(fs::read_to_string(tree.join("deep/a")).unwrap(), "a");
        assert!(!tree.join("stale").exists());
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn the_result_that_was_used_longest_ago_leaves_first() {
        let place = folder("oldest");
        for (name, hours) in [("new", 1), ("old", 3), ("older", 4)] {
            let path = place.join(name);
            fs::create_dir_all(&path).unwrap();
            let time = SystemTime::now() - Duration::from_hours(hours);
            File::open(&path).unwrap().set_modified(time).unwrap();
        }
        forget_oldest(&place, 2);
        assert!(place.join("new").exists() && place.join("old").exists() && !place.join("older").exists());
        fs::remove_dir_all(place).unwrap();
    }
}

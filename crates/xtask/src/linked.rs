//! The third-party crates in the modules of the package.
//!
//! Cargo provides this: `cargo tree` lists what is compiled into the crates of bindings, and `cargo metadata`
//! lists the folders of the crates. Tools such as cargo-about do the same but take minutes to build on a new machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::failure::{Context, Failure, Outcome};
use crate::project::Project;
use crate::step::Step;
use crate::toolchain::TARGET;
use crate::wasm::Description;

/// A third-party crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linked {
    pub(crate) name: String,
    pub(crate) version: String,
    /// As an SPDX expression: `MIT OR Apache-2.0`.
    pub(crate) licence: String,
    pub(crate) repository: String,
    /// The SHA-256 of the crate as crates.io serves it.
    pub(crate) checksum: String,
    /// The folder of its files.
    pub(crate) folder: PathBuf,
}

/// The third-party crates that are compiled into the modules, by name.
pub(crate) fn crates(project: &Project, step: &Step, modules: &[Description]) -> Outcome<Vec<Linked>> {
    let mut tree = project.cargo();
    tree.args(["tree", "--locked", "--prefix", "none", "--format", "{p}", "--target", TARGET]);
    tree.args(["--edges", "normal,no-proc-macro"]);
    for module in modules {
        tree.args(["-p", module.package]);
    }
    let named: BTreeSet<(String, String)> =
        step.run(&mut tree)?.lines.iter().filter_map(|line| named(line)).collect();

    let mut metadata = project.cargo();
    metadata.args(["metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]);
    let answer = step.run(&mut metadata)?.lines;
    let metadata =
        answer.iter().find_map(|line| serde_json::from_str::<Value>(line).ok().filter(Value::is_object));
    let metadata = metadata.ok_or_else(|| Failure::new("cargo metadata gave no JSON"))?;
    let path = project.at("Cargo.lock");
    let lock = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    named.iter().map(|(name, version)| described(&metadata, &lock, name, version)).collect()
}

/// Name and version in a line such as `serde v1.0.229`; `None` for crates of this project, which have a path, and for
/// repeated lines.
fn named(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace();
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    words.all(|word| word == "(*)").then(|| (name.to_owned(), version.to_owned()))
}

fn described(metadata: &Value, lock: &str, name: &str, version: &str) -> Outcome<Linked> {
    let packages = metadata.get("packages").and_then(Value::as_array);
    let package = packages.and_then(|packages| {
        packages.iter().find(|package| {
            package.get("name").is_some_and(|found| found == name)
                && package.get("version").is_some_and(|found| found == version)
        })
    });
    let said = |key: &str| package.and_then(|package| package.get(key)).and_then(Value::as_str);
    let missing = |what: &str| {
        Failure::new(format!("nothing says {what} of the crate {name} {version}, which is in the package"))
            .advise("Find it out, or do without the crate.")
    };
    let manifest = PathBuf::from(said("manifest_path").ok_or_else(|| missing("the place"))?);
    Ok(Linked {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: said("license").ok_or_else(|| missing("the licence"))?.replace('/', " OR "),
        repository: said("repository").unwrap_or_default().to_owned(),
        checksum: checksum(lock, name, version).ok_or_else(|| missing("the checksum"))?,
        folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
    })
}

fn checksum(lock: &str, name: &str, version: &str) -> Option<String> {
    let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
    let (_, rest) = lock.split_once(&entry)?;
    let (entry, _) = rest.split_once("[[package]]").unwrap_or((rest, ""));
    let (_, value) = entry.split_once("checksum = \"")?;
    value.split_once('"').map(|(checksum, _)| checksum.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_tree_names_a_crate_of_others() {
        assert_eq!(named("serde v1.0.229"), Some(("serde".to_owned(), "1.0.229".to_owned())));
        assert_eq!(named("serde v1.0.229 (*)"), named("serde v1.0.229"));
        assert_eq!(named("ebbline v0.1.0 (/work/ebbline/crates/ebbline)"), None);
        assert_eq!(named(""), None);
    }

    #[test]
    fn a_checksum_is_that_of_the_very_version() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n\
            source = \"s\"\nchecksum = \"abc\"\ndependencies = []\n";
        assert_eq!(checksum(lock, "a", "2.0.0").as_deref(), Some("abc"));
        assert_eq!(checksum(lock, "a", "1.0.0"), None);
        assert_eq!(checksum(lock, "b", "2.0.0"), None);
    }

    #[test]
    fn the_modules_hold_what_they_hold() {
        let project = Project::find();
        let step = Step::begin("test", "asking cargo");
        let crates = crates(&project, &step, &crate::package::MODULES).unwrap();
        let names: Vec<&str> = crates.iter().map(|linked| linked.name.as_str()).collect();
        assert!(names.contains(&"serde_json") && names.contains(&"wasm-bindgen"), "{names:?}");
        assert!(
            !names.iter().any(|name| name.starts_with("ebbline") || name.ends_with("derive")),
            "{names:?}"
        );
        assert!(crates.iter().all(|linked| linked.checksum.len() == 64 && linked.folder.is_dir()));
    }
}

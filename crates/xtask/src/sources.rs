//! The folders of a crate's sources: its own, and those of this project's crates that it depends on.
//!
//! They come from cargo, because a list kept by hand would miss the next new crate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::failure::{Context, Failure, Outcome};
use crate::process::line_of;
use crate::project::Project;

/// The folders of the crate `package` and of every crate of the project that is built into it.
pub(crate) fn of(project: &Project, package: &str) -> Outcome<Vec<PathBuf>> {
    // `--no-deps` lists the project's own crates, which requires no network and no lock.
    let mut command = project.cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]).stdin(Stdio::null());
    let output = command.output().context(|| "cannot run cargo metadata".to_owned())?;
    let said = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    folders(&said, package).ok_or_else(|| {
        let lines: Vec<String> = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
        Failure::new(format!("cargo metadata names no crate {package}"))
            .command(line_of(&command))
            .tail(&lines, 20)
    })
}

/// The folders in the output of `cargo metadata`; `None` if the crate is not among its packages.
fn folders(metadata: &Value, package: &str) -> Option<Vec<PathBuf>> {
    let packages = metadata.get("packages")?.as_array()?;
    let named =
        |name: &str| packages.iter().find(|package| package.get("name").is_some_and(|found| found == name));
    let mut found = BTreeSet::new();
    let mut open = vec![named(package)?];
    while let Some(package) = open.pop() {
        let manifest = Path::new(package.get("manifest_path")?.as_str()?);
        if !found.insert(manifest.parent()?.to_path_buf()) {
            continue;
        }
        let dependencies = package.get("dependencies")?.as_array()?;
        // A dependency with a path is of this project. Dependencies of tests are not built in.
        let ours = dependencies.iter().filter(|dependency| {
            dependency.get("path").is_some_and(Value::is_string)
                && dependency.get("kind").is_none_or(|kind| kind != "dev")
        });
        open.extend(ours.filter_map(|dependency| named(dependency.get("name")?.as_str()?)));
    }
    Some(found.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    #[test]
    fn dependencies_of_dependencies_count_and_those_of_tests_do_not() {
        let package = |name: &str, dependencies: Value| json!({ "name": name, "manifest_path": format!("/p/{name}/Cargo.toml"), "dependencies": dependencies });
        let on =
            |name: &str, kind: Value| json!({ "name": name, "path": format!("/p/{name}"), "kind": kind });
        let metadata = json!({ "packages": [
            package("page", json!([on("engine", Value::Null), on("bench", json!("dev")), { "name": "serde", "kind": null }])),
            package("engine", json!([on("parser", Value::Null), on("made", json!("build"))])),
            package("parser", json!([on("engine", json!("dev"))])),
            package("made", json!([])),
            package("bench", json!([])),
        ] });
        let expected: Vec<PathBuf> =
            ["engine", "made", "page", "parser"].map(|name| Path::new("/p").join(name)).into();
        assert_eq!(folders(&metadata, "page"), Some(expected));
        assert_eq!(folders(&metadata, "pag"), None);
    }

    #[test]
    fn the_page_is_made_of_the_parser_too_and_trunk_watches_all_of_it() {
        let project = Project::find();
        let folders = of(&project, "ebbline-web").unwrap();
        assert!(folders.contains(&project.at("crates/ebbline-json")), "{folders:?}");
        let trunk = fs::read_to_string(project.at("Trunk.toml")).unwrap();
        let watched = trunk.lines().find(|line| line.starts_with("watch = ")).unwrap();
        for folder in folders {
            let name = folder.strip_prefix(project.root()).unwrap().display();
            assert!(watched.contains(&format!("\"{name}\"")), "Trunk.toml does not watch {name}: {watched}");
        }
    }
}

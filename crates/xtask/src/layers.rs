//! The order of layers: which part of the project may use which.
//!
//! Every top-level module of the engine has a layer, and so has every crate. A part only uses parts of lower layers,
//! so there are no circles among them, and everything that a module depends on is further down in the table. Tests may use
//! anything. Files within a crate may stand in few and small circles, whose number can only fall.

mod circles;
pub(crate) mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::failure::{Context, Outcome};
use crate::project::Project;

/// The modules of the engine, lowest layer first. Modules of one layer do not use each other.
const MODULES: &[&[&str]] = &[
    &[
        "blank", "edit", "form", "identifiers", "injection", "marks", "nearest", "numbers", "orders",
        "origin", "search", "growth",
    ],
    &["overflow", "rules", "text", "transcript"],
    &["holdings", "pairs", "policy", "packed", "run"],
    &["plan"],
    &["estimate", "preview", "profiles", "sentences"],
    &["placeholder"],
    &["decide"],
    &["controller", "explain", "settings"],
    &["effect", "format"],
    &["identity", "summary"],
    &["passes"],
    &["session_text"],
    &["loss", "report", "validate"],
    &["repair", "replay"],
    &["economics"],
    &["probe"],
    &["binding"],
];

/// Modules that still use a higher layer, with what they use. Nothing may be added.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// The crates, lowest layer first.
const CRATES: &[&[&str]] = &[
    &["ebbline_json", "ebbline_tokenizer"],
    &["ebbline"],
    &["ebbline_charts"],
    &["ebbline_commands", "ebbline_compactor", "ebbline_compat", "ebbline_wasm_shared"],
    &[
        "ebbline_cli", "ebbline_cli_wasm", "ebbline_compat_wasm", "ebbline_component", "ebbline_files_wasm",
        "ebbline_tokenizer_wasm", "ebbline_wasm", "ebbline_web",
    ],
    &["ebbline_site"],
];

/// The folders of the crates, with their names in Rust.
const FOLDERS: &[(&str, &str)] = &[
    ("ebbline_json", "crates/ebbline-json/src"),
    ("ebbline_tokenizer", "crates/ebbline-tokenizer/src"),
    ("ebbline", "crates/ebbline/src"),
    ("ebbline_charts", "crates/ebbline-charts/src"),
    ("ebbline_cli", "crates/ebbline-cli/src"),
    ("ebbline_cli_wasm", "crates/ebbline-cli-wasm/src"),
    ("ebbline_commands", "crates/ebbline-commands/src"),
    ("ebbline_compactor", "crates/ebbline-compactor/src"),
    ("ebbline_compat", "crates/ebbline-compat/src"),
    ("ebbline_wasm_shared", "crates/ebbline-wasm-shared/src"),
    ("ebbline_compat_wasm", "crates/ebbline-compat-wasm/src"),
    ("ebbline_component", "crates/ebbline-component/src"),
    ("ebbline_files_wasm", "crates/ebbline-files-wasm/src"),
    ("ebbline_tokenizer_wasm", "crates/ebbline-tokenizer-wasm/src"),
    ("ebbline_wasm", "crates/ebbline-wasm/src"),
    ("ebbline_web", "web/src"),
    ("ebbline_site", "crates/ebbline-site/src"),
];

/// Crates with circles among their files: how many there are, and of how many files the largest is. Others have none.
const CIRCLES: &[(&str, usize, usize)] = &[
    ("ebbline", 5, 8),
    ("ebbline_cli", 1, 6),
    ("ebbline_commands", 1, 8),
    ("ebbline_component", 1, 8),
    ("ebbline_web", 2, 4),
];

/// A file of a crate: its path for messages, its module path, its text.
struct File {
    path: String,
    modules: Vec<String>,
    text: String,
}

/// The violations of the order, as sentences; empty if there are none.
pub(crate) fn faults(project: &Project) -> Outcome<Vec<String>> {
    let mut faults = Vec::new();
    for (name, folder) in FOLDERS {
        let files = files(project, folder)?;
        faults.extend(faults_of_crate(name, &files));
        faults.extend(faults_of_files(name, CIRCLES, &files));
        if *name == "ebbline" {
            faults.extend(faults_of_modules(MODULES, EXCEPTIONS, &files));
        }
    }
    Ok(faults)
}

/// The uses in a crate of crates that are not in a lower layer.
fn faults_of_crate(name: &str, files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files {
        let code = source::without_tests(&file.text);
        for (line, used) in source::crates_used(&code) {
            let is_lower = match (layer(CRATES, name), layer(CRATES, &used)) {
                (Some(own), Some(other)) => other < own,
                _ => !used.starts_with("ebbline"),
            };
            if used != name && !is_lower {
                faults.push(format!(
                    "{}:{line} uses the crate {used}, which does not lie below {name}",
                    file.path
                ));
            }
        }
    }
    faults
}

/// Circles among files beyond those that are known, and known ones that are gone.
fn faults_of_files(name: &str, known: &[(&str, usize, usize)], files: &[File]) -> Option<String> {
    let circles = circles::circles(files);
    let found = (circles.len(), circles.first().map_or(0, Vec::len));
    let known =
        known.iter().find(|(own, ..)| *own == name).map_or((0, 0), |(_, count, most)| (*count, *most));
    let listed = || circles.iter().map(|circle| circle.join(", ")).collect::<Vec<_>>().join("\n    ");
    if found == known {
        return None;
    }
    let says = |(count, most)| format!("{count} circles among files, the largest of {most}");
    Some(if found.0 > known.0 || found.1 > known.1 {
        format!("{name} has {}; known are {}:\n    {}", says(found), says(known), listed())
    } else {
        format!("{name} has only {}: record it in CIRCLES of crates/xtask/src/layers.rs", says(found))
    })
}

/// The uses in the engine of modules that are not in a lower layer, and errors in the tables themselves.
fn faults_of_modules(layers: &[&[&str]], exceptions: &[(&str, &str)], files: &[File]) -> Vec<String> {
    let mut faults = Vec::new();
    let root = files.iter().find(|file| file.modules.is_empty()).map_or("", |file| file.text.as_str());
    let names = Names::of_root(root);
    for module in &names.modules {
        if layer(layers, module).is_none() {
            faults.push(format!(
                "the module {module} has no layer: add it to the table in crates/xtask/src/layers.rs"
            ));
        }
    }
    for module in layers.iter().copied().flatten().filter(|module| !names.modules.contains(**module)) {
        faults.push(format!("crates/xtask/src/layers.rs names the module {module}, which does not exist"));
    }
    let tests: BTreeSet<Vec<String>> = files.iter().flat_map(source::modules_of_tests).collect();
    let is_test = |file: &File| tests.iter().any(|test| file.modules.starts_with(test));
    let mut needed = BTreeSet::new();
    for file in files.iter().filter(|file| !is_test(file)) {
        let Some(own) = file.modules.first() else { continue };
        let code = source::without_tests(&file.text);
        for (line, path) in source::paths_from_root(&code, file.modules.len()) {
            let place = format!("{}:{line}", file.path);
            let used = match names.home_of(&path) {
                Home::Module(used) if used != *own => used,
                Home::Module(_) | Home::OtherCrate => continue,
                Home::Unknown => {
                    faults.push(format!(
                        "{place} uses crate::{path}, which is no module and no name of lib.rs"
                    ));
                    continue;
                }
            };
            if layer(layers, &used) < layer(layers, own) {
                continue;
            }
            match exceptions.iter().find(|(from, to)| from == own && *to == used) {
                Some(exception) => {
                    needed.insert(*exception);
                }
                None => faults.push(format!(
                    "{place}: the module {own} uses crate::{path} of the module {used}, which does not lie below it"
                )),
            }
        }
    }
    for (from, to) in exceptions.iter().filter(|exception| !needed.contains(*exception)) {
        faults.push(format!(
            "the module {from} does not use {to} any more: remove that exception from crates/xtask/src/layers.rs"
        ));
    }
    faults
}

fn layer(layers: &[&[&str]], name: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.contains(&name))
}

/// The definitions of the names at the root of a crate.
#[derive(Debug, Default)]
struct Names {
    modules: BTreeSet<String>,
    /// Re-exported names with their module; `None` for names of another crate.
    exported: BTreeMap<String, Option<String>>,
}

impl Names {
    fn of_root(root: &str) -> Self {
        let code = source::without_tests(root);
        let mut names = Self::default();
        for line in code.lines() {
            let item = line.trim().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            if let Some(module) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                names.modules.insert(module.to_owned());
            }
        }
        for (from, name) in source::uses(&code) {
            let module = Some(from).filter(|from| names.modules.contains(from));
            names.exported.insert(name, module);
        }
        names
    }

    /// Where `name` is defined.
    fn home_of(&self, name: &str) -> Home {
        if self.modules.contains(name) {
            return Home::Module(name.to_owned());
        }
        match self.exported.get(name) {
            Some(Some(module)) => Home::Module(module.clone()),
            Some(None) => Home::OtherCrate,
            None => Home::Unknown,
        }
    }
}

/// Where a name is defined.
#[derive(Debug)]
enum Home {
    Module(String),
    OtherCrate,
    Unknown,
}

/// The sources of a crate.
fn files(project: &Project, folder: &str) -> Outcome<Vec<File>> {
    let root = project.at(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).context(|| format!("cannot read {}", at.display()))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
                let inside = path.strip_prefix(&root).unwrap_or(&path);
                let path = format!("{folder}/{}", inside.display());
                found.push(File { path, modules: modules_of(inside), text });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// The module path of a file: `format/pi/mod.rs` is `format::pi`, `lib.rs` is the root.
fn modules_of(path: &Path) -> Vec<String> {
    let mut modules: Vec<String> =
        path.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    if modules.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        modules.pop();
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: &[&[&str]] = &[&["low"], &["middle"], &["high"]];
    const ROOT: &str =
        "mod low;\npub mod middle;\nmod high;\npub use high::Top;\npub use other_crate::{Error, json};\n";

    fn found(path: &str, text: &str, exceptions: &[(&str, &str)]) -> Vec<String> {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            modules: modules_of(Path::new(path)),
            text: text.to_owned(),
        };
        faults_of_modules(LAYERS, exceptions, &[file("lib.rs", ROOT), file(path, text)])
    }

    #[test]
    fn an_import_that_goes_upwards_is_named_with_its_place() {
        for (path, text, place, used) in [
            ("low.rs", "use crate::middle::Part;\n", "low.rs:1", "middle"),
            ("low/deep.rs", "\nuse crate::{Error, middle::{A, B}};\n", "low/deep.rs:2", "middle"),
            ("low/mod.rs", "fn f() {\n    crate::high::call();\n}\n", "low/mod.rs:2", "high"),
            ("middle.rs", "use crate::Top;\n", "middle.rs:1", "high"),
            ("middle/a.rs", "use super::super::high;\n", "middle/a.rs:1", "high"),
            ("middle.rs", "use super::high;\n", "middle.rs:1", "high"),
        ] {
            let faults = found(path, text, &[]);
            assert_eq!(faults.len(), 1, "{text}: {faults:?}");
            assert!(faults[0].starts_with(place) && faults[0].contains(used), "{}", faults[0]);
        }
    }

    #[test]
    fn what_goes_downwards_or_stays_is_fine() {
        for (path, text) in [
            ("high.rs", "use crate::low;\nuse crate::middle::{self, Part};\n"),
            ("middle/a.rs", "use super::b;\npub(in crate::middle) fn f() {}\nuse crate::middle::c;\n"),
            ("low.rs", "use crate::{Error, json};\n"),
            ("low.rs", "// crate::high\n/// [`crate::high`]\nfn f() {}\n"),
            ("low.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::high;\n}\n"),
        ] {
            assert_eq!(found(path, text, &[]), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn files_that_are_compiled_for_tests_only_may_use_anything() {
        let files = [
            ("lib.rs", ROOT),
            ("low/mod.rs", "#[cfg(test)]\nmod samples;\nmod real;\n"),
            ("low/samples.rs", "use crate::high;\n"),
            ("low/real.rs", ""),
        ];
        let files = files.map(|(path, text)| File {
            path: path.to_owned(),
            modules: modules_of(Path::new(path)),
            text: text.to_owned(),
        });
        assert_eq!(faults_of_modules(LAYERS, &[], &files), Vec::<String>::new());
    }

    #[test]
    fn an_exception_counts_as_long_as_it_is_needed() {
        let upwards = "use crate::high;\n";
        assert_eq!(found("low.rs", upwards, &[("low", "high")]), Vec::<String>::new());
        let faults = found("low.rs", "", &[("low", "high")]);
        assert!(matches!(&faults[..], [only] if only.contains("remove that exception")), "{faults:?}");
    }

    #[test]
    fn a_name_that_nothing_explains_is_named() {
        let faults = found("low.rs", "use crate::nowhere::Thing;\n", &[]);
        assert!(matches!(&faults[..], [only] if only.contains("crate::nowhere")), "{faults:?}");
    }

    #[test]
    fn the_project_keeps_its_layers() {
        let found = match faults(&Project::find()) {
            Ok(faults) => faults,
            Err(failure) => vec![failure.to_string()],
        };
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn crates_use_only_lower_ones() {
        let file = |text: &str| {
            [File { path: "a.rs".to_owned(), modules: vec!["a".to_owned()], text: text.to_owned() }]
        };
        assert!(faults_of_crate("ebbline_compat", &file("use ebbline::json::Value;\n")).is_empty());
        let faults = faults_of_crate("ebbline", &file("\nuse ebbline_compat::pi;\n"));
        assert!(matches!(&faults[..], [only] if only.starts_with("a.rs:2 uses the crate ebbline_compat")));
    }
}

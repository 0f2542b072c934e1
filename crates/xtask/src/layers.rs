//! The order of layers: which part of the project may use which.
//!
//! Every top-level module of the engine has a layer, and so has every crate. A part only uses parts of lower layers,
//! so there are no circles among them, and everything that a module depends on is further down in the table. Tests may use
//! anything. Files within a crate may stand in few and small circles, whose number can only fall.

mod graph;
mod source;

use std::fs;

use crate::failure::{Context, Failure, Outcome};
use crate::project::Project;
use graph::Graph;
use source::Source;

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

/// Crates with circles among their files: how many there are, and of how many files the largest is. Others have none.
const CIRCLES: &[(&str, usize, usize)] = &[
    ("ebbline", 5, 8),
    ("ebbline_cli", 1, 6),
    ("ebbline_commands", 1, 8),
    ("ebbline_component", 1, 8),
    ("ebbline_web", 2, 4),
];

/// The violations of the order, as sentences; empty if there are none.
pub(crate) fn faults(project: &Project) -> Outcome<Vec<String>> {
    let mut faults = Vec::new();
    for name in CRATES.iter().copied().flatten() {
        let files = files(project, name)?;
        let graph = Graph::new(&files);
        faults.extend(faults_of_crate(name, &graph));
        faults.extend(faults_of_circles(name, &graph));
        if *name == "ebbline" {
            faults.extend(faults_of_modules(MODULES, &graph));
        }
    }
    Ok(faults)
}

/// The uses in a crate of crates that are not in a lower layer.
fn faults_of_crate(name: &str, graph: &Graph<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    for file in graph.files() {
        let imports = file.imports.iter().map(|import| (&import.path, import.line));
        for (path, line) in imports.chain(file.paths.iter().map(|(path, line)| (path, *line))) {
            let Some(used) = path.first().filter(|used| *used != name && used.starts_with("ebbline")) else {
                continue;
            };
            if layer(CRATES, used) >= layer(CRATES, name) || layer(CRATES, used).is_none() {
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
fn faults_of_circles(name: &str, graph: &Graph<'_>) -> Option<String> {
    let circles = graph.circles();
    let found = (circles.len(), circles.first().map_or(0, Vec::len));
    let known =
        CIRCLES.iter().find(|(own, ..)| *own == name).map_or((0, 0), |(_, count, most)| (*count, *most));
    let says = |(count, most)| format!("{count} circles among files, the largest of {most}");
    if found.0 > known.0 || found.1 > known.1 {
        let listed: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
        return Some(format!(
            "{name} has {}; known are {}:\n    {}",
            says(found),
            says(known),
            listed.join("\n    ")
        ));
    }
    let is_less = found != known;
    is_less.then(|| {
        format!("{name} has only {}: record it in CIRCLES of crates/xtask/src/layers.rs", says(found))
    })
}

/// The uses in a crate of modules that are not in a lower layer, and errors in the table itself.
fn faults_of_modules(layers: &[&[&str]], graph: &Graph<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    for file in graph.files() {
        let Some(own) = file.module.first() else { continue };
        if layer(layers, own).is_none() {
            faults.push(format!(
                "the module {own} has no layer: add it to the table in crates/xtask/src/layers.rs"
            ));
        }
        for (home, path, line) in graph.uses(file) {
            let used = home.first().map_or("", String::as_str);
            if used != own && layer(layers, used) >= layer(layers, own) {
                let (place, path) = (&file.path, path.join("::"));
                faults.push(format!("{place}:{line}: the module {own} uses {path} of the module {used}, which does not lie below it"));
            }
        }
    }
    let is_module =
        |name: &&str| graph.files().any(|file| file.module.first().is_some_and(|own| own == name));
    for module in layers.iter().copied().flatten().filter(|name| !is_module(name)) {
        faults.push(format!("crates/xtask/src/layers.rs names the module {module}, which does not exist"));
    }
    faults
}

fn layer(layers: &[&[&str]], name: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.contains(&name))
}

/// The sources of a crate.
fn files(project: &Project, name: &str) -> Outcome<Vec<Source>> {
    let folder = match name {
        "ebbline_web" => "web/src".to_owned(),
        name => format!("crates/{}/src", name.replace('_', "-")),
    };
    let root = project.at(&folder);
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
                let source = Source::read(format!("{folder}/{}", inside.display()), inside, &text);
                found.push(source.ok_or_else(|| Failure::new(format!("{} is no Rust", path.display())))?);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: &[&[&str]] = &[&["low"], &["middle"], &["high"]];
    const ROOT: (&str, &str) = (
        "lib.rs",
        "mod low;\npub mod middle;\nmod high;\npub use high::Top;\npub use other_crate::{Error, json};\n",
    );

    fn sources(files: &[(&str, &str)]) -> Vec<Source> {
        let read =
            |(path, text): &(&str, &str)| Source::read((*path).to_owned(), std::path::Path::new(path), text);
        files.iter().map(|file| read(file).unwrap()).collect()
    }

    /// The faults of a crate with the modules `low`, `middle` and `high`, and files beside them.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let empty = [ROOT, ("low.rs", ""), ("middle.rs", ""), ("high.rs", "pub struct Top;")];
        let others = empty.into_iter().filter(|(path, _)| files.iter().all(|(own, _)| own != path));
        faults_of_modules(
            LAYERS,
            &Graph::new(&sources(&others.chain(files.iter().copied()).collect::<Vec<_>>())),
        )
    }

    #[test]
    fn a_use_that_goes_upwards_is_named_with_its_place() {
        for (path, text, place, used) in [
            ("low.rs", "use crate::middle::Part;\n", "low.rs:1", "middle"),
            ("low/deep.rs", "\nuse crate::{Error, middle::{A}};\n", "low/deep.rs:2", "middle"),
            ("low/mod.rs", "fn f() {\n    crate::high::call();\n}\n", "low/mod.rs:2", "high"),
            (
                "low.rs",
                "fn f() -> String {\n    format!(\"{}\", crate::high::call())\n}\n",
                "low.rs:2",
                "high",
            ),
            ("middle.rs", "use crate::Top;\n", "middle.rs:1", "high"),
            ("middle/a.rs", "use super::super::high;\nfn f() { high::call() }\n", "middle/a.rs:2", "high"),
            (
                "middle.rs",
                "use super::high::{self as other};\nfn f() { other::call() }\n",
                "middle.rs:2",
                "high",
            ),
        ] {
            let faults = found(&[(path, text)]);
            assert_eq!(faults.len(), 1, "{text}: {faults:?}");
            assert!(faults[0].starts_with(place) && faults[0].contains(used), "{}", faults[0]);
        }
        assert!(found(&[("other.rs", "")])[0].contains("the module other has no layer"));
    }

    #[test]
    fn what_goes_downwards_or_stays_is_fine_and_tests_use_anything() {
        for (path, text) in [
            ("high.rs", "use crate::low::A;\nuse crate::middle::{self, Part};\n"),
            ("middle/a.rs", "use super::b;\npub(in crate::middle) fn f() {}\nuse crate::middle::c;\n"),
            ("low.rs", "use crate::{Error, json};\n"),
            ("low.rs", "// crate::high\n/// [`crate::high`]\nfn f<'a>() { \"crate::high::a\" }\n"),
            ("low.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::high::A;\n}\n"),
        ] {
            assert_eq!(found(&[(path, text)]), Vec::<String>::new(), "{text}");
        }
        let declares = ("low/mod.rs", "#[cfg(test)]\nmod samples;\nmod real;\n");
        assert_eq!(found(&[declares, ("low/samples.rs", "use crate::high::A;\n")]), Vec::<String>::new());
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let root = ("lib.rs", "mod a;\nmod b;\nmod c;\n");
        let a = ("a.rs", "use crate::b::B;\n");
        let b = ("b.rs", "fn f() { super::c::g(\"//\", '\"') }\n");
        for (c, is_circle) in [
            ("pub(crate) fn g() { crate::a::h() }\n", true),
            ("use super::{b::{self as other}, a::{H as I, J}};\n", true),
            ("use crate::b;\nfn g() { b::f(); }\n", true),
            ("use crate::b;\n", false),
            ("// crate::a::h()\nfn g<'a>() { \"crate::a::h()\" }\n", false),
            ("#[cfg(test)]\nmod tests {\n    use crate::a::H;\n}\n", false),
        ] {
            let sources = sources(&[root, a, b, ("c.rs", c)]);
            let circles = Graph::new(&sources).circles();
            assert_eq!(!circles.is_empty(), is_circle, "{c}: {circles:?}");
        }
    }

    #[test]
    fn a_name_that_is_passed_on_is_of_the_file_that_defines_it() {
        let root = ("lib.rs", "mod m;\n");
        let child = ("m/x.rs", "use super::Y;\npub struct X;\n");
        let other = ("m/y.rs", "pub struct Y;\n");
        let passes = "mod x;\nmod y;\npub use x::X;\npub(crate) use y::Y;\n";
        let chain = sources(&[root, ("m/mod.rs", passes), child, other]);
        assert!(Graph::new(&chain).circles().is_empty());
        let mutual = format!("{passes}pub struct Z(X);\n");
        let mutual =
            sources(&[root, ("m/mod.rs", &mutual), ("m/x.rs", "use super::Z;\npub struct X;\n"), other]);
        assert_eq!(Graph::new(&mutual).circles(), [["m/mod.rs", "m/x.rs"]]);
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
        let faults = |name, text| faults_of_crate(name, &Graph::new(&sources(&[("a.rs", text)])));
        assert!(faults("ebbline_compat", "use ebbline::json::Value;\n").is_empty());
        let faults = faults("ebbline", "\nuse ebbline_compat::pi;\n");
        assert!(matches!(&faults[..], [only] if only.starts_with("a.rs:2 uses the crate ebbline_compat")));
    }
}

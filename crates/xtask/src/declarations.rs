//! The declarations that `tsc` writes of the npm package: those that an entry reaches are shipped, each with a twin for `require`,
//! which cannot load what is for `import`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};

/// What a name in a declaration stands behind, if it is the name of a file.
const BEFORE_NAMES: [&str; 3] = ["from ", "import(", "import "];

/// Keeps the declarations in `dist` that the entries of `manifest` reach, and writes their twins. All others are removed, and so is
/// JavaScript in which nothing is left.
pub(crate) fn keep_reached(dist: &Path, manifest: &str) -> Outcome<()> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<PathBuf> = entries(manifest).map(|entry| dist.join(entry)).collect();
    while let Some(declaration) = open.pop() {
        let text = fs::read_to_string(&declaration).map_err(|_| missing(&declaration))?;
        for name in names(&text) {
            open.push(beside(&declaration, name).with_extension("d.ts"));
        }
        let twin = declaration.with_extension("cts");
        fs::write(&twin, for_require(&text)).context(|| format!("cannot write {}", twin.display()))?;
        reached.insert(declaration);
        open.retain(|file| !reached.contains(file));
    }
    remove_others(dist, &reached)
}

/// The declarations that a manifest names, relative to `dist`.
fn entries(manifest: &str) -> impl Iterator<Item = &str> {
    manifest
        .split("\"./dist/")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .filter(|entry| entry.ends_with(".d.ts"))
}

/// The names of the files of the package that a declaration imports, as they are written.
fn names(text: &str) -> impl Iterator<Item = &str> {
    BEFORE_NAMES.into_iter().flat_map(move |before| {
        text.split(before).skip(1).filter_map(|rest| {
            let quote = rest.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
            let (name, _) = rest.get(1..)?.split_once(quote)?;
            (name.starts_with('.') && name.strip_suffix(".js").is_some()).then_some(name)
        })
    })
}

/// The file that a declaration names.
fn beside(declaration: &Path, name: &str) -> PathBuf {
    let mut place = declaration.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                place.pop();
            }
            part => place.push(part),
        }
    }
    place
}

/// The same declaration for `require`: what it names are the twins.
fn for_require(text: &str) -> String {
    let mut names: Vec<&str> = names(text).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().fold(text.to_owned(), |text, name| {
        let twin = format!("{}.cjs", name.trim_end_matches(".js"));
        ['\'', '"'].into_iter().fold(text, |text, quote| {
            text.replace(&format!("{quote}{name}{quote}"), &format!("{quote}{twin}{quote}"))
        })
    })
}

/// Removes what is below a folder and says nothing: declarations that are not reached, and the JavaScript of files that hold types alone.
fn remove_others(folder: &Path, reached: &BTreeSet<PathBuf>) -> Outcome<()> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    for file in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if file.is_dir() {
            remove_others(&file, reached)?;
        } else if (is_declaration(&file) && !reached.contains(&file.with_extension("ts"))) || is_empty(&file)
        {
            fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
        }
    }
    // A folder of which nothing is left goes as well; any other stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Whether a file is a declaration, or the twin of one.
fn is_declaration(file: &Path) -> bool {
    let name = file.to_string_lossy();
    name.ends_with(".d.ts") || name.ends_with(".d.cts")
}

/// Whether a file is a module without anything in it.
fn is_empty(file: &Path) -> bool {
    let is_small = fs::metadata(file).is_ok_and(|about| about.len() < 1_000);
    let text = if is_small { fs::read_to_string(file).unwrap_or_default() } else { String::new() };
    text.lines().filter(|line| !line.starts_with("//")).eq(["export {};"])
}

fn missing(path: &Path) -> Failure {
    Failure::new(format!("npm package: {} is missing", path.display()))
        .advise("An entry of npm/package.json, or a declaration that it reaches, names it.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARATION: &str = "import type { Plan } from './generated/plan.js';\nexport * from \"../a.js\";\n\
        import type OpenAI from 'openai/index.js';\nexport type A = import('./b.js').B;\n/** Words from './c'. */\n";

    #[test]
    fn files_of_the_package_are_found_however_they_are_named() {
        let mut found: Vec<_> = names(DECLARATION).collect();
        found.sort_unstable();
        assert_eq!(found, ["../a.js", "./b.js", "./generated/plan.js"]);
        let place = beside(Path::new("dist/adapters/x.d.ts"), "../generated/plan.js");
        assert_eq!(place.with_extension("d.ts"), Path::new("dist/generated/plan.d.ts"));
    }

    #[test]
    fn twins_name_twins_and_leave_libraries_alone() {
        let twin = for_require(DECLARATION);
        for name in ["'./generated/plan.cjs'", "\"../a.cjs\"", "import('./b.cjs')", "'openai/index.js'"] {
            assert!(twin.contains(name), "{twin}");
        }
    }

    #[test]
    fn entries_are_the_declarations_that_a_manifest_names() {
        let manifest = r#"{ "types": "./dist/index.d.cts", "a": { "types": "./dist/index.d.ts", "default": "./dist/a.js" } }"#;
        assert_eq!(entries(manifest).collect::<Vec<_>>(), ["index.d.ts"]);
    }

    #[test]
    fn what_no_entry_reaches_goes() {
        let dist = std::env::temp_dir().join(format!("ebbline-declarations-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let file = dist.join(name);
            let _ = fs::create_dir_all(file.parent().unwrap_or(&dist));
            let _ = fs::write(file, text);
        };
        write("index.d.ts", "export * from './inside/a.js';\n");
        write("inside/a.d.ts", "export declare const a: 1;\n");
        write("inside/a.js", "export const a = 1;\n");
        write("types.js", "// Types.\nexport {};\n");
        write("other/engine.d.ts", "export declare const b: 1;\n");
        write("node.d.cts", "export declare const c: 1;\n");
        let kept = keep_reached(&dist, r#"{ "types": "./dist/index.d.ts" }"#);
        let is_there = |name: &str| dist.join(name).exists();
        let left =
            ["index.d.ts", "index.d.cts", "inside/a.d.ts", "inside/a.d.cts", "inside/a.js"].map(is_there);
        let gone = ["types.js", "other", "node.d.cts"].map(is_there);
        let twin = fs::read_to_string(dist.join("index.d.cts")).unwrap_or_default();
        let _ = fs::remove_dir_all(&dist);
        assert!(kept.is_ok() && left == [true; 5] && gone == [false; 3], "{left:?} {gone:?}");
        assert_eq!(twin, "export * from './inside/a.cjs';\n");
    }
}

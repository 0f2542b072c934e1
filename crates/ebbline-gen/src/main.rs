//! Writes what repeats the engine's definitions in other languages, and the README of each registry: `cargo xtask gen`.
//!
//! The engine defines its words ([`ebbline_json::words!`]), its knobs ([`ebbline::policy::knob`]), the members of a plan
//! ([`ebbline::binding::form`]) and the layout of records ([`ebbline::binding::records::layout`]). This program walks those definitions; it
//! knows nothing that they do not say, but for how each language writes it.
#![expect(clippy::print_stderr, reason = "a program for people at a terminal: printing is its interface")]
#![expect(
    clippy::format_collect,
    reason = "files of a few thousand lines: what is read at once is worth more than an allocation"
)]

mod constants;
mod javascript;
mod ordered;
mod prose;
mod readme;
mod reports;
mod schema;
mod tables;
mod typed;
mod types;
mod version;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// A file and what it has to hold.
struct Output {
    path: &'static str,
    text: String,
}

/// What mends a file that differs.
const MEND: &str = "cargo xtask gen";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let is_check = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("Usage: ebbline-gen [--check]");
            return ExitCode::from(2);
        }
    };
    let root = root();
    let outputs = match outputs(&root) {
        Ok(outputs) => outputs,
        Err(fault) => {
            eprintln!("{fault}");
            return ExitCode::FAILURE;
        }
    };
    let mut code = ExitCode::SUCCESS;
    for output in outputs {
        let path = root.join(output.path);
        if fs::read_to_string(&path).is_ok_and(|found| found == output.text) {
            continue;
        }
        if is_check {
            eprintln!("{} is not what the engine's definitions say; run `{MEND}`", output.path);
            code = ExitCode::FAILURE;
        } else if let Err(fault) = write(&path, &output.text) {
            eprintln!("cannot write {}: {fault}", output.path);
            code = ExitCode::FAILURE;
        } else {
            eprintln!("wrote {}", output.path);
        }
    }
    code
}

/// The project's root: two folders above this crate.
fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.ancestors().nth(2).unwrap_or(&manifest).to_path_buf()
}

/// Everything that is generated; documents are read for what stands around their tables.
fn outputs(root: &Path) -> Result<Vec<Output>, String> {
    let output = |path, text| Output { path, text };
    let mut outputs = vec![
        output("npm/src/generated/words.ts", types::words()),
        output("npm/src/generated/plan.ts", types::plan()),
        output("npm/src/generated/policy.ts", types::policy()),
        output("npm/src/generated/reports.ts", types::reports()),
        output("npm/src/generated/records.ts", constants::records()),
        output("npm/src/generated/formats.ts", constants::formats()),
        output("npm/src/generated/identity.ts", constants::identity()),
        output("npm/src/generated/injection.ts", constants::injected()),
        output("npm/src/generated/decision.ts", constants::decision()),
        output("npm/src/generated/names.ts", constants::names()),
        output("npm/src/generated/recall-tools.ts", constants::recall_tools()),
        output("python/src/ebbline/_recall_tools.py", typed::recall_tools()),
        output("python/src/ebbline/_knobs.py", typed::knobs()),
        output("python/src/ebbline/_reports.py", typed::reports()),
        output("docs/plan.schema.json", schema::plan()),
        output("docs/policy.schema.json", schema::policy()),
    ];
    let read = |path: &str| {
        fs::read_to_string(root.join(path)).map_err(|fault| format!("cannot read {path}: {fault}"))
    };
    let at = |path: &'static str| move |fault| format!("{path}: {fault}");
    for path in tables::DOCUMENTS {
        outputs.push(output(path, tables::filled(&read(path)?).map_err(at(path))?));
    }
    for (path, begin, end) in version::PLACES {
        outputs.push(output(path, version::in_text(&read(path)?, begin, end).map_err(at(path))?));
    }
    let text = read("README.md")?;
    for registry in readme::REGISTRIES {
        outputs.push(output(registry.2, readme::of(&text, registry).map_err(at("README.md"))?));
    }
    Ok(outputs)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_committed_is_what_the_definitions_say() {
        let root = root();
        for Output { path, text } in outputs(&root).unwrap_or_default() {
            let found = fs::read_to_string(root.join(path)).unwrap_or_default();
            assert!(found == text, "{path} is not what the engine's definitions say; run `{MEND}`");
        }
    }
}

//! The checks that run no tests: format, order of layers, lints, types, documentation, generated files, dependencies.

mod advisories;
mod surface;

use std::process::{Command, ExitCode};

use crate::failure::Outcome;
use crate::generate;
use crate::lanes;
use crate::layers;
use crate::node;
use crate::project::Project;
use crate::setup;
use crate::step::{self, Step, say};
use crate::toolchain::{TARGET, Toolchain};

use advisories::Answer;

/// The step that compares generated files with the engine's definitions.
const GENERATED: &str = "generated files";
/// The step that reads the subjects of commits.
const SUBJECTS: &str = "subjects";
/// Names those of more than 72 letters. The rule begins behind this commit; a source archive has none.
const LONG_SUBJECTS: &str = "! git log --no-merges --format='%h %s' --max-count=50 HEAD \
    ^7a0f656c9d55dfe2079e8a325b1e7d2537def9c9 2>/dev/null | grep -E '^[^ ]+ .{73}'";
/// The two halves of the checks, which run beside each other.
const RUST: &str = "Rust";
const OTHERS: &str = "JavaScript, dependencies";
/// The crate of the page, a part of which is tested natively.
const PAGE: &str = "ebbline-web";
/// The crate of the native program.
const NATIVE: &str = "ebbline-cli";
/// The crates that know JavaScript or the DOM.
const BINDINGS: [&str; 7] = [
    "ebbline-tokenizer-wasm", "ebbline-wasm", "ebbline-files-wasm", "ebbline-cli-wasm",
    "ebbline-wasm-shared", "ebbline-compat-wasm", PAGE,
];

/// Runs all checks and reports all faults, not only the first. With `record`, it records the surface of the libraries.
pub(crate) fn check(project: &Project, record: bool) -> Outcome<ExitCode> {
    let toolchain = setup::for_checks(project)?;
    // The compiler checks a large crate on one processor; what waits for other programs and for servers needs the other.
    let results = lanes::run(2, &[RUST, OTHERS], |name| match name {
        RUST => rust(project, toolchain, record).map(|good| (good, Vec::new())),
        _ => others(project),
    });
    let mut good = true;
    let mut not_run = Vec::new();
    for (_, result) in results {
        let (is_good, missing) = result?;
        good &= is_good;
        not_run.extend(missing);
    }
    if !not_run.is_empty() {
        say!("\n{}", step::odd("Not run:"));
        for what in not_run {
            say!("  {what}");
        }
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What cargo compiles for.
fn rust(project: &Project, toolchain: Toolchain, record: bool) -> Outcome<bool> {
    let bindings = BINDINGS.map(|name| ["-p", name]).concat();
    let strict = ["--", "-D", "warnings"];

    let mut format = project.cargo();
    format.args(["fmt", "--all", "--check", "--", "--color", "never"]);

    let mut host = project.cargo();
    host.args(["clippy", "--workspace", "--all-targets"]);
    if toolchain.has_clippy() {
        // The next step lints these crates for WebAssembly, which is their only target.
        host.args(BINDINGS.iter().filter(|name| **name != PAGE).flat_map(|name| ["--exclude", name]));
    }
    host.args(strict);

    let mut wasm = project.cargo();
    wasm.arg("clippy").args(&bindings);
    if toolchain.has_clippy() {
        // No tests: these crates have none but the page's, which the step before lints. What tests depend on would turn on
        // features of other crates, which cargo would then check once more.
        wasm.args(["--target", TARGET]);
    } else {
        say!("  {} has no clippy: the wasm crates are linted as the host compiles them", toolchain.name());
    }
    wasm.args(strict);

    // The native program has the name of the library, whose JSON it would overwrite: it is documented as HTML. Beside it is
    // asked for the same features, so that nothing is compiled again.
    let mut docs = surface::documentation(project, &["--workspace", "--exclude", NATIVE], surface::AS_JSON);
    let mut program = surface::documentation(project, &["-p", NATIVE, "-p", "ebbline-features"], "");

    let mut good = one(project, "format", "cargo fmt --check", &mut format)?;
    good &= order_of_layers(project)?;
    let mut subjects = project.command("sh");
    good &= one(project, SUBJECTS, "of the newest 50 commits", subjects.args(["-c", LONG_SUBJECTS]))?;
    let is_written = one(project, "docs", "every link of the documentation", &mut docs)?;
    good &= is_written;
    good &= one(project, "docs, native", "every link of the program's", &mut program)?;
    if is_written {
        good &= surface::check(project, record)?;
    } else {
        say!("  surface: not run, for the documentation has faults");
    }
    good &= one(project, "clippy, host", "all targets of what runs here", &mut host)?;
    good &= one(project, "clippy, wasm", "the bindings and the page", &mut wasm)?;
    let mut generated = generate::check(project);
    good &= one(project, GENERATED, "types, schemas, constants and tables", &mut generated)?;
    Ok(good)
}

/// JavaScript, the dependencies, and the servers' lists of advisories. Returns also what could not run, with the reason.
fn others(project: &Project) -> Outcome<(bool, Vec<String>)> {
    let mut lint = project.command("biome");
    lint.args(["check", "--error-on-warnings", "--colors=off"]);

    let mut deny = project.cargo();
    deny.args(["deny", "--color", "never", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);

    let mut good = one(project, "lint, JavaScript", "biome check", &mut lint)?;
    node::install(project, &node::HOSTS)?;
    for folder in ["npm", "tests"] {
        let mut types = project.command("tsc");
        types.args(["--project", folder, "--noEmit", "--pretty", "false"]);
        good &= one(project, &format!("types, {folder}"), "tsc, by its tsconfig.json", &mut types)?;
    }
    good &= one(project, "licences, bans", "cargo deny", &mut deny)?;

    let mut not_run = Vec::new();
    for (name, answer) in advisories::ask(project)? {
        match answer {
            Answer::Clean => {}
            Answer::Faults => good = false,
            Answer::None(why) => not_run.push(format!("{name}: {why}")),
        }
    }
    Ok((good, not_run))
}

fn order_of_layers(project: &Project) -> Outcome<bool> {
    let step = Step::begin("layers", "every module and crate uses only what lies below it");
    let faults = layers::faults(project)?;
    for fault in &faults {
        say!("  {fault}");
    }
    if faults.is_empty() {
        step.done("no faults");
    } else {
        step.done_badly(
            "what to do: move what both need into the lower layer; the table is in crates/xtask/src/layers.rs",
        );
    }
    Ok(faults.is_empty())
}

fn one(project: &Project, name: &str, doing: &str, command: &mut Command) -> Outcome<bool> {
    let step = Step::begin(name, doing);
    let finished = step.attempt(command)?;
    if finished.success() {
        step.done("no faults");
        return Ok(true);
    }
    for line in finished.lines.iter().filter(|line| !is_progress(line)) {
        say!("  {line}");
    }
    step.done_badly(advice(name, &finished.lines, project));
    Ok(false)
}

/// Cargo's progress messages, which contain no faults.
fn is_progress(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    matches!(
        first,
        "Compiling" | "Checking" | "Documenting" | "Downloaded" | "Downloading" | "Blocking" | "Finished"
    )
}

fn advice(name: &str, lines: &[String], project: &Project) -> String {
    if lines
        .iter()
        .any(|line| line.contains("is not installed for the toolchain") || line.contains("no such command"))
    {
        return "what to do: rustup component add clippy rustfmt".to_owned();
    }
    match name {
        GENERATED => "what to do: cargo xtask gen, and commit what it writes".to_owned(),
        "format" => "what to do: cargo fmt --all".to_owned(),
        SUBJECTS => "what to do: git rebase; a subject is one line of a log, its body says why".to_owned(),
        "licences, bans" => {
            "what to do: do without the crate, or allow in deny.toml what it asks for".to_owned()
        }
        _ => format!("what to do: mend the lines above in {}", project.root().display()),
    }
}

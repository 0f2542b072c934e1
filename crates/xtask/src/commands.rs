//! The commands of `cargo xtask` and their help texts.

/// A command and its help texts.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) usage: &'static str,
    about: &'static str,
    more: &'static str,
}

/// All commands, beginning with the two that a newcomer needs.
pub(crate) static COMMANDS: [Command; 17] = [
    Command {
        name: "play",
        usage: "play [--port N] [--debug]",
        about: "set up, build and serve the playground on http://127.0.0.1:8080",
        more: "  --port N   another port than 8080; a taken one is named with the next free one\n  \
               --debug    build without optimizing: quicker to build, slower to use\n\n\
               The first run builds everything and takes minutes; the next starts within seconds.",
    },
    Command {
        name: "test",
        usage: "test [STAGE..]",
        about: "set up and run every test: engine, wasm, npm package, playground in Chromium",
        more: "Stages: engine, xtask, conformance, fuzz, web, wasm, npm, component, command-line, hosts, runtimes, golden, sessions,\n\
               playground, speed; all of them if none is named.\n\
               What cannot be run is named and counted as skipped; with CI=true in the environment, as failed.\n\
               The last line is `N passed, N failed, N skipped`.",
    },
    Command {
        name: "setup",
        usage: "setup",
        about: "install what the other commands need; finished steps are skipped",
        more: "Looks for or installs: the wasm32 target, the sources of the standard library, wasm-bindgen, Trunk, cargo-deny,\n\
               the npm packages of tests/, Chromium (in CI its shell).\n\n\
               Where rustup cannot fetch the target, a Debian machine (as root) builds the standard library once from the\n\
               package rust-web-src. EBBLINE_WASM=debian takes this way even if rustup could; it then has to be set for\n\
               the other commands too. CHROMIUM_PATH names a browser that is not in a usual place.",
    },
    Command {
        name: "npm",
        usage: "npm",
        about: "build the npm package into target/npm/ebbline, ready for `npm pack`",
        more: "Compiles ebbline-wasm, runs wasm-bindgen and wasm-opt, adds npm. `cargo xtask size` prints the compressed sizes.",
    },
    Command {
        name: "component",
        usage: "component [--hosts]",
        about: "build the engine as a WebAssembly component into target/component/ebbline.wasm",
        more: "Compiles ebbline-component, runs wasm-opt, wraps the module with jco (from npm, about 340 MB the first time), and\n\
               copies the component into python/src/ebbline, ready for `pip wheel --no-deps ./python`.\n\n\
               --hosts   run it in every host on this machine, and print a table; compiles wasmtime for Rust, which takes minutes",
    },
    Command {
        name: "site",
        usage: "site",
        about: "build playground, lesson, documentation and references into target/site, and check every link",
        more: "Static files that work under any path: the playground at the root, learn/ (the lesson), docs/ (the Markdown of the\n\
               project), api/js/ (TypeDoc) and api/rust/ (rustdoc). A dead link or a dead anchor of a page fails, with its name.",
    },
    Command {
        name: "golden",
        usage: "golden DIR [--native | --npm]",
        about: "check a folder of golden vectors, natively and through the npm package",
        more: "Prints passed and failed for each file. A file the engine does not cover yet is named and counted.",
    },
    Command {
        name: "sessions",
        usage: "sessions DIR [--native | --npm]",
        about: "check a folder of session files, natively and through the npm package",
        more: "Each file is detected and read; an empty plan must give the same bytes, a real plan may change only what it\n\
               names, and planning again must change nothing. A MANIFEST.tsv in the folder says what to find.",
    },
    Command {
        name: "corpus",
        usage: "corpus DIR [--bytes SIZE] [--seed N]",
        about: "write made-up sessions of many formats into a folder: the same for the same size and seed",
        more: "  --bytes SIZE   so much in all, such as 200MB (the default) or 10GB\n  \
               --seed N       other sessions than those of seed 1\n\n\
               Sessions of 20 formats with outputs of tools as agents have them: source code, logs, JSON, some of it beyond\n\
               Latin-1; from a few kilobytes to many megabytes. `cargo xtask bench corpus` measures over them.",
    },
    Command {
        name: "defaults",
        usage: "defaults DIR [KNOB=VALUE,VALUE .. | --lives FILE | --peers FILE]",
        about: "replay policies over the sessions of a folder, and print the tables of docs/defaults.md",
        more: "Each policy is scored in four windows, under three sets of charges, and under three assumptions about summaries: they\n\
               carry nothing; they are what the deterministic summary says; they name 1,800 tokens of identifiers.\n\n  \
               KNOB=VALUE,VALUE   also the default with these values, such as prune.downTo=30%,50%\n  \
               --lives FILE       write the sessions for `node tests/hosts/peers/replay.mjs`, which runs other libraries over them\n  \
               --peers FILE       print the table of the rows that it wrote, with our policies beside them",
    },
    Command {
        name: "runtimes",
        usage: "runtimes [WORD..]",
        about: "install the packed package into empty projects and try it in every runtime and bundler",
        more: "Node with import and require, Deno, Bun, workerd, Chromium with and without a bundler and in a worker, Vite, webpack,\n\
               esbuild, tsc, publint, attw; then a table of runtime, version, what was checked, and whether it holds. With WORDs,\n\
               only those whose name contains one. The first run fetches the runtimes from npm (200 MB).",
    },
    Command {
        name: "size",
        usage: "size [--record]",
        about: "print what users download beside its budget, and how long Node takes to load it",
        more: "  --record   write the sizes as they are now into tests/budgets.json\n\n\
               A size may grow by 5 % beyond the recorded one, and never beyond its limit. `cargo xtask test` holds the\n\
               package and the page to it, too.",
    },
    Command {
        name: "bench",
        usage: "bench [--quick] [calls | corpus [DIR] [--bytes SIZE]]",
        about: "measure the engine and the npm package against others, and write docs/performance.md",
        more: "The same seeded sessions of 100 to 100,000 messages for every contender, shuffled and interleaved in one process\n\
               for each length; medians of processor time, and ratios. The other packages are those of tests/bench. Where\n\
               valgrind is installed, instructions are counted, too. The whole takes about twenty minutes and writes its\n\
               tables into docs/performance.md.\n\n  \
               --quick    a minute: short sessions, few rounds; prints only\n\n\
               calls measures the same calls natively, through the npm package, and through the component in Node and Python, and\n\
               writes their table into docs/performance.md.\n\n\
               corpus measures the native command line over the sessions of `cargo xtask corpus` beside jq and DuckDB, and\n\
               writes its table into docs/performance.md. Without DIR, it makes them in target/corpus, 200 MB.",
    },
    Command {
        name: "gen",
        usage: "gen",
        about: "write the files that are generated from the engine's definitions: types, schemas, constants, tables",
        more: "The words, knobs, members of a plan and bits of records are defined once, in Rust. This writes what repeats them:\n\
               TypeScript declarations, JSON schemas, JavaScript constants, tables of the documents, the README of each registry. `cargo xtask check`\n\
               fails when a file differs.",
    },
    Command {
        name: "check",
        usage: "check [--record]",
        about: "check format, lints and types, documentation, dependencies",
        more: "rustfmt, clippy (host and wasm) and rustdoc; Biome and the TypeScript compiler over the JavaScript; cargo-deny and\n\
               npm audit over the dependencies. Warnings count as faults.\n\n  \
               --record   write the public surface of the libraries into tests/surface\n\n\
               Advisories come over the network. Where their server does not answer, the check is named as not run.",
    },
    Command {
        name: "release",
        usage: "release --dry-run",
        about: "make everything that a release publishes, check it, and say what it would publish",
        more: "The crates by `cargo publish`, in order; the npm package by `npm publish`; wheel and sdist by `python -m build` and\n\
               `twine check`. All have the version of Cargo.toml, which `cargo xtask gen` writes into what repeats it.",
    },
    Command {
        name: "ci",
        usage: "ci",
        about: "check and test, beside each other: everything that must pass before a merge",
        more: "What .ci/run runs. The last line is that of `test`, in which the checks count as one.",
    },
];

impl Command {
    /// What `--help` prints.
    pub(crate) fn help(&self) -> String {
        format!("cargo xtask {}\n\n{}.\n\n{}", self.usage, capitalized(self.about), self.more)
    }
}

/// The list of commands.
pub(crate) fn overview() -> String {
    let width = COMMANDS.iter().map(|command| command.usage.len()).max().unwrap_or(0);
    let rows: Vec<String> =
        COMMANDS.iter().map(|command| format!("  {:width$}  {}", command.usage, command.about)).collect();
    format!("Usage: cargo xtask COMMAND\n\n{}\n\n`cargo xtask COMMAND --help` says more.", rows.join("\n"))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

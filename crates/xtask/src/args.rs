//! The command line: few enough words to be read by hand.

use std::fmt;
use std::path::PathBuf;

use crate::reports::Engine;
use crate::test::Stage;

/// The port the playground is served on unless another is asked for.
const PORT: u16 = 8080;

/// A command as it is listed and explained.
#[derive(Debug)]
pub(crate) struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    more: &'static str,
}

/// All commands, the two a newcomer needs first.
static COMMANDS: [Command; 13] = [
    Command {
        name: "play",
        usage: "play [--port N] [--debug]",
        about: "set up, build and serve the playground on http://127.0.0.1:8080",
        more: "  --port N   another port than 8080; a taken one is named with the next free one\n  \
               --debug    build without optimising: quicker to build, slower to use\n\n\
               The first run builds everything and takes minutes; the next starts within seconds.",
    },
    Command {
        name: "test",
        usage: "test [STAGE..]",
        about: "set up and run every test: engine, wasm, npm package, playground in Chromium",
        more: "Stages: engine, xtask, conformance, fuzz, web, wasm, npm, runtimes, golden, sessions, playground; all of them if none is named.\n\
               What cannot be run is named and counted as skipped; with CI=true in the environment, as failed.\n\
               The last line is `N passed, N failed, N skipped`.",
    },
    Command {
        name: "setup",
        usage: "setup",
        about: "get what the other commands need; each step is skipped when it is done already",
        more: "Looks for or installs: the wasm32 target, wasm-bindgen, Trunk, the npm packages of tests/, Chromium.\n\n\
               Where rustup cannot fetch the target, a Debian machine (as root) builds the standard library once from the\n\
               package rust-web-src. EBBLINE_WASM=debian takes this way even if rustup could; it then has to be set for\n\
               the other commands too. CHROMIUM_PATH names a browser that is not in a usual place.",
    },
    Command {
        name: "npm",
        usage: "npm",
        about: "build the npm package into target/npm/ebbline, ready for `npm pack`",
        more: "Compiles ebbline-wasm, runs wasm-bindgen and wasm-opt, adds crates/ebbline-wasm/js, prints the sizes.",
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
        name: "fuzz",
        usage: "fuzz [--cases N] [--seconds N] [FOLDER]",
        about: "damage sessions at random and see that nothing breaks, for a minute or as long as you like",
        more: "  --cases N      so many damaged texts, over all targets; 100000 take about ten minutes\n  \
               --seconds N    so long, over all targets\n  \
               --seed N       other texts than those of seed 1\n  \
               --target NAME  parse, a format's name, every_format, or all (may be given several times)\n  \
               --first N      begin with case N: with `--cases 1`, the very case that a report names\n  \
               FOLDER         more sessions to damage, besides the project's fixtures\n\n\
               A case depends on seed, target and number only. For each target: how many cases, how much memory reading\n\
               took at most, in lengths of the text. What fails is made shorter and written to target/fuzz.",
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
        usage: "bench [--quick]",
        about: "measure the engine and the npm package against others, and write docs/performance.md",
        more: "The same seeded sessions of 100 to 100,000 messages for every contender, shuffled and interleaved in one process\n\
               for each length; medians of processor time, and ratios. The other packages are those of tests/bench. Where\n\
               valgrind is installed, instructions are counted, too. The whole takes about twenty minutes and writes its\n\
               tables into docs/performance.md.\n\n  \
               --quick    a minute: short sessions, few rounds; prints only",
    },
    Command {
        name: "gen",
        usage: "gen",
        about: "write what follows from the engine's definitions: types, schemas, constants, tables",
        more: "The words, knobs, members of a plan and bits of records are defined once, in Rust. This writes what repeats them:\n\
               TypeScript declarations, JSON schemas, JavaScript constants, the tables of docs/reference.md. `cargo xtask check`\n\
               fails when a file differs.",
    },
    Command {
        name: "check",
        usage: "check",
        about: "check format, lints (host and wasm) and documentation",
        more: "Warnings count as faults.",
    },
    Command {
        name: "ci",
        usage: "ci",
        about: "check, then test: what has to be right before a merge",
        more: "The same as .ci/run.",
    },
];

impl Command {
    /// What `--help` prints.
    pub(crate) fn help(&self) -> String {
        format!("cargo xtask {}\n\n{}.\n\n{}", self.usage, capitalised(self.about), self.more)
    }
}

/// The list of commands.
pub(crate) fn overview() -> String {
    let width = COMMANDS.iter().map(|command| command.usage.len()).max().unwrap_or(0);
    let rows: Vec<String> =
        COMMANDS.iter().map(|command| format!("  {:width$}  {}", command.usage, command.about)).collect();
    format!("Usage: cargo xtask COMMAND\n\n{}\n\n`cargo xtask COMMAND --help` says more.", rows.join("\n"))
}

/// How the playground is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As it is published.
    #[default]
    Release,
    /// As quickly as possible.
    Debug,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it; the document is written.
    Whole,
    /// As much as fits into a minute; the document stays as it is.
    Quick,
}

/// What was asked for.
#[derive(Debug)]
pub(crate) enum Request {
    Overview,
    Help(&'static Command),
    Setup,
    Play { port: u16, mode: Mode },
    Test { stages: Vec<Stage> },
    Golden { folder: PathBuf, engines: &'static [Engine] },
    Sessions { folder: PathBuf, engines: &'static [Engine] },
    Fuzz { words: Vec<String> },
    Npm,
    Runtimes { words: Vec<String> },
    Size { record: bool },
    Bench(Extent),
    Gen,
    Check,
    Ci,
}

/// A command line that means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misuse(String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads the words after `cargo xtask`.
///
/// # Errors
///
/// When a word is unknown, missing or of the wrong kind; the message says which.
pub(crate) fn read(words: &[String]) -> Result<Request, Misuse> {
    let mut words = words.iter().map(String::as_str);
    let name = match words.next() {
        None | Some("--help" | "-h") => return Ok(Request::Overview),
        Some("help") => match words.next() {
            None => return Ok(Request::Overview),
            Some(name) => return command(name).map(Request::Help),
        },
        Some(name) => name,
    };
    let command = command(name)?;
    let rest: Vec<&str> = words.collect();
    if rest.iter().any(|word| matches!(*word, "--help" | "-h")) {
        return Ok(Request::Help(command));
    }
    match command.name {
        "play" => read_play(&rest),
        "test" => read_test(&rest),
        "golden" => read_check(command, &rest).map(|(folder, engines)| Request::Golden { folder, engines }),
        "sessions" => {
            read_check(command, &rest).map(|(folder, engines)| Request::Sessions { folder, engines })
        }
        "fuzz" => read_fuzz(&rest).map(|words| Request::Fuzz { words }),
        "runtimes" => Ok(Request::Runtimes { words: rest.iter().map(|word| (*word).to_owned()).collect() }),
        "setup" => alone(command, &rest, Request::Setup),
        "npm" => alone(command, &rest, Request::Npm),
        "size" if rest == ["--record"] => Ok(Request::Size { record: true }),
        "size" => alone(command, &rest, Request::Size { record: false }),
        "bench" => match rest.as_slice() {
            ["--quick"] => Ok(Request::Bench(Extent::Quick)),
            _ => alone(command, &rest, Request::Bench(Extent::Whole)),
        },
        "gen" => alone(command, &rest, Request::Gen),
        "check" => alone(command, &rest, Request::Check),
        _ => alone(command, &rest, Request::Ci),
    }
}

fn command(name: &str) -> Result<&'static Command, Misuse> {
    COMMANDS
        .iter()
        .find(|command| command.name == name)
        .ok_or_else(|| Misuse(format!("There is no command `{name}`.")))
}

fn alone(command: &Command, rest: &[&str], request: Request) -> Result<Request, Misuse> {
    match rest.first() {
        None => Ok(request),
        Some(word) => Err(Misuse(format!("`cargo xtask {}` takes no `{word}`.", command.name))),
    }
}

fn read_play(rest: &[&str]) -> Result<Request, Misuse> {
    let (mut port, mut mode) = (PORT, Mode::Release);
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match name {
            "--port" => {
                let value = value
                    .or_else(|| words.next())
                    .ok_or_else(|| Misuse("`--port` needs a number.".to_owned()))?;
                port = value.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
                    Misuse(format!("`{value}` is no port: a number from 1 to 65535 is needed."))
                })?;
            }
            "--debug" => mode = Mode::Debug,
            "--release" => mode = Mode::Release,
            _ => return Err(Misuse(format!("`cargo xtask play` takes no `{word}`."))),
        }
    }
    Ok(Request::Play { port, mode })
}

fn read_test(rest: &[&str]) -> Result<Request, Misuse> {
    let stage = |word: &&str| {
        Stage::ALL.into_iter().find(|stage| stage.name() == *word).ok_or_else(|| {
            let names: Vec<&str> = Stage::ALL.map(Stage::name).to_vec();
            Misuse(format!("There is no stage `{word}`; the stages are {}.", names.join(", ")))
        })
    };
    Ok(Request::Test { stages: rest.iter().map(stage).collect::<Result<_, _>>()? })
}

fn read_check(command: &Command, rest: &[&str]) -> Result<(PathBuf, &'static [Engine]), Misuse> {
    let mut folder = None;
    let mut engines: &[Engine] = &[Engine::Native, Engine::Npm];
    for word in rest {
        match *word {
            "--native" => engines = &[Engine::Native],
            "--npm" => engines = &[Engine::Npm],
            word if word.starts_with('-') || folder.is_some() => {
                return Err(Misuse(format!("`cargo xtask {}` takes no `{word}`.", command.name)));
            }
            word => folder = Some(word),
        }
    }
    let folder = folder.ok_or_else(|| Misuse(format!("`cargo xtask {}` needs a folder.", command.name)))?;
    // Relative to where the person stands: the programs that read it are started elsewhere.
    let path = std::path::absolute(folder).map_err(|error| Misuse(format!("`{folder}`: {error}")))?;
    if !path.is_dir() {
        return Err(Misuse(format!("There is no folder {}.", path.display())));
    }
    Ok((path, engines))
}

/// The fuzzer reads its own options; what is a folder to the person is none to a program started elsewhere.
fn read_fuzz(rest: &[&str]) -> Result<Vec<String>, Misuse> {
    let mut read = Vec::new();
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--cases" | "--seconds" | "--seed" | "--first" | "--target" => {
                let value = words.next().ok_or_else(|| Misuse(format!("`{word}` needs a value.")))?;
                if word != "--target" && value.parse::<u64>().is_err() {
                    return Err(Misuse(format!("`{word}` needs a number, not `{value}`.")));
                }
                read.extend([word.to_owned(), value.to_owned()]);
            }
            word if word.starts_with('-') => {
                return Err(Misuse(format!("`cargo xtask fuzz` takes no `{word}`.")));
            }
            folder => {
                let path =
                    std::path::absolute(folder).map_err(|error| Misuse(format!("`{folder}`: {error}")))?;
                if !path.is_dir() {
                    return Err(Misuse(format!("There is no folder {}.", path.display())));
                }
                read.push(path.to_string_lossy().into_owned());
            }
        }
    }
    Ok(read)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        read(&words).map_err(|misuse| misuse.to_string())
    }

    #[test]
    fn nothing_and_help_list_the_commands() {
        for line in ["", "help", "--help", "-h"] {
            assert!(matches!(parse(line), Ok(Request::Overview)), "{line}");
        }
        for command in &COMMANDS {
            assert!(overview().contains(command.usage));
            assert!(
                matches!(parse(&format!("{} --help", command.name)), Ok(Request::Help(help)) if help.name == command.name)
            );
        }
        assert!(matches!(parse("help play"), Ok(Request::Help(_))));
    }

    #[test]
    fn every_command_is_understood() {
        for command in COMMANDS.iter().filter(|command| !command.usage.contains("DIR")) {
            assert!(parse(command.name).is_ok(), "{}", command.name);
        }
        assert_eq!(parse("paly").unwrap_err(), "There is no command `paly`.");
        assert_eq!(parse("setup now").unwrap_err(), "`cargo xtask setup` takes no `now`.");
    }

    #[test]
    fn play_takes_a_port_in_either_spelling() {
        for (line, expected) in
            [("play", 8080), ("play --port 9000", 9000), ("play --port=9000 --debug", 9000)]
        {
            assert!(matches!(parse(line), Ok(Request::Play { port, .. }) if port == expected), "{line}");
        }
        assert!(matches!(parse("play --debug"), Ok(Request::Play { mode: Mode::Debug, .. })));
        for line in ["play --port", "play --port 0", "play --port 65536", "play --port x", "play 9000"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn bench_is_whole_or_quick() {
        assert!(matches!(parse("bench"), Ok(Request::Bench(Extent::Whole))));
        assert!(matches!(parse("bench --quick"), Ok(Request::Bench(Extent::Quick))));
        assert!(parse("bench --fast").is_err());
    }

    #[test]
    fn test_takes_stages_by_name() {
        assert!(
            matches!(parse("test engine npm"), Ok(Request::Test { stages }) if stages == [Stage::Engine, Stage::Npm])
        );
        assert!(parse("test everything").unwrap_err().contains("engine, xtask, conformance, fuzz"));
    }

    #[test]
    fn fuzz_takes_numbers_targets_and_a_folder() {
        assert!(
            matches!(parse("fuzz --cases 9 --target pi ."), Ok(Request::Fuzz { words }) if words.len() == 5)
        );
        for line in ["fuzz --cases", "fuzz --seconds soon", "fuzz --fast", "fuzz /no/such/folder"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn golden_needs_a_folder_that_exists() {
        assert!(matches!(parse("golden . --npm"), Ok(Request::Golden { engines: [Engine::Npm], .. })));
        assert!(matches!(
            parse("sessions ."),
            Ok(Request::Sessions { engines: [Engine::Native, Engine::Npm], .. })
        ));
        assert!(parse("golden").unwrap_err().contains("needs a folder"));
        assert!(parse("golden /no/such/folder").unwrap_err().contains("/no/such/folder"));
        assert!(parse("golden . ..").is_err());
    }
}

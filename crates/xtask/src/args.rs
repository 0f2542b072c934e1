//! The command line: parses the words after `cargo xtask`.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use lexopt::Arg::{self, Long, Short, Value};
use lexopt::Parser;

use crate::commands::{COMMANDS, Command};
use crate::reports::Engine;
use crate::test::Stage;

/// The default port of the playground.
const PORT: u16 = 8080;

/// How the playground is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As published.
    #[default]
    Release,
    /// As quickly as possible.
    Debug,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything; the document is written.
    Whole,
    /// What fits into a minute; the document stays unchanged.
    Quick,
}

/// A parsed command line.
#[derive(Debug)]
pub(crate) enum Request {
    Overview,
    Help(&'static Command),
    Setup,
    Play { port: u16, mode: Mode },
    Test { stages: Vec<Stage> },
    Golden { folder: PathBuf, engines: &'static [Engine] },
    Sessions { folder: PathBuf, engines: &'static [Engine] },
    Npm,
    Component { hosts: bool },
    Runtimes { words: Vec<String> },
    Size { record: bool },
    Site,
    Bench(Extent),
    BenchCalls(Extent),
    BenchCorpus { words: Vec<String>, is_quick: bool },
    Corpus(Vec<String>),
    Defaults(Vec<String>),
    Gen,
    Check { record: bool },
    Release,
    Ci,
}

/// The error of an invalid command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misuse(String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<lexopt::Error> for Misuse {
    fn from(error: lexopt::Error) -> Self {
        Self(format!("{error}."))
    }
}

/// Parses the words after `cargo xtask`.
pub(crate) fn read(words: &[String]) -> Result<Request, Misuse> {
    let mut line = Parser::from_args(words);
    let command = match line.next()? {
        None | Some(Long("help") | Short('h')) => return Ok(Request::Overview),
        Some(Value(name)) if name == "help" => {
            return match line.next()? {
                None => Ok(Request::Overview),
                Some(argument) => command(&written(&argument)).map(Request::Help),
            };
        }
        Some(argument) => command(&written(&argument))?,
    };
    if words.iter().any(|word| matches!(word.as_str(), "--help" | "-h")) {
        return Ok(Request::Help(command));
    }
    match command.name {
        "play" => read_play(command, line),
        "test" => read_test(command, line),
        "golden" => read_check(command, line).map(|(folder, engines)| Request::Golden { folder, engines }),
        "sessions" => {
            read_check(command, line).map(|(folder, engines)| Request::Sessions { folder, engines })
        }
        "runtimes" => read_words(command, line).map(|words| Request::Runtimes { words }),
        "setup" => alone(command, line, Request::Setup),
        "npm" => alone(command, line, Request::Npm),
        "component" => read_switch(command, line, "hosts").map(|hosts| Request::Component { hosts }),
        "site" => alone(command, line, Request::Site),
        "size" => read_switch(command, line, "record").map(|record| Request::Size { record }),
        "bench" => read_bench(command, line),
        "corpus" => corpus_words(line).map(Request::Corpus),
        "defaults" => read_defaults(command, line),
        "gen" => alone(command, line, Request::Gen),
        "check" => read_switch(command, line, "record").map(|record| Request::Check { record }),
        "release" => read_switch(command, line, "dry-run")?.then_some(Request::Release).ok_or_else(|| {
            let why = "a tag publishes, by .github/workflows/release.yml";
            Misuse(format!("`cargo xtask release` needs `--dry-run`: {why}."))
        }),
        _ => alone(command, line, Request::Ci),
    }
}

fn command(name: &str) -> Result<&'static Command, Misuse> {
    COMMANDS
        .iter()
        .find(|command| command.name == name)
        .ok_or_else(|| Misuse(format!("There is no command `{name}`.")))
}

/// An argument as typed.
fn written(argument: &Arg<'_>) -> String {
    match argument {
        Long(name) => format!("--{name}"),
        Short(letter) => format!("-{letter}"),
        Value(word) => word.to_string_lossy().into_owned(),
    }
}

fn unknown(command: &Command, argument: &Arg<'_>) -> Misuse {
    Misuse(format!("`cargo xtask {}` takes no `{}`.", command.name, written(argument)))
}

fn alone(command: &Command, mut line: Parser, request: Request) -> Result<Request, Misuse> {
    line.next()?.map_or(Ok(request), |argument| Err(unknown(command, &argument)))
}

/// A command with one option, which takes no value.
fn read_switch(command: &Command, mut line: Parser, name: &str) -> Result<bool, Misuse> {
    let mut is_set = false;
    while let Some(argument) = line.next()? {
        match argument {
            Long(found) if found == name => is_set = true,
            other => return Err(unknown(command, &other)),
        }
    }
    Ok(is_set)
}

fn read_words(command: &Command, mut line: Parser) -> Result<Vec<String>, Misuse> {
    let mut words = Vec::new();
    while let Some(argument) = line.next()? {
        match argument {
            Value(word) => words.push(word.to_string_lossy().into_owned()),
            other => return Err(unknown(command, &other)),
        }
    }
    Ok(words)
}

fn read_defaults(command: &Command, mut line: Parser) -> Result<Request, Misuse> {
    let mut words = Vec::new();
    while let Some(argument) = line.next()? {
        match argument {
            Value(word) => words.push(word.to_string_lossy().into_owned()),
            Long(option @ ("lives" | "peers")) => {
                let option = format!("--{option}");
                let file = line.value().map_err(|_| Misuse(format!("`{option}` needs a FILE.")))?;
                // The program runs elsewhere.
                let file = std::path::absolute(&file).unwrap_or_else(|_| file.into());
                words.extend([option, file.to_string_lossy().into_owned()]);
            }
            other => return Err(unknown(command, &other)),
        }
    }
    if words.first().is_none_or(|word| word.starts_with("--")) {
        return Err(Misuse("`cargo xtask defaults` needs a DIR.".to_owned()));
    }
    Ok(Request::Defaults(words))
}

fn read_play(command: &Command, mut line: Parser) -> Result<Request, Misuse> {
    let (mut port, mut mode) = (PORT, Mode::Release);
    while let Some(argument) = line.next()? {
        match argument {
            Long("port") => {
                let value = line.value().map_err(|_| Misuse("`--port` needs a number.".to_owned()))?;
                let value = value.to_string_lossy();
                port = value.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
                    Misuse(format!("`{value}` is no port: a number from 1 to 65535 is needed."))
                })?;
            }
            Long("debug") => mode = Mode::Debug,
            Long("release") => mode = Mode::Release,
            other => return Err(unknown(command, &other)),
        }
    }
    Ok(Request::Play { port, mode })
}

fn read_test(command: &Command, line: Parser) -> Result<Request, Misuse> {
    let stage = |word: &String| {
        Stage::ALL.into_iter().find(|stage| stage.name() == *word).ok_or_else(|| {
            let names: Vec<&str> = Stage::ALL.map(Stage::name).to_vec();
            Misuse(format!("There is no stage `{word}`; the stages are {}.", names.join(", ")))
        })
    };
    let words = read_words(command, line)?;
    Ok(Request::Test { stages: words.iter().map(stage).collect::<Result<_, _>>()? })
}

fn read_check(command: &Command, mut line: Parser) -> Result<(PathBuf, &'static [Engine]), Misuse> {
    let mut folder = None;
    let mut engines: &[Engine] = &[Engine::Native, Engine::Npm];
    while let Some(argument) = line.next()? {
        match argument {
            Long("native") => engines = &[Engine::Native],
            Long("npm") => engines = &[Engine::Npm],
            Value(word) if folder.is_none() => folder = Some(word),
            other => return Err(unknown(command, &other)),
        }
    }
    let folder = folder.ok_or_else(|| Misuse(format!("`cargo xtask {}` needs a folder.", command.name)))?;
    Ok((existing(&folder)?, engines))
}

/// A folder relative to the current directory, made absolute because the programs that read it run elsewhere.
fn existing(folder: &OsStr) -> Result<PathBuf, Misuse> {
    let path = std::path::absolute(folder)
        .map_err(|error| Misuse(format!("`{}`: {error}", folder.to_string_lossy())))?;
    if path.is_dir() { Ok(path) } else { Err(Misuse(format!("There is no folder {}.", path.display()))) }
}

/// `bench`, `bench calls`, or `bench corpus` with the words of the generator.
fn read_bench(command: &Command, mut line: Parser) -> Result<Request, Misuse> {
    let (mut is_quick, mut is_calls) = (false, false);
    while let Some(argument) = line.next()? {
        match argument {
            Long("quick") => is_quick = true,
            Value(word) if word == "corpus" && !is_calls => {
                let mut words = corpus_words(line)?;
                let all = words.len();
                words.retain(|word| word != "--quick");
                return Ok(Request::BenchCorpus { is_quick: is_quick || words.len() < all, words });
            }
            Value(word) if word == "calls" && !is_calls => is_calls = true,
            other => return Err(unknown(command, &other)),
        }
    }
    let extent = if is_quick { Extent::Quick } else { Extent::Whole };
    Ok(if is_calls { Request::BenchCalls(extent) } else { Request::Bench(extent) })
}

/// The words of the generator, which reads them itself. It runs elsewhere, so its folder is made absolute.
fn corpus_words(mut line: Parser) -> Result<Vec<String>, Misuse> {
    let mut words: Vec<String> = Vec::new();
    for word in line.raw_args()? {
        let word = word.to_string_lossy().into_owned();
        let is_value = words.last().is_some_and(|last| last == "--bytes" || last == "--seed");
        if word.starts_with('-') || is_value {
            words.push(word);
            continue;
        }
        let path = std::path::absolute(&word).map_err(|error| Misuse(format!("`{word}`: {error}")))?;
        words.push(path.to_string_lossy().into_owned());
    }
    Ok(words)
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
            assert!(crate::commands::overview().contains(command.usage));
            assert!(
                matches!(parse(&format!("{} --help", command.name)), Ok(Request::Help(help)) if help.name == command.name)
            );
        }
        assert!(matches!(parse("help play"), Ok(Request::Help(_))));
    }

    #[test]
    fn every_command_is_understood() {
        for command in
            COMMANDS.iter().filter(|command| !command.usage.contains("DIR") && command.name != "release")
        {
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
        assert_eq!(parse("play --port").unwrap_err(), "`--port` needs a number.");
        for line in ["play --debug=yes", "play --port 0", "play --port 65536", "play --port x", "play 9000"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn bench_is_whole_or_quick() {
        assert!(matches!(parse("bench"), Ok(Request::Bench(Extent::Whole))));
        assert!(matches!(parse("bench --quick"), Ok(Request::Bench(Extent::Quick))));
        assert!(matches!(parse("bench calls"), Ok(Request::BenchCalls(Extent::Whole))));
        assert!(matches!(parse("bench --quick calls"), Ok(Request::BenchCalls(Extent::Quick))));
        assert!(parse("bench calls corpus").is_err());
        assert_eq!(parse("bench --fast").unwrap_err(), "`cargo xtask bench` takes no `--fast`.");
        assert!(matches!(parse("size --record"), Ok(Request::Size { record: true })));
        assert!(matches!(parse("size"), Ok(Request::Size { record: false })));
    }

    #[test]
    fn test_takes_stages_by_name() {
        assert!(
            matches!(parse("test engine npm"), Ok(Request::Test { stages }) if stages == [Stage::Engine, Stage::Npm])
        );
        assert!(parse("test everything").unwrap_err().contains("engine, xtask, conformance, fuzz"));
    }

    #[test]
    fn a_corpus_has_a_folder_a_size_and_a_seed() {
        let Ok(Request::Corpus(words)) = parse("corpus x --bytes 10GB --seed 2") else { panic!("no corpus") };
        assert!(words.len() == 5 && std::path::Path::new(&words[0]).is_absolute(), "{words:?}");
        let request = parse("bench --quick corpus --bytes 1GB").unwrap();
        assert!(matches!(request, Request::BenchCorpus { words, is_quick: true } if words.len() == 2));
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

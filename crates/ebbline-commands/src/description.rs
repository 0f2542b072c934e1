//! The commands and their options as plain data: for the programs that complete command lines.

use crate::help;
use crate::options::{COMMANDS, COMMON, Choice, Takes};

/// The names of the shells.
pub(crate) const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// A command.
#[derive(Clone, Debug)]
pub struct CommandDescription {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: String,
    /// Its options.
    pub options: Vec<OptionDescription>,
    /// What stands behind the options.
    pub words: Words,
}

/// An option.
#[derive(Clone, Debug)]
pub struct OptionDescription {
    /// Its name, without the hyphens.
    pub name: &'static str,
    /// Its letter.
    pub short: Option<char>,
    /// The value that it takes, in capitals; `None` if it takes none.
    pub value: Option<&'static str>,
    /// What it does.
    pub about: String,
    /// What it can be, where that is a closed set.
    pub values: Vec<&'static str>,
    /// Whether its value is the name of a file.
    pub is_file: bool,
    /// Whether its value is a command.
    pub is_command: bool,
}

/// What stands behind the options of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// Nothing.
    Nothing,
    /// One of some words.
    OneOf(&'static str, Vec<&'static str>),
    /// A file and something else.
    Pair(&'static str, &'static str),
    /// Files and folders.
    Paths(&'static str),
    /// Files.
    Files(&'static str),
}

/// What the program is for.
///
/// # Example
///
/// ```
/// assert!(ebbline_commands::about().starts_with("ebbline "));
/// ```
#[must_use]
pub fn about() -> &'static str {
    help::about()
}

/// The options of every command.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline_commands::common()[0].name, "help");
/// ```
#[must_use]
pub fn common() -> Vec<OptionDescription> {
    COMMON.iter().map(|choice| option("", choice)).collect()
}

/// Every command.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline_commands::commands()[0].name, "detect");
/// ```
#[must_use]
pub fn commands() -> Vec<CommandDescription> {
    let commands = COMMANDS.iter().map(|command| CommandDescription {
        name: command.name,
        about: help::of_command(command.name).unwrap_or_default(),
        options: command.choices().map(|choice| option(command.name, choice)).collect(),
        words: words_of(command.name),
    });
    commands.collect()
}

fn option(command: &str, choice: &Choice) -> OptionDescription {
    let (value, about) = help::of_option(command, choice.name).unwrap_or_default();
    OptionDescription {
        name: choice.name,
        short: choice.short,
        value: (choice.takes != Takes::Nothing).then_some(value),
        about,
        values: if choice.takes == Takes::Nothing { Vec::new() } else { values_of(choice.name) },
        is_file: matches!(choice.name, "out" | "record" | "summary" | "answer" | "grid" | "svg"),
        is_command: choice.name == "with",
    }
}

/// What an option can be, where that is a closed set.
fn values_of(option: &str) -> Vec<&'static str> {
    match option {
        "color" => vec!["auto", "always", "never"],
        "recall" => vec!["both", "with", "without"],
        "profile" | "policy" => ebbline::profiles::ALL.iter().map(|profile| profile.name).collect(),
        "format" => ebbline::Format::ALL.iter().map(|format| format.name()).collect(),
        "also" | "except" => ebbline::validate::Rule::ALL.iter().map(|rule| rule.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn words_of(command: &str) -> Words {
    match command {
        "completions" => Words::OneOf("SHELL", SHELLS.to_vec()),
        "profiles" | "man" => Words::Nothing,
        "recall" => Words::Pair("FILE", "ID"),
        "compare" | "sweep" | "audit" => Words::Paths("FILE|FOLDER"),
        _ => Words::Files("FILE"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_described() {
        let commands = commands();
        assert_eq!(commands.len(), COMMANDS.len());
        assert!(commands.iter().all(|command| !command.about.is_empty()));
        let compact = commands.iter().find(|command| command.name == "compact").unwrap();
        let out = compact.options.iter().find(|option| option.name == "out").unwrap();
        assert_eq!((out.short, out.value, out.is_file), (Some('o'), Some("OUT"), true));
    }
}

//! The command line as `clap` describes one: for completions. It parses nothing, because its sentences
//! would be others than those of the npm command line.

use clap::{Arg, ArgAction, Command, ValueHint};

use crate::help;
use crate::options::{self, Choice, Takes};

/// The whole command line.
pub(crate) fn whole() -> Command {
    let commands = options::COMMANDS.iter().map(|command| {
        let about = help::of_command(command.name).unwrap_or_default();
        let described = Command::new(command.name).about(about).disable_help_flag(true);
        let described = described.args(command.choices().map(|choice| argument(command.name, choice)));
        described.arg(words_of(command.name))
    });
    let common = options::COMMON.iter().map(|choice| argument("", choice));
    Command::new("ebbline")
        .version(env!("CARGO_PKG_VERSION"))
        .about(help::about())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(common)
        .subcommands(commands)
}

fn argument(command: &str, choice: &'static Choice) -> Arg {
    let (value, words) = help::of_option(command, choice.name).unwrap_or_default();
    let argument = Arg::new(choice.name).long(choice.name).help(words);
    let argument = match choice.short {
        Some(short) => argument.short(short),
        None => argument,
    };
    match choice.takes {
        Takes::Nothing => argument.action(ArgAction::SetTrue),
        Takes::Value | Takes::Values => {
            let values = values_of(choice.name);
            let argument = argument.action(ArgAction::Append).value_name(value).value_hint(hint(choice.name));
            if values.is_empty() { argument } else { argument.value_parser(values) }
        }
    }
}

/// What an option can be, where that is a closed set.
fn values_of(option: &str) -> Vec<&'static str> {
    match option {
        "color" => vec!["auto", "always", "never"],
        "profile" | "policy" => ebbline::profiles::ALL.iter().map(|profile| profile.name).collect(),
        "format" => ebbline::Format::ALL.iter().map(|format| format.name()).collect(),
        "also" | "except" => ebbline::validate::Rule::ALL.iter().map(|rule| rule.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn hint(option: &str) -> ValueHint {
    match option {
        "out" | "record" | "summary" | "answer" | "grid" | "svg" => ValueHint::FilePath,
        "with" => ValueHint::CommandString,
        _ => ValueHint::Other,
    }
}

/// What stands behind the options of a command.
fn words_of(command: &str) -> Arg {
    let words = Arg::new("words").action(ArgAction::Append);
    match command {
        "completions" => words.value_name("SHELL").value_parser(crate::command::completions::shells()),
        "profiles" | "man" => words.hide(true),
        "recall" => words.value_names(["FILE", "ID"]).num_args(2).value_hint(ValueHint::FilePath),
        "compare" | "sweep" | "audit" => words.value_name("FILE|FOLDER").value_hint(ValueHint::AnyPath),
        _ => words.value_name("FILE").value_hint(ValueHint::FilePath),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_holds_every_command_and_is_sound() {
        let whole = whole();
        assert_eq!(whole.get_subcommands().count(), options::COMMANDS.len());
        whole.debug_assert();
    }
}

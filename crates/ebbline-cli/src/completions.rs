//! The scripts that complete command lines. `clap` writes them from a description of the commands; it parses nothing.

use clap::{Arg, ArgAction, Command, ValueHint};
use clap_complete::Shell;
use ebbline_commands::{OptionDescription, Refusal, Words, about, commands, common};

/// The script for a shell.
pub(crate) fn script(shell: &str) -> Result<Vec<u8>, Refusal> {
    let shell: Shell = shell.parse().map_err(Refusal::Reason)?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut whole(), "ebbline", &mut script);
    Ok(script)
}

/// The whole command line.
fn whole() -> Command {
    let commands = commands().into_iter().map(|command| {
        let described = Command::new(command.name).about(command.about).disable_help_flag(true);
        let described = described.args(command.options.into_iter().map(argument));
        described.arg(words(command.words))
    });
    Command::new("ebbline")
        .version(env!("CARGO_PKG_VERSION"))
        .about(about())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args(common().into_iter().map(argument))
        .subcommands(commands)
}

fn argument(option: OptionDescription) -> Arg {
    let hint = match (option.is_file, option.is_command) {
        (true, _) => ValueHint::FilePath,
        (_, true) => ValueHint::CommandString,
        _ => ValueHint::Other,
    };
    let argument = Arg::new(option.name).long(option.name).help(option.about).short(option.short);
    let Some(value) = option.value else { return argument.action(ArgAction::SetTrue) };
    let argument = argument.action(ArgAction::Append).value_name(value).value_hint(hint);
    if option.values.is_empty() { argument } else { argument.value_parser(option.values) }
}

/// What stands behind the options of a command.
fn words(words: Words) -> Arg {
    let argument = Arg::new("words").action(ArgAction::Append);
    match words {
        Words::Nothing => argument.hide(true),
        Words::OneOf(name, values) => argument.value_name(name).value_parser(values),
        Words::Pair(first, second) => {
            argument.value_names([first, second]).num_args(2).value_hint(ValueHint::FilePath)
        }
        Words::Paths(name) => argument.value_name(name).value_hint(ValueHint::AnyPath),
        Words::Files(name) => argument.value_name(name).value_hint(ValueHint::FilePath),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_sound_and_every_shell_has_a_script() {
        whole().debug_assert();
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            assert!(script(shell).unwrap().len() > 1_000, "{shell}");
        }
    }
}

//! The command line as a whole: the command, its files, its options.

use ebbline::binding::nearest;

use crate::failure::Failure;
use crate::name::Name;
use crate::options::{COMMANDS, COMMON, Choice, Command};
use crate::parse::parsed;
use crate::rows::options::RowsOptions;
use crate::values::Values;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// The name of the command.
    pub(crate) command: Option<&'static str>,
    /// What is no option.
    pub(crate) files: Vec<Name>,
    /// The options.
    pub(crate) values: Values,
}

/// Reads the arguments behind the program's name.
pub(crate) fn parse(args: &[Name], is_native: bool) -> Result<Arguments, Failure> {
    let at = args.iter().position(|arg| !arg.bytes().starts_with(b"-"));
    let word = at.and_then(|at| args.get(at)).map(|arg| arg.given());
    let command = match &word {
        None => None,
        Some(word) => {
            let known = commands(is_native).find(|command| command.name == word);
            Some(*known.ok_or_else(|| no_command(word, is_native))?)
        }
    };
    let rest: Vec<Name> =
        args.iter().enumerate().filter(|(index, _)| Some(*index) != at).map(|(_, arg)| arg.clone()).collect();
    let choices: Vec<Choice> = match command {
        Some(command) => command.choices().filter(|choice| is_native || !choice.is_native).copied().collect(),
        None => COMMON.to_vec(),
    };
    let found = parsed(&rest, &choices).map_err(|(sentence, unknown)| {
        let names = choices.iter().map(|choice| choice.name);
        match unknown.as_deref().and_then(|unknown| nearest(unknown, names)) {
            Some(meant) => Failure::Usage(format!("{sentence}; did you mean --{meant}?")),
            None => Failure::Usage(sentence),
        }
    })?;
    let values = Values::new(found.given);
    let colors = ["auto", "always", "never"];
    if values.text("color").is_some_and(|color| !colors.contains(&color)) {
        return Err(Failure::Usage(format!("--color must be one of {}", colors.join(", "))));
    }
    values.jobs()?;
    values.memory()?;
    RowsOptions::of(&values)?;
    Ok(Arguments { command: command.map(|command| command.name), files: found.files, values })
}

/// The commands of the native program, or those that every host has.
fn commands(is_native: bool) -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(move |command| is_native || !command.is_native)
}

fn no_command(word: &str, is_native: bool) -> Failure {
    let names: Vec<&str> = commands(is_native).map(|command| command.name).collect();
    let there_are = match nearest(word, names.iter().copied()) {
        Some(meant) => format!("did you mean {meant}? There are"),
        None => "there are".to_owned(),
    };
    Failure::Usage(format!("there is no command {word}; {there_are} {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: &[&str]) -> Result<Arguments, Failure> {
        parse(&args.iter().map(|arg| Name::from(*arg)).collect::<Vec<_>>(), true)
    }

    #[test]
    fn the_command_is_the_first_argument_that_is_no_option() {
        let args = of(&["--json", "detect", "a", "b"]).unwrap();
        assert_eq!((args.command, args.files.len(), args.values.has("json")), (Some("detect"), 2, true));
        assert_eq!(of(&["--help"]).unwrap().command, None);
    }

    #[test]
    fn what_only_the_native_program_has_is_unknown_elsewhere() {
        let said = |args: &[&str]| {
            let args: Vec<Name> = args.iter().map(|arg| Name::from(*arg)).collect();
            parse(&args, false).unwrap_err().message()
        };
        assert!(said(&["scan"]).ends_with(", sweep, audit"), "{}", said(&["scan"]));
        assert_eq!(said(&["audit", "--rows", "x"]), "there is no option --rows");
    }

    #[test]
    fn what_is_nearly_right_is_answered_with_what_is_right() {
        let said = |args: &[&str]| of(args).unwrap_err().message();
        assert!(
            said(&["plna", "x"])
                .starts_with("there is no command plna; did you mean plan? There are detect,")
        );
        assert!(said(&["shrink"]).starts_with("there is no command shrink; there are detect,"));
        assert_eq!(said(&["plan", "--profil", "x"]), "there is no option --profil; did you mean --profile?");
        assert_eq!(said(&["plan", "--color", "red", "x"]), "--color must be one of auto, always, never");
    }
}

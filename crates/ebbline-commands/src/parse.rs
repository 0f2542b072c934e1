//! Reads what stands on a command line behind the name of the command.

use std::ffi::{OsStr, OsString};

use lexopt::{Arg, Parser};

use crate::name::Name;
use crate::options::{Choice, Takes};

/// What stands on a command line behind the name of the command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    /// What is no option.
    pub(crate) files: Vec<Name>,
    /// The options with their values, in order.
    pub(crate) given: Vec<(&'static str, Option<String>)>,
}

/// Stands with its number for an argument whose bytes are no text: not every system can pass such bytes to a parser.
const STANDS_FOR: char = '\u{f8ff}';

/// Reads arguments.
///
/// # Errors
///
/// A sentence, and the unknown name of a long option if that is what is wrong.
pub(crate) fn parsed(args: &[Name], choices: &[Choice]) -> Result<Parsed, (String, Option<String>)> {
    let mut parsed = Parsed::default();
    let mut parser = Parser::from_args(args.iter().enumerate().map(readable));
    while let Some(arg) = parser.next().map_err(|error| (sentence_of(&error), None))? {
        let (written, choice) = match arg {
            Arg::Value(file) => {
                parsed.files.push(name_of(&file, args));
                continue;
            }
            Arg::Long(long) => (format!("--{long}"), choices.iter().find(|choice| choice.name == long)),
            Arg::Short(letter) => {
                (format!("-{letter}"), choices.iter().find(|choice| choice.short == Some(letter)))
            }
        };
        let Some(choice) = choice else {
            let long = written.strip_prefix("--").map(str::to_owned);
            return Err((format!("there is no option {}", written.lines().next().unwrap_or_default()), long));
        };
        let value = value_of(&mut parser, choice, &written, args).map_err(|sentence| (sentence, None))?;
        parsed.given.push((choice.name, value));
    }
    Ok(parsed)
}

/// The value of an option, if it has the one that it takes.
fn value_of(
    parser: &mut Parser,
    choice: &Choice,
    written: &str,
    args: &[Name],
) -> Result<Option<String>, String> {
    if choice.takes == Takes::Nothing {
        return Ok(None);
    }
    let inline = parser.optional_value();
    let is_inline = inline.is_some();
    let value = inline.or_else(|| parser.value().ok()).ok_or_else(|| format!("{written} needs a value"))?;
    let value = name_of(&value, args).into_text();
    let value = value.ok_or_else(|| format!("the value of {written} is no text"))?;
    if !is_inline && value.len() > 1 && value.starts_with('-') {
        let name = choice.name;
        return Err(format!(
            "{written} needs a value, and {value} looks like an option: is --{name}={value} meant?"
        ));
    }
    Ok(Some(value))
}

/// What is wrong as the parser finds it: an option that takes nothing has a value.
fn sentence_of(error: &lexopt::Error) -> String {
    match error {
        lexopt::Error::UnexpectedValue { option, .. } => format!("{option} takes no value"),
        other => other.to_string(),
    }
}

/// An argument as the parser takes it.
fn readable((at, arg): (usize, &Name)) -> OsString {
    match std::str::from_utf8(arg.bytes()) {
        Ok(text) if !text.starts_with(STANDS_FOR) => text.into(),
        Err(_) if arg.bytes().starts_with(b"-") => arg.given().into(),
        _ => format!("{STANDS_FOR}{at}").into(),
    }
}

/// The argument, or the end of one, that the parser gave back.
fn name_of(given: &OsStr, args: &[Name]) -> Name {
    let text = given.to_string_lossy();
    let number = text.strip_prefix(STANDS_FOR).and_then(|number| number.parse::<usize>().ok());
    number.and_then(|at| args.get(at)).cloned().unwrap_or_else(|| Name::from(&*text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::COMMANDS;

    fn of(args: &[&str]) -> Result<Parsed, (String, Option<String>)> {
        let compact = COMMANDS.iter().find(|command| command.name == "compact").unwrap();
        let choices: Vec<Choice> = compact.choices().copied().collect();
        parsed(&args.iter().map(|arg| Name::from(*arg)).collect::<Vec<_>>(), &choices)
    }

    fn given(args: &[&str]) -> Vec<(&'static str, Option<String>)> {
        of(args).unwrap().given
    }

    #[test]
    fn options_are_read_in_every_form() {
        let out = |value: &str| vec![("out", Some(value.to_owned()))];
        for args in [&["-o", "x"][..], &["-ox"], &["-o=x"], &["--out", "x"], &["--out=x"]] {
            assert_eq!(given(args), out("x"), "{args:?}");
        }
        assert_eq!(given(&["--out=-x"]), out("-x"));
        assert_eq!(given(&["-o", "-"]), out("-"));
        assert_eq!(given(&["--out="]), out(""));
        assert_eq!(given(&["-hVo", "x"]), [("help", None), ("version", None), ("out", Some("x".to_owned()))]);
        assert_eq!(given(&["-hox"]), [("help", None), ("out", Some("x".to_owned()))]);
    }

    #[test]
    fn what_is_no_option_is_a_file() {
        let files = of(&["a", "-", "--json", "--", "--json", "-o"]).unwrap().files;
        assert_eq!(files, ["a", "-", "--json", "-o"].map(Name::from));
    }

    #[test]
    fn names_that_are_no_text_stay() {
        let names = [Name::from(b"caf\xe9".to_vec()), Name::from("\u{f8ff}0"), Name::from("\u{f8ff}1")];
        assert_eq!(parsed(&names, &[]).unwrap().files, names);
    }

    #[test]
    fn mistakes_are_told() {
        let fault = |args: &[&str]| of(args).unwrap_err().0;
        assert_eq!(fault(&["--protect", "5"]), "there is no option --protect");
        assert_eq!(fault(&["-x"]), "there is no option -x");
        assert_eq!(fault(&["-hx"]), "there is no option -x");
        assert_eq!(fault(&["--force=1"]), "--force takes no value");
        assert_eq!(fault(&["--color"]), "--color needs a value");
        assert_eq!(fault(&["-o"]), "-o needs a value");
        let meant = "--out needs a value, and --json looks like an option: is --out=--json meant?";
        assert_eq!(fault(&["--out", "--json"]), meant);
        assert_eq!(of(&["--profil=x"]).unwrap_err().1.as_deref(), Some("profil"));
    }
}

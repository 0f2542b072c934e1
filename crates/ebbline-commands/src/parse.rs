//! Reads a command line by the rules of Node's `parseArgs`, and says what is wrong with it in the same words.

use std::collections::VecDeque;

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

/// An option as it was written.
struct Written {
    /// With its hyphens.
    raw: String,
    name: String,
    value: Option<Name>,
    /// Whether the value stands in the same argument.
    is_inline: bool,
}

/// Reads arguments.
///
/// # Errors
///
/// A sentence, and the unknown name of a long option if that is what is wrong.
pub(crate) fn parsed(args: &[Name], choices: &[Choice]) -> Result<Parsed, (String, Option<String>)> {
    let mut parsed = Parsed::default();
    let mut rest: VecDeque<Name> = args.iter().cloned().collect();
    while let Some(arg) = rest.pop_front() {
        let text = arg.given();
        if text == "--" {
            parsed.files.extend(rest.drain(..));
            break;
        }
        let Some(written) = written(&text, &mut rest, choices) else {
            if !is_group(&text, choices) {
                parsed.files.push(arg);
            }
            continue;
        };
        let Some(choice) = choices.iter().find(|choice| choice.name == written.name) else {
            let long = written.raw.strip_prefix("--").map(str::to_owned);
            let first = written.raw.lines().next().unwrap_or_default();
            let closing = if first.len() == written.raw.len() { "'" } else { "" };
            return Err((format!("Unknown option '{first}{closing}"), long));
        };
        let value = taken(choice, written).map_err(|sentence| (sentence, None))?;
        parsed.given.push((choice.name, value));
    }
    Ok(parsed)
}

/// The option that an argument is, which may take its value from the next one. A group of letters is put back as one
/// argument for each of them.
fn written(text: &str, rest: &mut VecDeque<Name>, choices: &[Choice]) -> Option<Written> {
    let takes_value =
        |name: &str| choices.iter().any(|choice| choice.name == name && choice.takes != Takes::Nothing);
    let of_letter = |letter: char| {
        let choice = choices.iter().find(|choice| choice.short == Some(letter));
        choice.map_or_else(|| letter.to_string(), |choice| choice.name.to_owned())
    };
    if let Some(long) = text.strip_prefix("--") {
        // A name has at least one letter, which may be the equals sign.
        let first = long.chars().next()?;
        if let Some((name, value)) = long.get(first.len_utf8()..).and_then(|behind| behind.split_once('=')) {
            let name = format!("{first}{name}");
            let value = Some(Name::from(value));
            return Some(Written { raw: format!("--{name}"), name, value, is_inline: true });
        }
        let value = if takes_value(long) { rest.pop_front() } else { None };
        return Some(Written { raw: text.to_owned(), name: long.to_owned(), value, is_inline: false });
    }
    let letters = text.strip_prefix('-')?;
    let first = letters.chars().next()?;
    let name = of_letter(first);
    let behind = letters.get(first.len_utf8()..).unwrap_or_default();
    if behind.is_empty() {
        let value = if takes_value(&name) { rest.pop_front() } else { None };
        return Some(Written { raw: text.to_owned(), name, value, is_inline: false });
    }
    if takes_value(&name) {
        let raw = format!("-{first}");
        return Some(Written { raw, name, value: Some(behind.into()), is_inline: true });
    }
    let mut group = Vec::new();
    for (at, letter) in letters.char_indices() {
        if takes_value(&of_letter(letter)) {
            group.push(format!("-{}", letters.get(at..).unwrap_or_default()));
            break;
        }
        group.push(format!("-{letter}"));
    }
    for one in group.into_iter().rev() {
        rest.push_front(Name::from(&*one));
    }
    None
}

/// Whether an argument is a group of letters, which was put back one by one.
fn is_group(text: &str, choices: &[Choice]) -> bool {
    let Some(letters) = text.strip_prefix('-') else { return false };
    let is_flag = |letter: char| {
        !choices.iter().any(|choice| choice.short == Some(letter) && choice.takes != Takes::Nothing)
    };
    letters.chars().count() > 1 && letters.chars().next().is_some_and(is_flag)
}

/// The value of an option, if it has the one that it takes.
fn taken(choice: &Choice, written: Written) -> Result<Option<String>, String> {
    let short = choice.short.map(|letter| format!("-{letter}, ")).unwrap_or_default();
    let name = format!("{short}--{}", choice.name);
    match (choice.takes, written.value) {
        (Takes::Nothing, Some(_)) => Err(format!("Option '{name}' does not take an argument")),
        (Takes::Nothing, None) => Ok(None),
        (_, None) => Err(format!("Option '{name} <value>' argument missing")),
        (_, Some(value)) => {
            let value =
                value.into_text().ok_or_else(|| format!("the value of '{}' is no text", written.raw))?;
            if !written.is_inline && value.len() > 1 && value.starts_with('-') {
                return Err(format!("Option '{}' argument is ambiguous.", written.raw));
            }
            Ok(Some(value))
        }
    }
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

    fn fault(args: &[&str]) -> String {
        of(args).unwrap_err().0
    }

    #[test]
    fn options_are_read_in_every_form() {
        let out = |value: &str| vec![("out", Some(value.to_owned()))];
        for args in [&["-o", "x"][..], &["-ox"], &["--out", "x"], &["--out=x"]] {
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
    fn mistakes_are_said_in_the_words_of_node() {
        assert_eq!(fault(&["--protect", "5"]), "Unknown option '--protect'");
        assert_eq!(fault(&["--=x"]), "Unknown option '--=x'");
        assert_eq!(fault(&["-x"]), "Unknown option '-x'");
        assert_eq!(fault(&["-hx"]), "Unknown option '-x'");
        assert_eq!(fault(&["--force=1"]), "Option '--force' does not take an argument");
        assert_eq!(fault(&["--color"]), "Option '--color <value>' argument missing");
        assert_eq!(fault(&["-o"]), "Option '-o, --out <value>' argument missing");
        assert_eq!(fault(&["--out", "--json"]), "Option '--out' argument is ambiguous.");
        assert_eq!(of(&["--profil=x"]).unwrap_err().1.as_deref(), Some("profil"));
    }
}

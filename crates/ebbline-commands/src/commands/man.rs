//! `man`: the manual page. It is written from the text of `--help`, so that nothing is said twice.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::options::{COMMANDS, COMMON, Choice, Command};
use crate::run::Run;

/// Prints the page, in the form that `man` reads.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    if !run.given.files.is_empty() {
        return Err(Failure::Usage("man takes no file".to_owned()));
    }
    run.out.write(page()).await?;
    Ok(Exit::Ok)
}

fn page() -> String {
    let about = help::about();
    let what = about.strip_prefix("ebbline ").unwrap_or(about).trim_end_matches('.');
    let title = format!(".TH EBBLINE 1 \"\" \"ebbline {}\" \"User commands\"", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![title];
    lines.extend([".SH NAME".to_owned(), format!("ebbline \\- {}", escaped(what))]);
    lines.extend([".SH SYNOPSIS".to_owned(), ".nf".to_owned()]);
    lines.extend(help::usage().map(escaped));
    lines.extend([".fi".to_owned(), ".SH DESCRIPTION".to_owned()]);
    lines.extend(help::about_files().lines().map(escaped));
    lines.push(".SH OPTIONS OF EVERY COMMAND".to_owned());
    lines.extend(COMMON.iter().flat_map(|choice| option("", choice)));
    lines.push(".SH COMMANDS".to_owned());
    lines.extend(COMMANDS.iter().flat_map(command));
    for (title, text) in [("EXIT STATUS", help::exit_codes()), ("EXAMPLES", &help::examples())] {
        lines.extend([format!(".SH {title}"), ".nf".to_owned()]);
        lines.extend(text.lines().map(escaped));
        lines.push(".fi".to_owned());
    }
    lines.join("\n") + "\n"
}

/// A command with the options that not every command takes.
fn command(command: &Command) -> Vec<String> {
    let words = help::of_command(command.name).unwrap_or_default();
    let mut lines = vec![format!(".SS {}", escaped(command.name)), escaped(&words)];
    let is_common = |choice: &Choice| COMMON.iter().any(|common| common.name == choice.name);
    let own = command.choices().filter(|choice| !is_common(choice));
    lines.extend(own.flat_map(|choice| option(command.name, choice)));
    lines
}

fn option(command: &str, choice: &Choice) -> Vec<String> {
    let (value, words) = help::of_option(command, choice.name).unwrap_or_default();
    let short = choice.short.map(|letter| format!("\\fB\\-{letter}\\fR, ")).unwrap_or_default();
    let value = if value.is_empty() { String::new() } else { format!(" \\fI{}\\fR", escaped(value)) };
    let name = escaped(choice.name);
    vec![".TP".to_owned(), format!("{short}\\fB\\-\\-{name}\\fR{value}"), escaped(&words)]
}

/// A line that the formatter prints as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_every_option_is_on_the_page() {
        let page = page();
        assert!(page.starts_with(".TH EBBLINE 1 "), "{page}");
        for command in COMMANDS {
            assert!(page.contains(&format!("\n.SS {}\n", escaped(command.name))), "{}", command.name);
            for choice in command.choices() {
                assert!(page.contains(&format!("\\fB\\-\\-{}\\fR", escaped(choice.name))), "{}", choice.name);
            }
        }
    }

    #[test]
    fn no_line_of_a_text_is_a_request_of_the_formatter() {
        assert_eq!(escaped(".SH \\ --x"), "\\&.SH \\e \\-\\-x");
    }
}

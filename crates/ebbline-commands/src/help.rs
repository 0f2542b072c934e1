//! The text of `--help`, and what it says of a command or an option.

use ebbline::Format;

use crate::places::agents;

/// What every host has.
const SHARED: &str = include_str!("help.txt");
/// What only the native program has.
const NATIVE: &str = include_str!("native.txt");

/// How the paragraph about files begins.
const FILES: &str = "FILE is ";

/// Where a description begins at the latest; what is indented as deep continues it.
const DEEP: &str = "          ";

/// How many columns a paragraph has.
const WIDTH: usize = 96;

/// The whole text, with what only the native program has.
pub(crate) fn text(is_native: bool) -> String {
    let files = about_files();
    let sections = SHARED.split("\n\n");
    let named = sections.map(|section| if section.starts_with(FILES) { files.as_str() } else { section });
    let shared = named.collect::<Vec<_>>().join("\n\n");
    if is_native { shared + NATIVE } else { shared }
}

/// What the program is for.
pub(crate) fn about() -> &'static str {
    SHARED.lines().next().unwrap_or_default()
}

/// The lines that show how each command is written.
pub(crate) fn usage() -> impl Iterator<Item = &'static str> {
    let usage = section("Usage: ").lines().chain(section_in(NATIVE, "Usage: ").lines());
    usage.map(|line| line.strip_prefix("       ").unwrap_or(line))
}

/// The paragraph about files, with the names of agents and formats.
pub(crate) fn about_files() -> String {
    // Some agents keep messages of another format than their own.
    let is_agents =
        |format: &&Format| format.store().places.iter().any(|place| format.title().contains(place.agent));
    let formats = Format::ALL.iter().filter(|format| !is_agents(format));
    let titles: Vec<&str> = formats.map(|format| format.title()).collect();
    let paragraph =
        section(FILES).replace("{agents}", &agents().join(", ")).replace("{formats}", &titles.join(", "));
    let mut lines = vec![FILES.to_owned()];
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push_str(if line.ends_with(' ') { "" } else { " " });
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// What the exit codes mean.
pub(crate) fn exit_codes() -> &'static str {
    section("Exit codes\n")
}

/// The examples, one a line.
pub(crate) fn examples() -> String {
    [section("Examples\n"), section_in(NATIVE, "Examples of long work\n").trim_end()].join("\n")
}

/// The section that begins with a title.
fn section(title: &str) -> &'static str {
    section_in(SHARED, title)
}

fn section_in(text: &'static str, title: &str) -> &'static str {
    text.split("\n\n").find_map(|section| section.strip_prefix(title)).unwrap_or_default()
}

/// What is said of a command.
pub(crate) fn of_command(name: &str) -> Option<String> {
    described(name).map(|(_, words)| words)
}

/// The value that an option of a command takes, in capitals, and what is said of the option. Some options are described
/// in a section of their own for one command.
pub(crate) fn of_option(command: &str, option: &str) -> Option<(&'static str, String)> {
    let mut title = command.to_owned();
    title.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    let own = Some(section(&format!("{title}\n"))).filter(|section| !section.is_empty());
    let name = format!("--{option}");
    own.and_then(|section| described_in(section, &name)).or_else(|| described(&name))
}

fn described(name: &str) -> Option<(&'static str, String)> {
    described_in(SHARED, name).or_else(|| described_in(NATIVE, name))
}

/// The first description of a name: what stands between the name and the words, and the words.
fn described_in(text: &'static str, name: &str) -> Option<(&'static str, String)> {
    let mut lines = text.lines();
    let (value, mut words) = lines.find_map(|line| entry(line, name))?;
    for line in lines {
        let Some(more) = line.strip_prefix(DEEP).filter(|_| !line.contains("  ebbline ")) else { break };
        words.extend([" ", more.trim()]);
    }
    Some((value, words.trim().to_owned()))
}

/// A line that describes a name: `  -o, --out OUT  …`.
fn entry(line: &'static str, name: &str) -> Option<(&'static str, String)> {
    let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
    let (left, words) = line.split_once("  ").unwrap_or((line, ""));
    // The name of a short command has the words right behind it.
    let (left, words) = if name == "summarize" && left.starts_with("summarize ") {
        left.split_once(' ').map(|(left, rest)| (left, rest.to_owned()))?
    } else {
        (left, words.to_owned())
    };
    let behind = left.split_once(", ").map_or(left, |(_, behind)| behind);
    let value = behind.strip_prefix(name)?;
    let is_whole = value.is_empty() || value.starts_with(' ');
    is_whole.then(|| (value.trim(), words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::COMMANDS;

    #[test]
    fn every_command_and_every_option_is_described() {
        for command in COMMANDS {
            let words = of_command(command.name).unwrap_or_default();
            assert!(words.len() > 10, "{}: {words}", command.name);
            for choice in command.choices() {
                let (_, words) = of_option(command.name, choice.name).unwrap_or_default();
                assert!(words.len() > 5, "{} --{}: {words}", command.name, choice.name);
            }
        }
    }

    #[test]
    fn descriptions_are_whole_and_no_longer() {
        assert_eq!(of_command("detect").unwrap(), "which format a session is of, and what shows it");
        assert!(of_command("summarize").unwrap().starts_with("does it with a summary: "));
        assert!(of_command("summary-request").unwrap().ends_with("the summary that compact --summary takes"));
        let (value, words) = of_option("plan", "set").unwrap();
        assert_eq!(value, "PATH=VALUE");
        assert!(words.starts_with("turn one knob") && words.ends_with("may be repeated"));
        assert_eq!(of_option("sweep", "set").unwrap().0, "PATH=A,B,C");
        assert_eq!(of_option("compact", "out").unwrap().0, "OUT");
        assert_eq!(of_option("plan", "help").unwrap(), ("", "this text".to_owned()));
        assert!(
            examples().lines().count() > 3 && examples().lines().all(|line| line.starts_with("  ebbline "))
        );
        assert!(usage().all(|line| line.starts_with("ebbline ")) && about_files().contains("Claude Code, "));
        assert!(exit_codes().starts_with("  0  done"));
    }
}

//! The engine's documentation as sentences of other languages.

use ebbline::binding::form::Described;
use ebbline::plan::Decision;
use ebbline_json::words::sentence;

/// What a line of a generated file begins with, behind the marks of a comment.
pub(crate) const NOTE: &str =
    "Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.";

/// Lines of generated comments are no longer.
const WIDTH: usize = 118;

/// The first paragraph of a documentation for readers who do not read Rust: links are their words, and the fields of
/// Rust's structs are the members of JSON.
pub(crate) fn plain(documentation: &str) -> String {
    let mut said = String::new();
    let text = sentence(documentation);
    let mut rest = text.as_str();
    while let Some((before, quoted)) = rest.split_once('`') {
        let Some((code, after)) = quoted.split_once('`') else { break };
        let (before, after) = match (before.strip_suffix('['), after.strip_prefix(']')) {
            (Some(before), Some(after)) => (before, after),
            _ => (before, after),
        };
        let last = code.rsplit("::").next().unwrap_or(code);
        said.push_str(before);
        match members().find(|member| *member == camel(last)) {
            Some(member) => said.push_str(&format!("`{member}`")),
            // Rust's lints take these for code.
            None if ["OpenCode", "OpenAI", "OpenHands"].contains(&code) => said.push_str(code),
            None => said.push_str(&format!("`{code}`")),
        }
        rest = after;
    }
    said + rest
}

/// The names that knobs and members of a decision have in JSON.
fn members() -> impl Iterator<Item = &'static str> {
    let knobs = ebbline::Policy::knobs().filter_map(|knob| Some(knob.path.split_once('.')?.1));
    knobs.chain(Decision::OBJECT.members.iter().map(|member| member.name))
}

/// `keep_share` as `keepShare`.
pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capitalized(word))
}

/// `trigger` as `Trigger`.
pub(crate) fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// A comment of JavaScript or TypeScript, indented.
pub(crate) fn comment(said: &str, indent: &str) -> String {
    if indent.len() + said.len() + 7 <= WIDTH {
        return format!("{indent}/** {said} */\n");
    }
    let mut lines = vec![String::new()];
    // Code is not divided.
    let mut words: Vec<String> = Vec::new();
    for word in said.split(' ') {
        match words.last_mut().filter(|open| open.matches('`').count() % 2 == 1) {
            Some(open) => open.push_str(&format!(" {word}")),
            None => words.push(word.to_owned()),
        }
    }
    for word in &words {
        let room = WIDTH - indent.len() - 3;
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + 1 + word.len() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    let body: String = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
    format!("{indent}/**\n{body}{indent} */\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_said_without_rust() {
        assert_eq!(
            plain(" What `keep_share` is, of\n [`Estimator::unit`].\n\n More."),
            "What `keepShare` is, of `unit`."
        );
        assert_eq!(plain("`OpenCode` writes `a.b`."), "OpenCode writes `a.b`.");
    }

    #[test]
    fn long_comments_are_wrapped() {
        assert_eq!(comment("Short.", "  "), "  /** Short. */\n");
        let long = comment(&"word ".repeat(40), "  ");
        assert!(long.lines().count() > 3 && long.lines().all(|line| line.len() <= WIDTH), "{long}");
    }
}

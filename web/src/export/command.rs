//! The policy as a call of the command line, and as calls of the Python package.

use ebbline::Policy;

use super::Exported;
use super::turned::{paths, turned};

/// The options of the command line that make the policy.
fn options(policy: &Policy, force: bool) -> Vec<String> {
    let (profile, changes) = turned(policy);
    let mut options = vec!["--profile".to_owned(), profile];
    for (path, value) in paths(&changes) {
        options.extend(["--set".to_owned(), format!("{path}={value}")]);
    }
    options.extend(force.then(|| "--force".to_owned()));
    options
}

/// The policy as a command. `name` is the session's file.
pub fn command_line(policy: &Policy, force: bool, name: &str) -> Exported {
    let words: Vec<_> = options(policy, force).iter().map(|word| quoted(word)).collect();
    let words = words.join(" ");
    // A name that begins with a dash would be an option.
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    let (file, out) = (quoted(&name), quoted(&super::session::compacted_name(&name)));
    let text = format!(
        "# What would change, and why. Needs Node 20.11 or newer.\nnpx ebbline plan {words} {file}\n\n# The session without it.\nnpx ebbline compact {words} -o {out} {file}\n"
    );
    Exported::of_text("compact.sh", text)
}

/// `word` for a shell: in quotes unless every character is plain.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| {
        letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '=' | '@' | ',' | ':')
    };
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The policy as calls of the Python package; `force` compacts at once.
pub fn python(policy: &Policy, force: bool) -> Exported {
    let (profile, changes) = turned(policy);
    let mut options = format!("    \"profile\": {},\n", text(&profile));
    let knobs: Vec<_> =
        paths(&changes).map(|(path, value)| format!("\"{path}\": {}", literal(value))).collect();
    if !knobs.is_empty() {
        options += &format!("    \"set\": {{{}}},\n", knobs.join(", "));
    }
    if force {
        options += "    \"force\": True,\n";
    }
    let code = format!(
        r#"# pip install ebbline
from pathlib import Path

import ebbline

POLICY = {{
{options}}}


def plan(session: str) -> ebbline.Plan:
    """What the policy would do with the session file, and why, message by message."""
    return ebbline.plan(Path(session).read_text(encoding="utf-8"), **POLICY)


def compact(session: str, out: str) -> None:
    """Writes the session file to `out` as the policy leaves it; a summary that is due is written by rule."""
    text = Path(session).read_text(encoding="utf-8")
    summary = ebbline.deterministic_summary(text, **POLICY)
    Path(out).write_text(ebbline.compact(text, summary=summary, **POLICY).text, encoding="utf-8")
"#
    );
    Exported::of_text("compact.py", code)
        .with_note("The package: pip install ebbline. `ebbline.Compactor(**POLICY)` keeps an agent's own messages inside the window.".to_owned())
}

/// A value of JSON as Python writes it.
fn literal(json: &str) -> &str {
    match json {
        "true" => "True",
        "false" => "False",
        "null" => "None",
        other => other,
    }
}

/// `word` as a string of Python.
fn text(word: &str) -> String {
    let mut literal = "\"".to_owned();
    for letter in word.chars() {
        match letter {
            '"' | '\\' => literal.extend(['\\', letter]),
            _ if letter < ' ' || letter == '\u{7f}' => literal += &format!("\\x{:02x}", u32::from(letter)),
            _ => literal.push(letter),
        }
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{text as text_of, turned};

    #[test]
    fn commands_name_the_profile_and_what_differs() {
        insta::assert_snapshot!(text_of(command_line(&turned(), true, "my session's.json")), @r#"
        # What would change, and why. Needs Node 20.11 or newer.
        npx ebbline plan --profile opencode@2026-01 --set model.context=128000 --set prune.protect=30000 --set 'prune.protectedTools=["skill", "task"]' --force 'my session'\''s.json'

        # The session without it.
        npx ebbline compact --profile opencode@2026-01 --set model.context=128000 --set prune.protect=30000 --set 'prune.protectedTools=["skill", "task"]' --force -o 'my session'\''s.compacted.json' 'my session'\''s.json'
        "#);
        insta::assert_snapshot!(text_of(python(&turned(), true)), @r#"
        # pip install ebbline
        from pathlib import Path

        import ebbline

        POLICY = {
            "profile": "opencode@2026-01",
            "set": {"model.context": 128000, "prune.protect": 30000, "prune.protectedTools": ["skill", "task"]},
            "force": True,
        }


        def plan(session: str) -> ebbline.Plan:
            """What the policy would do with the session file, and why, message by message."""
            return ebbline.plan(Path(session).read_text(encoding="utf-8"), **POLICY)


        def compact(session: str, out: str) -> None:
            """Writes the session file to `out` as the policy leaves it; a summary that is due is written by rule."""
            text = Path(session).read_text(encoding="utf-8")
            summary = ebbline.deterministic_summary(text, **POLICY)
            Path(out).write_text(ebbline.compact(text, summary=summary, **POLICY).text, encoding="utf-8")
        "#);
    }

    #[test]
    fn words_reach_the_command_as_they_are() {
        assert_eq!(
            ["a", "", "a b", "it's", "--force", "$HOME", "*"].map(quoted),
            ["a", "''", "'a b'", r"'it'\''s'", "--force", "'$HOME'", "'*'"]
        );
        let dashed = text_of(command_line(&turned(), false, "-x.json"));
        assert!(dashed.ends_with("-o ./-x.compacted.json ./-x.json\n"), "{dashed}");
        assert_eq!(text("a\"\\\n\u{e9}"), "\"a\\\"\\\\\\x0a\u{e9}\"");
    }
}

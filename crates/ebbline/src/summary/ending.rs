//! How a call ended, told from its output: by the exit code or the tool's own word for a failure, and only then by what stands
//! in the output.

use std::borrow::Cow;

use super::command::Command;
use crate::identifiers::{self, Class};
use crate::json::{Document, Value};

/// The most characters of the line that says how a call ended.
const LONGEST: usize = 160;
/// Of so many lines at either end of an output, one may be the host's.
const HOST_LINES: usize = 6;
/// A line of a host has at most so many bytes.
const HOST_LINE: usize = 120;
/// A tool that shows a file has failed only if its output is no longer than this.
const FEW: usize = 3;
const SHOWN: usize = 2_000;

/// What the lines of a host begin with that say an exit code.
const CODES: &[&str] = &[
    "exit code",
    "exit status",
    "exitcode",
    "exit_code",
    "returncode",
    "return code",
    "return_code",
    "exited with",
    "process exited with",
    "command exited with",
    "script exited with",
    "command failed with exit code",
    "command finished with exit code",
    "the command completed with exit code",
    "error: command failed with exit code",
    "error: exit code",
    "command completed with exit code",
    "process finished with exit code",
    "error executing command: exit status",
    "command execution failed with exit code",
];
/// What other lines of a host begin with.
const FRAMES: &[&str] = &[
    "wall time", "chunk id", "original token count", "total output lines", "process running",
    "process group", "background pids", "signal:", "directory:", "command:", "output:", "error: (none)",
    "stdout: (empty)", "stderr: (empty)", "stdout:", "stderr:", "<returncode>", "<output>", "</output>",
    "[current working directory", "[python interpreter", "duration:", "[command finished",
];
/// What an error of a tool begins with.
const TOOL_ERRORS: &[&str] = &[
    "mcp error", "error:", "error -", "error executing", "error calling", "error invoking", "error running",
    "error reading", "error while", "error in tool", "[error]", "<tool_use_error>", "tool execution failed",
    "tool error", "failed to ", "failed:", "exception:", "unknown tool", "invalid arguments",
    "invalid parameters", "traceback (most recent", "permission denied", "request failed", "http error",
    "unable to ", "access denied", "timeout:", "timed out", "enoent", "eacces", "fehler:", "erreur", "错误",
    "エラー", "string to replace not found", "no such file", "file not found", "file does not exist",
    "could not find", "tool call failed",
];
/// What programs print when they fail, at the beginning of a line and anywhere in it.
const BEGIN_FAILURES: &[&str] = &[
    "error:", "error[", "Error:", "ERROR:", "ERROR ", "[ERROR]", "fatal:", "npm ERR!", "npm error", "ERR!",
    "Traceback (most recent", "--- FAIL", "not ok ", "make: ***", "panic:", "Exception in thread",
    "Uncaught ", "Unhandled", "✖ ", "✗ ", "❌", "FAILURES!", "FAILED", "FATAL", "mcp error", "MCP error",
];
const FAILURES: &[&str] = &[
    "command not found", "No such file or directory", "panicked at", "error TS", ": error: ",
    ": fatal error", "): error ", "BUILD FAILED", "BUILD FAILURE", "Segmentation fault", "core dumped",
    "Permission denied", "test result: FAILED", "FAILED (", "MCP error", "ERR_PNPM", "is not recognized as",
    "Compilation failed",
];
/// What a shell says of a program that could not do its work.
const COMPLAINTS: &[&str] = &[
    "no such file", "not found", "ermission denied", "not a directory", "is a directory", "cannot ",
    "invalid ", "unrecognized", "unknown ", "not a git repository", "fatal:",
];

/// What ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ended<'c> {
    Command(&'c Command),
    /// A tool that shows a file.
    Reading,
    Other,
}

/// How a call ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) has_failed: bool,
    /// The line of the output that says so.
    pub(super) line: Option<String>,
}

/// How a call ended that printed `output`; `is_error` is what the session says.
pub(super) fn ending(ended: Ended<'_>, output: &str, is_error: bool) -> Ending {
    let Framed { said, code, is_error } = framed(ended, output, is_error);
    let lines: Vec<Cow<'_, str>> = said.lines().map(clean).filter(|line| is_telling(line)).collect();
    if let Ended::Command(command) = ended
        && command.searches()
        && (code == Some(1) || code.is_none() && is_error)
        && (lines.is_empty() || !lines.iter().any(|line| is_failure(line) || is_complaint(line, command)))
    {
        let line = if lines.is_empty() { Some("nothing found".to_owned()) } else { one(&lines) };
        return Ending { has_failed: false, line };
    }
    let says_so = match ended {
        Ended::Command(command) if command.reads() => {
            !lines.is_empty() && lines.iter().all(|line| is_complaint(line, command))
        }
        Ended::Command(command) => {
            (code.is_none() || command.hides_its_end()) && lines.iter().any(|line| is_failure(line))
        }
        Ended::Reading => lines.len() <= FEW && lines.first().is_some_and(|line| is_tool_error(line)),
        Ended::Other => lines.first().is_some_and(|line| is_tool_error(line)),
    };
    let has_failed = match code {
        Some(code) if code != 0 => true,
        Some(_) => says_so && matches!(ended, Ended::Command(command) if command.hides_its_end()),
        None => is_error || says_so,
    };
    let line = if has_failed {
        let fault = || lines.iter().find(|line| is_failure(line));
        lines.iter().find(|line| has_error_code(line)).or_else(fault).or_else(|| lines.last()).cloned()
    } else if matches!(ended, Ended::Reading) || matches!(ended, Ended::Command(command) if command.reads()) {
        one(&lines).map(Cow::Owned)
    } else {
        lines.last().cloned()
    };
    let line = line.map(|line| shortened(&line, LONGEST));
    let line = line.or_else(|| code.filter(|code| *code != 0).map(|code| format!("exit code {code}")));
    Ending { has_failed, line }
}

/// An output without what the host put around it.
struct Framed<'o> {
    said: Cow<'o, str>,
    code: Option<i64>,
    is_error: bool,
}

fn framed<'o>(ended: Ended<'_>, output: &'o str, is_error: bool) -> Framed<'o> {
    let text = output.trim();
    // A long object that a reader shows is the file.
    let may_be_framed = !matches!(ended, Ended::Reading) || text.len() < SHOWN;
    if may_be_framed
        && text.starts_with('{')
        && let Ok(document) = Document::parse(text)
        && let Some(framed) = framed_json(document.root(), is_error)
        // What a program prints may be an object of its own.
        && (framed.code.is_some() || !matches!(ended, Ended::Command(_)))
    {
        return framed;
    }
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let code = lines().take(HOST_LINES).find_map(exit_code);
    let code = code.or_else(|| lines().rev().take(HOST_LINES).find_map(exit_code));
    Framed { said: Cow::Borrowed(text), code, is_error }
}

/// An object of a host: what a program printed and how it ended, or a tool's own word for a failure.
fn framed_json<'o>(root: Value<'_>, is_error: bool) -> Option<Framed<'o>> {
    let inner = root.present("metadata").unwrap_or(root);
    let number = |value: Value<'_>, key: &str| value.present(key)?.source().parse::<i64>().ok();
    let keys = ["exit_code", "exitCode", "returncode", "return_code", "exit_status"];
    let code = keys.iter().find_map(|key| number(root, key).or_else(|| number(inner, key)));
    let is = |key: &str, source: &str| root.get(key).is_some_and(|value| value.source() == source);
    let fails = ["error", "failed", "failure", "ERROR", "FAILED"];
    let status = root.text_of("status").is_some_and(|status| fails.iter().any(|word| status.is(word)));
    let told =
        root.present("error").filter(|error| !matches!(error.source(), "false" | "\"\"" | "[]" | "{}"));
    let failed =
        is("is_error", "true") || is("isError", "true") || is("success", "false") || is("ok", "false");
    let texts = ["stdout", "stderr", "output", "content", "result", "message", "error"];
    let said: Vec<String> = texts
        .iter()
        .filter_map(|key| {
            let value = root.present(key)?;
            let inner = value.get("message").unwrap_or(value);
            Some(inner.text()?.decode().into_owned())
        })
        .collect();
    let is_framed = code.is_some() || status || told.is_some() || failed;
    (is_framed || !said.is_empty()).then(|| Framed {
        said: Cow::Owned(said.join("\n")),
        code,
        is_error: is_error || status || told.is_some() || failed,
    })
}

/// The exit code that a line of a host says.
fn exit_code(line: &str) -> Option<i64> {
    if line.len() > HOST_LINE {
        return None;
    }
    let lower = line.trim_start_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let rest = CODES.iter().find_map(|lead| lower.strip_prefix(lead))?;
    let rest = rest.trim_start_matches([' ', ':', '=', '"', '\'', '>', '(']);
    let rest = rest.strip_prefix("code").or_else(|| rest.strip_prefix("status")).unwrap_or(rest);
    let rest = rest.trim_start_matches([' ', ':', '=']);
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

/// A line without colors and what was overwritten.
pub(super) fn clean(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or(line).trim();
    if !line.contains(|letter: char| letter.is_control()) {
        return Cow::Borrowed(line);
    }
    let mut clean = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            // A sequence ends with a letter; a title ends with a bell.
            let ends: fn(char) -> bool = match letters.next() {
                Some('[') => |letter| ('@'..='~').contains(&letter),
                Some(']') => |letter| letter == '\u{7}',
                _ => continue,
            };
            letters.by_ref().find(|letter| ends(*letter));
        } else if letter == '\t' {
            clean.push(' ');
        } else if !letter.is_control() {
            clean.push(letter);
        }
    }
    Cow::Owned(clean.trim().to_owned())
}

/// Whether a line says something: not a bracket, a ruler, or what the host put around the output.
fn is_telling(line: &str) -> bool {
    let letters = line.chars().filter(|letter| letter.is_alphanumeric()).map(char::len_utf8);
    if letters.sum::<usize>() < 3 || exit_code(line).is_some() && !line.starts_with("exit status") {
        return false;
    }
    let lower: String = line.chars().take(32).collect::<String>().to_lowercase();
    !FRAMES.iter().any(|lead| lower.starts_with(lead))
}

fn is_tool_error(line: &str) -> bool {
    let lower: String = line.chars().take(60).collect::<String>().to_lowercase();
    TOOL_ERRORS.iter().any(|lead| lower.starts_with(lead)) || names_error(line)
}

/// Whether a line of a program's output says that the program failed.
fn is_failure(line: &str) -> bool {
    BEGIN_FAILURES.iter().any(|words| line.starts_with(words) && counted(line) != Some(0))
        || FAILURES.iter().any(|words| line.contains(words))
        || line.split_whitespace().next() == Some("FAIL")
        || line.starts_with("FAIL:")
        || line.starts_with("exit status ") && exit_code(line) != Some(0)
        || names_error(line)
        || counted(line).is_some_and(|count| count > 0)
}

/// Whether a line begins with the name of an error: `TypeError: x`, `java.io.IOException: x`.
pub(super) fn names_error(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| {
        name.len() > 5
            && (name.ends_with("Error") || name.ends_with("Exception"))
            && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '$'))
    })
}

/// How many failures a line counts: `3 failed`, `# fail 0`, `Failed: 1`, `2 tests failed`.
fn counted(line: &str) -> Option<u64> {
    let words: Vec<&str> =
        line.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let number = |at: Option<usize>| words.get(at?)?.parse::<u64>().ok();
    let mut most = None;
    for (at, word) in words.iter().enumerate() {
        let word = word.to_lowercase();
        let counts = match word.as_str() {
            "failed" | "failing" | "failures" | "failure" | "fail" => {
                let things = ["tests", "test", "examples", "specs", "checks", "suites"];
                let is_thing =
                    at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| things.contains(word));
                let before = if is_thing { number(at.checked_sub(2)) } else { number(at.checked_sub(1)) };
                before.or_else(|| number(Some(at + 1)))
            }
            "problems" | "errors" | "error" => {
                let finds = ["found", "generated", "problems", "problem"];
                let is_found = words.get(at + 1).is_some_and(|word| finds.contains(word))
                    || at
                        .checked_sub(2)
                        .and_then(|at| words.get(at))
                        .is_some_and(|word| finds.contains(&word.to_lowercase().as_str()))
                    || word == "problems";
                if is_found { number(at.checked_sub(1)) } else { None }
            }
            _ => None,
        };
        most = most.max(counts);
    }
    most
}

/// Whether a program that shows something, or the shell, says that there is nothing to show.
fn is_complaint(line: &str, command: &Command) -> bool {
    let lower = line.to_lowercase();
    let speaks = |name: &str| {
        lower.starts_with(name) && lower.get(name.len()..).is_some_and(|rest| rest.starts_with(':'))
    };
    let is_shell = ["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "fatal", "error"].into_iter().any(speaks);
    (is_shell || command.names().any(speaks)) && COMPLAINTS.iter().any(|words| lower.contains(words))
}

fn has_error_code(line: &str) -> bool {
    let mut found = false;
    identifiers::each(line, &mut |identifier| found |= identifier.class == Class::Error);
    found
}

fn one(lines: &[Cow<'_, str>]) -> Option<String> {
    match lines {
        [line] => Some(shortened(line, LONGEST)),
        _ => None,
    }
}

/// The first characters of a line.
pub(super) fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_and_tools_words_come_before_words_in_the_output() {
        for (line, output, is_error, failed, told) in [
            (
                "sed -n 1,4p a.ts",
                "return {\n  error: message,\n};\n\nProcess exited with code 0",
                false,
                false,
                None,
            ),
            ("cat log", "error: x\nFAILED\nmore", false, false, None),
            (
                "cat a",
                "cat: a: No such file or directory",
                false,
                true,
                Some("cat: a: No such file or directory"),
            ),
            ("grep -rn old src", "Exit code 1", true, false, Some("nothing found")),
            ("grep -rn old src", "", true, false, Some("nothing found")),
            (
                "grep old gone",
                "grep: gone: No such file or directory\nExit code 2",
                true,
                true,
                Some("grep: gone: No such file or directory"),
            ),
            ("diff a b", "3c3\n< one line\n> other\nexit code: 1", false, false, None),
            (
                "go test ./auth | tail -80",
                "--- FAIL: TestLogin\nFAIL\nexit code: 0",
                false,
                true,
                Some("--- FAIL: TestLogin"),
            ),
            ("go test ./auth", "--- FAIL: TestLogin\nFAIL", false, true, Some("--- FAIL: TestLogin")),
            (
                "npm run check | grep 'error TS'",
                "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
                false,
                true,
                Some("src/a.ts(3,1): error TS2304: Cannot find name 'x'."),
            ),
            ("npm run check | grep 'error TS'", "Exit code 1", true, false, Some("nothing found")),
            (
                "cargo test",
                "error: this is a log line\ntest result: ok. 3 passed; 0 failed\n[exit code: 0]",
                false,
                false,
                Some("test result: ok. 3 passed; 0 failed"),
            ),
            (
                "pytest",
                "==== 1 failed, 3 passed in 0.1s ====",
                false,
                true,
                Some("==== 1 failed, 3 passed in 0.1s ===="),
            ),
            ("pytest", "==== 3 passed, 0 failed ====", false, false, Some("==== 3 passed, 0 failed ====")),
            ("node --test", "# pass 3\n# fail 0", false, false, Some("# fail 0")),
            ("node --test", "# pass 3\n# fail 1", false, true, Some("# fail 1")),
            ("npm run build", "\u{1b}[32mBuilt in 3s\u{1b}[0m\n}\n---\n", false, false, Some("Built in 3s")),
            ("false", "Exit code: 3\nWall time: 0.1 seconds\nOutput:\n", false, true, Some("exit code 3")),
            (
                "make",
                r#"{"output":"ok then\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#,
                false,
                false,
                Some("ok then"),
            ),
            ("make", r#"{"output":"ok then\n","metadata":{"exit_code":2}}"#, false, true, Some("ok then")),
            (
                "make",
                "<returncode>1</returncode>\n<output>\nnothing here\n</output>",
                false,
                true,
                Some("nothing here"),
            ),
        ] {
            let found = ending(Ended::Command(&Command::of(line)), output, is_error);
            assert_eq!((found.has_failed, found.line.as_deref()), (failed, told), "{line}: {output}");
        }
    }

    #[test]
    fn a_tool_says_that_it_failed() {
        for (ended, output, failed) in [
            (Ended::Other, "MCP error -32602: Input validation error: Invalid arguments", true),
            (Ended::Other, r#"{"success":false,"message":"no such table"}"#, true),
            (Ended::Other, r#"{"isError":true,"content":"x"}"#, true),
            (Ended::Other, r#"{"status":"ok","error":null,"rows":3}"#, false),
            (Ended::Other, "Error handling in Rust: a guide", false),
            (Ended::Other, "<tool_use_error>String to replace not found in file.</tool_use_error>", true),
            (Ended::Reading, "Error: a\nline two\nline three\nline four of a log", false),
            (Ended::Reading, "File does not exist.", true),
        ] {
            assert_eq!(ending(ended, output, false).has_failed, failed, "{output}");
        }
    }
}

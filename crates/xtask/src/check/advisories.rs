//! Known vulnerabilities of the dependencies: `cargo deny` checks the crates, `npm audit` the npm packages, each with
//! a server.
//!
//! A machine may be unable to reach a server, and some registries answer no audit. The project is not at fault then:
//! the check is listed as not run, and never counts as clean.

use std::process::Command;

use serde_json::Value;

use crate::failure::Outcome;
use crate::process::Finished;
use crate::project::Project;
use crate::step::{Step, say};

/// The folders with their own npm packages.
const FOLDERS: [&str; 5] = ["tests", "tests/runtimes", "tests/bench", "tests/site", "tests/component"];
/// The minimum severity of an advisory about an npm package. These packages run only in tests and are not shipped.
const LEVEL: &str = "high";

/// A server's answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// No advisory applies.
    Clean,
    /// Some apply; they have been printed.
    Faults,
    /// No answer, and the reason.
    None(String),
}

/// Requests the advisories for all dependencies: for each list its name and the answer.
pub(super) fn ask(project: &Project) -> Outcome<Vec<(String, Answer)>> {
    let mut answers = vec![("advisories, crates".to_owned(), crates(project)?)];
    for folder in FOLDERS {
        answers.push((format!("npm audit, {folder}"), packages(project, folder)?));
    }
    Ok(answers)
}

fn crates(project: &Project) -> Outcome<Answer> {
    let mut command = project.cargo();
    command.args(["deny", "--color", "never", "check", "--hide-inclusion-graph", "advisories"]);
    answer("advisories, crates", "cargo deny, with the list of RustSec", &mut command, read_deny)
}

fn packages(project: &Project, folder: &str) -> Outcome<Answer> {
    let mut command = project.command("npm");
    command.current_dir(project.at(folder)).args(["audit", "--json", "--package-lock-only"]);
    command.arg(format!("--audit-level={LEVEL}"));
    answer(&format!("npm audit, {folder}"), "with the registry's list", &mut command, read_audit)
}

fn answer(
    name: &str,
    doing: &str,
    command: &mut Command,
    read: fn(&Finished) -> (Answer, Vec<String>),
) -> Outcome<Answer> {
    let step = Step::begin(name, doing);
    let finished = step.attempt(command)?;
    let (answer, lines) = read(&finished);
    for line in lines {
        say!("  {line}");
    }
    match &answer {
        Answer::Clean => step.done("no faults"),
        Answer::Faults => step.done_badly("what to do: update what the lines above name"),
        Answer::None(why) => step.left_out(why),
    };
    Ok(answer)
}

fn read_deny(finished: &Finished) -> (Answer, Vec<String>) {
    if finished.success() {
        return (Answer::Clean, Vec::new());
    }
    if finished.lines.iter().any(|line| line.contains("failed to fetch advisory database")) {
        return (Answer::None("the list of RustSec cannot be fetched".to_owned()), Vec::new());
    }
    (Answer::Faults, finished.lines.clone())
}

/// `npm audit --json` writes one object: `vulnerabilities` by package, or the registry's error.
fn read_audit(finished: &Finished) -> (Answer, Vec<String>) {
    // Warnings precede and follow the object.
    let from = finished.lines.iter().position(|line| line == "{");
    let to = finished.lines.iter().rposition(|line| line == "}");
    let object =
        from.zip(to).and_then(|(from, to)| finished.lines.get(from..=to)).unwrap_or_default().join("\n");
    let said: Value = serde_json::from_str(&object).unwrap_or(Value::Null);
    let Some(found) = said.get("vulnerabilities").and_then(Value::as_object) else {
        let status = said.get("statusCode").map_or_else(String::new, |code| format!(" (status {code})"));
        return (Answer::None(format!("the registry gives no audit{status}")), Vec::new());
    };
    if finished.success() {
        return (Answer::Clean, Vec::new());
    }
    let lines = found.iter().map(|(name, found)| {
        let severity = found.get("severity").and_then(Value::as_str).unwrap_or("unknown");
        format!("{name}: {severity}")
    });
    (Answer::Faults, lines.collect())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// A finished program that printed `text` and exited with `code`.
    fn finished(text: &str, code: u8) -> Finished {
        let status = Command::new("sh").args(["-c", &format!("exit {code}")]).status().unwrap();
        Finished { status, lines: text.lines().map(str::to_owned).collect() }
    }

    #[test]
    fn a_server_that_does_not_answer_is_neither_clean_nor_a_fault() {
        let silent = "[ERROR] failed to fetch advisory database https://example.org: failed to clone";
        assert!(matches!(read_deny(&finished(silent, 1)).0, Answer::None(_)));
        let refused = "npm warn audit 405\n{\n  \"statusCode\": 405\n}\nnpm error a log";
        let expected = "the registry gives no audit (status 405)";
        assert_eq!(read_audit(&finished(refused, 1)).0, Answer::None(expected.to_owned()));
        assert!(matches!(read_audit(&finished("", 1)).0, Answer::None(_)));
    }

    #[test]
    fn an_advisory_is_a_fault() {
        let found = finished("error[vulnerability]: a crate", 1);
        assert_eq!(read_deny(&found), (Answer::Faults, found.lines.clone()));
        assert_eq!(read_deny(&finished("advisories ok", 0)).0, Answer::Clean);
        let vulnerable = "{\n\"vulnerabilities\": { \"left\": { \"severity\": \"high\" } }\n}";
        assert_eq!(read_audit(&finished(vulnerable, 1)), (Answer::Faults, vec!["left: high".to_owned()]));
        assert_eq!(read_audit(&finished("{\n\"vulnerabilities\": {}\n}", 0)).0, Answer::Clean);
    }
}

//! A failed step: what happened, the command that was run, and what to do about it.

use std::fmt;
use std::io;

use crate::step;

/// What every step returns.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// Why a step failed, in the order in which the message is printed.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    command: Option<String>,
    tail: Vec<String>,
    advice: Option<String>,
}

impl Failure {
    /// A failure with one sentence that says what went wrong.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), command: None, tail: Vec::new(), advice: None }
    }

    /// Adds the command line that failed.
    pub(crate) fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// Adds the last lines of the command's output.
    pub(crate) fn tail(mut self, lines: &[String], most: usize) -> Self {
        let from = lines.len().saturating_sub(most);
        self.tail = lines.iter().skip(from).cloned().collect();
        self
    }

    /// Adds what the reader should do now.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Whether some line of the output contains `words`, to choose an advice by the reason.
    pub(crate) fn mentions(&self, words: &str) -> bool {
        self.tail.iter().any(|line| line.contains(words))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", step::bad("✘"), self.what)?;
        if let Some(command) = &self.command {
            write!(f, "\n  command: {command}")?;
        }
        if !self.tail.is_empty() {
            write!(f, "\n  last lines of its output:")?;
            for line in &self.tail {
                write!(f, "\n    {line}")?;
            }
        }
        if let Some(advice) = &self.advice {
            write!(f, "\n  what to do: {}", advice.replace('\n', "\n              "))?;
        }
        Ok(())
    }
}

/// Converts an I/O error to a [`Failure`] that names the file.
pub(crate) trait Context<T> {
    /// Puts `what` before the system's error message.
    fn context(self, what: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, what: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Failure::new(format!("{}: {error}", what())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_command_last_lines_and_advice_in_this_order() {
        let lines: Vec<String> = ["one", "two", "three"].map(String::from).to_vec();
        let text = Failure::new("wasm-bindgen: exit status 101")
            .command("cargo install wasm-bindgen-cli")
            .tail(&lines, 2)
            .advise("Run it again.")
            .to_string();
        assert!(!text.contains("one"));
        let places: Vec<usize> =
            ["exit status 101", "command: cargo install", "two", "three", "what to do: Run it"]
                .iter()
                .map(|part| text.find(part).unwrap())
                .collect();
        assert!(places.is_sorted(), "{text}");
    }
}

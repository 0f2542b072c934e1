//! Why a command fails: a sentence, and the exit code that goes with it.

use ebbline::ErrorCode;

use crate::exit::Exit;
use crate::name::Name;
use crate::printable::printable;
use crate::refusal::Refusal;

/// What ended a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A mistake on the command line.
    Usage(String),
    /// A file that cannot be read or written, or whose content is not what was expected. The sentence names it.
    File(String),
    /// Standard output cannot be written to, so all later output fails too.
    Output(String),
    /// Somebody ended the program while it waited.
    Interrupted(String),
    /// A store of sessions that is not as it should be. The sentence names it.
    Damaged(String),
    /// A file that needs more memory than the command line allows. The sentence does not name it.
    TooLarge(String),
    /// A fault of ebbline itself.
    Fault(String),
    /// What the engine says of a session or of options.
    Engine(ebbline::Error),
}

impl Failure {
    /// A file or folder that cannot be read.
    pub(crate) fn unread(name: &Name, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Sentence(sentence) => Self::File(sentence),
            Refusal::Damaged(sentence) => Self::Damaged(sentence),
            other => Self::File(format!("cannot read {}: {}", name.said(), other.reason())),
        }
    }

    /// The host gave an answer to another question.
    pub(crate) fn unanswered() -> Self {
        Self::Fault("the host gave no answer".to_owned())
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::File(_) | Self::Output(_) | Self::Damaged(_) | Self::TooLarge(_) => Exit::Input,
            Self::Interrupted(_) => Exit::Interrupted,
            Self::Fault(_) => Exit::Fault,
            Self::Engine(error) => match error.kind() {
                ErrorCode::InvalidOption
                | ErrorCode::InvalidPolicy
                | ErrorCode::UnknownProfile
                | ErrorCode::UnknownFormat => Exit::Usage,
                _ => Exit::Input,
            },
        }
    }

    /// The sentence, without the name of the file that it is about unless it holds it already.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Usage(message)
            | Self::File(message)
            | Self::Output(message)
            | Self::Interrupted(message)
            | Self::Damaged(message)
            | Self::TooLarge(message) => message.clone(),
            Self::Fault(what) => fault(what),
            Self::Engine(error) => error.to_string(),
        }
    }

    /// The code of the error: the engine's own, or one for what is outside the engine.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Usage(_) => "command_line",
            Self::File(_) => "unreadable",
            Self::Output(_) => "unwritable",
            Self::Interrupted(_) => "interrupted",
            Self::Damaged(_) => "damaged",
            Self::TooLarge(_) => "too_much_memory",
            Self::Fault(_) => "fault",
            Self::Engine(error) => error.code(),
        }
    }

    /// Whether the sentence says everything: it names the file, or it is about the command line.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self, Self::File(_) | Self::Output(_) | Self::Damaged(_)) || self.exit() == Exit::Usage
    }
}

impl From<ebbline::Error> for Failure {
    fn from(error: ebbline::Error) -> Self {
        Self::Engine(error)
    }
}

/// An unexpected error in one line.
pub(crate) fn fault(what: &str) -> String {
    let first = what.lines().next().unwrap_or_default();
    format!("a fault of ebbline itself: Error: {first}; please report it with the command that led to it")
}

/// What is said of a panic, which is a fault of ebbline itself: a line for standard error.
///
/// # Example
///
/// ```
/// let line = ebbline_commands::complaint_of_fault("it broke");
/// assert!(line.starts_with("ebbline: a fault of ebbline itself: Error: it broke; "));
/// ```
#[must_use]
pub fn complaint_of_fault(panic: &str) -> String {
    format!("ebbline: {}\n", printable(&fault(panic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_options_are_mistakes_on_the_command_line() {
        let unknown = ebbline::profiles::get("x").unwrap_err();
        assert_eq!(Failure::from(unknown).exit(), Exit::Usage);
        let empty = ebbline::SessionText::read("").unwrap_err();
        let failure = Failure::from(empty);
        assert_eq!((failure.exit(), failure.is_complete()), (Exit::Input, false));
    }

    #[test]
    fn a_fault_is_one_line() {
        assert_eq!(
            fault("first\nsecond"),
            "a fault of ebbline itself: Error: first; please report it with the command that led to it"
        );
    }
}

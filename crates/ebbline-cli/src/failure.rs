//! Why a command fails: a sentence, and the exit code that goes with it.

use std::io;
use std::path::Path;

use ebbline::ErrorCode;

use crate::exit::Exit;

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
    #[cfg_attr(not(unix), expect(dead_code, reason = "only signals interrupt"))]
    Interrupted(String),
    /// A store of sessions that is not as it should be. The sentence names it.
    Damaged(String),
    /// A file that needs more memory than the command line allows. The sentence does not name it.
    TooLarge(String),
    /// What the engine says of a session or of options.
    Engine(ebbline::Error),
}

impl Failure {
    /// A file or folder that the operating system does not let us read.
    pub(crate) fn unread(path: &Path, error: &io::Error) -> Self {
        Self::File(format!("cannot read {}: {}", path.display(), why(error)))
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::File(_) | Self::Output(_) | Self::Damaged(_) | Self::TooLarge(_) => Exit::Input,
            Self::Interrupted(_) => Exit::Interrupted,
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

/// Why the operating system refused something, in words.
pub(crate) fn why(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder",
        io::ErrorKind::IsADirectory => "it is a folder",
        io::ErrorKind::NotADirectory => "a part of its path is no folder",
        io::ErrorKind::PermissionDenied => "it is not allowed",
        io::ErrorKind::ReadOnlyFilesystem => "the file system can only be read",
        io::ErrorKind::StorageFull => "no space is left",
        io::ErrorKind::QuotaExceeded => "the quota is used up",
        io::ErrorKind::FileTooLarge => "it would be larger than a file may be",
        io::ErrorKind::ResourceBusy => "it is in use, or mounted by itself",
        io::ErrorKind::BrokenPipe => "nobody reads it any more",
        _ => return why_by_number(error),
    };
    words.to_owned()
}

/// The same for what the standard library has no stable name for.
#[cfg(unix)]
fn why_by_number(error: &io::Error) -> String {
    use rustix::io::Errno;
    let words = match rustix::io::Errno::from_io_error(error) {
        Some(Errno::LOOP) => "its links go round in a circle",
        Some(Errno::NAMETOOLONG) => "its name is too long",
        Some(Errno::IO) => "the device failed",
        Some(Errno::NXIO) => "it cannot be opened",
        Some(Errno::MFILE) => "too many files are open",
        _ => return error.to_string(),
    };
    words.to_owned()
}

#[cfg(not(unix))]
fn why_by_number(error: &io::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_options_are_mistakes_on_the_command_line() {
        let unknown = ebbline::profiles::get("x").unwrap_err();
        assert_eq!(Failure::from(unknown).exit(), Exit::Usage);
        let empty = ebbline::Session::read("").unwrap_err();
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

    #[test]
    fn a_missing_file_is_said_in_words() {
        let error = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(why(&error), "there is no such file or folder");
    }
}

//! Errors of the system as commands have them.

use std::io::{self, ErrorKind};
use std::path::Path;

use ebbline_commands::Refusal;

/// An error of the system.
pub(crate) fn of_system(error: &io::Error) -> Refusal {
    let code = match error.kind() {
        ErrorKind::NotFound => "ENOENT",
        ErrorKind::IsADirectory => "EISDIR",
        ErrorKind::NotADirectory => "ENOTDIR",
        ErrorKind::PermissionDenied => "EACCES",
        ErrorKind::ReadOnlyFilesystem => "EROFS",
        ErrorKind::StorageFull => "ENOSPC",
        ErrorKind::QuotaExceeded => "EDQUOT",
        ErrorKind::FileTooLarge => "EFBIG",
        ErrorKind::ResourceBusy => "EBUSY",
        ErrorKind::BrokenPipe => "EPIPE",
        _ => code_of(error),
    };
    Refusal::System { code: code.to_owned(), words: error.to_string() }
}

/// The code of what the standard library has no stable name for; empty if it needs none.
#[cfg(unix)]
fn code_of(error: &io::Error) -> &'static str {
    use rustix::io::Errno;
    match Errno::from_io_error(error) {
        Some(Errno::LOOP) => "ELOOP",
        Some(Errno::NAMETOOLONG) => "ENAMETOOLONG",
        Some(Errno::IO) => "EIO",
        Some(Errno::NXIO) => "ENXIO",
        Some(Errno::MFILE) => "EMFILE",
        _ => "",
    }
}

#[cfg(not(unix))]
fn code_of(_: &io::Error) -> &'static str {
    ""
}

/// A file or folder that the system does not let us read, in a sentence.
pub(crate) fn unread(path: &Path, error: &io::Error) -> Refusal {
    Refusal::Sentence(format!("cannot read {}: {}", path.display(), of_system(error).reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_said_in_words() {
        let error = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(of_system(&error).reason(), "there is no such file or folder");
        let said = unread(Path::new("/no/such"), &error).reason();
        assert_eq!(said, "cannot read /no/such: there is no such file or folder");
    }
}

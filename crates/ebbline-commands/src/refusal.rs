//! Why a host could not do what it was asked for, and how that is said.

use serde::{Deserialize, Serialize};

use crate::file_state::FileState;
use crate::name::Name;

/// Why a host could not do something.
///
/// # Example
///
/// ```
/// use ebbline_commands::Refusal;
/// let refusal = Refusal::System { code: "ENOENT".to_owned(), words: String::new() };
/// assert_eq!(refusal.reason(), "there is no such file or folder");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The operating system says so.
    System {
        /// The name of its error: `ENOENT`.
        code: String,
        /// Its own words, for an error that has none here.
        words: String,
    },
    /// Another reason, which names no file.
    Reason(String),
    /// A whole sentence, which names the file.
    Sentence(String),
    /// A whole sentence about a store of sessions that is not as it should be.
    Damaged(String),
    /// The file to be written is no longer as it was read; what it is now, if it is still there.
    Changed {
        /// As it was read.
        before: Box<FileState>,
        /// As it is now.
        now: Option<Box<FileState>>,
    },
    /// No file can be made beside the one that is to be replaced.
    Beside {
        /// The folder.
        folder: Name,
        /// Why.
        why: Box<Refusal>,
    },
}

impl Refusal {
    /// The reason in words: a part of a sentence, or a whole one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::Refusal;
    /// assert_eq!(Refusal::Reason("it is late".to_owned()).reason(), "it is late");
    /// ```
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::System { code, words } => words_of(code)
                .map_or_else(|| words.lines().next().unwrap_or_default().to_owned(), str::to_owned),
            Self::Reason(reason) | Self::Sentence(reason) | Self::Damaged(reason) => reason.clone(),
            Self::Changed { before, now } => before.change(now.as_deref()),
            Self::Beside { folder, why } => {
                format!("no file can be made beside it, in {}: {}", folder.text(), why.reason())
            }
        }
    }
}

fn words_of(code: &str) -> Option<&'static str> {
    Some(match code {
        "ENOENT" => "there is no such file or folder",
        "EISDIR" => "it is a folder",
        "ENOTDIR" => "a part of its path is no folder",
        "EACCES" | "EPERM" => "it is not allowed",
        "EROFS" => "the file system can only be read",
        "ENOSPC" => "no space is left",
        "EDQUOT" => "the quota is used up",
        "EFBIG" => "it would be larger than a file may be",
        "ERR_FS_FILE_TOO_LARGE" => "it is larger than 2 GiB",
        "EBUSY" => "it is in use, or mounted by itself",
        "ELOOP" => "its links go round in a circle",
        "ENAMETOOLONG" => "its name is too long",
        "EIO" => "the device failed",
        "ENXIO" => "it cannot be opened",
        "EMFILE" => "too many files are open",
        "EPIPE" => "nobody reads it any more",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_said_in_words() {
        let system =
            |code: &str| Refusal::System { code: code.to_owned(), words: "odd\nand long".to_owned() };
        assert_eq!(system("EISDIR").reason(), "it is a folder");
        assert_eq!(system("EODD").reason(), "odd");
        let beside = Refusal::Beside { folder: "/a".into(), why: Box::new(system("EACCES")) };
        assert_eq!(beside.reason(), "no file can be made beside it, in /a: it is not allowed");
    }
}

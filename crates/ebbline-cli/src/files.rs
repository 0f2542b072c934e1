//! Files by their names on the command line, where `-` is standard input.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use crate::failure::{Failure, why};
use crate::store;

/// The name of a file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(OsString);

impl<N: Into<OsString>> From<N> for Name {
    fn from(name: N) -> Self {
        Self(name.into())
    }
}

impl Name {
    /// Whether it is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.0 == OsStr::new("-")
    }

    /// As it was given, for programs. What is no Unicode in it is replaced.
    pub(crate) fn given(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    /// As messages have it.
    pub(crate) fn said(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.given() }
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// Its size in bytes; 0 if nobody knows. The command that reads it says why it cannot be read.
    pub(crate) fn size(&self) -> u64 {
        if self.is_stdin() { 0 } else { fs::metadata(self.path()).map_or(0, |found| found.len()) }
    }

    /// Its bytes: those of a session, wherever it is kept.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        if self.is_stdin() {
            let said = |error| Failure::File(format!("cannot read {}: {}", self.said(), why(&error)));
            return standard_input().map_err(said);
        }
        store::bytes(self.path())
    }

    /// Its text, without a byte order mark; bytes that are no text are refused with their place.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        let bytes = self.bytes()?;
        let text = ebbline::text::utf8(&bytes)
            .map_err(|error| Failure::File(format!("cannot read {}: {error}", self.said())))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
    }
}

fn standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_said_as_it_was_given() {
        assert_eq!(Name::from("a.json").said(), "a.json");
        assert_eq!((Name::from("-").said(), Name::from("-").given()), ("standard input".into(), "-".into()));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let failure = Name::from("/no/such").bytes().unwrap_err();
        assert_eq!(failure.message(), "cannot read /no/such: there is no such file or folder");
    }
}

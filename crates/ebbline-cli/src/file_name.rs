//! Names as the system has them, and as commands have them: bytes.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use ebbline_commands::Name;

/// A name of the system's.
#[cfg(unix)]
pub(crate) fn name_of(name: &OsStr) -> Name {
    use std::os::unix::ffi::OsStrExt as _;
    Name::from(name.as_bytes().to_vec())
}

/// A name of the system's; what is no Unicode in it is replaced.
#[cfg(not(unix))]
pub(crate) fn name_of(name: &OsStr) -> Name {
    Name::from(&*name.to_string_lossy())
}

/// The path of a name.
pub(crate) fn path_of(name: &Name) -> PathBuf {
    PathBuf::from(os_of(name))
}

#[cfg(unix)]
fn os_of(name: &Name) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(name.bytes().to_vec())
}

#[cfg(not(unix))]
fn os_of(name: &Name) -> OsString {
    OsString::from(&*name.text())
}

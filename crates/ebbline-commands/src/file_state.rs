//! A session file as it was when it was read: an agent may append to it while it is compacted.
//!
//! A file that changed since is not replaced, because what came since would be lost.

use serde::{Deserialize, Serialize};

use crate::amount::amount;
use crate::name::Name;

/// A file, and what would differ if somebody had written to it.
///
/// # Example
///
/// ```
/// use ebbline_commands::FileState;
/// let before = FileState { size: 3, ..FileState::default() };
/// let now = FileState { size: 6, ..FileState::default() };
/// assert_ne!(before, now);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// Its path behind all links.
    pub path: Name,
    /// Its size in bytes.
    pub size: u64,
    /// When it was written to, in nanoseconds since 1970; `None` if the system does not say so.
    pub changed: Option<i64>,
    /// Which file it is, if the system says so.
    pub number: Option<(u64, u64)>,
}

impl FileState {
    /// What became of it since, as a sentence.
    pub(crate) fn change(&self, now: Option<&Self>) -> String {
        let what = match now {
            None => "it is gone".to_owned(),
            Some(now) if now.number != self.number => "another file took its place".to_owned(),
            Some(now) if now.size != self.size => {
                format!("it went from {} to {} bytes", amount(self.size), amount(now.size))
            }
            Some(_) => "it was written to".to_owned(),
        };
        format!(
            "{what} since it was read, and what came since would be lost; write to another file, or try again when nobody writes to it"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_said() {
        let before = FileState { size: 3, ..FileState::default() };
        let of = |now: Option<FileState>| before.change(now.as_ref());
        assert!(of(None).starts_with("it is gone since it was read, "));
        let grown = FileState { size: 6_000, ..before.clone() };
        assert!(of(Some(grown)).starts_with("it went from 3 to 6,000 bytes since"));
        let other = FileState { number: Some((1, 2)), ..before.clone() };
        assert!(of(Some(other)).starts_with("another file took its place since"));
        assert!(of(Some(before.clone())).starts_with("it was written to since"));
    }
}

//! What gives way to the passes that come before the protection boundary is drawn.

use super::Reason;

/// A part that gives way to a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) message: usize,
    /// Its index in the message.
    pub(crate) at: usize,
    /// Its index among all parts.
    pub(crate) part: usize,
    pub(crate) reason: Reason,
    pub(crate) becomes: Becomes,
}

/// What stands in the place of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// A placeholder, without the reference to the call.
    Cleared(String),
    /// Nothing.
    Gone,
    /// A note.
    Note(String),
    /// These arguments, as JSON.
    Arguments(String),
}

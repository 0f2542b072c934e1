//! What a desk needs of a session: its transcript, and the text behind it.

use std::borrow::Cow;
use std::ops::Range;

use ebbline::{Policy, Transcript};

use crate::error_text::Trouble;
use crate::export::{Exported, Wanted};

/// A session with its text: a file that the engine has read, or the sample as it was written.
pub trait Content {
    /// Messages, parts, lengths.
    fn transcript(&self) -> &Transcript;

    /// The text that messages stand in.
    fn source(&self) -> &str;

    /// Where message `message` stands in the source, in bytes.
    fn span(&self, message: usize) -> Range<usize>;

    /// The text of the part at `part` in [`Transcript::parts`], unescaped; empty for what holds no text.
    fn text_of(&self, part: usize) -> Cow<'_, str>;

    /// The arguments of the call at `part` without their names, one after the other: what it was called with says
    /// enough in a preview.
    fn values_of(&self, part: usize) -> String;

    /// Something to take home; `None` where this program cannot make it, because it has no writers of files.
    fn export(&self, order: &Order<'_>) -> Option<Result<Exported, Trouble>>;
}

/// What is to be taken home.
#[derive(Clone, Copy, Debug)]
pub struct Order<'o> {
    /// What.
    pub wanted: Wanted,
    /// The policy.
    pub policy: &'o Policy,
    /// Whether compaction is asked for whatever the trigger says.
    pub force: bool,
    /// The summary that a person gave; may be empty.
    pub summary: &'o str,
    /// Whether to clear what the file holds beside what is sent.
    pub free_bytes: bool,
}

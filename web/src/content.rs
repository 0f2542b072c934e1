//! What an [`OpenSession`](crate::open_session::OpenSession) needs of a session: its transcript and its text.

use std::borrow::Cow;
use std::ops::Range;

use ebbline::policy::Estimator;
use ebbline::replay::History;
use ebbline::{Policy, SessionText, Transcript};

use crate::error_text::UserError;
use crate::export::{ExportKind, Exported};
use crate::life::RecordedLife;

/// A session with its text.
pub trait Content {
    /// The session as the engine read it.
    fn session(&self) -> &SessionText<'static>;

    /// Its file's name.
    fn name(&self) -> &str;

    /// Its format's title.
    fn format(&self) -> &'static str;

    /// Its messages, parts and lengths.
    fn transcript(&self) -> &Transcript;

    /// The text that contains the messages.
    fn source(&self) -> &str;

    /// The byte range of message `message` in the source.
    fn span(&self, message: usize) -> Range<usize>;

    /// The unescaped text of the part at `part` in [`Transcript::parts`]; empty for a part without text.
    fn text_of(&self, part: usize) -> Cow<'_, str>;

    /// The files that the call at `part` names.
    fn files_of(&self, part: usize) -> Vec<String>;

    /// The argument values of the call at `part`, joined without their names: they are enough for a preview.
    fn values_of(&self, part: usize) -> String;

    /// Its life: the messages in the order in which they were sent.
    fn history(&self) -> History<'static>;

    /// When each message was written, in milliseconds since 1970.
    fn moments(&self) -> Vec<Option<u64>>;

    /// What its own agent sent and compacted, measured by `estimator`.
    fn recorded(&self, estimator: &Estimator) -> RecordedLife;

    /// Makes the requested export.
    fn export(&self, request: &ExportRequest<'_>) -> Result<Exported, UserError>;
}

/// A request for an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportRequest<'o> {
    /// What to export.
    pub wanted: ExportKind,
    /// The policy.
    pub policy: &'o Policy,
    /// Whether compaction is forced, whatever the trigger says.
    pub force: bool,
    /// The user's summary; may be empty.
    pub summary: &'o str,
    /// Whether to clear content that the file stores but the agent does not send.
    pub free_bytes: bool,
}

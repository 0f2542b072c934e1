//! What the page asks the worker, and what it answers.

use ebbline::Policy;
use serde::{Deserialize, Serialize};

use crate::drawn_plan::DrawnPlan;
use crate::error_text::UserError;
use crate::export::{ExportKind, Exported, Theme};
use crate::inspected::Inspected;
use crate::life::Life;
use crate::opening::Opening;
use crate::sheet::{Ask, Block};
use crate::view::At;

/// A request of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Plan under a policy.
    Plan {
        /// The policy.
        #[serde(with = "crate::wire::policy")]
        policy: Box<Policy>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// The moment; `None` for the session as its file holds it.
        at: Option<Box<At>>,
    },
    /// The session's life under a policy, and where it opens.
    Life {
        /// The policy.
        #[serde(with = "crate::wire::policy")]
        policy: Box<Policy>,
        /// Whether a smaller window may be chosen for a session that never fills the policy's.
        fit: bool,
        /// The policy whose life is on screen, to say what changes.
        #[serde(with = "crate::wire::policy::optional")]
        before: Option<Box<Policy>>,
    },
    /// One line for each of these messages, for the list.
    Previews(Vec<u32>),
    /// One message in detail, and why it has its fate under this policy.
    Inspect {
        /// The message's index.
        message: u32,
        /// The policy.
        #[serde(with = "crate::wire::policy")]
        policy: Box<Policy>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// Whether to return the whole text.
        whole: bool,
        /// The first part to return.
        from: usize,
        /// The moment; `None` for the session as its file holds it.
        at: Option<Box<At>>,
    },
    /// The messages that contain this text.
    Find(String),
    /// A sheet.
    Sheet(Box<Ask>),
    /// What each request of the life under another policy sends.
    Line(#[serde(with = "crate::wire::policy")] Box<Policy>),
    /// A file to export.
    Export {
        /// What to export.
        wanted: ExportKind,
        /// The policy.
        #[serde(with = "crate::wire::policy")]
        policy: Box<Policy>,
        /// The user's context window, where the page shows the session with another one.
        window: Option<u64>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// The user's summary; may be empty.
        summary: String,
        /// Whether to clear content that the file stores but the agent does not send.
        free_bytes: bool,
        /// The moment that pictures show; `None` for the session as its file holds it.
        at: Option<Box<At>>,
        /// The ground of pictures.
        theme: Theme,
    },
    /// The number by which the session's file is recognized again.
    Fingerprint,
}

/// The answer to a [`Request`].
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The plan.
    Planned(Box<DrawnPlan>),
    /// The life.
    Life(Box<Life>, Opening),
    /// A line for each message, in the order of the request.
    Previews(Vec<String>),
    /// The message.
    Inspected(Box<Inspected>),
    /// The indices of the messages.
    Found(#[serde(with = "crate::wire::column")] Vec<u32>),
    /// The sheet.
    Sheet(Vec<Block>),
    /// The tokens that each request sends, and those that the policy finds before it.
    Line(Line),
    /// The file, or why it could not be written.
    Exported(Result<Exported, UserError>),
    /// The number.
    Fingerprint(u64),
}

/// A life as a line: by request, what the policy finds and what is sent, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What the policy finds.
    #[serde(with = "crate::wire::column")]
    pub found: Vec<u32>,
    /// What is sent.
    #[serde(with = "crate::wire::column")]
    pub sent: Vec<u32>,
}

//! What the caller has to do next, and what it says.

use ebbline::Plan;
use ebbline::json::{Document, Writer};
use ebbline::{Error, summary};

use crate::compaction::Cause;
use crate::error::invalid;
use crate::options::Model;
use crate::options::members;
use crate::summary_request::SummaryRequest;

/// What the caller has to do next.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Nothing: send what [`view`](crate::Compactor::view) says.
    Send,
    /// Ask a model for a summary, and call [`answer`](crate::Compactor::answer) or [`give_up`](crate::Compactor::give_up). If
    /// [`is_background`](SummaryRequest::is_background) and not [`is_awaited`](SummaryRequest::is_awaited), send the view now
    /// and hand the answer over before a later call.
    Summarize(SummaryRequest),
    /// Say whether a compaction may be made: [`allow`](crate::Compactor::allow).
    Permit(Box<Permission>),
    /// Store messages that will no longer be sent as they are, and call [`stored`](crate::Compactor::stored).
    Store(Vec<Original>),
    /// Count the tokens of texts, and call [`counted`](crate::Compactor::counted). Until then it is as if the call had not been
    /// made.
    Count(Vec<String>),
}

/// The question whether a compaction may be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Permission {
    /// Why the context is compacted.
    pub cause: Cause,
    /// Whether a summary is to be written.
    pub is_summary: bool,
    /// What would be done.
    pub plan: Plan,
}

/// A message that will no longer be sent as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Original {
    /// The key to store it under.
    pub key: String,
    /// The message as JSON.
    pub text: String,
}

impl Step {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_send(&self) -> bool {
        matches!(self, Self::Send)
    }

    /// What is asked for as JSON, as the WIT package `ebbline:engine` says it; `None` if nothing is.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        let mut out = Writer::default();
        match self {
            Self::Send => return None,
            Self::Summarize(request) => return Some(request.to_json()),
            Self::Permit(permission) => {
                let Permission { cause, is_summary, plan } = &**permission;
                let step = if *is_summary { "summarize" } else { "prune" };
                out.raw("{\"compaction\":{\"cause\":").string(cause.as_str());
                out.raw(",\"step\":").string(step).raw(",\"plan\":").raw(&plan.to_json()).raw("}}");
            }
            Self::Store(originals) => {
                out.raw("{\"store\":[");
                for (at, Original { key, text }) in originals.iter().enumerate() {
                    out.raw(if at == 0 { "{\"key\":" } else { ",{\"key\":" }).string(key);
                    out.raw(",\"text\":").string(text).raw("}");
                }
                out.raw("]}");
            }
            Self::Count(texts) => {
                out.raw("{\"count\":[");
                for (at, text) in texts.iter().enumerate() {
                    out.raw(if at == 0 { "" } else { "," }).string(text);
                }
                out.raw("]}");
            }
        }
        Some(out.finish())
    }
}

/// What the caller knows about a request.
///
/// # Example
///
/// ```
/// use ebbline_compactor::RequestInfo;
/// let info = RequestInfo::new().focus("the failing test").idle(3_000).now(1_767_225_600_000);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RequestInfo {
    pub(crate) focus: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) target: Option<u64>,
    pub(crate) known_tokens: Option<u64>,
    pub(crate) has_model: bool,
    pub(crate) model: Option<Model>,
    pub(crate) idle: Option<u64>,
    pub(crate) now: Option<u64>,
}

impl RequestInfo {
    /// Nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a summary has to say most about that this call asks for.
    #[must_use]
    pub fn focus(mut self, focus: impl Into<String>) -> Self {
        self.focus = Some(focus.into());
        self
    }

    /// What the caller knows beside the messages, for the request for a summary: what it keeps in a memory, for example.
    #[must_use]
    pub fn notes(mut self, notes: impl Into<Option<String>>) -> Self {
        self.notes = notes.into();
        self
    }

    /// How many tokens the messages alone may have. What cannot be made so small is sent all the same: with a target, no obstacle
    /// is an error, except after an overflow.
    #[must_use]
    pub fn target(mut self, tokens: impl Into<Option<u64>>) -> Self {
        self.target = tokens.into();
        self
    }

    /// How many tokens the context has now, with what is sent beside the messages, as the caller counts it.
    #[must_use]
    pub fn known_tokens(mut self, tokens: impl Into<Option<u64>>) -> Self {
        self.known_tokens = tokens.into();
        self
    }

    /// Whether a model is there that writes summaries, where one is there only in some calls
    /// ([`Author::Later`](crate::Author::Later)).
    #[must_use]
    pub fn has_model(mut self, is_there: bool) -> Self {
        self.has_model = is_there;
        self
    }

    /// The limits of the model from now on, if it is another one than before.
    #[must_use]
    pub fn model(mut self, model: impl Into<Option<Model>>) -> Self {
        self.model = model.into();
        self
    }

    /// How many milliseconds ago the last request was.
    #[must_use]
    pub fn idle(mut self, milliseconds: impl Into<Option<u64>>) -> Self {
        self.idle = milliseconds.into();
        self
    }

    /// The time in milliseconds since 1970.
    #[must_use]
    pub fn now(mut self, milliseconds: impl Into<Option<u64>>) -> Self {
        self.now = milliseconds.into();
        self
    }
}

/// What the caller wishes of a compaction that it allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wishes {
    /// What the summary should say most about.
    pub focus: Option<String>,
    /// The summary itself, so that no model is asked.
    pub summary: Option<String>,
}

impl Wishes {
    /// Reads wishes from JSON: `{"focus": .., "summary": ..}`.
    ///
    /// # Errors
    ///
    /// `not_json`, `invalid_option`.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let document = Document::parse(json)?;
        let given = document.root();
        members::known(given, &[&["focus", "summary"]])?;
        let summary = members::text(given, "summary")?;
        Ok(Self { focus: members::text(given, "focus")?, summary })
    }

    /// Refuses a summary without words.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.summary.as_deref().filter(|summary| summary::is_blank(summary)) {
            Some(_) => Err(invalid("the summary must have words")),
            None => Ok(()),
        }
    }
}

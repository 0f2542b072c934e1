//! What a provider's refusal of a request says, and the window that it teaches.

use ebbline::json::Document;
use ebbline::overflow::{Failure, FailureKind, Limits, Rules, classify};

/// What a refusal says.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// Its words.
    pub(crate) message: String,
    /// The window that it names.
    pub(crate) window: Option<u64>,
    /// Whether it is about images or bytes.
    pub(crate) is_of_media: bool,
}

impl Refusal {
    /// Reads the provider's words, or the error as JSON with its words as `message`.
    pub(crate) fn read(words: &str) -> Self {
        let document = Document::parse(words).ok().filter(|document| document.root().is_object());
        let root = document.as_ref().map(Document::root);
        let failure = root.map_or_else(|| Failure::of_text(words), Failure::read);
        let found = classify(&failure, Rules::Union, Limits::default());
        let message =
            root.and_then(|root| root.text_of("message")).map(|message| message.decode().into_owned());
        Self {
            message: message.unwrap_or_else(|| words.to_owned()),
            window: found.evidence.and_then(|evidence| evidence.window),
            is_of_media: matches!(found.kind, FailureKind::MediaLimit | FailureKind::PayloadTooLarge),
        }
    }
}

/// A window that was learnt, and the one that the caller had said, both in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearntWindow {
    /// The window that was learnt.
    pub window: u64,
    /// The window that the caller had said.
    pub told: Option<u64>,
}

//! What a failure means, and what shows it.

use crate::words;

words! {
    /// What a failure means.
    pub enum FailureKind [non_exhaustive] {
        /// The request has more tokens than the context window: compact, and send it again.
        ContextOverflow "context_overflow",
        /// The request has more bytes than the server takes: remove images and large outputs. Often, but not
        /// always, compacting helps.
        PayloadTooLarge "payload_too_large",
        /// Too many images or documents, or one that is too large: remove older ones.
        MediaLimit "media_limit",
        /// Too many requests, a used-up quota or a server without room: wait.
        RateLimit "rate_limit",
        /// Anything else.
        Other "other",
    }

    /// What kind of thing shows it.
    pub enum Sign [non_exhaustive] {
        /// A text matches a pattern.
        Text "text",
        /// An error code.
        Code "code",
        /// An HTTP status.
        Status "status",
        /// An answer that used the whole window, and more.
        Usage "usage",
    }
}

//! Words that only JavaScript has: what can go wrong there and nowhere in the engine.

ebbline_json::words! {
    /// What goes wrong in JavaScript only.
    pub(crate) enum JavaScriptCode {
        /// A value that was passed threw an error when it was read: a getter, a proxy (maybe revoked),
        /// `toJSON`. `cause` is that error. What `countTokens` throws is the `cause` of an `invalid_option`.
        Unreadable "unreadable",
        /// A {@link Session} is used by what it is reading: by a getter of a message, a proxy, or `countTokens`.
        Busy "busy",
        /// A message that would change is an instance of a class with private members, which cannot be
        /// copied.
        CannotCopy "cannot_copy",
        /// A {@link Session} is used after it was freed.
        Freed "freed",
        /// A module is not loaded yet: the message names the call of `init` that loads it.
        NotInitialized "not_initialized",
        /// A model's answer is no summary: it refuses, is an error message or a call, says nothing, or is about something else.
        RefusedSummary "refused_summary",
        /// A summary lacks what it must have: facts, the language of the user, headings.
        IncompleteSummary "incomplete_summary",
        /// System messages, what is pinned, and what is sent beside the messages fill the context window: no compaction
        /// makes a request fit.
        HeadFillsWindow "head_fills_window",
    }
}

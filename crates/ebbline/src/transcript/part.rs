//! Parts: the smallest units that have a cost.

use std::num::NonZeroU32;

use crate::length::Length;
use crate::words;

words! {
    /// What a part is.
    pub enum PartKind [non_exhaustive] {
        /// Words of the user, the model or the system.
        Text "text",
        /// The model's reasoning.
        Thinking "thinking",
        /// A call of a tool; its length is that of the arguments.
        ToolCall "tool_call",
        /// What a tool gave back.
        ToolResult "tool_result",
        /// An image; its length is that of its URL or data.
        Image "image",
        /// A document or another file.
        File "file",
        /// A summary of what came before.
        Summary "summary",
        /// Anything else that is sent.
        Other "other",
    }

    /// What may be done with a tool result.
    pub enum Output [derive(Default), non_exhaustive] {
        /// An ordinary result.
        Ordinary "ordinary" [default],
        /// The tool failed; the part is the error's text.
        Error "error",
        /// The result has been pruned before: a placeholder stands in its place.
        Pruned "pruned",
        /// The provider made the result and verifies it: it must go back as it came.
        Sealed "sealed",
        /// The tool failed, and the format has no place for anything but the error's own text.
        FixedError "fixed_error",
        /// An ordinary result that reads as the placeholder does. Nothing proves that it was pruned; pruning it would
        /// change nothing.
        Placeholder "placeholder",
        /// An error text of a failed tool that equals the placeholder. Nothing proves that it was pruned.
        FailedPlaceholder "failed_placeholder",
    }
}

crate::form::worded!(Output);

impl Output {
    /// Whether the tool failed.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::Output;
    /// assert!(Output::Error.has_failed() && !Output::Ordinary.has_failed());
    /// ```
    #[must_use]
    pub fn has_failed(self) -> bool {
        matches!(self, Self::Error | Self::FixedError | Self::FailedPlaceholder)
    }

    /// Whether the output's text equals the placeholder while nothing proves that it was pruned.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::transcript::Output;
    /// assert!(!Output::Pruned.says_placeholder(), "that one is proved");
    /// ```
    #[must_use]
    pub fn says_placeholder(self) -> bool {
        matches!(self, Self::Placeholder | Self::FailedPlaceholder)
    }
}

crate::form::reported! {
    /// One part of a message: the smallest unit that has a cost.
    [Copy, Eq]
    pub struct Part {
        /// What the part is.
        pub kind: PartKind,
        /// For a tool result: what may be done with it.
        pub output: Output,
        /// The number of texts that the part is made of. Estimators that join texts with a separator need it.
        pub pieces: u16,
        /// The length of what is sent. For a tool call, this is the length of its arguments as compact JSON.
        pub length: Length,
        /// The length in the notation of the format's own system, where that system measures another text than the
        /// one it sends. TunaCode measures the Python `repr` of a result that is not a string (in code points). pi
        /// measures what `JSON.stringify` writes for a call's arguments, and Gemini CLI what it writes for a response
        /// (both in UTF-16 units). No notation of a value is empty.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub native: Option<NonZeroU32>,
        /// The call that the part makes or answers, or that an image belongs to. Parts with the same index belong to
        /// the same call.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub call: Option<u32>,
        /// The tool's name, as an index for [`Transcript::tool_name`](super::Transcript::tool_name).
        #[serde(skip)]
        pub tool: Option<u32>,
        /// Whether the part carries a signature or encrypted content that the provider verifies. Such a part must be
        /// sent back unchanged and in its place.
        pub signed: bool,
    }
}

impl Part {
    /// Whether it is text whose tokens are known but for the tokenizer: no image, file or reasoning, and nothing encrypted.
    pub(crate) fn is_text(&self) -> bool {
        match self.kind {
            PartKind::Image | PartKind::File | PartKind::Thinking => false,
            PartKind::Summary | PartKind::Other => !self.signed,
            PartKind::Text | PartKind::ToolCall | PartKind::ToolResult => true,
        }
    }

    /// A part made of one text, with defaults for everything else.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Part, PartKind};
    /// assert_eq!(Part::new(PartKind::Text, Length::of("hello")).length.bytes, 5);
    /// ```
    #[must_use]
    pub fn new(kind: PartKind, length: Length) -> Self {
        let output = Output::Ordinary;
        Self { kind, output, pieces: 1, length, native: None, call: None, tool: None, signed: false }
    }
}

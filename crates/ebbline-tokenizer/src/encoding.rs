//! The encodings: how each splits a text into pieces, and its special tokens.

use crate::split::{self, Split};

/// An encoding of `OpenAI`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// `o200k_base`: GPT-4o, o1 and later.
    O200k,
    /// `cl100k_base`: GPT-4, GPT-3.5 Turbo, the embeddings.
    Cl100k,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: &'static [Self] = &[Self::O200k, Self::Cl100k];

    /// The name that `tiktoken` gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        }
    }

    /// Its special tokens. They are ordinary text unless the caller allows them.
    #[must_use]
    pub fn special_tokens(self) -> &'static [(&'static str, u32)] {
        match self {
            Self::O200k => &[("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)],
            Self::Cl100k => &[
                ("<|endoftext|>", 100_257),
                ("<|fim_prefix|>", 100_258),
                ("<|fim_middle|>", 100_259),
                ("<|fim_suffix|>", 100_260),
                ("<|endofprompt|>", 100_276),
            ],
        }
    }

    /// The number of ordinary tokens; their ids begin at 0.
    #[must_use]
    pub fn ordinary_tokens(self) -> usize {
        match self {
            Self::O200k => 199_998,
            Self::Cl100k => 100_256,
        }
    }

    /// How it finds the end of a piece.
    pub(crate) fn split(self) -> Split {
        match self {
            Self::O200k => split::o200k::end_of_piece,
            Self::Cl100k => split::cl100k::end_of_piece,
        }
    }
}

//! Counting, encoding and decoding.

use crate::encoding::Encoding;
use crate::merge::Merger;
use crate::ranks::BadRanks;
use crate::vocabulary::Vocabulary;

/// An encoding with its vocabulary: about 8 MB for `o200k_base`.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    encoding: Encoding,
    vocabulary: Vocabulary,
}

impl Tokenizer {
    /// A tokenizer of `encoding`; `ranks` are its packed ranks, as in the files of this package or made by
    /// [`crate::pack`].
    ///
    /// # Errors
    ///
    /// [`BadRanks`] when they are not packed ranks, or not those of this encoding.
    pub fn new(encoding: Encoding, ranks: &[u8]) -> Result<Self, BadRanks> {
        Ok(Self { encoding, vocabulary: Vocabulary::new(encoding, ranks)? })
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many tokens `text` has. Special tokens in it are text like any other.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        let mut count = 0;
        self.each_token(text, |_| count += 1);
        count
    }

    /// The tokens of `text`. Special tokens in it are text like any other.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        self.each_token(text, |token| tokens.push(token));
        tokens
    }

    /// The tokens of `text`; every special token in it that `is_allowed` is one token. Where two begin at the same
    /// place, the first of [`Encoding::special_tokens`] counts; none is the beginning of another.
    ///
    /// # Example
    ///
    /// ```
    /// # use ebbline_tokenizer::{Encoding, Tokenizer};
    /// # let tokenizer = Tokenizer::new(Encoding::Cl100k, include_bytes!("../ranks/cl100k.ranks"))?;
    /// let tokens = tokenizer.encode_with_special("hello<|endoftext|>", |special| special == "<|endoftext|>");
    /// assert_eq!(tokens, [15339, 100_257]);
    /// # Ok::<(), ebbline_tokenizer::BadRanks>(())
    /// ```
    #[must_use]
    pub fn encode_with_special(&self, text: &str, is_allowed: impl Fn(&str) -> bool) -> Vec<u32> {
        let special: Vec<_> =
            self.encoding.special_tokens().iter().filter(|(name, _)| is_allowed(name)).collect();
        let mut tokens = Vec::new();
        let mut rest = text;
        loop {
            let next = special.iter().filter_map(|(name, token)| Some((rest.find(name)?, name, token)));
            let Some((at, name, token)) = next.min_by_key(|(at, ..)| *at) else { break };
            self.each_token(rest.get(..at).unwrap_or_default(), |token| tokens.push(token));
            tokens.push(*token);
            rest = rest.get(at + name.len()..).unwrap_or_default();
        }
        self.each_token(rest, |token| tokens.push(token));
        tokens
    }

    /// The bytes that `tokens` stand for; `None` if one of them is no token of the encoding.
    ///
    /// Tokens may divide a character, so that the bytes of a few of them need not be UTF-8.
    #[must_use]
    pub fn decode(&self, tokens: &[u32]) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(tokens.len() * 4);
        for token in tokens {
            let special = self.encoding.special_tokens().iter().find(|(_, special)| special == token);
            match special {
                Some((name, _)) => bytes.extend_from_slice(name.as_bytes()),
                None => bytes.extend_from_slice(self.vocabulary.bytes_of(*token)?),
            }
        }
        Some(bytes)
    }

    fn each_token(&self, text: &str, mut take: impl FnMut(u32)) {
        let bytes = text.as_bytes();
        let end_of_piece = self.encoding.split();
        let mut merger = Merger::default();
        let mut start = 0;
        while start < bytes.len() {
            let end = end_of_piece(bytes, start).clamp(start + 1, bytes.len());
            match self.vocabulary.token_at(bytes, start, end) {
                Some(token) => take(token),
                None => {
                    let piece = bytes.get(start..end).unwrap_or_default();
                    merger.merge(&self.vocabulary, piece, |from, to| {
                        // Every byte is a token, and nothing is merged that is none.
                        take(self.vocabulary.token_at(piece, from, to).unwrap_or_default());
                    });
                }
            }
            start = end;
        }
    }
}

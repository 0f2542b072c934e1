//! Counting, encoding and decoding.

use std::ops::Range;

use crate::encoding::Encoding;
use crate::memo::{Key, Memo};
use crate::ranks::BadRanks;
use crate::settled::settled;
use crate::vocabulary::Vocabulary;

/// The beginning of every special token.
const SPECIAL: &str = "<|";

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

    /// The number of tokens of `text`. Special tokens in it count as ordinary text.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        let mut count = 0;
        self.each_ordinary(text, &mut Memo::default(), &mut |_| count += 1);
        count
    }

    /// The tokens of `text`. Special tokens in it are encoded as ordinary text.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        self.each_ordinary(text, &mut Memo::default(), &mut |token| tokens.push(token));
        tokens
    }

    /// The tokens of `text`; every special token in it that `is_allowed` is one token.
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
        let mut tokens = Vec::with_capacity(text.len() / 4);
        self.each_token(text, &mut Memo::default(), is_allowed, |token| tokens.push(token));
        tokens
    }

    /// Calls `take` with every token of `text`, in order; every special token in it that `is_allowed` is one token.
    ///
    /// # Example
    ///
    /// ```
    /// # use ebbline_tokenizer::{Encoding, Memo, Tokenizer};
    /// # let tokenizer = Tokenizer::new(Encoding::Cl100k, include_bytes!("../ranks/cl100k.ranks"))?;
    /// let mut memo = Memo::default(); // kept between texts
    /// let mut count = 0;
    /// for text in ["hello world", "hello again"] {
    ///     tokenizer.each_token(text, &mut memo, |_| false, |_| count += 1);
    /// }
    /// assert_eq!(count, 4);
    /// # Ok::<(), ebbline_tokenizer::BadRanks>(())
    /// ```
    pub fn each_token(
        &self,
        text: &str,
        memo: &mut Memo,
        is_allowed: impl Fn(&str) -> bool,
        mut take: impl FnMut(u32),
    ) {
        let rest = self.up_to_last_special(text, memo, is_allowed, &mut take);
        self.each_ordinary(text.get(rest..).unwrap_or_default(), memo, &mut take);
    }

    /// Encodes a part of a text that continues: calls `take` with every token that does not depend on the next part, and
    /// returns the number of encoded bytes. Put the remaining bytes in front of the next part, and encode the last part
    /// as a whole text. Special tokens are treated as by [`Self::encode_with_special`].
    ///
    /// If it returns 0, the part is a single word, number or run of punctuation: call it again with a longer part.
    ///
    /// # Example
    ///
    /// ```
    /// # use ebbline_tokenizer::{Encoding, Memo, Tokenizer};
    /// # let tokenizer = Tokenizer::new(Encoding::Cl100k, include_bytes!("../ranks/cl100k.ranks"))?;
    /// let (mut tokens, mut memo) = (Vec::new(), Memo::default());
    /// let done = tokenizer.encode_part("hello wor", &mut memo, |_| false, |token| tokens.push(token));
    /// assert_eq!(done, 5); // `wor` may be the beginning of another word
    /// tokens.extend(tokenizer.encode(" world"));
    /// assert_eq!(tokens, tokenizer.encode("hello world"));
    /// # Ok::<(), ebbline_tokenizer::BadRanks>(())
    /// ```
    pub fn encode_part(
        &self,
        part: &str,
        memo: &mut Memo,
        is_allowed: impl Fn(&str) -> bool,
        mut take: impl FnMut(u32),
    ) -> usize {
        let start = self.up_to_last_special(part, memo, &is_allowed, &mut take);
        let rest = part.get(start..).unwrap_or_default();
        let end = settled(rest, self.special_begins(rest, is_allowed));
        self.each_ordinary(rest.get(..end).unwrap_or_default(), memo, &mut take);
        start + end
    }

    /// The first special token in `text` that `is_wanted`, and where it is in bytes.
    ///
    /// # Example
    ///
    /// ```
    /// # use ebbline_tokenizer::{Encoding, Tokenizer};
    /// # let tokenizer = Tokenizer::new(Encoding::Cl100k, include_bytes!("../ranks/cl100k.ranks"))?;
    /// let text = "what a user <|endoftext|> wrote";
    /// assert_eq!(tokenizer.find_special(text, |_| true), Some((12, "<|endoftext|>")));
    /// # Ok::<(), ebbline_tokenizer::BadRanks>(())
    /// ```
    #[must_use]
    pub fn find_special(
        &self,
        text: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<(usize, &'static str)> {
        self.next_special(text, 0, is_wanted).map(|(at, name, _)| (at, name))
    }

    /// The bytes of `tokens`; `None` if one of them is not a token of the encoding.
    ///
    /// Tokens may split a character, so the bytes of a few tokens need not be UTF-8.
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

    /// Takes everything up to the end of the last special token, and returns where that is.
    fn up_to_last_special(
        &self,
        text: &str,
        memo: &mut Memo,
        is_allowed: impl Fn(&str) -> bool,
        take: &mut impl FnMut(u32),
    ) -> usize {
        let mut start = 0;
        while let Some((at, name, token)) = self.next_special(text, start, &is_allowed) {
            self.each_ordinary(text.get(start..at).unwrap_or_default(), memo, take);
            take(token);
            start = at + name.len();
        }
        start
    }

    /// The next special token at or after `from`. No special token is the beginning of another.
    fn next_special(
        &self,
        text: &str,
        mut from: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<(usize, &'static str, u32)> {
        let mut wanted = self.encoding.special_tokens().iter().filter(|(name, _)| is_wanted(name)).peekable();
        wanted.peek()?;
        let wanted: Vec<_> = wanted.collect();
        loop {
            let rest = text.get(from..)?;
            let at = from + rest.find(SPECIAL)?;
            let here = text.get(at..)?;
            if let Some((name, token)) = wanted.iter().find(|(name, _)| here.starts_with(name)) {
                return Some((at, name, *token));
            }
            from = at + 1;
        }
    }

    /// The place near the end of `text` where an incomplete special token may begin; the end if there is none.
    fn special_begins(&self, text: &str, is_allowed: impl Fn(&str) -> bool) -> usize {
        let allowed = self.encoding.special_tokens().iter().filter(|(name, _)| is_allowed(name));
        let begins = |name: &str| {
            (1..name.len())
                .rev()
                .find(|length| name.get(..*length).is_some_and(|begun| text.ends_with(begun)))
        };
        let longest = allowed.filter_map(|(name, _)| begins(name)).max();
        text.len() - longest.unwrap_or(0)
    }

    /// Not inlined: one copy is enough, because every caller passes whole texts.
    #[inline(never)]
    fn each_ordinary(&self, text: &str, memo: &mut Memo, take: &mut impl FnMut(u32)) {
        let bytes = text.as_bytes();
        let end_of_piece = self.encoding.split();
        let mut start = 0;
        while start < bytes.len() {
            let end = end_of_piece(bytes, start).clamp(start + 1, bytes.len());
            match Key::at(bytes, start, end) {
                Some(key) => match memo.get(key) {
                    Some(tokens) => tokens.iter().for_each(|token| take(*token)),
                    None => self.each_of_new_piece(bytes, start..end, Some(key), memo, take),
                },
                None => self.each_of_new_piece(bytes, start..end, None, memo, take),
            }
            start = end;
        }
    }

    /// Encodes a piece that is not in the cache, and caches it if it has a key.
    fn each_of_new_piece(
        &self,
        text: &[u8],
        place: Range<usize>,
        key: Option<Key>,
        memo: &mut Memo,
        take: &mut impl FnMut(u32),
    ) {
        if let Some(token) = self.vocabulary.token_at(text, place.start, place.end) {
            take(token);
            if let Some(key) = key {
                memo.put(key, token);
            }
            return;
        }
        let piece = text.get(place).unwrap_or_default();
        let tokens = memo.merger.merge(&self.vocabulary, piece);
        for token in tokens {
            take(*token);
        }
        if let Some(key) = key {
            memo.put_merged(key);
        }
    }
}

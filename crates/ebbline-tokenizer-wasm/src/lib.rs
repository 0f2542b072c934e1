//! The bindings of the tokenizers for JavaScript. This crate only passes data:
//!
//! - **Text** arrives in parts. JavaScript writes each part to [`Tokenizer::text_pointer`] with
//!   `TextEncoder.encodeInto`. Bytes whose tokens depend on the next part stay at the front of the buffer, and the next
//!   part is written after them. So a small buffer is enough for a text of any length, and the tokens are the same as
//!   those of the whole text.
//! - **Tokens** are returned as a view of the module's memory, which JavaScript copies.
//! - **Errors** are returned as `EbblineError`, a class of the npm package.
//!
//! A view becomes invalid when the memory grows, so JavaScript reads the pointer again after every call that may
//! allocate.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "JavaScript alone calls it, which reads no Rust documentation"
)]

mod error;

use ebbline_tokenizer::{Encoding, Memo};
use wasm_bindgen::prelude::*;

use crate::error::EbblineError;

/// The initial size of the buffer: most messages are shorter, and it fits into a processor's cache.
const PART: usize = 64 * 1024;

/// A tokenizer with buffers for a part of a text and for tokens.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Tokenizer {
    inner: ebbline_tokenizer::Tokenizer,
    memo: Memo,
    /// A part of a text, after the remaining bytes of the previous part.
    text: Vec<u8>,
    rest: usize,
    tokens: Vec<u32>,
}

#[wasm_bindgen]
impl Tokenizer {
    /// The tokenizer of an encoding, with its packed ranks.
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: &str, ranks: &[u8]) -> Result<Tokenizer, EbblineError> {
        let known = Encoding::ALL.iter().find(|known| known.name() == encoding);
        let known = known.ok_or_else(|| EbblineError::bad_ranks("there is no such encoding"))?;
        let inner = ebbline_tokenizer::Tokenizer::new(*known, ranks)
            .map_err(|error| EbblineError::bad_ranks(&error.to_string()))?;
        Ok(Self { inner, memo: Memo::default(), text: vec![0; PART], rest: 0, tokens: Vec::new() })
    }

    /// The names of the special tokens, in the order of the bits of `special` below.
    #[wasm_bindgen(js_name = specialTokens)]
    pub fn special_tokens(&self) -> Vec<String> {
        self.inner.encoding().special_tokens().iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    /// The address of the part in the module's memory.
    #[wasm_bindgen(getter, js_name = textPointer)]
    pub fn text_pointer(&self) -> usize {
        self.text.as_ptr() as usize
    }

    /// The most bytes of a part.
    #[wasm_bindgen(getter, js_name = textLength)]
    pub fn text_length(&self) -> usize {
        self.text.len()
    }

    /// The number of remaining bytes of the previous part; the next part is written after them.
    #[wasm_bindgen(getter)]
    pub fn rest(&self) -> usize {
        self.rest
    }

    /// Doubles the buffer. The pointer changes; the remaining bytes stay.
    pub fn grow(&mut self) -> Result<(), EbblineError> {
        let length = self.text.len();
        self.text.try_reserve_exact(length).map_err(|_| EbblineError::out_of_memory(length * 2))?;
        self.text.resize(length * 2, 0);
        Ok(())
    }

    /// Counts the tokens of the part's first `length` bytes; if it is not the last part, only those tokens that do not
    /// depend on the next one.
    #[wasm_bindgen(js_name = countPart)]
    pub fn count_part(&mut self, length: usize, is_last: bool, special: u32) -> usize {
        let mut count = 0;
        self.each_token(length, is_last, special, |_, _| count += 1);
        count
    }

    /// Like [`Self::count_part`], but appends the tokens to those of the previous parts.
    #[wasm_bindgen(js_name = encodePart)]
    pub fn encode_part(&mut self, length: usize, is_last: bool, special: u32) -> Result<(), EbblineError> {
        // A token has at least one byte.
        if self.tokens.try_reserve(length).is_err() {
            self.tokens = Vec::new();
            self.rest = 0;
            return Err(EbblineError::out_of_memory(length * 4));
        }
        self.each_token(length, is_last, special, |tokens, token| tokens.push(token));
        Ok(())
    }

    /// The address of the tokens in the module's memory.
    #[wasm_bindgen(getter, js_name = tokensPointer)]
    pub fn tokens_pointer(&self) -> usize {
        self.tokens.as_ptr() as usize
    }

    /// The number of tokens.
    #[wasm_bindgen(getter, js_name = tokensLength)]
    pub fn tokens_length(&self) -> usize {
        self.tokens.len()
    }

    /// Clears text and tokens; buffers of an ordinary size are kept.
    pub fn clear(&mut self) {
        self.rest = 0;
        self.tokens.clear();
        self.tokens.shrink_to(PART);
        if self.text.len() > PART {
            self.text = vec![0; PART];
        }
    }

    /// The bytes of tokens; `None` if one of them is not a token.
    pub fn decode(&self, tokens: &[u32]) -> Option<Vec<u8>> {
        self.inner.decode(tokens)
    }
}

impl Tokenizer {
    fn each_token(
        &mut self,
        length: usize,
        is_last: bool,
        special: u32,
        mut take: impl FnMut(&mut Vec<u32>, u32),
    ) {
        let bytes = self.text.get(..length).unwrap_or_default();
        // `encodeInto` writes whole characters only.
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let names = self.inner.encoding().special_tokens();
        let is_allowed = |name: &str| {
            names.iter().position(|(known, _)| *known == name).is_some_and(|bit| special >> bit & 1 == 1)
        };
        let (tokens, memo) = (&mut self.tokens, &mut self.memo);
        if is_last {
            self.inner.each_token(text, memo, is_allowed, |token| take(tokens, token));
            self.rest = 0;
        } else {
            let done = self.inner.encode_part(text, memo, is_allowed, |token| take(tokens, token));
            self.rest = text.len() - done;
            self.text.copy_within(done..done + self.rest, 0);
        }
    }
}

//! The tokenizers as JavaScript sees them. Nothing is decided here: what crosses, and how.
//!
//! - **Text** comes in parts. JavaScript encodes each into [`Tokenizer::text_pointer`] with `TextEncoder.encodeInto`; what
//!   of a part depends on the next one stays in front, and the next is written behind it. So a text of any length needs
//!   a small buffer only, and the tokens are those of the whole.
//! - **Tokens** leave as a view of the module's memory, which JavaScript copies.
//! - **Errors** leave as `EbblineError`, a class of the npm package.
//!
//! A view that JavaScript holds dies when the memory grows; it asks for the pointer again after every call that may
//! allocate.

mod error;

use ebbline_tokenizer::{Encoding, Memo};
use wasm_bindgen::prelude::*;

use crate::error::EbblineError;

/// What a part holds at first: most messages are shorter, and a processor keeps it at hand.
const PART: usize = 64 * 1024;

/// A tokenizer with room for a part of a text and for tokens.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Tokenizer {
    inner: ebbline_tokenizer::Tokenizer,
    memo: Memo,
    /// A part of a text; what is left of the one before stands in front.
    text: Vec<u8>,
    rest: usize,
    tokens: Vec<u32>,
}

#[wasm_bindgen]
impl Tokenizer {
    /// The tokenizer of an encoding, with its packed ranks.
    ///
    /// # Errors
    ///
    /// `bad_ranks` when they are not those of the encoding.
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
    #[must_use]
    pub fn special_tokens(&self) -> Vec<String> {
        self.inner.encoding().special_tokens().iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    /// Where the part of a text lies in the module's memory.
    #[wasm_bindgen(getter, js_name = textPointer)]
    #[must_use]
    pub fn text_pointer(&self) -> usize {
        self.text.as_ptr() as usize
    }

    /// How many bytes a part can have.
    #[wasm_bindgen(getter, js_name = textLength)]
    #[must_use]
    pub fn text_length(&self) -> usize {
        self.text.len()
    }

    /// How many bytes of the part before are left; the next one is written behind them.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn rest(&self) -> usize {
        self.rest
    }

    /// Makes room for parts twice as long. The pointer changes, what is left stays.
    ///
    /// # Errors
    ///
    /// `too_large` when there is not that much memory.
    pub fn grow(&mut self) -> Result<(), EbblineError> {
        let length = self.text.len();
        self.text.try_reserve_exact(length).map_err(|_| EbblineError::out_of_memory(length * 2))?;
        self.text.resize(length * 2, 0);
        Ok(())
    }

    /// Counts the tokens of the part's first `length` bytes, or of as many as are settled if it is not the last.
    #[wasm_bindgen(js_name = countPart)]
    pub fn count_part(&mut self, length: usize, is_last: bool, special: u32) -> usize {
        let mut count = 0;
        self.each_token(length, is_last, special, |_, _| count += 1);
        count
    }

    /// As [`Self::count_part`], but the tokens are kept behind those of the parts before.
    ///
    /// # Errors
    ///
    /// `too_large` when there is no memory for them.
    #[wasm_bindgen(js_name = encodePart)]
    pub fn encode_part(&mut self, length: usize, is_last: bool, special: u32) -> Result<(), EbblineError> {
        // A token has one byte at least.
        if self.tokens.try_reserve(length).is_err() {
            self.tokens = Vec::new();
            self.rest = 0;
            return Err(EbblineError::out_of_memory(length * 4));
        }
        self.each_token(length, is_last, special, |tokens, token| tokens.push(token));
        Ok(())
    }

    /// Where the tokens lie in the module's memory.
    #[wasm_bindgen(getter, js_name = tokensPointer)]
    #[must_use]
    pub fn tokens_pointer(&self) -> usize {
        self.tokens.as_ptr() as usize
    }

    /// How many tokens there are.
    #[wasm_bindgen(getter, js_name = tokensLength)]
    #[must_use]
    pub fn tokens_length(&self) -> usize {
        self.tokens.len()
    }

    /// Forgets text and tokens; the room of ordinary texts is kept.
    pub fn clear(&mut self) {
        self.rest = 0;
        self.tokens.clear();
        self.tokens.shrink_to(PART);
        if self.text.len() > PART {
            self.text = vec![0; PART];
        }
    }

    /// The bytes that tokens stand for; nothing if one of them is no token.
    #[must_use]
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

//! Text in memory that JavaScript writes into and reads from directly, through a typed array over the module's memory.
//!
//! A view that JavaScript holds dies when the memory grows; it asks for the pointer again after every call that may
//! allocate.

use wasm_bindgen::prelude::*;

use crate::error::EbblineError;

/// Bytes of UTF-8 text.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct TextBuffer {
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl TextBuffer {
    /// A buffer of `capacity` bytes.
    ///
    /// # Errors
    ///
    /// `too_large` when there is not that much memory.
    #[wasm_bindgen(constructor)]
    pub fn new(capacity: usize) -> Result<TextBuffer, EbblineError> {
        let mut buffer = Self::default();
        buffer.resize(capacity)?;
        Ok(buffer)
    }

    /// Where the bytes lie in the module's memory.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn pointer(&self) -> usize {
        self.bytes.as_ptr() as usize
    }

    /// How many bytes there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Makes the buffer `capacity` bytes long; what it holds stays. The pointer changes.
    ///
    /// # Errors
    ///
    /// `too_large` when there is not that much memory.
    pub fn resize(&mut self, capacity: usize) -> Result<(), EbblineError> {
        let more = capacity.saturating_sub(self.bytes.len());
        self.bytes.try_reserve_exact(more).map_err(|_| EbblineError::out_of_memory(capacity))?;
        self.bytes.resize(capacity, 0);
        Ok(())
    }
}

impl TextBuffer {
    /// The first `length` bytes as text, without a copy.
    ///
    /// # Errors
    ///
    /// `not_utf8`.
    pub fn into_text(mut self, length: usize) -> Result<String, EbblineError> {
        self.bytes.truncate(length);
        ebbline::text::utf8(&self.bytes)?;
        Ok(String::from_utf8(self.bytes).unwrap_or_default())
    }

    /// The first `length` bytes as a session's text, in which some may be no UTF-8.
    ///
    /// # Errors
    ///
    /// As [`ebbline::text::Text::from_bytes`].
    pub fn into_session_text(mut self, length: usize) -> Result<ebbline::text::Text<'static>, EbblineError> {
        self.bytes.truncate(length);
        Ok(ebbline::text::Text::from_bytes(self.bytes)?)
    }

    /// A buffer that holds `bytes`.
    #[must_use]
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// A buffer that holds `text`.
    #[must_use]
    pub fn of_text(text: String) -> Self {
        Self { bytes: text.into_bytes() }
    }
}

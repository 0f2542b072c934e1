//! Text in memory that JavaScript reads and writes directly, through a typed array over the module's memory.
//!
//! A view in JavaScript becomes invalid when the memory grows, so JavaScript asks for the pointer again after every
//! call that may allocate.

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
    #[wasm_bindgen(constructor)]
    pub fn new(capacity: usize) -> Result<TextBuffer, EbblineError> {
        let mut buffer = Self::default();
        buffer.resize(capacity)?;
        Ok(buffer)
    }

    /// The address of the bytes in the module's memory.
    #[wasm_bindgen(getter)]
    pub fn pointer(&self) -> usize {
        self.bytes.as_ptr() as usize
    }

    /// The number of bytes.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Resizes the buffer to `capacity` bytes and keeps its content. The pointer changes.
    pub fn resize(&mut self, capacity: usize) -> Result<(), EbblineError> {
        let more = capacity.saturating_sub(self.bytes.len());
        self.bytes.try_reserve_exact(more).map_err(|_| EbblineError::out_of_memory(capacity))?;
        self.bytes.resize(capacity, 0);
        Ok(())
    }
}

impl TextBuffer {
    /// Converts the first `length` bytes to text without copying them.
    pub fn into_text(mut self, length: usize) -> Result<String, EbblineError> {
        self.bytes.truncate(length);
        ebbline::text::utf8(&self.bytes)?;
        Ok(String::from_utf8(self.bytes).unwrap_or_default())
    }

    /// Converts all bytes to text without copying them.
    pub fn into_whole_text(self) -> Result<String, EbblineError> {
        self.into_text(usize::MAX)
    }

    /// Converts the first `length` bytes to a session's text, which may contain invalid UTF-8.
    pub fn into_session_text(mut self, length: usize) -> Result<ebbline::text::Text<'static>, EbblineError> {
        self.bytes.truncate(length);
        Ok(ebbline::text::Text::from_bytes(self.bytes)?)
    }

    /// A buffer with the content `bytes`.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// A buffer with the content `text`.
    pub fn of_text(text: String) -> Self {
        Self { bytes: text.into_bytes() }
    }
}

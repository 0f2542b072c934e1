//! Bytes in the module's memory, which JavaScript reads and writes directly.

use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

/// Bytes that cross.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Bytes(Vec<u8>);

#[wasm_bindgen]
impl Bytes {
    /// So many bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(length: usize) -> Result<Bytes, EbblineError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| EbblineError::out_of_memory(length))?;
        bytes.resize(length, 0);
        Ok(Self(bytes))
    }

    /// The address of the bytes in the module's memory, which changes with every call that may allocate.
    #[wasm_bindgen(getter)]
    pub fn pointer(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// How many they are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.0.len()
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        bytes.0
    }
}

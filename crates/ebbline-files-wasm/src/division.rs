//! Where messages are divided of which one request for a summary would leave out too much.

use ebbline_compactor::binding::{self, Weight};
use wasm_bindgen::prelude::*;

/// A message that is summarized, and one that is only sent, as the first of the two words of a message.
const SUMMARIZED: u32 = 2;
const SENT: u32 = 1;

/// Where messages are divided: JavaScript tries the parts.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Division {
    inner: binding::Division,
}

#[wasm_bindgen]
impl Division {
    /// The division of messages, two words each: 2 for one that is summarized, 1 for one that is sent; and its tokens.
    #[wasm_bindgen(constructor)]
    pub fn new(messages: &[u32], boundary: usize, summarized: f64, budget: f64) -> Self {
        let (words, _) = messages.as_chunks::<2>();
        let weight = |[fate, tokens]: &[u32; 2]| Weight {
            is_summarized: *fate == SUMMARIZED,
            is_active: *fate >= SENT,
            tokens: (*tokens).into(),
        };
        let weights = words.iter().map(weight).collect();
        Self { inner: binding::Division::new(weights, boundary, summarized as u64, budget as u64) }
    }

    /// The most tokens of a request for a part that is tried.
    #[wasm_bindgen(getter)]
    pub fn budget(&self) -> f64 {
        self.inner.budget() as f64
    }

    /// The part that is tried next: its first message, and the first behind it.
    #[wasm_bindgen(js_name = nextPart)]
    pub fn next_part(&mut self) -> Option<Vec<u32>> {
        self.inner.next_part().map(|part| vec![part.start as u32, part.end as u32])
    }

    /// So many messages of the part that was tried are worth a request.
    pub fn found(&mut self, messages: usize) {
        self.inner.found(messages);
    }

    /// The request for the part that was tried is too large.
    #[wasm_bindgen(js_name = tooLarge)]
    pub fn too_large(&mut self) {
        self.inner.too_large();
    }

    /// For each part, the first message behind it, and how many messages it is asked for with.
    pub fn cuts(&self) -> Option<Vec<u32>> {
        let cuts = self.inner.cuts()?;
        Some(cuts.into_iter().flat_map(|(bound, behind)| [bound as u32, behind as u32]).collect())
    }
}

/// Whether one request of this budget would have to leave out or cut much of so many tokens.
#[wasm_bindgen(js_name = isTooMuch)]
pub fn is_too_much(summarized: f64, budget: f64) -> bool {
    binding::is_too_much(summarized as u64, budget as u64)
}

/// Summaries of parts as the messages of which one summary is written, a JSON array.
#[wasm_bindgen(js_name = joinedSummaries)]
pub fn joined_summaries(summaries: Vec<String>) -> String {
    binding::joined_summaries(&summaries)
}

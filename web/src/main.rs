//! The playground's page.
//!
//! The library beside it computes and words everything; the page draws it and handles input.
#![cfg_attr(not(target_arch = "wasm32"), allow(missing_docs, reason = "the page exists only in a browser"))]

#[cfg(target_arch = "wasm32")]
mod page;

#[cfg(target_arch = "wasm32")]
fn main() {
    page::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}

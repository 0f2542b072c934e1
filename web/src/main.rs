//! The playground's page.
//!
//! All that is computed or said comes from the library beside it; here it is drawn, and hands move it.
#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(missing_docs, reason = "there is nothing here without a browser")
)]

#[cfg(target_arch = "wasm32")]
mod page;

#[cfg(target_arch = "wasm32")]
fn main() {
    page::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
